import { useState } from 'preact/hooks'
import { Section } from '../kit/area.tsx'
import { RowLink } from '../kit/list.tsx'
import { toast } from '../kit/toast.tsx'
import { fillNodes } from '../texts.ts'
import { type Call, call, get, type Result } from './api.ts'
import { type Attribute, AttributeFields, draftOf, emptyDraft, membersOf, shownOf } from './attribute-fields.tsx'
import { Asking, useChange } from './change.tsx'
import { useDraft } from './draft.ts'
import { Frame } from './frame.tsx'
import { ListPage } from './list-page.tsx'
import { Part, useList, useLoaded } from './loaded.tsx'
import { useMe } from './me.tsx'
import { InEnglish } from './problem.tsx'
import { at, go, type Place } from './router.tsx'
import { SaveForm } from './save-form.tsx'
import { words } from './texts.ts'

const pathOf = (name: string): string => `/attributes/${encodeURIComponent(name)}`

export function firstCalls({ segments: [, name] }: Place): readonly Call[] {
  if (name === undefined) return [get('/attributes')]
  return name === 'new' ? [] : [get(pathOf(name))]
}

/** `/admin/attributes`, `/admin/attributes/new` and `/admin/attributes/NAME`. */
export default function AttributesPage({ segments }: { segments: readonly string[] }) {
  const [, name] = segments
  if (name === undefined) return <AttributeList />
  return name === 'new' ? <NewAttribute /> : <OneAttribute key={name} name={name} />
}

function AttributeList() {
  const list = useList<Attribute>('/attributes')
  const text = words().attributes
  return (
    <ListPage page="attributes" list={list} text={text} permission="admin:users">
      {({ name, label, type, many, required }) => (
        <RowLink key={name} href={at('attributes', name)} name={name}>
          <span class="quiet">
            <bdi>{label ?? ''}</bdi>
          </span>
          <span class="quiet">
            {[text.types[type], many && text.many, required && text.required].filter(Boolean).join(' · ')}
          </span>
        </RowLink>
      )}
    </ListPage>
  )
}

function NewAttribute() {
  const [draft, setDraft] = useState(emptyDraft)
  const change = useChange()
  const text = words().attributes
  const save = () =>
    change.run(
      () =>
        call<Attribute>({
          method: 'POST',
          path: '/attributes',
          body: { name: draft.name.trim(), ...membersOf(draft, null) },
        }),
      ({ name }) => {
        go(at('attributes', name))
        toast(fillNodes(text.saved, { name: <bdi>{name}</bdi> }))
      },
    )
  return (
    <Frame page="attributes" title={text.newTitle} isBelow>
      <Section id="attribute" title={words().common.details}>
        <SaveForm change={change} shown={shownOf(draft)} save={save}>
          <AttributeFields draft={draft} set={setDraft} isNew result={change.failed} />
        </SaveForm>
      </Section>
    </Frame>
  )
}

function OneAttribute({ name }: { name: string }) {
  const loaded = useLoaded<Attribute>(pathOf(name))
  const me = useMe()
  const { attributes: text, pages } = words()
  const isReadOnly = !me.may('admin:users')
  const saved = (attribute: Attribute, etag: string | null) => {
    loaded.set(attribute, etag)
    toast(fillNodes(text.saved, { name: <bdi>{name}</bdi> }))
  }
  return (
    <Frame
      page="attributes"
      title={<bdi>{name}</bdi>}
      windowTitle={name}
      isBelow
      lead={
        !isReadOnly &&
        fillNodes(text.next, {
          people: <a href={at('people')}>{pages.people}</a>,
          scopes: <a href={at('scopes')}>{pages.scopes}</a>,
          applications: <a href={at('applications')}>{pages.applications}</a>,
        })
      }
      busy={loaded.value === null && loaded.failed === null}
    >
      <Part loaded={loaded}>
        {(attribute) => (
          <>
            <Edit attribute={attribute} etag={loaded.etag} saved={saved} isReadOnly={isReadOnly} />
            {!isReadOnly && (
              <Section id="delete" title={words().common.delete}>
                <Deletion name={name} etag={loaded.etag} />
              </Section>
            )}
          </>
        )}
      </Part>
    </Frame>
  )
}

type EditProps = {
  attribute: Attribute
  etag: string | null
  saved(attribute: Attribute, etag: string | null): void
  isReadOnly: boolean
}

function Edit({ attribute, etag, saved, isReadOnly }: EditProps) {
  const [draft, setDraft, sent] = useDraft(draftOf(attribute))
  const change = useChange()
  const save = () =>
    change.run(
      () => call<Attribute>({ method: 'PATCH', path: pathOf(attribute.name), body: membersOf(draft, attribute), etag }),
      (value, version) => {
        sent(draft)
        saved(value, version)
      },
    )
  return (
    <Section id="attribute" title={words().common.details}>
      <SaveForm change={change} shown={shownOf(draft)} save={save} isReadOnly={isReadOnly}>
        <AttributeFields draft={draft} set={setDraft} isNew={false} result={change.failed} />
      </SaveForm>
    </Section>
  )
}

/** Asks again, with the rules that use it, before these are deleted with it. */
function Deletion({ name, etag }: { name: string; etag: string | null }) {
  const [rules, setRules] = useState<string | null>(null)
  const text = words().attributes
  let found: string | null = null

  async function remove(): Promise<Result<unknown>> {
    const result = await call({
      method: 'DELETE',
      path: pathOf(name),
      query: rules === null ? {} : { with_rules: true },
      etag,
    })
    if (rules !== null || result.kind !== 'refused' || result.problem.used_by === undefined) return result
    found = result.problem.detail ?? ''
    return { kind: 'ok', value: undefined, etag: null }
  }

  return (
    <>
      {rules !== null && (
        <p>
          <InEnglish>{rules}</InEnglish>
        </p>
      )}
      <Asking
        key={rules}
        label={rules === null ? words().common.delete : text.deleteWithRules}
        question={fillNodes(text.deleteAsk, { name: <bdi>{name}</bdi> })}
        body={<p>{text.deleteBody}</p>}
        confirm={name}
        act={remove}
        then={() => (found === null ? go(at('attributes')) : setRules(found))}
      />
    </>
  )
}

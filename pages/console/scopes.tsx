import { useState } from 'preact/hooks'
import { Section } from '../kit/area.tsx'
import { RowLink } from '../kit/list.tsx'
import { toast } from '../kit/toast.tsx'
import { fillNodes } from '../texts.ts'
import { type Call, call, get } from './api.ts'
import { Asking, useChange } from './change.tsx'
import { ClaimRules } from './claim-rules.tsx'
import { useDraft } from './draft.ts'
import { Frame } from './frame.tsx'
import { ListPart } from './list.tsx'
import { ListPage } from './list-page.tsx'
import { Part, useList, useLoaded } from './loaded.tsx'
import { useMe } from './me.tsx'
import { at, go, type Place } from './router.tsx'
import { SaveForm } from './save-form.tsx'
import { draftOf, emptyDraft, membersOf, type Scope, ScopeFields, shownOf } from './scope-fields.tsx'
import { StandardClaims, Usage, UsageOnDemand } from './scope-usage.tsx'
import { words } from './texts.ts'

type Client = { client_id: string; client_name: string }

export function firstCalls({ segments: [, name] }: Place): readonly Call[] {
  if (name === undefined) return [get('/scopes')]
  return name === 'new' ? [] : [get(pathOf(name))]
}

/** `/admin/scopes`, `/admin/scopes/new` and `/admin/scopes/NAME`. */
export default function ScopesPage({ segments }: { segments: readonly string[] }) {
  const [, name] = segments
  if (name === undefined) return <ScopeList />
  return name === 'new' ? <NewScope /> : <OneScope key={name} name={name} />
}

const pathOf = (name: string): string => `/scopes/${encodeURIComponent(name)}`

function ScopeList() {
  const list = useList<Scope>('/scopes')
  const text = words().scopes
  return (
    <ListPage page="scopes" list={list} text={text} permission="admin:clients">
      {(one) => (
        <RowLink key={one.name} href={at('scopes', one.name)} name={one.name}>
          <span class="quiet">
            <bdi>{one.display_name ?? one.description ?? ''}</bdi>
          </span>
          <span class="quiet">
            {one.resources.length === 0 ? text.noResources : <bdi>{one.resources.join(', ')}</bdi>}
          </span>
        </RowLink>
      )}
    </ListPage>
  )
}

function NewScope() {
  const [draft, setDraft] = useState(emptyDraft)
  const change = useChange()
  const text = words().scopes
  const save = () =>
    change.run(
      () => call<Scope>({ method: 'POST', path: '/scopes', body: { name: draft.name.trim(), ...membersOf(draft) } }),
      ({ name }) => go(at('scopes', name)),
    )
  return (
    <Frame page="scopes" title={text.newTitle} isBelow>
      <Section id="scope" title={text.newTitle}>
        <SaveForm change={change} shown={shownOf(draft)} save={save}>
          <ScopeFields draft={draft} set={setDraft} isNew result={change.failed} />
        </SaveForm>
      </Section>
    </Frame>
  )
}

function OneScope({ name }: { name: string }) {
  const loaded = useLoaded<Scope>(pathOf(name))
  const clients = useList<Client>('/clients', { scope: name })
  const me = useMe()
  const text = words().scopes
  const saved = (scope: Scope, etag: string | null) => {
    loaded.set(scope, etag)
    toast(fillNodes(text.saved, { name: <bdi>{name}</bdi> }))
  }
  return (
    <Frame
      page="scopes"
      title={<bdi>{name}</bdi>}
      windowTitle={name}
      isBelow
      busy={loaded.value === null && loaded.failed === null}
    >
      <Part loaded={loaded}>
        {(scope) => (
          <>
            <Edit scope={scope} etag={loaded.etag} saved={saved} isReadOnly={!me.may('admin:clients')} />
            <ClaimRules
              rules={scope.claims ?? []}
              lead={words().rules.leadOfScope}
              places={['id_token', 'userinfo']}
              save={
                me.may('admin:clients')
                  ? (claims) =>
                      call<Scope>({ method: 'PATCH', path: pathOf(name), body: { claims }, etag: loaded.etag })
                  : undefined
              }
              saved={(value, etag) => saved(value as Scope, etag)}
            />
            <StandardClaims name={name} />
            <Section id="used-by" title={text.usedBy}>
              <ListPart list={clients} empty={text.usedByNone}>
                {(one) => (
                  <li key={one.client_id} class="row">
                    <a href={at('applications', one.client_id)}>
                      <bdi>{one.client_name}</bdi>
                    </a>
                  </li>
                )}
              </ListPart>
              <UsageOnDemand name={name} />
            </Section>
            {me.may('admin:clients') && (
              <Section id="delete" title={words().common.delete}>
                <Asking
                  label={words().common.delete}
                  question={fillNodes(text.deleteAsk, { name: <bdi>{name}</bdi> })}
                  body={<Usage name={name} after={(isUsed) => <p>{isUsed ? text.deleteBody : text.deleteUnused}</p>} />}
                  confirm={name}
                  act={() =>
                    call({
                      method: 'DELETE',
                      path: pathOf(name),
                      query: { force: true },
                      etag: loaded.etag,
                    })
                  }
                  then={() => go(at('scopes'))}
                />
              </Section>
            )}
          </>
        )}
      </Part>
    </Frame>
  )
}

type EditProps = {
  scope: Scope
  etag: string | null
  saved(scope: Scope, etag: string | null): void
  isReadOnly: boolean
}

function Edit({ scope, etag, saved, isReadOnly }: EditProps) {
  const { name } = scope
  const [draft, setDraft, sent] = useDraft(draftOf(scope))
  const change = useChange()
  const save = () =>
    change.run(
      () => call<Scope>({ method: 'PATCH', path: pathOf(name), body: membersOf(draft), etag }),
      (value, version) => {
        sent(draft)
        saved(value, version)
      },
    )
  return (
    <Section id="scope" title={words().common.details}>
      <SaveForm change={change} shown={shownOf(draft)} save={save} isReadOnly={isReadOnly}>
        <ScopeFields draft={draft} set={setDraft} isNew={false} result={change.failed} />
      </SaveForm>
    </Section>
  )
}

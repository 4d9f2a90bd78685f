import { useState } from 'preact/hooks'
import { Section } from '../kit/area.tsx'
import { Select } from '../kit/field.tsx'
import { RowLink } from '../kit/list.tsx'
import { useSaid } from '../kit/said.tsx'
import { fillNodes } from '../texts.ts'
import { call } from './api.ts'
import { Asking, Field, faultOf, useChange } from './change.tsx'
import type { ClaimRule } from './claim-rule.ts'
import { ClaimRules } from './claim-rules.tsx'
import { Frame } from './frame.tsx'
import { LanguageTexts, sentTexts, type Texts, textsOf } from './language-texts.tsx'
import { ListPart } from './list.tsx'
import { ListPage } from './list-page.tsx'
import { Part, useList, useLoaded } from './loaded.tsx'
import { useMe } from './me.tsx'
import { at, go } from './router.tsx'
import { SaveForm } from './save-form.tsx'
import { StandardClaims, Usage, UsageOnDemand } from './scope-usage.tsx'
import { words } from './texts.ts'

type Scope = {
  name: string
  display_name: string | null
  description: string | null
  resources: string[]
  claims?: ClaimRule[]
  access_token_type: string | null
}
type Client = { client_id: string; client_name: string }

/** `/admin/scopes`, `/admin/scopes/new` and `/admin/scopes/NAME`. */
export default function ScopesPage({ segments }: { segments: readonly string[] }) {
  const [, name] = segments
  if (name === undefined) return <ScopeList />
  return name === 'new' ? <NewScope /> : <OneScope key={name} name={name} />
}

/** What the form has: a change of the rules beside it keeps what is typed. */
const membersKey = ({ claims: _beside, ...members }: Scope): string => JSON.stringify(members)

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

type Draft = {
  name: string
  resources: string
  access_token_type: string
  /** What people read. */
  words: Texts
}

const wordsOf = (scope: object): Texts => textsOf(scope, ['display_name', 'description', 'purpose'])

const emptyDraft: Draft = {
  name: '',
  resources: '',
  access_token_type: '',
  words: wordsOf({}),
}

/** The members that have a field of their own for messages. */
const shownOf = ({ words }: Draft): string[] => ['name', 'resources', 'access_token_type', ...Object.keys(words)]

function membersOf({ resources, access_token_type, words }: Draft) {
  const lines = resources.split(/\s+/).filter((line) => line !== '')
  return {
    resources: lines,
    access_token_type: access_token_type || null,
    ...sentTexts(words),
  }
}

type FieldsProps = {
  draft: Draft
  set(draft: Draft): void
  isNew: boolean
  result: ReturnType<typeof useChange>['failed']
}

function ScopeFields({ draft, set, isNew, result }: FieldsProps) {
  const text = words().scopes
  const field = (member: 'name' | 'resources') => ({
    name: member,
    value: draft[member],
    result,
    onInput: (value: string) => set({ ...draft, [member]: value }),
  })
  return (
    <>
      {isNew && <Field label={words().common.name} hint={text.nameHint} required {...field('name')} />}
      <LanguageTexts
        members={[
          { member: 'display_name', label: text.displayName, hint: text.displayNameHint },
          { member: 'description', label: words().common.description, hint: text.descriptionHint },
          { member: 'purpose', label: text.purpose, hint: text.purposeHint },
        ]}
        texts={draft.words}
        set={(words) => set({ ...draft, words })}
        result={result}
      />
      <Field label={text.resources} hint={text.resourcesHint} lines={3} {...field('resources')} />
      <Select
        label={text.accessTokenType}
        hint={text.accessTokenTypeHint}
        value={draft.access_token_type}
        options={[
          ['', text.asApplication],
          ['at+jwt', 'at+jwt'],
          ['JWT', 'JWT'],
        ]}
        fault={faultOf(result, 'access_token_type')}
        onChange={(value) => set({ ...draft, access_token_type: value })}
      />
    </>
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
  const [said, say] = useSaid()
  const text = words().scopes
  const saved = (scope: Scope, etag: string | null) => {
    loaded.set(scope, etag)
    say(fillNodes(text.saved, { name: <bdi>{name}</bdi> }))
  }
  return (
    <Frame page="scopes" title={<bdi>{name}</bdi>} windowTitle={name} isBelow busy={loaded.value === null}>
      <Part loaded={loaded}>
        {(scope) => (
          <>
            {said}
            <Edit
              key={membersKey(scope)}
              scope={scope}
              etag={loaded.etag}
              saved={saved}
              isReadOnly={!me.may('admin:clients')}
            />
            <ClaimRules
              rules={scope.claims ?? []}
              lead={words().rules.leadOfScope}
              places={['userinfo']}
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
  const { name, resources, access_token_type } = scope
  const [draft, setDraft] = useState<Draft>({
    name,
    resources: resources.join('\n'),
    access_token_type: access_token_type ?? '',
    words: wordsOf(scope),
  })
  const change = useChange()
  const save = () =>
    change.run(() => call<Scope>({ method: 'PATCH', path: pathOf(name), body: membersOf(draft), etag }), saved)
  return (
    <Section id="scope" title={words().common.details}>
      <SaveForm change={change} shown={shownOf(draft)} save={save} isReadOnly={isReadOnly}>
        <ScopeFields draft={draft} set={setDraft} isNew={false} result={change.failed} />
      </SaveForm>
    </Section>
  )
}

import { useState } from 'preact/hooks'
import { Section } from '../kit/area.tsx'
import { Check } from '../kit/labelled.tsx'
import { RowLink } from '../kit/list.tsx'
import { toast } from '../kit/toast.tsx'
import { fill, fillNodes } from '../texts.ts'
import { type Call, call, get, type Result } from './api.ts'
import { Asking, Field, useChange } from './change.tsx'
import { boxesOf, useDraft } from './draft.ts'
import { Frame } from './frame.tsx'
import { ListPart } from './list.tsx'
import { ListPage } from './list-page.tsx'
import { Part, useList, useLoaded } from './loaded.tsx'
import { useMe } from './me.tsx'
import { fullNameOf, type Person, rolesOf } from './person-name.ts'
import { RolesField } from './roles-field.tsx'
import { at, go, type Place } from './router.tsx'
import { SaveForm } from './save-form.tsx'
import { words } from './texts.ts'

type Role = {
  name: string
  description: string | null
  created_at: string | null
  includes?: string[]
  default?: boolean
}

/** The members that have a field of their own for messages. */
const shown = ['name', 'description', 'includes']

export function firstCalls({ segments: [, name] }: Place): readonly Call[] {
  if (name === undefined) return [get('/roles')]
  return name === 'new' ? [] : [get(`/roles/${encodeURIComponent(name)}`)]
}

/** `/admin/roles`, `/admin/roles/new` and `/admin/roles/NAME`. */
export default function RolesPage({ segments }: { segments: readonly string[] }) {
  const [, name] = segments
  if (name === undefined) return <RoleList />
  return name === 'new' ? <NewRole /> : <OneRole key={name} name={name} />
}

/** What a role permits in the service itself; undefined: it is for applications alone. */
function permitted(name: string): string | undefined {
  const { builtIn } = words().roles
  return Object.hasOwn(builtIn, name) ? builtIn[name as keyof typeof builtIn] : undefined
}

function RoleList() {
  const list = useList<Role>('/roles')
  const text = words().roles
  return (
    <ListPage page="roles" list={list} text={text} permission="admin:users" title={text.listed}>
      {({ name, description }) => (
        <RowLink key={name} href={at('roles', name)} name={name}>
          <span class="quiet">
            {description === null ? (permitted(name) ?? text.noDescription) : <bdi>{description}</bdi>}
          </span>
        </RowLink>
      )}
    </ListPage>
  )
}

type Draft = { name: string; description: string; includes: string; isDefault: boolean }

const membersOf = ({ description, includes, isDefault }: Draft) => ({
  description: description.trim() || null,
  includes: rolesOf(includes),
  default: isDefault,
})

type FieldsProps = { draft: Draft; set(draft: Draft): void; isNew: boolean; result: Result<unknown> | null }

function RoleFields({ draft, set, isNew, result }: FieldsProps) {
  const text = words().roles
  const field = boxesOf(draft, set, result)
  return (
    <>
      {isNew && <Field label={words().common.name} hint={text.nameHint} required {...field('name')} />}
      <Field label={words().common.description} hint={text.descriptionHint} {...field('description')} />
      <RolesField label={text.includes} hint={text.includesHint} without={draft.name.trim()} {...field('includes')} />
      <Check checked={draft.isDefault} onChange={(isDefault) => set({ ...draft, isDefault })}>
        {text.isDefault}
      </Check>
    </>
  )
}

function NewRole() {
  const [draft, setDraft] = useState<Draft>({ name: '', description: '', includes: '', isDefault: false })
  const change = useChange()
  const text = words().roles
  const save = () =>
    change.run(
      () => call<Role>({ method: 'POST', path: '/roles', body: { name: draft.name.trim(), ...membersOf(draft) } }),
      (role) => go(at('roles', role.name)),
    )
  return (
    <Frame page="roles" title={text.newTitle} isBelow>
      <Section id="role" title={words().common.details}>
        <SaveForm change={change} shown={shown} save={save}>
          <RoleFields draft={draft} set={setDraft} isNew result={change.failed} />
        </SaveForm>
      </Section>
    </Frame>
  )
}

function OneRole({ name }: { name: string }) {
  const loaded = useLoaded<Role>(`/roles/${encodeURIComponent(name)}`)
  const me = useMe()
  const text = words().roles
  const about = permitted(name)
  const isReadOnly = !me.may('admin:users')
  const saved = (role: Role, etag: string | null) => {
    loaded.set(role, etag)
    toast(fillNodes(text.saved, { name: <bdi>{name}</bdi> }))
  }
  return (
    <Frame
      page="roles"
      title={<bdi>{name}</bdi>}
      windowTitle={name}
      isBelow
      lead={about}
      busy={loaded.value === null && loaded.failed === null}
    >
      <Part loaded={loaded}>
        {(role) => (
          <>
            <Edit role={role} etag={loaded.etag} saved={saved} isReadOnly={isReadOnly} />
            <Holders name={name} />
            {!isReadOnly && (
              <Section id="delete" title={words().common.delete}>
                {about === undefined ? <Deletion name={name} etag={loaded.etag} /> : <p class="quiet">{text.kept}</p>}
              </Section>
            )}
          </>
        )}
      </Part>
    </Frame>
  )
}

/** Who has the role, before anything is changed. */
function Holders({ name }: { name: string }) {
  const list = useList<Person>('/users', { role: name, limit: 10 })
  const text = words().roles
  return (
    <Section id="holders" title={text.holders}>
      <ListPart list={list} empty={text.holdersNone}>
        {(person) => (
          <li key={person.id} class="row">
            <a href={at('people', person.id)}>
              <bdi>{person.username}</bdi>
            </a>
            <span class="quiet">
              <bdi>{fullNameOf(person)}</bdi>
            </span>
          </li>
        )}
      </ListPart>
      {list.items !== null && list.items.length > 0 && (
        <p class="below">
          <a href={`${at('people')}?${new URLSearchParams({ role: name })}`}>{text.holdersAll}</a>
        </p>
      )}
    </Section>
  )
}

type EditProps = {
  role: Role
  etag: string | null
  saved(role: Role, etag: string | null): void
  isReadOnly: boolean
}

function Edit({ role, etag, saved, isReadOnly }: EditProps) {
  const { name, description, includes = [], default: isDefault = false } = role
  const [draft, setDraft, sent] = useDraft<Draft>({
    name,
    description: description ?? '',
    includes: includes.join(' '),
    isDefault,
  })
  const change = useChange()
  const save = () =>
    change.run(
      () => call<Role>({ method: 'PATCH', path: `/roles/${encodeURIComponent(name)}`, body: membersOf(draft), etag }),
      (value, version) => {
        sent(draft)
        saved(value, version)
      },
    )
  return (
    <Section id="role" title={words().common.details}>
      <SaveForm change={change} shown={shown} save={save} isReadOnly={isReadOnly}>
        <RoleFields draft={draft} set={setDraft} isNew={false} result={change.failed} />
      </SaveForm>
    </Section>
  )
}

/** Deletes at once a role that nobody has; asks again, with the number of people, before it is taken from anybody. */
function Deletion({ name, etag }: { name: string; etag: string | null }) {
  const [holders, setHolders] = useState(0)
  const text = words().roles

  async function remove(force: boolean): Promise<Result<{ holders: number }>> {
    const path = `/roles/${encodeURIComponent(name)}`
    const result = await call({ method: 'DELETE', path, query: force ? { force } : {}, etag })
    const users = result.kind === 'refused' ? result.problem.used_by?.count : undefined
    if (typeof users === 'number') return { kind: 'ok', value: { holders: users }, etag: null }
    return result.kind === 'ok' ? { ...result, value: { holders: 0 } } : result
  }

  let found = 0
  const heldBy = fill(text.heldBy, { count: holders })
  return (
    <Asking
      key={holders}
      label={holders === 0 ? words().common.delete : text.deleteHeld}
      question={fillNodes(text.deleteAsk, { name: <bdi>{name}</bdi> })}
      body={<p>{holders === 0 ? text.deleteBody : `${heldBy} ${text.deleteHeldBody}`}</p>}
      confirm={name}
      act={async () => {
        const result = await remove(holders > 0)
        if (result.kind === 'ok') found = result.value.holders
        return result
      }}
      then={() => {
        if (found === 0) return go(at('roles'))
        setHolders(found)
        toast(fill(text.stillHeld, { count: found }))
      }}
    />
  )
}

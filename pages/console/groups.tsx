import { useState } from 'preact/hooks'
import { Section } from '../kit/area.tsx'
import { Select } from '../kit/field.tsx'
import { RowLink } from '../kit/list.tsx'
import { toast } from '../kit/toast.tsx'
import { fillNodes } from '../texts.ts'
import { type Call, call, get, type Result } from './api.ts'
import { Asking, Field, faultOf, useChange } from './change.tsx'
import { boxesOf, useDraft } from './draft.ts'
import { Frame } from './frame.tsx'
import { GroupMembers } from './group-members.tsx'
import { ListPage } from './list-page.tsx'
import { Part, useList, useLoaded } from './loaded.tsx'
import { useMe } from './me.tsx'
import { rolesOf } from './person-name.ts'
import { RolesField } from './roles-field.tsx'
import { at, go, type Place } from './router.tsx'
import { SaveForm } from './save-form.tsx'
import { words } from './texts.ts'

export type Group = {
  id: string
  name: string
  /** `/staff/berlin`. */
  path: string
  /** The path of the group that it is in; null: none. */
  parent: string | null
  description: string | null
  roles: string[]
}

const pathOf = (id: string): string => `/groups/${encodeURIComponent(id)}`

/** The members that have a field of their own for messages. */
const shown = ['name', 'parent', 'description', 'roles']

export function firstCalls({ segments: [, id] }: Place): readonly Call[] {
  if (id === undefined) return [get('/groups')]
  return id === 'new' ? [] : [get(pathOf(id))]
}

/** `/admin/groups`, `/admin/groups/new` and `/admin/groups/ID`. */
export default function GroupsPage({ segments }: { segments: readonly string[] }) {
  const [, id] = segments
  if (id === undefined) return <GroupList />
  return id === 'new' ? <NewGroup /> : <OneGroup key={id} id={id} />
}

function GroupList() {
  const list = useList<Group>('/groups')
  const text = words().groups
  return (
    <ListPage page="groups" list={list} text={text} permission="admin:users">
      {({ id, path, description, roles }) => (
        <RowLink key={id} href={at('groups', id)} name={path}>
          <span class="quiet">
            <bdi>{description ?? ''}</bdi>
          </span>
          <span class="quiet">
            <bdi>{roles.join(', ')}</bdi>
          </span>
        </RowLink>
      )}
    </ListPage>
  )
}

type Draft = { name: string; parent: string; description: string; roles: string }

const emptyDraft: Draft = { name: '', parent: '', description: '', roles: '' }

const membersOf = ({ name, parent, description, roles }: Draft) => ({
  name: name.trim(),
  parent: parent.trim() || null,
  description: description.trim() || null,
  roles: rolesOf(roles),
})

type FieldsProps = {
  draft: Draft
  set(draft: Draft): void
  /** The group that is changed, which cannot be inside itself; undefined: a new one. */
  group?: Group
  result: Result<unknown> | null
}

function GroupFields({ draft, set, group, result }: FieldsProps) {
  const list = useList<Group>('/groups', { limit: 500 })
  const text = words().groups
  const field = boxesOf(draft, set, result)
  const isInside = ({ path }: Group): boolean =>
    group !== undefined && (path === group.path || path.startsWith(`${group.path}/`))
  const parents = (list.items ?? []).filter((one) => !isInside(one))
  return (
    <>
      <Field label={words().common.name} required {...field('name')} />
      {list.hasMore ? (
        <Field label={text.parent} {...field('parent')} />
      ) : (
        <Select
          label={text.parent}
          value={draft.parent}
          fault={faultOf(result, 'parent')}
          options={[['', text.topLevel], ...parents.map(({ path }) => [path, path] as const)]}
          onChange={(parent) => set({ ...draft, parent })}
        />
      )}
      <Field label={words().common.description} {...field('description')} />
      <RolesField label={words().pages.roles} hint={text.rolesHint} {...field('roles')} />
    </>
  )
}

function NewGroup() {
  const [draft, setDraft] = useState(emptyDraft)
  const change = useChange()
  const text = words().groups
  const save = () =>
    change.run(
      () => call<Group>({ method: 'POST', path: '/groups', body: membersOf(draft) }),
      ({ id }) => go(at('groups', id)),
    )
  return (
    <Frame page="groups" title={text.newTitle} isBelow>
      <Section id="group" title={words().common.details}>
        <SaveForm change={change} shown={shown} save={save}>
          <GroupFields draft={draft} set={setDraft} result={change.failed} />
        </SaveForm>
      </Section>
    </Frame>
  )
}

function OneGroup({ id }: { id: string }) {
  const loaded = useLoaded<Group>(pathOf(id))
  const me = useMe()
  const text = words().groups
  const mayChange = me.may('admin:users')
  const { name = words().pages.groups, path = name, parent = null } = loaded.value ?? {}
  const saved = (group: Group, etag: string | null) => {
    loaded.set(group, etag)
    toast(fillNodes(text.saved, { name: <bdi>{group.path}</bdi> }))
  }
  return (
    <Frame
      page="groups"
      title={<bdi>{name}</bdi>}
      windowTitle={path}
      lead={parent !== null && <bdi>{path}</bdi>}
      isBelow
      busy={loaded.value === null && loaded.failed === null}
    >
      <Part loaded={loaded}>
        {(group) => (
          <>
            <Edit group={group} etag={loaded.etag} saved={saved} mayChange={mayChange} />
            <GroupMembers id={id} path={group.path} mayChange={mayChange} />
            {mayChange && (
              <Section id="delete" title={words().common.delete}>
                <Asking
                  label={words().common.delete}
                  question={fillNodes(text.deleteAsk, { name: <bdi>{group.path}</bdi> })}
                  body={<p>{text.deleteBody}</p>}
                  confirm={group.name}
                  act={() =>
                    call({ method: 'DELETE', path: pathOf(id), query: { recursive: true }, etag: loaded.etag })
                  }
                  then={() => go(at('groups'))}
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
  group: Group
  etag: string | null
  saved(group: Group, etag: string | null): void
  mayChange: boolean
}

function Edit({ group, etag, saved, mayChange }: EditProps) {
  const [draft, setDraft, sent] = useDraft<Draft>({
    name: group.name,
    parent: group.parent ?? '',
    description: group.description ?? '',
    roles: group.roles.join(' '),
  })
  const change = useChange()
  const save = () =>
    change.run(
      () => call<Group>({ method: 'PATCH', path: pathOf(group.id), body: membersOf(draft), etag }),
      (value, version) => {
        sent(draft)
        saved(value, version)
      },
    )
  return (
    <Section id="group" title={words().common.details}>
      <SaveForm change={change} shown={shown} save={save} isReadOnly={!mayChange}>
        <GroupFields draft={draft} set={setDraft} group={group} result={change.failed} />
      </SaveForm>
    </Section>
  )
}

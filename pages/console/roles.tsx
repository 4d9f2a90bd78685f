import { useState } from 'preact/hooks'
import { Section } from '../kit/area.tsx'
import { Button, ButtonLink } from '../kit/button.tsx'
import { Form } from '../kit/field.tsx'
import { RowLink } from '../kit/list.tsx'
import { useSaid } from '../kit/said.tsx'
import { fill, fillNodes } from '../texts.ts'
import { call, type Result } from './api.ts'
import { Asking, Field, useChange } from './change.tsx'
import { Frame } from './frame.tsx'
import { ListPart } from './list.tsx'
import { Part, useList, useLoaded } from './loaded.tsx'
import { useMe } from './me.tsx'
import { fullNameOf, type Person } from './person-name.ts'
import { ProblemNotice } from './problem.tsx'
import { at, go } from './router.tsx'
import { words } from './texts.ts'

type Role = { name: string; description: string | null; created_at: string | null }

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
  const me = useMe()
  const text = words().roles
  return (
    <Frame
      page="roles"
      title={words().pages.roles}
      lead={text.lead}
      busy={list.items === null}
      actions={me.may('admin:users') && <ButtonLink href={at('roles', 'new')}>{text.add}</ButtonLink>}
    >
      <Section id="roles" title={text.listed}>
        <ListPart list={list} empty={text.empty}>
          {({ name, description }) => (
            <RowLink key={name} href={at('roles', name)} name={name}>
              <span class="quiet">
                {description === null ? (permitted(name) ?? text.noDescription) : <bdi>{description}</bdi>}
              </span>
            </RowLink>
          )}
        </ListPart>
      </Section>
    </Frame>
  )
}

function NewRole() {
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const change = useChange()
  const text = words().roles
  const save = () =>
    change.run(
      () =>
        call<Role>({
          method: 'POST',
          path: '/roles',
          body: { name: name.trim(), description: description.trim() || null },
        }),
      (role) => go(at('roles', role.name)),
    )
  return (
    <Frame page="roles" title={text.newTitle} back={{ address: at('roles'), label: words().pages.roles }}>
      <Section id="role" title={words().common.details}>
        <Form onSubmit={save}>
          <Field
            label={words().common.name}
            name="name"
            value={name}
            onInput={setName}
            hint={text.nameHint}
            result={change.failed}
            required
          />
          <Field
            label={words().common.description}
            name="description"
            value={description}
            onInput={setDescription}
            hint={text.descriptionHint}
            result={change.failed}
          />
          {change.failed && <ProblemNotice result={change.failed} shown={['name', 'description']} />}
          <Button type="submit" look="main" busy={change.busy}>
            {words().common.save}
          </Button>
        </Form>
      </Section>
    </Frame>
  )
}

function OneRole({ name }: { name: string }) {
  const loaded = useLoaded<Role>(`/roles/${encodeURIComponent(name)}`)
  const me = useMe()
  const [said, say] = useSaid()
  const text = words().roles
  const about = permitted(name)
  const isReadOnly = !me.may('admin:users')
  const saved = (role: Role, etag: string | null) => {
    loaded.set(role, etag)
    say(fillNodes(text.saved, { name: <bdi>{name}</bdi> }))
  }
  return (
    <Frame
      page="roles"
      title={<bdi>{name}</bdi>}
      windowTitle={name}
      back={{ address: at('roles'), label: words().pages.roles }}
      lead={about}
      busy={loaded.value === null && loaded.failed === null}
    >
      <Part loaded={loaded}>
        {(role) => (
          <>
            {said}
            <Edit key={loaded.etag} role={role} etag={loaded.etag} saved={saved} isReadOnly={isReadOnly} />
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
  const [description, setDescription] = useState(role.description ?? '')
  const change = useChange()
  const text = words().roles
  const save = () =>
    change.run(
      () =>
        call<Role>({
          method: 'PATCH',
          path: `/roles/${encodeURIComponent(role.name)}`,
          body: { description: description.trim() || null },
          etag,
        }),
      saved,
    )
  return (
    <Section id="role" title={words().common.details}>
      <Form onSubmit={save}>
        <fieldset class="plain-set" disabled={isReadOnly}>
          <Field
            label={words().common.description}
            name="description"
            value={description}
            onInput={setDescription}
            hint={text.descriptionHint}
            result={change.failed}
          />
        </fieldset>
        {change.failed && <ProblemNotice result={change.failed} shown={['description']} />}
        {!isReadOnly && (
          <Button type="submit" look="main" busy={change.busy}>
            {words().common.save}
          </Button>
        )}
      </Form>
    </Section>
  )
}

/** Deletes at once a role that nobody has; asks again, with the number of people, before it is taken from anybody. */
function Deletion({ name, etag }: { name: string; etag: string | null }) {
  const [holders, setHolders] = useState(0)
  const [said, say] = useSaid()
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
    <>
      {said}
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
          say(fill(text.stillHeld, { count: found }))
        }}
      />
    </>
  )
}

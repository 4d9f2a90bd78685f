import { useState } from 'preact/hooks'
import { Section } from '../kit/area.tsx'
import { Button } from '../kit/button.tsx'
import { Form } from '../kit/field.tsx'
import { Item } from '../kit/list.tsx'
import type { Tell } from '../kit/said.tsx'
import { fillNodes } from '../texts.ts'
import { call, type Result } from './api.ts'
import { Asking, Field, useChange } from './change.tsx'
import { ListPart } from './list.tsx'
import { useList } from './loaded.tsx'
import { fullNameOf, type Person } from './person-name.ts'
import { ProblemNotice } from './problem.tsx'
import { at } from './router.tsx'
import { words } from './texts.ts'

type Props = { id: string; path: string; say: Tell; mayChange: boolean }

/** Who is in a group directly. */
export function GroupMembers({ id, path, say, mayChange }: Props) {
  const below = `/groups/${encodeURIComponent(id)}/members`
  const list = useList<Person>(below)
  const text = words().groups
  return (
    <Section id="members" title={text.members}>
      <ListPart list={list} empty={text.membersNone}>
        {(person) => (
          <Item
            key={person.id}
            title={
              <a href={at('people', person.id)}>
                <bdi>{person.username}</bdi>
              </a>
            }
            action={
              mayChange && (
                <Asking
                  label={text.remove}
                  question={fillNodes(text.removeAsk, {
                    name: <bdi>{person.username}</bdi>,
                    group: <bdi>{path}</bdi>,
                  })}
                  body={<p>{text.removeBody}</p>}
                  act={() => call({ method: 'DELETE', path: `${below}/${encodeURIComponent(person.id)}` })}
                  then={async () => {
                    await list.reload()
                    say(fillNodes(text.memberRemoved, { name: <bdi>{person.username}</bdi> }))
                  }}
                />
              )
            }
          >
            <p class="quiet">
              <bdi>{fullNameOf(person)}</bdi>
            </p>
          </Item>
        )}
      </ListPart>
      {mayChange && <AddMember path={below} say={say} reload={list.reload} />}
    </Section>
  )
}

function AddMember({ path, say, reload }: { path: string; say: Tell; reload(): Promise<void> }) {
  const [typed, setTyped] = useState('')
  const [unknown, setUnknown] = useState('')
  const change = useChange()
  const text = words().groups

  /** People are known to each other by their user names, and to the API by their ids. Resolves to the person if there is one. */
  async function addTyped(): Promise<Result<Person | undefined>> {
    const search = typed.trim()
    const found = await call<{ items: Person[] }>(
      { method: 'GET', path: '/users', query: { search } },
      { isShown: false },
    )
    if (found.kind !== 'ok') return found
    const person = found.value.items.find(({ username }) => username.toLowerCase() === search.toLowerCase())
    if (person === undefined) return { kind: 'ok', value: undefined, etag: null }
    const added = await call({ method: 'POST', path, body: { users: [person.id] } })
    return added.kind === 'ok' ? { ...added, value: person } : added
  }

  const add = () => {
    setUnknown('')
    return change.run(addTyped, async (person) => {
      if (person === undefined) return setUnknown(typed.trim())
      setTyped('')
      await reload()
      say(fillNodes(text.memberAdded, { name: <bdi>{person.username}</bdi> }))
    })
  }
  return (
    <Form class="form below" onSubmit={add}>
      <Field
        label={text.member}
        hint={text.memberHint}
        name="users"
        value={typed}
        onInput={setTyped}
        result={change.failed}
        required
      />
      {unknown !== '' && <p role="alert">{fillNodes(text.noSuchPerson, { name: <bdi>{unknown}</bdi> })}</p>}
      {change.failed && <ProblemNotice result={change.failed} shown={['users']} />}
      <Button type="submit" busy={change.busy}>
        {text.addMember}
      </Button>
    </Form>
  )
}

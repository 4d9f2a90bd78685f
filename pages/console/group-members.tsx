import { useState } from 'preact/hooks'
import { Section } from '../kit/area.tsx'
import { Button } from '../kit/button.tsx'
import { Item } from '../kit/list.tsx'
import { toast } from '../kit/toast.tsx'
import { fillNodes } from '../texts.ts'
import { call } from './api.ts'
import { Asking, Field, useChange } from './change.tsx'
import { ListPart } from './list.tsx'
import { useList } from './loaded.tsx'
import { usePaused } from './pause.ts'
import { fullNameOf, type Person } from './person-name.ts'
import { ProblemNotice } from './problem.tsx'
import { at } from './router.tsx'
import { words } from './texts.ts'

type Props = { id: string; path: string; mayChange: boolean }

/** Who is in a group directly. */
export function GroupMembers({ id, path, mayChange }: Props) {
  const below = `/groups/${encodeURIComponent(id)}/members`
  const list = useList<Pick<Person, 'id' | 'username'>>(below)
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
                    toast(fillNodes(text.memberRemoved, { name: <bdi>{person.username}</bdi> }))
                  }}
                />
              )
            }
          />
        )}
      </ListPart>
      {mayChange && <AddMember path={below} reload={list.reload} />}
    </Section>
  )
}

/** The search among all people, as the service makes it, and a button beside each whom it finds. */
function AddMember({ path, reload }: { path: string; reload(): Promise<void> }) {
  const [typed, setTyped] = useState('')
  const search = usePaused(typed.trim())
  const text = words().groups
  return (
    <>
      <search class="form below">
        <Field
          label={text.search}
          hint={text.searchHint}
          name="search"
          type="search"
          value={typed}
          onInput={setTyped}
        />
      </search>
      {search !== '' && <Found search={search} path={path} reload={reload} />}
    </>
  )
}

type FoundProps = { search: string; path: string; reload(): Promise<void> }

function Found({ search, path, reload }: FoundProps) {
  const list = useList<Person>('/users', { search, limit: 10 })
  const change = useChange()
  const text = words().groups
  const add = ({ id, username }: Person) =>
    change.run(
      () => call({ method: 'POST', path, body: { users: [id] } }),
      async () => {
        await reload()
        toast(fillNodes(text.memberAdded, { name: <bdi>{username}</bdi> }))
      },
    )
  return (
    <>
      {change.failed && <ProblemNotice result={change.failed} />}
      <ListPart list={list} empty={words().people.nobodyFound}>
        {(person) => (
          <Item
            key={person.id}
            title={<bdi>{person.username}</bdi>}
            action={
              <Button busy={change.busy} onClick={() => add(person)}>
                {fillNodes(text.addOne, { name: <bdi>{person.username}</bdi> })}
              </Button>
            }
          >
            <p class="quiet">
              <bdi>{fullNameOf(person)}</bdi>
            </p>
          </Item>
        )}
      </ListPart>
    </>
  )
}

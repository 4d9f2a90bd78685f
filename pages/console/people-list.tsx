import { useEffect, useState } from 'preact/hooks'
import { Section } from '../kit/area.tsx'
import { Button, ButtonLink } from '../kit/button.tsx'
import { Check } from '../kit/labelled.tsx'
import { fill } from '../texts.ts'
import { Field } from './change.tsx'
import { Frame } from './frame.tsx'
import { ListPart } from './list.tsx'
import { useList } from './loaded.tsx'
import { useMe } from './me.tsx'
import { PAUSE_MS } from './pause.ts'
import { Bulk } from './people-bulk.tsx'
import { PeopleTabs } from './people-tabs.tsx'
import { fullNameOf, type Person } from './person-name.ts'
import { at, setQuery, usePlace } from './router.tsx'
import { words } from './texts.ts'

/** `/admin/people`: the list, with its search and filters in the address. */
export function PeopleList() {
  const { query } = usePlace()
  const search = query.get('search') ?? ''
  const [typed, setTyped] = useState(search)
  const role = query.get('role') ?? ''
  const [typedRole, setTypedRole] = useState(role)
  const filters = {
    search,
    role,
    locked: query.get('locked') ?? '',
    email_verified: query.get('email_verified') ?? '',
    second_factor: query.get('second_factor') ?? '',
  }
  const list = useList<Person>('/users', filters)
  const me = useMe()
  const text = words().people
  const isChoosing = me.may('admin:users') && query.has('choose')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const shown = list.items ?? []
  // A change is for the people who are shown.
  const people = isChoosing ? shown.filter(({ id }) => chosen.has(id)) : []

  function choose(ids: readonly string[], isChosen: boolean) {
    const next = new Set(chosen)
    for (const id of ids) isChosen ? next.add(id) : next.delete(id)
    setChosen(next)
  }

  useEffect(() => {
    if (typed === search && typedRole === role) return
    const timer = setTimeout(() => setQuery({ search: typed, role: typedRole.trim() }), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed, typedRole])

  const isFiltered = Object.values(filters).some((value) => value !== '')
  return (
    <Frame
      page="people"
      title={words().pages.people}
      lead={text.lead}
      busy={list.items === null}
      actions={
        me.may('admin:users') && (
          <>
            <ButtonLink href={at('people', 'new')}>{text.add}</ButtonLink>
            <ButtonLink look="quiet" href={at('people', 'invite')}>
              {text.invite}
            </ButtonLink>
          </>
        )
      }
    >
      <PeopleTabs current="people" />
      <Section id="people" title={words().pages.people}>
        <search class="filters">
          <Field label={text.search} name="search" type="search" value={typed} onInput={setTyped} />
          <Field label={text.role} name="role" value={typedRole} onInput={setTypedRole} />
          <Filter name="locked" label={text.onlyLocked} value="true" />
          <Filter name="email_verified" label={text.onlyUnconfirmed} value="false" />
          <Filter name="second_factor" label={text.onlyWithoutFactor} value="false" />
        </search>
        {me.may('admin:users') && (
          <div class="choosing">
            <Button
              onClick={() => {
                setChosen(new Set())
                setQuery({ choose: isChoosing ? '' : 'several' })
              }}
            >
              {isChoosing ? text.bulk.end : text.bulk.choose}
            </Button>
            {isChoosing && shown.length > 0 && (
              <Check
                checked={people.length === shown.length}
                onChange={(isChosen) =>
                  choose(
                    shown.map(({ id }) => id),
                    isChosen,
                  )
                }
              >
                {text.bulk.all}
              </Check>
            )}
          </div>
        )}
        {isChoosing && (
          <Bulk
            people={people}
            changed={async () => {
              setChosen(new Set())
              await list.reload()
            }}
          />
        )}
        <ListPart list={list} empty={isFiltered ? text.nobodyFound : text.empty}>
          {(one) => (
            <Row
              key={one.id}
              person={one}
              isChosen={isChoosing ? chosen.has(one.id) : undefined}
              choose={(isChosen) => choose([one.id], isChosen)}
            />
          )}
        </ListPart>
      </Section>
    </Frame>
  )
}

function Filter({ name, label, value }: { name: string; label: string; value: string }) {
  const isOn = usePlace().query.get(name) === value
  return (
    <Check checked={isOn} onChange={(isChecked) => setQuery({ [name]: isChecked ? value : '' })}>
      {label}
    </Check>
  )
}

type RowProps = { person: Person; isChosen: boolean | undefined; choose(isChosen: boolean): void }

function Row({ person, isChosen, choose }: RowProps) {
  const { id, username, email, roles, locked_until, email_verified } = person
  const name = fullNameOf(person)
  const text = words().people
  const states = [...(locked_until === null ? [] : [text.locked]), ...(email_verified ? [] : [text.unconfirmed])]
  return (
    <li class={isChosen === undefined ? undefined : 'choosable'}>
      {isChosen !== undefined && (
        <input
          type="checkbox"
          aria-label={fill(text.bulk.one, { name: username })}
          checked={isChosen}
          onChange={(event) => choose(event.currentTarget.checked)}
        />
      )}
      <a class="row" href={at('people', id)}>
        <span>
          <strong>
            <bdi>{username}</bdi>
          </strong>
          {name && (
            <span class="quiet">
              {' '}
              <bdi>{name}</bdi>
            </span>
          )}
        </span>
        <span class="quiet">
          <bdi>{email}</bdi>
        </span>
        <span class="quiet">
          {[...states, ...roles].map((one, index) => (
            <>
              {index > 0 && ', '}
              <bdi>{one}</bdi>
            </>
          ))}
        </span>
      </a>
    </li>
  )
}

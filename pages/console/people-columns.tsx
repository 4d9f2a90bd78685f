import type { ComponentChildren } from 'preact'
import { When } from '../account/when.tsx'
import { Ago } from '../kit/ago.tsx'
import { Avatar } from '../kit/avatar.tsx'
import { Chip, Named } from '../kit/chip.tsx'
import type { Column } from '../kit/table-state.ts'
import { fullNameOf, type Person } from './person-name.ts'
import { at } from './router.tsx'
import { words } from './texts.ts'

/** As the list has them, with its facts. */
export type ListedPerson = Person & { second_factor?: boolean; last_sign_in_at?: string | null }

/** Roles that are shown of one person, before a number stands for the others. */
const rolesShown = 3

export function peopleColumns(): readonly Column<ListedPerson>[] {
  const text = words().people
  return [
    { id: 'person', label: text.table.person, room: 'main', lines: 3, hiding: 'never', sort: 'username', cell: Who },
    { id: 'state', label: text.table.state, room: 'always', cell: State },
    {
      id: 'roles',
      label: text.roles,
      room: 'narrow',
      isEmpty: ({ roles }) => roles.length === 0,
      isRare: true,
      cell: Roles,
    },
    {
      id: 'factor',
      label: text.table.factor,
      room: 'wide',
      cell: ({ second_factor }) =>
        second_factor ? (
          <Chip look="active">{text.table.hasFactor}</Chip>
        ) : (
          <span class="quiet">{words().common.none}</span>
        ),
    },
    {
      id: 'last',
      label: text.table.last,
      room: 'middle',
      isEmpty: ({ last_sign_in_at: last }) => !last,
      cell: ({ last_sign_in_at: last }) => (last ? <Ago iso={last} /> : <span class="quiet">–</span>),
    },
    {
      id: 'created',
      label: text.table.created,
      room: 'wide',
      sort: 'created_at',
      cell: ({ created_at }) => <When iso={created_at} dayOnly />,
    },
  ]
}

function Who(person: ListedPerson) {
  const { id, username, email } = person
  const name = fullNameOf(person)
  return (
    <Named href={at('people', id)} name={username} picture={<Avatar subject={id} name={name || username} />}>
      {name && (
        <>
          <bdi>{name}</bdi>
          <br />
        </>
      )}
      {email && <bdi>{breakable(email)}</bdi>}
    </Named>
  )
}

/** A long address is broken before its domain, and within a word only where that is not enough. */
function breakable(address: string): ComponentChildren {
  const at = address.lastIndexOf('@')
  return [address.slice(0, at), <wbr key="at" />, address.slice(at)]
}

function State({ locked_until, email_verified }: ListedPerson) {
  const text = words().people
  return (
    <div class="chips">
      {locked_until !== null && <Chip look="warning">{text.locked}</Chip>}
      {!email_verified && <Chip>{text.unconfirmed}</Chip>}
    </div>
  )
}

function Roles({ roles }: ListedPerson) {
  return (
    <div class="chips">
      {roles.slice(0, rolesShown).map((role) => (
        <Chip key={role}>
          <bdi>{role}</bdi>
        </Chip>
      ))}
      {roles.length > rolesShown && <span class="quiet">+{roles.length - rolesShown}</span>}
    </div>
  )
}

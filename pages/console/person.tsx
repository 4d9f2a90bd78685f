import { When } from '../account/when.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { toast } from '../kit/toast.tsx'
import { fillNodes } from '../texts.ts'
import { type Call, get } from './api.ts'
import { Copyable } from './command.tsx'
import { Frame } from './frame.tsx'
import { Part, useLoaded } from './loaded.tsx'
import { useMe } from './me.tsx'
import { Activity } from './person-activity.tsx'
import { AccessItems, SignInItems } from './person-items.tsx'
import { askedInWords, fullNameOf, type Overview, type Person, pathOf } from './person-name.ts'
import { PersonOverview } from './person-overview.tsx'
import { Roles } from './person-roles.tsx'
import { PersonSignIn } from './person-sign-in.tsx'
import { at } from './router.tsx'
import { words } from './texts.ts'

/** The tabs of a person, by the last part of the address. */
const tabs = ['', 'sign-in', 'applications', 'roles', 'activity', 'json'] as const
type Tab = (typeof tabs)[number]

function tabLabels(): Readonly<Record<Tab, string>> {
  const { people, pages } = words()
  return {
    '': people.tabs.overview,
    'sign-in': people.tabs.signIn,
    applications: pages.applications,
    roles: pages.roles,
    activity: pages.activity,
    json: people.tabs.json,
  }
}

export const firstCallsOfPerson = (id: string): readonly Call[] => [get(pathOf(id)), get(pathOf(id, 'overview'))]

/** `/admin/people/ID` and its tabs. */
export function OnePerson({ id, tab: wanted = '' }: { id: string; tab?: string | undefined }) {
  const loaded = useLoaded<Person>(pathOf(id))
  const overview = useLoaded<Overview>(pathOf(id, 'overview'))
  const mayChange = useMe().may('admin:users')
  const person = loaded.value
  const labels = tabLabels()
  const tab = tabs.find((one) => one === wanted) ?? ''
  const name = person?.username ?? words().pages.people
  return (
    <Frame
      page="people"
      title={<bdi>{name}</bdi>}
      windowTitle={tab === '' ? name : `${name} – ${labels[tab]}`}
      isBelow
      lead={person && <State person={person} />}
      busy={person === null && loaded.failed === null}
    >
      <Tabs
        label={words().people.tabs.label}
        tabs={tabs.map((one) => ({
          href: at('people', id, ...(one === '' ? [] : [one])),
          label: labels[one],
          isCurrent: one === tab,
        }))}
      />
      <Part loaded={loaded}>
        {(value) => {
          const part = { person: value, loaded, say: toast, overview }
          const items = { id, username: value.username, say: toast, mayChange, changed: overview.reload }
          return (
            <>
              {/* What is typed there stays while another tab is looked at. */}
              <div hidden={tab !== ''}>
                <PersonOverview {...part} />
              </div>
              {tab === 'sign-in' && (
                <>
                  <PersonSignIn {...part} />
                  <SignInItems {...items} />
                </>
              )}
              {tab === 'applications' && <AccessItems {...items} />}
              {tab === 'roles' && <Roles {...part} />}
              {tab === 'activity' && <Activity id={id} />}
              {tab === 'json' && <Copyable text={JSON.stringify(value, null, 2)} />}
            </>
          )
        }}
      </Part>
    </Frame>
  )
}

function State({ person }: { person: Person }) {
  const text = words().people
  const asked = person.required_actions
  return (
    <>
      {fullNameOf(person) !== '' && [<bdi key="name">{fullNameOf(person)}</bdi>, ' · ']}
      <bdi>{person.email}</bdi>
      {person.email && !person.email_verified && ` · ${text.unconfirmed}`}
      {asked.length > 0 && [' · ', fillNodes(text.asked, { actions: askedInWords(asked) })]}
      {person.disabled
        ? ` · ${text.locked}`
        : person.locked_until && [' · ', fillNodes(text.lockedUntil, { when: <When iso={person.locked_until} /> })]}
    </>
  )
}

import type { ComponentChildren } from 'preact'
import { numberInWords, When, withWhen } from '../account/when.tsx'
import { Ago } from '../kit/ago.tsx'
import { Section } from '../kit/area.tsx'
import { Notice } from '../kit/layout.tsx'
import { Facts } from '../kit/list.tsx'
import { CopyLine } from './copy-line.tsx'
import { type Loaded, NotLoaded } from './loaded.tsx'
import { deviceInWords, type Overview, type Person } from './person-name.ts'
import { words } from './texts.ts'

/** Who a person is, what is wrong, and when they came last. */
export function Glance({ person, overview }: { person: Person; overview: Loaded<Overview> }) {
  const text = words().people.overview
  const facts = overview.value
  return (
    <Section id="overview" title={text.title}>
      {overview.failed && <NotLoaded failed={overview.failed} reload={overview.reload} />}
      {facts && <Attention person={person} facts={facts} />}
      <Facts
        facts={[
          [text.lastSignIn, facts && <LastSignIn facts={facts} />],
          [text.factors, facts && <Factors facts={facts} />],
          [words().people.items.sessions.title, facts && numberInWords(facts.sessions)],
          [text.applications, facts && numberInWords(facts.applications)],
          [text.created, <When key="created" iso={person.created_at} />],
          [text.id, <CopyLine key="id" label={text.id} value={person.id} />],
          [
            words().people.members.email,
            person.email && <CopyLine label={words().people.members.email} value={person.email} />,
          ],
        ]}
      />
    </Section>
  )
}

function LastSignIn({ facts: { last_sign_in: last } }: { facts: Overview }) {
  const text = words().people.overview
  if (last === null) return <>{text.never}</>
  const { browser, system, address } = last
  return (
    <>
      <Ago iso={last.at} />
      {(browser ?? system) !== null && ` · ${deviceInWords(last)}`}
      {address && [' · ', <bdi key="address">{address}</bdi>]}
    </>
  )
}

function Factors({ facts }: { facts: Overview }) {
  const { items, overview } = words().people
  const counted = [
    [items.passkeys.title, facts.passkeys],
    [overview.keys, facts.second_factor_keys],
    [overview.apps, facts.authenticator_apps.length],
    [overview.recoveryCodes, facts.recovery_codes],
  ] as const
  const there = counted.filter(([, count]) => count > 0)
  return (
    <>
      {there.length === 0
        ? overview.noFactor
        : there.map(([label, count]) => `${label}: ${numberInWords(count)}`).join(' · ')}
    </>
  )
}

/** What is wrong with the account, most important first. */
function Attention({ person, facts }: { person: Person; facts: Overview }) {
  const { overview: text, lockedUntil } = words().people
  const hasWay = facts.password !== null || facts.passkeys > 0 || facts.external_logins > 0
  const found: ComponentChildren[] = []
  if (person.disabled) found.push(text.locked)
  else if (person.locked_until) found.push(withWhen(lockedUntil, person.locked_until, false))
  if (!hasWay) found.push(text.noWay)
  if (person.email && !person.email_verified) found.push(text.unconfirmed)
  if (facts.authenticator_apps.length > 0 && facts.recovery_codes <= fewRecoveryCodes) found.push(text.fewCodes)
  return (
    <>
      {found.map((one, index) => (
        <Notice key={index}>{one}</Notice>
      ))}
    </>
  )
}

/** As in the account area. */
const fewRecoveryCodes = 3

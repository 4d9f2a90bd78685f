import type { ComponentChildren } from 'preact'
import { numberInWords, When, withWhen } from '../account/when.tsx'
import { Ago } from '../kit/ago.tsx'
import { Section } from '../kit/area.tsx'
import { Notice } from '../kit/layout.tsx'
import { Facts } from '../kit/list.tsx'
import { site } from '../site.ts'
import { fillNodes } from '../texts.ts'
import { CopyLine } from './copy-line.tsx'
import { NotLoaded } from './loaded.tsx'
import { useMe } from './me.tsx'
import {
  AskConfirmation,
  Confirm,
  CreateResetLink,
  type MendProps,
  RequireFactor,
  SendReset,
  Unlock,
  Withdraw,
} from './person-mends.tsx'
import { askedInWords, deviceInWords, type Overview, type Person } from './person-name.ts'
import { words } from './texts.ts'

/** Who a person is, what is wrong, and when they came last. */
export function Glance(part: MendProps) {
  const { person, overview } = part
  const text = words().people.overview
  const facts = overview.value
  return (
    <Section id="overview" title={text.title}>
      {overview.failed && <NotLoaded failed={overview.failed} reload={overview.reload} />}
      {facts && <Attention part={part} facts={facts} />}
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

/** Of a person just added this is how it should be. */
const isPlain = (name: string): boolean => ['address', 'asked', 'factor'].includes(name)

/** What is wrong with the account or missing, most important first, each with what mends it for those who may. */
function Attention({ part, facts }: { part: MendProps; facts: Overview }) {
  const { person } = part
  const { overview: text, locked, lockedUntil, asked } = words().people
  const mayChange = useMe().may('admin:users')
  const hasWay = facts.password !== null || facts.passkeys > 0 || facts.external_logins > 0
  const found: (readonly [name: string, what: ComponentChildren, mend?: ComponentChildren])[] = []
  if (person.disabled) found.push(['locked', locked, <Unlock key="mend" {...part} />])
  else if (person.locked_until)
    found.push(['paused', withWhen(lockedUntil, person.locked_until, false), <Unlock key="mend" {...part} />])
  if (!hasWay) found.push(['way', text.noWay, site.mail ? <SendReset {...part} /> : <CreateResetLink {...part} />])
  const isBare = facts.passkeys + facts.second_factor_keys + facts.authenticator_apps.length === 0
  const isHeld = isBare && person.had_second_factor
  if (isHeld) found.push(['held', <Held key="what" person={person} />, <CreateResetLink key="mend" {...part} />])
  if (person.email && !person.email_verified)
    found.push([
      'address',
      text.unconfirmed,
      <>
        <Confirm {...part} />
        <AskConfirmation {...part} />
      </>,
    ])
  if (person.required_actions.length > 0)
    found.push(['asked', fillNodes(asked, { actions: askedInWords(person.required_actions) }), <Withdraw {...part} />])
  if (facts.authenticator_apps.length > 0 && facts.recovery_codes <= fewRecoveryCodes)
    found.push(['codes', text.fewCodes])
  // Of somebody with no way to sign in, and of somebody who is asked for it already, more is told above.
  if (isBare && hasWay && !isHeld && !person.required_actions.includes('set_up_second_factor'))
    found.push(['factor', text.noFactor, <RequireFactor key="mend" {...part} />])
  return (
    <>
      {found.map(([name, what, mend]) => (
        <Notice key={name} role={isPlain(name) ? 'note' : 'alert'}>
          {mayChange && mend ? (
            <div class="mend">
              <p>{what}</p>
              <div class="buttons">{mend}</div>
            </div>
          ) : (
            what
          )}
        </Notice>
      ))}
    </>
  )
}

/** What the first sign-in of a person is held for whose second factor could not come with an import. */
function Held({ person: { email } }: { person: Person }) {
  const text = words().people.mends
  return <>{site.mail && email ? fillNodes(text.held, { email: <bdi>{email}</bdi> }) : text.heldHelp}</>
}

/** As in the account area. */
const fewRecoveryCodes = 3

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Message } from '#messages'
import { Ago } from '../kit/ago.tsx'
import { Section } from '../kit/area.tsx'
import { Button, ButtonLink } from '../kit/button.tsx'
import { Icon } from '../kit/icon.tsx'
import { Item, List } from '../kit/list.tsx'
import { fill, fillNodes } from '../texts.ts'
import { change } from './json.ts'
import { type Profile, useLoaded } from './loaded.tsx'
import { MailSent } from './mail-sent.tsx'
import { TaskNotice, useTask } from './task.tsx'
import { words } from './texts.ts'
import { listInWords, numberInWords } from './when.tsx'

/** A session that nobody used for this long is asked about. */
const LONG_MS = 30 * 86_400_000

const links = {
  add_passkey: '/Account/Security#passkeys',
  set_up_totp: '/Account/Security#authenticator',
  renew_recovery_codes: '/Account/Security#recovery',
  review_sessions: '/Account/Devices#sessions',
} as const

type Session = { current: boolean; last_seen_at: string }

/** What keeps the account safe: first what there is to do, each with its action, then what is in order, each leading to its place. */
export function CheckUp({ profile }: { profile: Profile }) {
  const sessions = useLoaded<{ items: Session[] }>('/Account/Self/sessions')
  const text = words().overview
  const found = sessions.value?.items
  const unused =
    found?.filter((one) => !one.current && Date.now() - Date.parse(one.last_seen_at) >= LONG_MS).length ?? 0
  const todo = unused > 0 ? [...profile.next, 'review_sessions'] : profile.next
  const good = inOrder(profile, found !== undefined && unused === 0)
  return (
    <Section id="next" title={text.checkUp.title}>
      <List items={todo} empty={text.nothing}>
        {(one) => <Advice key={one} name={one} profile={profile} unused={unused} />}
      </List>
      {good.length > 0 && (
        <>
          <h3 id="in-order">{text.checkUp.good}</h3>
          <ul class="in-order" aria-labelledby="in-order">
            {good.map(([href, label]) => (
              <li key={href}>
                <Icon path="M3 8.5l3.25 3.25L13 5" />
                <a href={href}>{label}</a>
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  )
}

/** Where each is changed, and what it is. */
function inOrder({ sign_in: ways, ...profile }: Profile, areSessionsUsed: boolean) {
  const text = words().overview.checkUp
  const isAdvised = (one: string): boolean => profile.next.includes(one)
  const count = (value: number) => ({ count: numberInWords(value) })
  const points: readonly (readonly [boolean, string, ComponentChildren])[] = [
    // An old password is no fault: a change without a reason makes passwords worse (NIST SP 800-63B §3.1.1.2).
    [
      ways.password_changed_at !== null,
      '/Account/Security#password',
      fillNodes(text.password, { when: <Ago iso={ways.password_changed_at ?? ''} dayOnly /> }),
    ],
    [ways.passkeys > 0, links.add_passkey, fill(text.passkeys, count(ways.passkeys))],
    [ways.totp !== null, links.set_up_totp, text.app],
    [
      ways.recovery_codes > 0 && !isAdvised('renew_recovery_codes'),
      links.renew_recovery_codes,
      fill(text.codes, count(ways.recovery_codes)),
    ],
    [profile.email_verified, '/Account/Profile#email', text.email],
    [areSessionsUsed, links.review_sessions, text.sessions],
    [
      ways.external_logins.length > 0,
      '/Account/Security#linked',
      fillNodes(text.linked, {
        providers: <bdi>{listInWords(ways.external_logins.map(({ name }) => name))}</bdi>,
      }),
    ],
  ]
  return points.flatMap(([applies, href, label]) => (applies ? [[href, label] as const] : []))
}

/** `unused`: how many sessions nobody used for long. */
function Advice({ name, profile, unused }: { name: string; profile: Profile; unused: number }) {
  const all = words().overview.next
  if (name === 'confirm_email') return <ConfirmEmail profile={profile} />
  if (!Object.hasOwn(links, name)) return null
  const { title, body, link } = all[name as keyof typeof links]
  return (
    <Item
      title={title}
      action={
        <ButtonLink look="quiet" href={links[name as keyof typeof links]}>
          {link}
        </ButtonLink>
      }
    >
      <p>{fill(body as Message<'count'>, { count: numberInWords(unused) })}</p>
    </Item>
  )
}

function ConfirmEmail({ profile: { email } }: { profile: Profile }) {
  const text = words().overview.next.confirm_email
  const task = useTask()
  const [sent, setSent] = useState(false)
  return (
    <Item
      title={text.title}
      action={
        !sent && (
          <Button
            busy={task.busy}
            onClick={() =>
              task.run(
                () => change('POST', '/Account/Self/email', { email }),
                () => setSent(true),
              )
            }
          >
            {text.submit}
          </Button>
        )
      }
    >
      <p>{text.body}</p>
      <TaskNotice task={task} errors={words().profile.email.errors} />
      {sent && <MailSent address={email} />}
    </Item>
  )
}

import { useState } from 'preact/hooks'
import { Section } from '../kit/area.tsx'
import { Button, ButtonLink } from '../kit/button.tsx'
import { PersonLine } from '../kit/layout.tsx'
import { Item, List } from '../kit/list.tsx'
import { useSaid } from '../kit/said.tsx'
import { fillNodes } from '../texts.ts'
import { ActivityList, type ActivityPage } from './activity.tsx'
import { change } from './json.ts'
import { AreaPage, Part, type Profile, useLoaded, useProfile } from './loaded.tsx'
import { TaskNotice, useTask } from './task.tsx'
import { words } from './texts.ts'
import { withWhen } from './when.tsx'

/** Entries on this page; the rest is on the profile page. */
const SHORT = 5

const links = {
  add_passkey: '/Account/Security#passkeys',
  set_up_totp: '/Account/Security#authenticator',
  renew_recovery_codes: '/Account/Security#recovery',
} as const

export default function OverviewPage() {
  const profile = useProfile()
  const activity = useLoaded<ActivityPage>('/Account/Self/activity')
  const text = words().overview
  return (
    <AreaPage area="overview" lead={text.lead} profile={profile}>
      {() => {
        const value = profile.value as Profile
        return (
          <>
            <Deletion profile={value} reload={profile.reload} />
            <section class="panel">
              <PersonLine label={text.signedInAs} name={value.name || value.username}>
                <span class="mail">
                  <bdi>{value.email}</bdi>
                  <small class="tag">{value.email_verified ? text.confirmed : text.notConfirmed}</small>
                </span>
              </PersonLine>
            </section>
            <Section id="next" title={text.nextTitle}>
              <List items={value.next} empty={text.nothing}>
                {(one) => <Advice key={one} name={one} profile={value} />}
              </List>
            </Section>
            <Section id="activity" title={text.activityTitle}>
              <Part loaded={activity}>{({ items }) => <ActivityList items={items.slice(0, SHORT)} />}</Part>
              <p class="more">
                <a href="/Account/Profile#activity">{text.allActivity}</a>
              </p>
            </Section>
          </>
        )
      }}
    </AreaPage>
  )
}

function Advice({ name, profile }: { name: string; profile: Profile }) {
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
      <p>{body}</p>
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

/** Says where a mail went, and leads to the page that takes its code. */
export function MailSent({ address }: { address: string }) {
  const text = words().profile.email
  return (
    <div role="status">
      <p>{fillNodes(text.sent, { address: <bdi>{address}</bdi> })}</p>
      <a href={`/Account/Confirm?purpose=email&ReturnUrl=${encodeURIComponent(location.pathname)}`}>{text.enter}</a>
    </div>
  )
}

/** When the account is deleted, with a way to keep it. */
export function Deletion({ profile, reload }: { profile: Profile; reload(): Promise<void> }) {
  const text = words().profile.deletion
  const task = useTask()
  const [said, say] = useSaid()
  const keep = () =>
    task.run(
      () => change('DELETE', '/Account/Self/deletion'),
      async () => {
        await reload()
        say(text.kept)
      },
    )
  return (
    <>
      {said}
      {profile.deletion && (
        <section class="panel warning">
          <p>
            <strong>{withWhen(text.planned, profile.deletion.due_at, false)}</strong>
          </p>
          <TaskNotice task={task} />
          <Button look="main" busy={task.busy} onClick={keep}>
            {text.keep}
          </Button>
        </section>
      )}
    </>
  )
}

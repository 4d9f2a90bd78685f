import { Section } from '../kit/area.tsx'
import { Avatar } from '../kit/avatar.tsx'
import { Button } from '../kit/button.tsx'
import { useSaid } from '../kit/said.tsx'
import { ActivityList, type ActivityPage } from './activity.tsx'
import { CheckUp } from './check-up.tsx'
import { change } from './json.ts'
import { AreaPage, Part, type Profile, useLoaded, useProfile } from './loaded.tsx'
import { TaskNotice, useTask } from './task.tsx'
import { words } from './texts.ts'
import { withWhen } from './when.tsx'

/** Entries on this page; the rest is on the profile page. */
const SHORT = 5

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
              <div class="person">
                <Avatar subject={value.id} name={value.name || value.username} />
                <span class="who">
                  <small>{text.signedInAs}</small>
                  <bdi>{value.name || value.username}</bdi>
                </span>
                <span class="mail">
                  <bdi>{value.email}</bdi>
                  <small class="tag">{value.email_verified ? text.confirmed : text.notConfirmed}</small>
                </span>
              </div>
            </section>
            <CheckUp profile={value} />
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

import { Section } from '../kit/area.tsx'
import type { Entry } from './activity-entry.ts'
import { Story } from './activity-story.tsx'
import { useList } from './loaded.tsx'
import { useMe } from './me.tsx'
import { pathOf } from './person-name.ts'
import { at } from './router.tsx'
import { words } from './texts.ts'

/** So many entries are read at once. */
const entriesAtOnce = 10

/** What happened to the account, newest first. */
export function Activity({ id }: { id: string }) {
  const list = useList<Entry>(pathOf(id, 'activity'), { limit: entriesAtOnce })
  const mayReadTrail = useMe().may('admin:audit:read')
  const text = words().people.activity
  return (
    <Section id="activity" title={text.title}>
      <Story list={list} empty={text.empty} />
      {mayReadTrail && (
        <p class="below">
          <a href={`${at('activity')}?${new URLSearchParams({ user_id: id })}`}>{text.all}</a>
        </p>
      )}
    </Section>
  )
}

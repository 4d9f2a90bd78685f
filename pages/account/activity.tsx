import { useState } from 'preact/hooks'
import type { Message } from '#messages'
import { Button } from '../kit/button.tsx'
import { entry, fillNodes } from '../texts.ts'
import { read } from './json.ts'
import type { Loaded } from './loaded.tsx'
import { Part } from './loaded.tsx'
import { TaskNotice, useTask } from './task.tsx'
import { words } from './texts.ts'
import { When } from './when.tsx'

/** An entry of `GET /Account/Self/activity`. */
export type Activity = {
  at: string
  kind: string
  client_id: string | null
  client_name: string | null
  address: string | null
  by_operator: boolean
  details: Record<string, unknown>
  trace_id: string | null
}
export type ActivityPage = { items: Activity[]; next: string | null }

export function ActivityList({ items }: { items: readonly Activity[] }) {
  const text = words().profile.activity
  if (items.length === 0) return <p class="quiet">{text.none}</p>
  return (
    <ol class="items activity">
      {items.map((one, index) => (
        <li key={index}>
          <span>{inWords(one)}</span>
          <small>
            <When iso={one.at} />
            {one.address && <> {fillNodes(text.from, { address: <bdi>{one.address}</bdi> })}</>}
            {one.by_operator && ` ${text.operator}`}
          </small>
        </li>
      ))}
    </ol>
  )
}

/** Entries page by page. */
export function ActivityPages({ first }: { first: Loaded<ActivityPage> }) {
  return <Part loaded={first}>{(page) => <Pages {...page} />}</Part>
}

function Pages({ items, next }: ActivityPage) {
  const [older, setOlder] = useState<ActivityPage>({ items: [], next })
  const task = useTask()
  const cursor = older.next
  const more = () =>
    task.run(
      () => read<ActivityPage>(`/Account/Self/activity?cursor=${encodeURIComponent(cursor ?? '')}`),
      (page) => setOlder({ items: [...older.items, ...page.items], next: page.next }),
    )
  return (
    <>
      <ActivityList items={[...items, ...older.items]} />
      <TaskNotice task={task} />
      {cursor !== null && (
        <Button busy={task.busy} onClick={more}>
          {words().profile.activity.older}
        </Button>
      )}
    </>
  )
}

function inWords({ kind, details, client_id: id, client_name: name }: Activity) {
  const text = words().activity
  const key = kind === 'user_changed' ? `changed_${details.change}` : kind
  const client = name || id ? <bdi>{name || id}</bdi> : text.application
  return fillNodes(entry<string | Message<'client'>>(text, key, text.other), { client })
}

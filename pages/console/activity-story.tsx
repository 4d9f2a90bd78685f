import type { ComponentChildren } from 'preact'
import { useId, useMemo, useState } from 'preact/hooks'
import { outcomeOf } from '../../src/audit/kinds.ts'
import { Ago } from '../kit/ago.tsx'
import { Icon } from '../kit/icon.tsx'
import { Skeleton } from '../kit/layout.tsx'
import { fill, fillNodes } from '../texts.ts'
import { type Entry, kindInWords } from './activity-entry.ts'
import { type Group, groupsOf } from './activity-groups.ts'
import { useNames } from './activity-names.ts'
import { Opened } from './activity-opened.tsx'
import { reasonOf, useMeanings } from './activity-reasons.tsx'
import { dayInWords, useNow } from './activity-time.tsx'
import { deviceOf, Told, toldInWords } from './activity-words.tsx'
import { type List, NotLoaded } from './loaded.tsx'
import { More } from './more.tsx'
import { words } from './texts.ts'

const none: readonly Entry[] = []

type Props = { list: List<Entry>; empty: ComponentChildren /** Where the days are headings. */; level?: 3 | 4 }

/** What happened, as sentences, by day and newest first; what repeats is one row, which opens. */
export function Story({ list, empty, level = 3 }: Props) {
  const { items, failed, hasMore, reload } = list
  const groups = useMemo(() => groupsOf(items ?? none), [items])
  const now = useNow()
  useNames(items ?? none)
  useMeanings(items ?? none)
  if (items === null) {
    if (failed === null) return <Skeleton rows={['block', 'block', 'block']} />
    return <NotLoaded failed={failed} reload={reload} />
  }
  const Day = `h${level}` as 'h3'
  return (
    <>
      {groups.length === 0 && !hasMore && <p class="quiet">{empty}</p>}
      {daysOf(groups).map(([day, ofDay]) => (
        <div class="story-day" key={day}>
          <Day>{dayInWords(day, now)}</Day>
          <ul class="story">
            {ofDay.map((group) => (
              <Row key={group.id} entries={group.entries} now={now} />
            ))}
          </ul>
        </div>
      ))}
      <More list={list} />
    </>
  )
}

function daysOf(groups: readonly Group[]): [day: string, groups: Group[]][] {
  const days = new Map<string, Group[]>()
  for (const group of groups) days.set(group.day, [...(days.get(group.day) ?? []), group])
  return [...days]
}

/** A dot, or a cross where something failed. */
const marks = { done: 'M8 6.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6Z', failed: 'm4.5 4.5 7 7m0-7-7 7' }
const chevron = 'm4 6 4 4 4-4'

/** One entry, or several that say the same. `isSingle`: it is one of those. */
function Row({ entries, now, isSingle }: { entries: Group['entries']; now: Date; isSingle?: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const [entry] = entries
  const text = words().activity
  const count = entries.length
  const told = (what: ComponentChildren) => (count === 1 ? what : fillNodes(text.times, { what, count }))
  const name = count === 1 ? toldInWords(entry) : fill(text.times, { what: toldInWords(entry), count })
  return (
    <li class={isSingle ? 'one' : 'entry'}>
      <div class={isSingle ? 'story-row single' : 'story-row'}>
        {!isSingle && (
          <span class={`story-mark ${outcomeOf(entry.kind)}`}>
            <Icon path={marks[outcomeOf(entry.kind)]} />
          </span>
        )}
        <p class="story-told">{told(<Told entry={entry} />)}</p>
        <p class="story-from quiet">
          <From entry={entry} />
        </p>
        <Ago iso={entry.at} now={now} isBelowDay />
        <button
          type="button"
          class="story-open"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          aria-label={fill(text.opened, { name })}
          title={kindInWords(entry.kind)}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon path={chevron} />
        </button>
      </div>
      {isOpen &&
        (count === 1 ? (
          <Opened entry={entry} id={id} />
        ) : (
          <ul class="story singles" id={id}>
            {entries.map((one) => (
              <Row key={one.hash} entries={[one]} now={now} isSingle />
            ))}
          </ul>
        ))}
    </li>
  )
}

/** The reason, the device and the address, as far as the entry has them. */
function From({ entry }: { entry: Entry }) {
  const reason = reasonOf(entry)
  const device = deviceOf(entry)
  const parts = [
    reason !== undefined && <span key="reason">{reason}</span>,
    device !== undefined && <bdi key="device">{device}</bdi>,
    entry.address !== null && <bdi key="address">{entry.address}</bdi>,
  ].filter(Boolean)
  return <>{parts.flatMap((part, index) => (index === 0 ? [part] : [' · ', part]))}</>
}

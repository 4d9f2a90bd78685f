import { useEffect, useState } from 'preact/hooks'
import { words } from './texts.ts'

/** So often relative times are told anew. */
const everyMs = 30_000

/** The time, anew every half minute. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), everyMs)
    return () => clearInterval(timer)
  }, [])
  return now
}

const language = (): string => document.documentElement.lang

/** To the second: what happened first matters here. */
export const exactly = (iso: string): string =>
  new Intl.DateTimeFormat(language(), { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(iso))

const units = [
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** How long ago today, and the time of day before; exact for those who point at it, and for screen readers. */
export function Ago({ iso, now }: { iso: string; now: Date }) {
  const at = new Date(iso)
  const seconds = Math.max(0, Math.round((now.getTime() - at.getTime()) / 1000))
  const isToday = at.toDateString() === now.toDateString()
  const [unit, size] = units.find(([, each]) => seconds >= each) ?? units[2]
  const shown = isToday
    ? new Intl.RelativeTimeFormat(language(), { numeric: 'auto' }).format(-Math.floor(seconds / size), unit)
    : new Intl.DateTimeFormat(language(), { timeStyle: 'short' }).format(at)
  return (
    <time class="story-time" dateTime={iso} title={exactly(iso)}>
      <span aria-hidden="true">{shown}</span>
      <span class="unseen">{exactly(iso)}</span>
    </time>
  )
}

/** The heading of a day: `2030-01-31` is today, yesterday, or the date. */
export function dayInWords(day: string, now: Date): string {
  const text = words().activity.chips
  const date = new Date(`${day}T12:00:00`)
  if (Number.isNaN(date.getTime())) return day
  const before = (days: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - days).toDateString()
  if (date.toDateString() === before(0)) return text.today
  if (date.toDateString() === before(1)) return text.yesterday
  return new Intl.DateTimeFormat(language(), { dateStyle: 'full' }).format(date)
}

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

/** The heading of a day: `2030-01-31` is today, yesterday, or the date. */
export function dayInWords(day: string, now: Date): string {
  const text = words().activity.chips
  const date = new Date(`${day}T12:00:00`)
  if (Number.isNaN(date.getTime())) return day
  const before = (days: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - days).toDateString()
  if (date.toDateString() === before(0)) return text.today
  if (date.toDateString() === before(1)) return text.yesterday
  return new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'full' }).format(date)
}

type Props = {
  /** As the service writes it. */
  iso: string
  /** It is known to the day alone. */
  dayOnly?: boolean
  /** It stands below its day: a time of day before today. */
  isBelowDay?: boolean
  now?: Date
}

const steps = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

const language = (): string => document.documentElement.lang

/** A moment to the second, and its day: `medium` or `full`. */
export const exactly = (at: Date, dateStyle: 'medium' | 'full' = 'medium'): string =>
  new Intl.DateTimeFormat(language(), { dateStyle, timeStyle: 'medium' }).format(at)

/** How long ago a moment was; the moment itself for those who point at it, and for screen readers. */
export function Ago({ iso, dayOnly = false, isBelowDay = false, now = new Date() }: Props) {
  const at = new Date(iso)
  // What happened first matters below a day: seconds are told there.
  const least = dayOnly ? 'day' : isBelowDay ? 'second' : 'minute'
  const possible = steps.slice(0, steps.findIndex(([unit]) => unit === least) + 1)
  const seconds = Math.max(0, (now.getTime() - at.getTime()) / 1000)
  const [unit, size] = possible.find(([, each]) => seconds >= each) ?? [least, Number.POSITIVE_INFINITY]
  const isTimeOfDay = isBelowDay && at.toDateString() !== now.toDateString()
  const shown = isTimeOfDay
    ? new Intl.DateTimeFormat(language(), { timeStyle: 'short' }).format(at)
    : new Intl.RelativeTimeFormat(language(), { numeric: 'auto' }).format(-Math.floor(seconds / size) || 0, unit)
  const exact = dayOnly
    ? new Intl.DateTimeFormat(language(), { dateStyle: 'full' }).format(at)
    : exactly(at, isBelowDay ? 'medium' : 'full')
  if (!isBelowDay)
    return (
      <time dateTime={iso} title={exact}>
        {shown}
      </time>
    )
  return (
    <time class="story-time" dateTime={iso} title={exact}>
      <span aria-hidden="true">{shown}</span>
      <span class="hidden">{exact}</span>
    </time>
  )
}

/** How long ago, in the visitor's language; the exact time is told on hover. */
export function Since({ iso }: { iso: string }) {
  const language = document.documentElement.lang
  const at = new Date(iso)
  const seconds = Math.round((at.getTime() - Date.now()) / 1000)
  const [unit, size] = steps.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 1]
  const exact = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'medium' }).format(at)
  return (
    <time dateTime={iso} title={exact}>
      {new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(Math.trunc(seconds / size), unit)}
    </time>
  )
}

const steps = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

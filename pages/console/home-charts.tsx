import { numberInWords } from '../account/when.tsx'
import { fill } from '../texts.ts'
import { words } from './texts.ts'

export type Step = 'hour' | 'day'

type Kind = 'sign_in' | 'sign_in_failed' | 'tokens_issued' | 'refusal' | 'error'

/** For each step its beginning, in ISO 8601, and a number. */
export type Series = { kind: Kind; points: [string, number][] }

const kinds: readonly Kind[] = ['sign_in', 'sign_in_failed', 'tokens_issued', 'refusal', 'error']

/** Pictures of what happened, and the same numbers as a table. */
export function Charts({ series, step }: { series: readonly Series[]; step: Step }) {
  const text = words().home
  const pointsOf = (kind: Kind) => series.find((one) => one.kind === kind)?.points ?? []
  return (
    <>
      <div class="charts">
        <Chart title={text.charts.signIns} parts={[pointsOf('sign_in')]} step={step} />
        <Chart title={text.charts.failures} parts={[pointsOf('sign_in_failed')]} step={step} />
        <Chart title={text.charts.tokens} parts={[pointsOf('tokens_issued')]} step={step} />
        <Chart title={text.charts.errors} parts={[pointsOf('refusal'), pointsOf('error')]} step={step} />
      </div>
      <ChartTable
        label={words().home.activity}
        series={kinds.map((kind) => ({
          title: words().home.columns[kind],
          points: pointsOf(kind),
        }))}
        step={step}
      />
    </>
  )
}

/** Sizes in the units of the picture, which is stretched to its place. */
const [width, height, gap] = [4, 40, 0.75]

type ChartProps = {
  title: string
  /** Stand on one another; the second one is what the service has to answer for. */
  parts: readonly (readonly (readonly [string, number])[])[]
  step: Step
}

export function Chart({ title, parts, step }: ChartProps) {
  const text = words().home
  const [first = []] = parts
  const sums = first.map((_, index) => parts.reduce((sum, points) => sum + (points[index]?.[1] ?? 0), 0))
  const total = sums.reduce((sum, one) => sum + one, 0)
  const peak = Math.max(0, ...sums)
  const summary = fill(text.summaries[step], { title, count: numberInWords(total), peak: numberInWords(peak) })
  const [start, end] = [first.at(0)?.[0], first.at(-1)?.[0]]
  return (
    <figure class="chart">
      <figcaption>
        <span>{title}</span> <strong class="chart-total">{numberInWords(total)}</strong>
      </figcaption>
      <svg role="img" aria-label={summary} viewBox={`0 0 ${first.length * width} ${height}`} preserveAspectRatio="none">
        {sums.map((sum, index) => {
          let below = 0
          return parts.map((points, part) => {
            const value = points[index]?.[1] ?? 0
            if (value === 0) return null
            // The least there is can be seen beside the most.
            const tall = Math.max(1, (value / peak) * height)
            below += tall
            return (
              <rect
                key={`${index} ${part}`}
                class={part === 1 ? 'own-fault' : undefined}
                x={index * width + gap / 2}
                y={height - below}
                width={width - gap}
                height={tall}
              >
                <title>{`${timeOf(points[index]?.[0] ?? '', step)}: ${numberInWords(sum)}`}</title>
              </rect>
            )
          })
        })}
      </svg>
      <div class="axis" dir="ltr" aria-hidden="true">
        <span>{start && timeOf(start, step)}</span>
        <span>{end && timeOf(end, step)}</span>
      </div>
      {parts.length > 1 && (
        <p class="legend">
          <span>{text.columns.refusal}</span>
          <span class="own-fault">{text.columns.error}</span>
        </p>
      )}
    </figure>
  )
}

type TableProps = {
  /** What the numbers are of, for screen readers. */
  label: string
  series: readonly { title: string; points: readonly (readonly [string, number])[] }[]
  step: Step
}

/** The numbers of the pictures, the newest first. */
export function ChartTable({ label, series, step }: TableProps) {
  const text = words().home
  const rows =
    series[0]?.points.map(([time], index) => [time, series.map(({ points }) => points[index]?.[1] ?? 0)] as const) ?? []
  return (
    <details class="as-table">
      <summary>{text.asTable}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is wide is scrolled with the keys, too */}
      <section class="scrolled" tabIndex={0} aria-label={label}>
        <table class="table" aria-label={label}>
          <thead>
            <tr>
              <th scope="col">{text.columns[step]}</th>
              {series.map(({ title }) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {[...rows].reverse().map(([time, numbers]) => (
              <tr key={time}>
                <th scope="row">
                  <time dateTime={time}>{timeOf(time, step)}</time>
                </th>
                {numbers.map((one, index) => (
                  <td key={series[index]?.title} class={one === 0 ? 'nothing' : undefined}>
                    {numberInWords(one)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  )
}

/** Hours in the time zone of the visitor; days are those of UTC. */
export function timeOf(iso: string, step: Step): string {
  const parts: Intl.DateTimeFormatOptions =
    step === 'hour'
      ? { weekday: 'short', hour: '2-digit', minute: '2-digit' }
      : { day: 'numeric', month: 'short', timeZone: 'UTC' }
  return new Intl.DateTimeFormat(document.documentElement.lang, parts).format(new Date(iso))
}

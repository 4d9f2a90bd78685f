import type { ComponentChildren } from 'preact'
import { When } from '../account/when.tsx'
import { fill } from '../texts.ts'
import { type Key, type Moments, momentsOf, spanOf } from './key-times.ts'
import { words } from './texts.ts'

/** The width of the picture in its own units; it is stretched to its place. */
const width = 1000
const height = 16

/** The signing keys of one algorithm: a picture of when each is published and signs, and the same as a table. */
export function KeyTimeline({ keys, algorithm }: { keys: readonly Key[]; algorithm: string }) {
  const text = words().keys.timeline
  const all = momentsOf(keys)
  const nowMs = Date.now()
  const span = spanOf(all, nowMs)
  const x = (ms: number): number =>
    Math.round(Math.min(1, Math.max(0, (ms - span.fromMs) / (span.toMs - span.fromMs))) * width)
  return (
    <>
      <figure class="timeline" aria-hidden="true">
        {all.map((one) => (
          <div key={one.key.id} class="timeline-key">
            <code dir="ltr">{shortId(one.key.id)}</code>
            <Bar moments={one} x={x} end={span.toMs} nowMs={nowMs} />
          </div>
        ))}
        <div class="timeline-key">
          <span />
          <p class="axis" dir="ltr">
            {[span.fromMs, span.toMs].map((ms) => (
              <bdi key={ms}>
                <When iso={new Date(ms).toISOString()} dayOnly />
              </bdi>
            ))}
          </p>
        </div>
        <p class="legend">
          <span class="published">{text.published}</span>
          <span class="signing">{text.signing}</span>
          <span class="retired">{text.retired}</span>
          <span class="now">{text.now}</span>
        </p>
      </figure>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is wide is scrolled with the keys, too */}
      <section class="claims-table" tabIndex={0} aria-label={fill(text.caption, { algorithm })}>
        <table aria-label={fill(text.caption, { algorithm })}>
          <thead>
            <tr>
              <th scope="col">{text.key}</th>
              <th scope="col">{text.state}</th>
              <th scope="col">{text.publishedAt}</th>
              <th scope="col">{text.signsFrom}</th>
              <th scope="col">{text.signsUntil}</th>
              <th scope="col">{text.publishedUntil}</th>
              <th scope="col">
                <code>kid</code>
              </th>
            </tr>
          </thead>
          <tbody>
            {all.map(({ key, publishedMs, signsMs, replacedMs, endsMs }) => (
              <tr key={key.id}>
                <th scope="row">
                  <code dir="ltr">{shortId(key.id)}</code>
                </th>
                <td>
                  <span class={`tag ${key.state}`}>{words().keys.states[key.state]}</span>
                </td>
                <td>{moment(publishedMs)}</td>
                <td>{moment(signsMs)}</td>
                <td>{moment(replacedMs)}</td>
                <td>{moment(endsMs)}</td>
                <td>
                  <code dir="ltr">{key.id}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

/** The last part of a UUIDv7 is random: keys of the same moment begin alike. */
export const shortId = (id: string): string => `…${id.slice(-6)}`

const moment = (ms: number | undefined): ComponentChildren =>
  ms === undefined ? words().keys.timeline.open : <When iso={new Date(ms).toISOString()} />

type BarProps = { moments: Moments; x(ms: number): number; end: number; nowMs: number }

function Bar({ moments: { publishedMs, signsMs, replacedMs, endsMs }, x, end, nowMs }: BarProps) {
  const ends = endsMs ?? end
  const replaced = Math.min(replacedMs ?? ends, ends)
  const parts = [
    ['published', publishedMs, signsMs, 5],
    ['signing', signsMs, replaced, 0],
    ['retired', replaced, ends, 5],
  ] as const
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none">
      {parts.map(([name, from, to, inset]) => {
        // What lasts minutes can be seen beside what lasts months.
        const wide = to > from && to > publishedMs ? Math.max(3, x(to) - x(from)) : 0
        return wide === 0 || x(to) === 0 ? null : (
          <rect key={name} class={name} x={x(from)} y={inset} width={wide} height={height - 2 * inset} />
        )
      })}
      <rect class="now" x={x(nowMs)} y={0} width={3} height={height} />
    </svg>
  )
}

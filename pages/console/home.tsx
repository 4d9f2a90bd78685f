import { numberInWords } from '../account/when.tsx'
import { Section } from '../kit/area.tsx'
import { Skeleton } from '../kit/layout.tsx'
import { List } from '../kit/list.tsx'
import { fill } from '../texts.ts'
import { type Call, get } from './api.ts'
import { Frame } from './frame.tsx'
import { Attention } from './home-attention.tsx'
import { Charts, type Series, type Step } from './home-charts.tsx'
import { type Setup, SetupList } from './home-setup.tsx'
import { Part, useLoaded } from './loaded.tsx'
import { useMe } from './me.tsx'
import { InEnglish } from './problem.tsx'
import { at, type Place, usePlace } from './router.tsx'
import { words } from './texts.ts'

type Counts = { people: number; clients: number; sessions: number; grants: number; exact: boolean }
type Stats = { step: Step; series: Series[]; counts: Counts }

const stepOf = ({ query }: Place): Step => (query.get('step') === 'day' ? 'day' : 'hour')
const statsOf = (step: Step): Call => get('/stats', { step: step === 'day' ? step : undefined })

export const firstCalls = (place: Place): readonly Call[] => [
  statsOf(stepOf(place)),
  get('/setup'),
  get('/attention'),
  get('/doctor'),
]

/** `/admin`: what happens, whether all is well, and what needs attention. */
export default function HomePage() {
  const step = stepOf(usePlace())
  const { path, query } = statsOf(step)
  const stats = useLoaded<Stats>(path, query)
  const setup = useLoaded<Setup>('/setup')
  const isWaiting = [stats, setup].some(({ value, failed }) => value === null && failed === null)
  const text = words().home
  return (
    <Frame page="home" title={words().pages.home} busy={isWaiting}>
      {isWaiting && (
        <section class="panel">
          <Skeleton rows={['line', 'field', 'block', 'field', 'field']} />
        </section>
      )}
      {/* Shown at once, so that nothing moves when a part comes. All of it is asked for together. */}
      <div class="together" hidden={isWaiting}>
        <SetupList loaded={setup} />
        <Section id="activity" title={text.activity}>
          <Steps step={step} />
          <Part loaded={stats}>
            {({ series, step, counts }) => (
              <>
                <Charts series={series} step={step} />
                <Totals counts={counts} />
              </>
            )}
          </Part>
        </Section>
        <Attention />
        <Health />
      </div>
    </Frame>
  )
}

function Steps({ step }: { step: Step }) {
  const text = words().home
  return (
    <ul class="switch">
      {(['hour', 'day'] as const).map((one) => (
        <li key={one}>
          <a href={at() + (one === 'day' ? '?step=day' : '')} aria-current={one === step ? 'true' : undefined}>
            {text.steps[one]}
          </a>
        </li>
      ))}
    </ul>
  )
}

function Totals({ counts }: { counts: Counts }) {
  const me = useMe()
  const text = words().home
  const places = { people: 'admin:users:read', applications: 'admin:clients:read' } as const
  const shown = [
    { name: 'people', count: counts.people },
    { name: 'applications', count: counts.clients },
    { name: 'sessions', count: counts.sessions },
    { name: 'grants', count: counts.grants },
  ] as const
  return (
    <dl class="totals">
      {shown.map(({ name, count }) => {
        const label = text.totals[name]
        return (
          <div key={name}>
            <dt>{name in places && me.may(places[name as 'people']) ? <a href={at(name)}>{label}</a> : label}</dt>
            <dd>{counts.exact ? numberInWords(count) : fill(text.atLeast, { count: numberInWords(count) })}</dd>
          </div>
        )
      })}
    </dl>
  )
}

type Finding = { check: string; status: 'ok' | 'note' | 'warning' | 'failed'; message: string; advice: string }

const order: readonly Finding['status'][] = ['failed', 'warning', 'note']

function Health() {
  const findings = useLoaded<Finding[]>('/doctor')
  const text = words().home
  return (
    <Section id="health" title={text.health}>
      <Part loaded={findings}>
        {(all) => {
          const others = order.flatMap((status) => all.filter((one) => one.status === status))
          const well = all.length - others.length
          return (
            <>
              {others.length > 0 && (
                <List items={others}>
                  {({ status, message, advice }) => (
                    <li key={message} class="finding">
                      <p>
                        <span class={`tag ${status}`}>{text.statuses[status as 'note']}</span>{' '}
                        <InEnglish>{message}</InEnglish>
                      </p>
                      {advice !== '' && (
                        <p class="quiet">
                          <InEnglish>{advice}</InEnglish>
                        </p>
                      )}
                    </li>
                  )}
                </List>
              )}
              {well > 0 && (
                <p class={others.length > 0 ? 'quiet well' : 'well'}>
                  {fill(others.length === 0 ? text.allWell : text.restWell, { count: well })}
                </p>
              )}
            </>
          )
        }}
      </Part>
    </Section>
  )
}

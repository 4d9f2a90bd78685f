/** `/stats`: how many there are, and what happened over time. */

import { type ActivityStep, activityKinds, activitySteps, startOf } from '../audit/activity.ts'
import { isoTime } from '../users/user-record.ts'
import { type Faults, type Operation, operation } from './operation.ts'
import { type Period, periodOf, since, until } from './period.ts'
import { named, strictObject, time } from './schemas.ts'
import { Type } from './type.ts'

/** Steps of a series, and those of the default period. */
const stepsAtMost = { hour: 31 * 24, day: 400 }
const stepsByDefault = { hour: 24, day: 30 }

const count = () => Type.Integer({ minimum: 0 })

const statsSchema = named(
  'Stats',
  strictObject({
    since: time('The beginning of the first step.'),
    until: time('The end of the last step.'),
    step: Type.Enum(['hour', 'day']),
    series: Type.Array(
      strictObject({
        kind: Type.Enum([...activityKinds]),
        points: Type.Array(Type.Tuple([time(), count()]), {
          description: 'For each step its beginning, in UTC, and a number.',
        }),
      }),
    ),
    counts: strictObject({
      people: count(),
      clients: count(),
      sessions: count(),
      grants: count(),
      exact: Type.Boolean({ description: 'False: there are at least so many, and counting goes on.' }),
      at: time('When they were counted.'),
    }),
  }),
)

export const statsOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/stats',
    permission: 'admin:read',
    summary:
      'Counts people, clients, sessions and grants, and what happened in each hour or day, without the sign-ins, tokens and grants of the console',
    query: strictObject({
      since,
      until,
      step: Type.Optional(Type.Enum(['hour', 'day'], { default: 'hour' })),
    }),
    status: 200,
    answer: statsSchema,
    async run({ query, nowMs, service: { storage } }) {
      const period = periodOf(query)
      if ('faults' in period) return period
      const { step = 'hour' } = query
      const steps = stepsOf(step, period, nowMs)
      if ('faults' in steps) return steps
      const { fromMs, beforeMs } = steps
      const [found, { isExact, atMs, ...totals }] = await Promise.all([
        storage.statistics.activity(fromMs, beforeMs, step),
        storage.statistics.totals(nowMs),
      ])
      const byTime = new Map(found.map((one) => [one.startsAtMs, one]))
      const length = (beforeMs - fromMs) / activitySteps[step]
      const times = Array.from({ length }, (_, at) => fromMs + at * activitySteps[step])
      return {
        body: {
          since: isoTime(fromMs),
          until: isoTime(beforeMs),
          step,
          series: activityKinds.map((kind) => ({
            kind,
            points: times.map((ms) => [isoTime(ms), byTime.get(ms)?.[kind] ?? 0]),
          })),
          counts: { ...totals, exact: isExact, at: isoTime(atMs) },
        },
      }
    },
  }),
]

/** Returns whole steps: from the one that has `since` to the one that has `until`, both inclusive. */
function stepsOf(
  step: ActivityStep,
  { sinceMs, untilMs }: Period,
  nowMs: number,
): { readonly fromMs: number; readonly beforeMs: number } | Faults {
  const stepMs = activitySteps[step]
  const byDefault = (stepsByDefault[step] - 1) * stepMs
  const lastMs = startOf(step, untilMs ?? Math.max(nowMs, sinceMs ?? 0))
  const fromMs = startOf(step, sinceMs ?? lastMs - byDefault)
  const fault = (member: 'since' | 'until', message: string): Faults => ({
    faults: [{ member, code: 'member_invalid', message }],
  })
  if (fromMs < 0) return fault('since', 'since must not be before 1970.')
  if (lastMs > lastYearMs) return fault('until', 'until must be before the year 9999.')
  if (fromMs > lastMs) return fault('since', 'since must not be after until.')
  const most = stepsAtMost[step]
  if ((lastMs - fromMs) / stepMs < most) return { fromMs, beforeMs: lastMs + stepMs }
  const orDays = step === 'hour' ? ', or step to day' : ''
  return fault('since', `The period has more than ${most} ${step}s: set since and until closer${orDays}.`)
}

const lastYearMs = Date.UTC(9999, 0)

/** The results as text for people. */
import type { Limits } from './limits.ts'
import type { describeMachine } from './machine.ts'
import { leastCpuUs, type Operation } from './operations.ts'
import type { BareWork } from './records.ts'
import type { Result } from './rounds.ts'
import type { StartResult } from './start.ts'

export type BareRequests = {
  readonly work: BareWork
  readonly connections: number
  readonly rate: number
  readonly cpuUs: number | null
}

export type Report = {
  readonly machine: ReturnType<typeof describeMachine>
  readonly limits: Limits | null
  readonly bare: readonly BareRequests[]
  readonly results: readonly Result[]
  readonly starts: readonly StartResult[]
  /** After the load, bytes. */
  readonly loaded: ReadonlyArray<{ readonly target: string; readonly bytes: number | null }>
  /** What a reader has to know to judge the numbers. */
  readonly notes: readonly string[]
}

/** A generator that is busier than this measured itself too. */
const generatorIsBusy = 0.9

export function toText(report: Report, operations: readonly Operation[]): string {
  const parts = [machineText(report.machine)]
  if (report.limits !== null) parts.push(limitsText(report.limits, report.bare))
  for (const operation of operations) {
    const results = report.results.filter((result) => result.operation === operation.name)
    if (results.length > 0) parts.push(operationText(operation, results, report))
  }
  if (report.starts.length > 0) parts.push(startText(report))
  const remarks = [...report.notes, ...warnings(report.results)]
  if (remarks.length > 0) parts.push(remarks.map((remark) => `Note: ${remark}`).join('\n'))
  return `${parts.join('\n\n')}\n`
}

export function machineText({
  processor,
  cores,
  memoryBytes,
  runtime,
  pinned,
  loadAverage,
}: Report['machine']): string {
  const place = pinned ? 'servers and generator pinned to different cores' : 'nothing pinned to a core'
  return `${processor}, ${cores} cores, ${mega(memoryBytes)} MB, Node.js ${runtime}, ${place}, load before ${loadAverage}`
}

function limitsText(limits: Limits, bare: Report['bare']): string {
  const pieces = [
    ['signature ES256', limits.es256],
    ['signature RS256', limits.rs256],
    ['password argon2id', limits.argon2],
    ['durable row, 1 a commit', limits.rows[1]],
    ['durable row, 16 a commit', limits.rows[16]],
    ['durable row, 64 a commit', limits.rows[64]],
  ] as const
  const rows = pieces.map(([name, { cpuUs, perSecond }]) => [name, micro(cpuUs), whole(perSecond)])
  for (const { work, connections, rate, cpuUs } of bare) {
    rows.push([`${bareTitles[work]}, ${connections} connections`, micro(cpuUs), whole(rate)])
  }
  return `Limits of this machine, one core\n${table(['', 'CPU µs', 'a second'], rows)}`
}

const bareTitles: Readonly<Record<BareWork, string>> = {
  bare: 'node:http',
  'bare-exchange': 'bare exchange ES256',
  'bare-code': 'bare code',
  'bare-signin': 'bare sign-in',
}

function operationText(operation: Operation, results: readonly Result[], report: Report): string {
  const headings = [
    'connections',
    'target',
    'a second',
    'spread',
    'p50 ms',
    'p99 ms',
    'CPU µs',
    'commits',
    'ratio',
    'of the limit',
  ]
  const rows = results.map((result) => {
    const others = results.filter(
      ({ connections, target }) => connections === result.connections && target !== result.target,
    )
    const [other] = others
    const isFirst = results.find(({ connections }) => connections === result.connections) === result
    return [
      isFirst ? String(result.connections) : '',
      result.target,
      whole(result.rate),
      spread(result.rates),
      milli(result.p50Ms),
      milli(result.p99Ms),
      micro(result.cpuUs),
      result.commits === null ? '–' : result.commits.toFixed(2),
      isFirst && other ? `${(result.rate / other.rate).toFixed(2)}×` : '',
      share(ofTheLimit(operation, result, report)),
    ]
  })
  return `${operation.title} (${operation.name})\n${table(headings, rows)}`
}

/** The least processor time for the operation, as a share of what it took. */
export function ofTheLimit(
  operation: Operation,
  result: Result,
  { limits, bare }: Pick<Report, 'limits' | 'bare'>,
): number | null {
  const requestUs =
    bare.find(({ work, connections }) => work === 'bare' && connections === result.connections)?.cpuUs ?? null
  if (limits === null || requestUs === null || result.cpuUs === null) return null
  const least = leastCpuUs(operation, result.connections, limits, requestUs)
  return least === null ? null : least / result.cpuUs
}

function startText({ starts, loaded }: Report): string {
  const headings = ['', 'first start ms', 'later start ms', 'idle MB', 'after the load MB']
  const rows = starts.map(({ target, firstMs, laterMs, idleBytes }) => {
    const after = loaded.find((one) => one.target === target)?.bytes ?? null
    return [target, whole(firstMs), whole(laterMs), mega(idleBytes), mega(after)]
  })
  return `Start and memory (start)\n${table(headings, rows)}`
}

function warnings(results: readonly Result[]): string[] {
  const warned: string[] = []
  const busy = Math.max(0, ...results.map(({ generatorShare }) => generatorShare))
  const others = Math.max(0, ...results.map(({ othersShare }) => othersShare ?? 0))
  const places = results.filter(({ generatorShare }) => generatorShare > generatorIsBusy)
  if (results.length > 0) warned.push(`the generator used at most ${share(busy)} of its core.`)
  if (places.length > 0) {
    const names = [...new Set(places.map(({ operation, connections }) => `${operation} on ${connections}`))].join(', ')
    warned.push(`there it may have been the bottleneck: ${names}. CPU µs is what to compare.`)
  }
  if (others > 0.05) {
    warned.push(
      `other programs used up to ${share(others)} of the machine meanwhile; rates and latencies suffer, CPU µs less.`,
    )
  }
  return warned
}

/** First column to the left, the others to the right. */
export function table(headings: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const widths = headings.map((heading, at) => Math.max(heading.length, ...rows.map((row) => row[at]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  ')
  return [headings, ...rows].map((cells) => `  ${line(cells)}`.trimEnd()).join('\n')
}

export const whole = (value: number) => Math.round(value).toLocaleString('en')
const milli = (value: number | null) => (value === null ? '–' : value.toFixed(value < 10 ? 2 : 0))
const micro = (value: number | null) => (value === null ? '–' : value < 100 ? value.toFixed(1) : whole(value))
const mega = (bytes: number | null) => (bytes === null ? '–' : whole(bytes / 1_048_576))
const share = (value: number | null) => (value === null ? '–' : `${Math.round(value * 100)} %`)

function spread(rates: readonly number[]): string {
  if (rates.length < 2) return '–'
  const middle = rates.reduce((sum, rate) => sum + rate, 0) / rates.length
  return `±${Math.round(((Math.max(...rates) - Math.min(...rates)) / 2 / middle) * 100)} %`
}

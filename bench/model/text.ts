/** The results of the model as tables for people. */
import { table } from '../report.ts'
import { type Bottleneck, needsPooler, type Site, type Sized } from './bottlenecks.ts'
import type { Busy } from './headroom.ts'
import type { Compared } from './prediction.ts'

/** Three digits, and a unit for each three more. */
export function amount(value: number): string {
  if (!Number.isFinite(value)) return 'no end'
  if (value < 1000) return String(value >= 100 ? Math.round(value) : Number(value.toPrecision(2)))
  for (const [unit, name] of [
    [1e9, ' billion'],
    [1e6, ' million'],
  ] as const) {
    if (value >= unit * 0.9995) return `${Number((value / unit).toPrecision(3)).toLocaleString('en')}${name}`
  }
  return Number(value.toPrecision(3)).toLocaleString('en')
}

export function bytes(value: number): string {
  for (const [unit, name] of [
    [1e15, 'PB'],
    [1e12, 'TB'],
    [1e9, 'GB'],
    [1e6, 'MB'],
    [1e3, 'kB'],
  ] as const) {
    if (value >= unit) return `${Number((value / unit).toPrecision(value / unit >= 100 ? 3 : 2))} ${name}`
  }
  return `${Math.round(value)} B`
}

const bits = (value: number) => `${bytes(value).replace('B', 'bit')}/s`
/** Whole cores, of which there is at least a part. */
const cores = (value: number) => (value < 0.95 ? value.toFixed(2) : amount(Math.ceil(value - 0.05)))

export type Column = { readonly title: string; readonly site: Site; readonly sized: Sized }

export function needsText(columns: readonly Column[]): string {
  const row = (name: string, cell: (sized: Sized, site: Site) => string) => [
    name,
    ...columns.map(({ sized, site }) => cell(sized, site)),
  ]
  const section = (title: string, rows: string[][]) =>
    `${title}\n${table(['', ...columns.map((one) => one.title)], rows)}`
  return [
    section('The busiest second', [
      row('sign-ins by password', ({ rates }) => amount(rates['signin-people'])),
      row('sign-ins by passkey', ({ rates }) => amount(rates['signin-passkey'])),
      row('authorization requests, codes', ({ rates }) => amount(rates.token)),
      row('refreshes', ({ rates }) => amount(rates.refresh)),
      row('introspections', ({ rates }) => amount(rates.introspection)),
    ]),
    section('Nodes', [
      row('cores for main threads', ({ mainCores }, { utilisation }) => cores(mainCores / utilisation)),
      row('cores for passwords', ({ passwordCores }, { utilisation }) => cores(passwordCores / utilisation)),
      row('machines, one of them spare', ({ nodeCores }, site) => amount(Math.ceil(nodeCores / site.nodeCores) + 1)),
      row('to and from clients', ({ clientNetwork }) => bits(clientNetwork)),
    ]),
    section('Database', [
      row('cores of the primary', ({ primaryCores }) => cores(primaryCores)),
      row('round trips to the database', ({ roundTrips }) => amount(roundTrips)),
      row('commits', ({ commits }) => amount(commits)),
      row('commits in a forced write, at least', ({ commitsPerFlush }) => amount(commitsPerFlush)),
      row(
        'open connections',
        (sized, site) => `${amount(sized.openConnections)}${needsPooler(sized, site) ? ' (pooler)' : ''}`,
      ),
      row('connections that execute or wait for the disk', ({ busyConnections }) => amount(busyConnections)),
      row('log: rows', ({ wal }) => `${bytes(wal.rows)}/s`),
      row('log: whole pages after checkpoints', ({ wal }) => `${bytes(wal.pages)}/s`),
      row('replication', ({ replication }) => bits(replication)),
      row('to and from nodes', ({ databaseNetwork }) => bits(databaseNetwork)),
    ]),
    section('Disk', [
      row('people', ({ disk }) => bytes(disk.users)),
      row('browsers', ({ disk }) => bytes(disk.browsers)),
      row('consents', ({ disk }) => bytes(disk.consents)),
      row('sessions', ({ disk }) => bytes(disk.sessions)),
      row('grants', ({ disk }) => bytes(disk.grants)),
      row('audit trail', ({ disk }) => bytes(disk.audit)),
      row('entries a day', ({ entriesADay }) => amount(entriesADay)),
      row('all', ({ diskBytes }) => bytes(diskBytes)),
    ]),
  ].join('\n\n')
}

export function bottlenecksText(found: readonly Bottleneck[]): string {
  const rows = found.flatMap(({ part, people, moved }) => [
    [part.name, amount(people)],
    ...moved.map(({ how, people }) => [`  ${how}`, amount(people)]),
  ])
  return `How many people each part bears\n${table(['', 'people'], rows)}`
}

type Split = {
  readonly name: string
  readonly site: Site
  readonly regions: number
  readonly people: number
  readonly bound: string
}

export function regionsText(split: readonly Split[]): string {
  const rows = split.map(({ name, site, regions, people, bound }) => [
    `${amount(site.users)}, ${name}`,
    amount(regions),
    amount(people),
    bound,
  ])
  return `Regions, each with a primary of its own\n${table(['people', 'regions', 'people in each', 'bound of a primary'], rows)}`
}

export function headroomText(levels: readonly Busy[]): string {
  const ms = (us: number) => (us / 1000).toFixed(us < 10_000 ? 1 : 0)
  const rows = levels.map(({ utilisation, tokens, signIns }) => [
    `${Math.round(utilisation * 100)} %`,
    amount(tokens.rate),
    ...[tokens.p50Us, tokens.p99Us].map(ms),
    amount(signIns.rate),
    ...[signIns.p50Us, signIns.p99Us].map(ms),
  ])
  const headings = ['busy', 'tokens/s', 'p50 ms', 'p99 ms', 'sign-ins/s', 'p50 ms', 'p99 ms']
  return `Waiting: one process with codes, refreshes and reads; one machine with sign-ins\n${table(headings, rows)}`
}

export function checkText(compared: readonly Compared[]): string {
  const rows = compared.map(({ point, predicted, error, ownError }) => [
    `${point.operation}, ${point.processes === 1 ? '1 process' : `${point.processes} ${point.kind}`}`,
    String(point.connections),
    amount(point.rate),
    `±${Math.round((point.spread ?? 0) * 100)} %`,
    `${Math.round(point.othersShare * 100)} %`,
    amount(predicted.rate),
    percent(error),
    percent(ownError),
  ])
  const groups = [...Map.groupBy(compared, ({ point }) => point.operation)].map(([operation, all]) => {
    const mean = (pick: (one: Compared) => number) => all.reduce((sum, one) => sum + pick(one), 0) / all.length
    const size = (share: number) => `${Math.round(share * 100)} %`
    return [
      operation,
      percent(mean(({ error }) => error)),
      size(mean(({ error }) => Math.abs(error))),
      size(mean(({ ownError }) => Math.abs(ownError))),
    ]
  })
  const headings = ['', 'connections', 'measured', 'spread', 'others', 'simulated', 'error', 'own costs']
  return [
    `Throughput: measured, and simulated from the costs of one process\n${table(headings, rows)}`,
    `Errors\n${table(['', 'mean', 'mean size', 'with own costs'], groups)}`,
  ].join('\n\n')
}

const percent = (share: number) => `${share >= 0 ? '+' : '−'}${Math.abs(Math.round(share * 100))} %`

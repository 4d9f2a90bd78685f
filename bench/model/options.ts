/** Reads the command line of the model. */
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Site } from './bottlenecks.ts'

/** Wrong usage; the message says what is wrong. */
export class Usage extends Error {}

type Option = {
  readonly name: string
  readonly member: Exclude<keyof Site, 'users' | 'hash'>
  readonly default: number
  readonly from: number
  readonly to: number
  readonly text: string
  /** What one of the unit is in the model's. */
  readonly unit?: number
}

/** Assumptions about people first, then what there is of machines. */
export const options: readonly Option[] = [
  { name: 'sign-ins', member: 'signInsADay', default: 1, from: 0, to: 100, text: 'sign-ins of a person a day' },
  { name: 'applications', member: 'applications', default: 5, from: 0, to: 1000, text: 'applications of a person' },
  {
    name: 'refreshes',
    member: 'refreshesAnHour',
    default: 1,
    from: 0,
    to: 3600,
    text: 'refreshes of an application an hour',
  },
  {
    name: 'active-hours',
    member: 'activeHours',
    default: 8,
    from: 0,
    to: 24,
    text: 'hours a day in which it refreshes',
  },
  {
    name: 'introspections',
    member: 'introspections',
    default: 1,
    from: 0,
    to: 10_000,
    text: 'introspections of an access token',
  },
  {
    name: 'peak-share',
    member: 'peakHourShare',
    default: 1 / 3,
    from: 1 / 24,
    to: 1,
    text: "of a day's sign-ins, in the busiest hour",
  },
  {
    name: 'passkeys',
    member: 'passkeyShare',
    default: 0,
    from: 0,
    to: 1,
    text: 'of sign-ins, by passkey instead of password',
  },
  { name: 'failures', member: 'failures', default: 0.05, from: 0, to: 100, text: 'wrong passwords for each right one' },
  {
    name: 'session-days',
    member: 'sessionDays',
    default: 14,
    from: 0,
    to: 3650,
    text: 'days after which an unused session ends',
  },
  {
    name: 'grant-days',
    member: 'grantDays',
    default: 14,
    from: 0,
    to: 3650,
    text: 'days after which an unused refresh token ends',
  },
  { name: 'browsers', member: 'browsers', default: 3, from: 0, to: 100, text: 'remembered browsers of a person' },
  {
    name: 'audit-days',
    member: 'auditDays',
    default: 365,
    from: 0,
    to: 36_500,
    text: 'days that audit entries are kept',
  },
  {
    name: 'refusal-days',
    member: 'refusalDays',
    default: 30,
    from: 0,
    to: 36_500,
    text: 'days that failed sign-ins are kept there',
  },
  {
    name: 'bloat',
    member: 'bloat',
    default: 1.5,
    from: 1,
    to: 10,
    text: 'size of tables whose rows change, to that of their live rows',
  },
  {
    name: 'checkpoint-minutes',
    member: 'checkpointMinutes',
    default: 15,
    from: 1,
    to: 1440,
    text: 'between checkpoints of PostgreSQL',
  },
  { name: 'node-cores', member: 'nodeCores', default: 8, from: 1, to: 1024, text: 'cores of a machine of Latchkey' },
  { name: 'primary-cores', member: 'primaryCores', default: 64, from: 1, to: 1024, text: 'cores of the primary' },
  {
    name: 'utilisation',
    member: 'utilisation',
    default: 0.6,
    from: 0.01,
    to: 1,
    text: 'of cores, disks and networks, that the busiest second may use',
  },
  {
    name: 'pool',
    member: 'connectionsOfProcess',
    default: 10,
    from: 1,
    to: 1000,
    text: 'connections of a process to the database',
  },
  {
    name: 'max-connections',
    member: 'maxConnections',
    default: 500,
    from: 1,
    to: 100_000,
    text: 'connections that the primary takes',
  },
  {
    name: 'flush',
    member: 'flushUs',
    default: 1000,
    from: 1,
    to: 1_000_000,
    text: 'µs of a forced write, with a synchronous replica',
  },
  {
    name: 'disk-write',
    member: 'diskWrite',
    default: 500,
    from: 1,
    to: 1_000_000,
    text: 'MB a second that the disk of the log writes',
    unit: 1e6,
  },
  { name: 'disk', member: 'diskBytes', default: 16, from: 0.001, to: 100_000, text: 'TB of the primary', unit: 1e12 },
  {
    name: 'network',
    member: 'network',
    default: 10,
    from: 0.001,
    to: 10_000,
    text: 'Gbit a second of the primary',
    unit: 1e9,
  },
  { name: 'replicas', member: 'replicas', default: 2, from: 0, to: 100, text: 'replicas that the log is sent to' },
]

const defaultUsers = [10_000, 1_000_000, 100_000_000]
const defaultInputs = fileURLToPath(new URL('../model-inputs.json', import.meta.url))

const written = (value: number) => String(Number(value.toPrecision(3)))

export const usage = `Usage: npm run model -- [options]

What a site of so many people needs, where its first bottleneck is, and what moves it; from measured costs
and assumptions. Figures are for the busiest second, unless they say otherwise.

  --users LIST             people (default ${defaultUsers.join(',')})
  --hash native|runtime    what hashes passwords (default native)
${options.map(({ name, text, default: value }) => `  ${`--${name} N`.padEnd(24)} ${text} (default ${written(value)})`).join('\n')}
  --headroom               simulates how long requests wait on nodes that are more or less busy
  --check                  simulates the measurements and compares the throughput
  --inputs FILE            what was measured (default bench/model-inputs.json)
  --json                   the results as JSON
  --help                   this text`

export type Chosen = {
  readonly users: readonly number[]
  readonly site: Site
  readonly inputs: string
  readonly headroom: boolean
  readonly check: boolean
  readonly json: boolean
  readonly help: boolean
}

/** Throws `Usage`. */
export function readModelOptions(parameters: readonly string[]): Chosen {
  const { values, positionals } = parse(parameters)
  if (positionals.length > 0) throw new Usage(`'${positionals[0]}' is no option.`)
  const text = (name: string) => values[name] as string | undefined
  const hash = text('hash') ?? 'native'
  if (hash !== 'native' && hash !== 'runtime') throw new Usage(`--hash: '${hash}' is neither native nor runtime.`)
  const users = (text('users') ?? defaultUsers.join(',')).split(',').map((one) => number(one, 'users', 1, 1e11))
  for (const one of users) if (!Number.isInteger(one)) throw new Usage(`--users: '${one}' is no whole number.`)
  const amounts = options.map(({ name, member, default: value, from, to, unit = 1 }) => {
    const given = text(name)
    return [member, (given === undefined ? value : number(given, name, from, to)) * unit]
  })
  const site = { users: users.at(-1), hash, ...Object.fromEntries(amounts) } as Site
  return {
    users,
    site,
    inputs: resolve(text('inputs') ?? defaultInputs),
    headroom: values.headroom === true,
    check: values.check === true,
    json: values.json === true,
    help: values.help === true,
  }
}

function parse(parameters: readonly string[]) {
  const texts = ['users', 'hash', 'inputs', ...options.map(({ name }) => name)]
  const flags = ['headroom', 'check', 'json', 'help']
  try {
    const { values, positionals } = parseArgs({
      args: [...parameters],
      allowPositionals: true,
      options: Object.fromEntries([
        ...texts.map((name) => [name, { type: 'string' as const }]),
        ...flags.map((name) => [name, { type: 'boolean' as const }]),
      ]),
    })
    return { values: values as Readonly<Record<string, string | boolean | undefined>>, positionals }
  } catch (error) {
    throw new Usage((error as Error).message)
  }
}

function number(text: string, name: string, from: number, to: number): number {
  const value = Number(text)
  if (text.trim() === '' || !(value >= from && value <= to)) {
    throw new Usage(`--${name}: '${text}' is no number from ${written(from)} to ${to}.`)
  }
  return value
}

/** Reads the command line of the measurement. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Operation, operations } from './operations.ts'

export type Options = {
  readonly operations: readonly Operation[]
  readonly seconds: number
  readonly rounds: number
  readonly connections: readonly number[]
  readonly json: boolean
  readonly withPeer: boolean
  readonly postgres: boolean
  /** The address of a PostgreSQL that runs already; null: one is started. */
  readonly server: string | null
  /** Pages and rows that the verbs of the storage port touch are counted in place of rates. */
  readonly visits: boolean
  readonly nodes: number
  /** Processes on one port that are compared with one process; 1: no such comparison. */
  readonly workers: number
  /** Whether `--only` named the operations. */
  readonly isChosen: boolean
  /** Numbers of processes on one PostgreSQL to compare; null: no such comparison. */
  readonly processes: readonly number[] | null
  /** Whether to compare the ways to PostgreSQL: directly, and through PgBouncer. */
  readonly poolers: boolean
  /** The file of the model's inputs that gets what `--processes` measures; null: none. */
  readonly inputs: string | null
  /** Numbers of stored users and refresh tokens to compare; null: no such comparison. */
  readonly growth: readonly number[] | null
  /** Addresses that attack while people sign in; null: no such measurement. */
  readonly attackers: number | null
  /** Whether to compare a person of groups, attributes and rules with one without any. */
  readonly rules: boolean
  /** The revision to compare with; null: the peer. */
  readonly revision: string | null
  /** The folder for processor profiles of Latchkey; null: none are made. */
  readonly profiles: string | null
}

/** Wrong usage; the message says what is wrong. */
export class Usage extends Error {}

export const usage = `Usage: npm run bench -- [options]
       npm run bench -- compare REV [options]

  --only LIST          ${operations.map(({ name }) => name).join(', ')}, start
  --seconds N          length of each timed run (default 2)
  --rounds N           timed runs of each target, in turn (default 2)
  --connections LIST   default 1,16,64
  --no-peer            Latchkey alone
  --postgres           Latchkey alone, on a PostgreSQL that is started for it
  --server ADDRESS     the same on a PostgreSQL that runs already: databases are made on it, and dropped at the end
  --nodes N            1, 2 or 4 processes on one PostgreSQL
  --workers N          Latchkey alone: one process, and N on one port, on all cores in turn
  --processes LIST     Latchkey alone, so many nodes and workers on one durable PostgreSQL, and what each part costs
  --poolers            Latchkey alone, on one durable PostgreSQL directly and through PgBouncer, in turn
  --write-inputs FILE  with --processes: writes what was measured for the model (bench/model-inputs.json)
  --growth             Latchkey alone, with few and with many stored users and refresh tokens
  --visits             with --growth on PostgreSQL: pages and rows that each step touches and the median time of a call, in place of rates
  --rows LIST          how many those are (default 1000,1000000)
  --attack N           Latchkey alone: a sign-in while N addresses guess passwords, and while none does
  --rules              Latchkey alone: a person with attributes, groups and rules of the scope, and one without, in turn
  --profile FOLDER     leaves processor profiles of Latchkey there (bench/profile.ts sums them up)
  --json               the results as JSON on standard output`

const hotPath = ['token', 'refresh', 'authorize']
const told = ['token', 'refresh', 'userinfo', 'introspection']
const growingWithProcesses = ['refresh', 'token', 'authorize', 'introspection', 'signin-people', 'signin-passkey']
const lists = operations.filter(({ name }) => /^(admin|account)-/.test(name)).map(({ name }) => name)
const growing = ['token', 'refresh', 'refresh-stored', 'authorize', 'signin', ...lists]

export type Chosen = Options & { readonly withStart: boolean }

/** Throws `Usage`. */
export function readOptions(parameters: readonly string[]): Chosen {
  const { values, positionals } = parse(parameters)
  const [command, revision = null, ...others] = positionals
  if (command !== undefined && command !== 'compare') throw new Usage(`There is no command '${command}'.`)
  if (others.length > 0) throw new Usage(`One revision is enough: '${others[0]}' is too much.`)
  if (command === 'compare' && revision === null) throw new Usage('compare needs a revision, such as HEAD~1.')
  const growth = values.growth ? list(values.rows ?? '1000,1000000', 'rows', 1, 10_000_000) : null
  if (growth !== null && revision !== null) throw new Usage('--growth and compare are two different measurements.')
  const isOnPostgres = values.postgres === true || values.server !== undefined
  if (values.visits && !(isOnPostgres && growth !== null)) {
    throw new Usage('--visits needs --growth, and --postgres or --server.')
  }
  const nodes = number(values.nodes ?? '1', 'nodes', 1, 64)
  if (nodes > 1 && !isOnPostgres) throw new Usage('--nodes needs --postgres: with SQLite one process serves.')
  const processes = values.processes === undefined ? null : list(values.processes, 'processes', 1, 16)
  if (processes !== null) {
    const others = [
      values.growth,
      values.attack,
      values.postgres,
      values.server,
      values.nodes,
      values.workers,
      values.profile,
    ]
    if (revision !== null || others.some((one) => one !== undefined)) {
      throw new Usage(
        '--processes is a measurement of its own: it goes with --only, --connections, --seconds, --rounds.',
      )
    }
    if (processes[0] !== 1) throw new Usage('--processes begins with 1, which the others are compared with.')
  }
  const poolers = values.poolers ?? false
  if (poolers) {
    const others = [values.growth, values.attack, values.postgres, values.server, values.nodes, values.workers]
    if (revision !== null || processes !== null || others.some((one) => one !== undefined)) {
      throw new Usage('--poolers is a measurement of its own: it goes with --only, --connections, --seconds, --rounds.')
    }
  }
  if (values['write-inputs'] !== undefined && processes === null) throw new Usage('--write-inputs needs --processes.')
  const rules = values.rules ?? false
  if (rules && (revision !== null || growth !== null || processes !== null || poolers || values.attack !== undefined)) {
    throw new Usage('--rules is a measurement of its own.')
  }
  const defaults = rules
    ? told
    : processes !== null
      ? growingWithProcesses
      : revision !== null || poolers
        ? hotPath
        : growth !== null
          ? growing
          : [...operations.filter(({ onRequest }) => onRequest !== true).map(({ name }) => name), 'start']
  const names = values.only?.split(',') ?? defaults
  for (const name of names) {
    if (name !== 'start' && !operations.some((operation) => operation.name === name)) {
      throw new Usage(`--only: there is no operation '${name}'.`)
    }
  }
  if (growth === null && names.includes('refresh-stored')) {
    throw new Usage('refresh-stored moves stored chains on, which only --growth stores.')
  }
  if (processes === null && names.includes('signin-people')) {
    throw new Usage('signin-people needs people, whom only --processes stores.')
  }
  const workers = number(values.workers ?? '1', 'workers', 1, 64)
  if (workers > 1 && (nodes > 1 || growth !== null || revision !== null || rules)) {
    throw new Usage('--workers compares one process with several, and with nothing else.')
  }
  const attackers = values.attack === undefined ? null : number(values.attack, 'attack', 1, 2_000)
  if (attackers !== null && (values.only !== undefined || growth !== null || nodes > 1 || workers > 1)) {
    throw new Usage(
      '--attack is a measurement of its own: it goes with compare, --seconds, --rounds, --postgres and --json.',
    )
  }
  return {
    isChosen: values.only !== undefined,
    processes,
    poolers,
    inputs: values['write-inputs'] === undefined ? null : resolve(values['write-inputs']),
    attackers,
    operations: operations.filter(({ name }) => names.includes(name)),
    withStart: names.includes('start'),
    seconds: number(values.seconds ?? '2', 'seconds', 0.1, 600),
    rounds: number(values.rounds ?? '2', 'rounds', 1, 100),
    connections: list(
      values.connections ??
        (processes !== null
          ? '4,16,64'
          : revision === null && growth === null && !poolers && !rules
            ? '1,16,64'
            : '16'),
      'connections',
      1,
      1000,
    ),
    json: values.json ?? false,
    withPeer:
      !values['no-peer'] &&
      attackers === null &&
      !isOnPostgres &&
      growth === null &&
      revision === null &&
      !rules &&
      workers === 1,
    postgres: isOnPostgres,
    server: values.server ?? null,
    visits: values.visits ?? false,
    nodes,
    workers,
    growth,
    rules,
    revision,
    profiles: values.profile === undefined ? null : resolve(values.profile),
  }
}

function parse(parameters: readonly string[]) {
  try {
    return parseArgs({
      args: [...parameters],
      allowPositionals: true,
      options: {
        only: { type: 'string' },
        seconds: { type: 'string' },
        rounds: { type: 'string' },
        connections: { type: 'string' },
        nodes: { type: 'string' },
        processes: { type: 'string' },
        poolers: { type: 'boolean' },
        'write-inputs': { type: 'string' },
        workers: { type: 'string' },
        rows: { type: 'string' },
        attack: { type: 'string' },
        rules: { type: 'boolean' },
        profile: { type: 'string' },
        json: { type: 'boolean' },
        'no-peer': { type: 'boolean' },
        postgres: { type: 'boolean' },
        growth: { type: 'boolean' },
        server: { type: 'string' },
        visits: { type: 'boolean' },
      },
    })
  } catch (error) {
    throw new Usage((error as Error).message)
  }
}

function list(text: string, name: string, min: number, max: number): number[] {
  return text.split(',').map((one) => number(one, name, min, max))
}

function number(text: string, name: string, min: number, max: number): number {
  const value = Number(text)
  const isWhole = name === 'seconds' || Number.isInteger(value)
  if (text.trim() === '' || !isWhole || !(value >= min && value <= max)) {
    throw new Usage(`--${name}: '${text}' is no number from ${min} to ${max}.`)
  }
  return value
}

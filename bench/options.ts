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
  readonly nodes: number
  /** Processes on one port that are compared with one process; 1: no such comparison. */
  readonly workers: number
  /** Numbers of stored users and refresh tokens to compare; null: no such comparison. */
  readonly growth: readonly number[] | null
  /** Addresses that attack while people sign in; null: no such measurement. */
  readonly attackers: number | null
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
  --nodes N            1, 2 or 4 processes on one PostgreSQL
  --workers N          Latchkey alone: one process, and N on one port, on all cores in turn
  --growth             Latchkey alone, with few and with many stored users and refresh tokens
  --rows LIST          how many those are (default 1000,1000000)
  --attack N           Latchkey alone: a sign-in while N addresses guess passwords, and while none does
  --profile FOLDER     leaves processor profiles of Latchkey there (bench/profile.ts sums them up)
  --json               the results as JSON on standard output`

const hotPath = ['token', 'refresh', 'authorize']
const growing = ['token', 'refresh', 'refresh-stored', 'authorize', 'signin']

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
  const nodes = number(values.nodes ?? '1', 'nodes', 1, 64)
  if (nodes > 1 && !values.postgres) throw new Usage('--nodes needs --postgres: with SQLite one process serves.')
  const defaults =
    revision !== null
      ? hotPath
      : growth !== null
        ? growing
        : [...operations.map(({ name }) => name).filter((name) => name !== 'refresh-stored'), 'start']
  const names = values.only?.split(',') ?? defaults
  for (const name of names) {
    if (name !== 'start' && !operations.some((operation) => operation.name === name)) {
      throw new Usage(`--only: there is no operation '${name}'.`)
    }
  }
  if (growth === null && names.includes('refresh-stored')) {
    throw new Usage('refresh-stored moves stored chains on, which only --growth stores.')
  }
  const workers = number(values.workers ?? '1', 'workers', 1, 64)
  if (workers > 1 && (nodes > 1 || growth !== null || revision !== null)) {
    throw new Usage('--workers compares one process with several, and with nothing else.')
  }
  const attackers = values.attack === undefined ? null : number(values.attack, 'attack', 1, 2_000)
  if (attackers !== null && (values.only !== undefined || growth !== null || nodes > 1 || workers > 1)) {
    throw new Usage(
      '--attack is a measurement of its own: it goes with compare, --seconds, --rounds, --postgres and --json.',
    )
  }
  return {
    attackers,
    operations: operations.filter(({ name }) => names.includes(name)),
    withStart: names.includes('start'),
    seconds: number(values.seconds ?? '2', 'seconds', 0.1, 600),
    rounds: number(values.rounds ?? '2', 'rounds', 1, 100),
    connections: list(
      values.connections ?? (revision === null && growth === null ? '1,16,64' : '16'),
      'connections',
      1,
      1000,
    ),
    json: values.json ?? false,
    withPeer:
      !values['no-peer'] &&
      attackers === null &&
      !values.postgres &&
      growth === null &&
      revision === null &&
      workers === 1,
    postgres: values.postgres ?? false,
    nodes,
    workers,
    growth,
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
        workers: { type: 'string' },
        rows: { type: 'string' },
        attack: { type: 'string' },
        profile: { type: 'string' },
        json: { type: 'boolean' },
        'no-peer': { type: 'boolean' },
        postgres: { type: 'boolean' },
        growth: { type: 'boolean' },
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

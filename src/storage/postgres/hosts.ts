/**
 * Finds the server that accepts writes. The driver's own choice mistakes a standby for one, and retries forever without
 * a pause if there is none.
 */
import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import { StorageUnavailable } from '../port/unavailable.ts'
import { place, readAddress } from './address.ts'
import { rareConnectionOptions } from './options.ts'

/** How long a server may take to report its state. */
const answerWithinMs = 3_000
/** How long an earlier server in the list is awaited once a later one accepts writes. */
const precedenceMs = 500
/** How long a failure is cached, which limits how often the servers are queried. */
const failureLifetimeMs = 250

/** Rejects with `StorageUnavailable`, with the problem of each server. */
export type FindServer = () => Promise<string>

/** Returns the address of the server to use: the first in the list that accepts writes, so that all processes agree. */
export function serverFinder(url: string): FindServer {
  const { servers } = readAddress(url)
  let finding: Promise<string> | undefined
  return () => {
    if (finding === undefined) {
      const current = findAmong(servers, url)
      finding = current
      const forget = (): void => {
        if (finding === current) finding = undefined
      }
      current.then(forget, () => setTimeout(forget, failureLifetimeMs).unref())
    }
    return finding
  }
}

/** Uncached, for a single use. A single server is not queried. */
export async function findServer(url: string): Promise<string> {
  const { servers, isChosen } = readAddress(url)
  return isChosen ? findAmong(servers, url) : url
}

/**
 * Whether the server accepts writes, although the parameters of its connections say that it does not: a pooler remembers
 * them from before a failover.
 */
export async function reportsFalsely(server: string): Promise<boolean> {
  const { problem, isReportedReadOnly } = await ask(server)
  return isReportedReadOnly && problem === undefined
}

/** Whether a parameter of a connection says that its server accepts no writes; `in_hot_standby` since PostgreSQL 14. */
export function saysReadOnly(name: string, value: string): boolean {
  return ['in_hot_standby', 'default_transaction_read_only'].includes(name) && value === 'on'
}

/** `problem` undefined: it accepts writes. */
type Answer = {
  readonly server: string
  readonly problem: string | undefined
  /** By the parameters of the connection. */
  readonly isReportedReadOnly: boolean
}

async function findAmong(servers: readonly string[], url: string): Promise<string> {
  const answers = servers.map(ask)
  const anyone = Promise.any(answers.map(async (answer) => (await answer).problem === undefined || Promise.reject()))
  // Resolves when silent servers have had their time, or when none accepts writes.
  const precedence = anyone.then(
    () => pause(precedenceMs, undefined, { ref: false }),
    () => undefined,
  )
  for (const answer of answers) {
    const known = await Promise.race([answer, precedence])
    if (known !== undefined && known.problem === undefined) return known.server
  }
  const problems = (await Promise.all(answers)).map(({ server, problem }) => `${place(server)}: ${problem}`)
  throw new StorageUnavailable(
    `No server of ${place(url)} takes writes (${problems.join('; ')}). Check that the primary runs and that Database:Url names it.`,
    { isPassing: true },
  )
}

/** Never rejects. */
async function ask(server: string): Promise<Answer> {
  let isReportedReadOnly = false
  const sql = postgres(server, {
    ...rareConnectionOptions,
    fetch_types: false,
    onparameter: (name: string, value: string) => {
      isReportedReadOnly ||= saysReadOnly(name, value)
    },
    connect_timeout: answerWithinMs / 1000,
  })
  const late = pause(answerWithinMs, 'late' as const, { ref: false })
  const state = sql<
    State[]
  >`select pg_is_in_recovery() as standby, current_setting('transaction_read_only') as read_only`
  try {
    const found = await Promise.race([state, late])
    const problem = found === 'late' ? `no answer within ${answerWithinMs} ms` : problemOf(found[0])
    return { server, problem, isReportedReadOnly }
  } catch (error) {
    return { server, problem: (error as Error).message, isReportedReadOnly }
  } finally {
    state.catch(() => {})
    sql.end({ timeout: 0 }).catch(() => {})
  }
}

type State = { readonly standby: boolean; readonly read_only: string }

function problemOf(state: State | undefined): string | undefined {
  if (state?.standby === true) return 'a standby'
  return state?.read_only === 'on' ? 'read-only' : undefined
}

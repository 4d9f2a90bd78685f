/** What the parts of the measurement say to each other. */

import type { Passed } from './relay.ts'

export type Product = 'latchkey' | 'peer' | 'bare'

/** A server under load: one process, or several that share a database. */
export type Target = {
  /** What the report calls it. */
  readonly name: string
  readonly product: Product
  /** With a trailing slash. */
  readonly issuer: string
  /** One for each process, all on 127.0.0.1. */
  readonly ports: readonly number[]
  readonly pids: readonly number[]
  /** The SQLite file, whose commits are counted; null: another database, or none. */
  readonly databaseFile: string | null
  /** Refresh tokens to begin with, one in a line; null: they are fetched by signing in. */
  readonly refreshTokensFile: string | null
  /** The secret of the client `bench-api`, which introspects tokens and pushes requests; null: there is none. */
  readonly apiSecret: string | null
  /** The secret of the client `bench-admin`, which reads with the admin API; null: there is none. */
  readonly adminSecret: string | null
  /** The PostgreSQL whose work is counted, too; default: none. */
  readonly counted?: CountedDatabase
}

/** A PostgreSQL that was started for the measurement. */
export type CountedDatabase = {
  readonly address: string
  /** Of the process that started all others of the server. */
  readonly pid: number
  /** Where a relay in front of it counts; default: there is none. */
  readonly counters?: string
}

/** What the database did in the timed part. */
export type DatabaseWork = {
  /** User and system time of all its processes; null where /proc does not say. */
  readonly cpuUs: number | null
  /** Transactions that wrote something. */
  readonly writes: number
  readonly walBytes: number
  /** How often the write-ahead log was forced to disk. Servers report it with up to a second of delay. */
  readonly flushes: number
  /** Of Latchkey, open at the end. */
  readonly connections: number
  /** What passed the relay, and entries of the audit trail; null: there is no relay. */
  readonly passed: Passed | null
  readonly entries: number | null
}

/** What one connection does again and again. */
export type Work =
  | 'token'
  | 'refresh'
  | 'refresh-stored'
  | 'refresh-dpop'
  | 'authorize'
  | 'par'
  | 'discovery'
  | 'jwks'
  | 'userinfo'
  | 'introspection'
  | 'client-credentials'
  | 'signin'
  | 'signin-passkey'
  | 'signin-second-factor'
  | 'signin-left'
  | 'person'
  | AdminWork
  | AccountWork
  | BareWork

/** Lists of the admin API. */
export type AdminWork =
  | 'admin-people'
  | 'admin-clients'
  | 'admin-sessions'
  | 'admin-grants'
  | 'admin-audit'
  | 'admin-stats'

/** Lists of the account area. */
export type AccountWork = 'account-sessions' | 'account-applications' | 'account-activity'

/** The requests to `bare.ts`, in the order in which it lists them. */
export type BareWork = 'bare' | 'bare-exchange' | 'bare-code' | 'bare-signin'

export type Job = {
  readonly target: Target
  readonly work: Work
  readonly connections: number
  readonly seconds: number
  /** Connections that sign in without pause beside the measured ones. */
  readonly signInsBeside: number
  /** Addresses that guess passwords without pause beside the measured connections; default none. */
  readonly attackers?: number
}

/** One timed run. Everything is counted in the timed part alone. */
export type Measurement = {
  readonly operations: number
  readonly seconds: number
  readonly failures: number
  /** Why the first of them failed. */
  readonly firstFailure: string | null
  /** Pairs of bucket and count; see `latency.ts`. */
  readonly latencies: ReadonlyArray<readonly [number, number]>
  /** User and system time of all server processes; null where /proc does not say. */
  readonly serverCpuUs: number | null
  /** Transactions that were made durable; null when they cannot be counted. */
  readonly commits: number | null
  /** Null: not asked for. */
  readonly database: DatabaseWork | null
  /** Of all requests and answers, without the headers of TCP. */
  readonly bytesSent: number
  readonly bytesReceived: number
  /** User and system time of the generator. */
  readonly generatorCpuUs: number
  /** Of one core, 0 to 1. Near 1 the generator measured itself. */
  readonly generatorShare: number
  /** Processor time of all other processes, as a share of all cores; null where /proc does not say. */
  readonly othersShare: number | null
}

export type GeneratorAnswer = { readonly measurement: Measurement } | { readonly problem: string }

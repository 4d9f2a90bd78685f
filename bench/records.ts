/** What the parts of the measurement say to each other. */

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
  | 'person'
  | BareWork

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
  /** Of one core, 0 to 1. Near 1 the generator measured itself. */
  readonly generatorShare: number
  /** Processor time of all other processes, as a share of all cores; null where /proc does not say. */
  readonly othersShare: number | null
}

export type GeneratorAnswer = { readonly measurement: Measurement } | { readonly problem: string }

/**
 * What the parts of the service report in numbers. They know this interface alone: where nobody collects numbers,
 * nothing is loaded and nothing is counted.
 */

/** How a sign-in attempt ended; `rate_limited` and `busy` before it was judged. */
export type SignInResult =
  | 'signed_in'
  | 'registered'
  | 'unknown_user'
  | 'wrong_password'
  | 'locked'
  | 'not_allowed'
  | 'rate_limited'
  | 'busy'
  | 'failed'

/** Numbers that are read when somebody looks. */
export type GaugeName =
  | 'sqlite_commits_waiting'
  | 'sqlite_log_bytes'
  | 'postgres_queries_underway'
  | 'postgres_queries_waiting'
  | 'sign_ins_running'
  | 'sign_ins_waiting'
  | 'password_hashes_running'
  | 'password_hashes_waiting'
  | 'signing_keys_published'
  | 'connections_open'

/** Numbers that only grow, read when somebody looks. */
export type CounterName =
  | 'connections_refused'
  | 'log_lines_dropped'
  | 'log_lines_suppressed'
  | 'audit_events_dropped'
  | 'audit_events_unformatted'

export type Metrics = {
  /** An answered request. `route`: the pattern of the route, never the path that was asked for. */
  request(method: string, route: string, status: number, seconds: number): void
  signIn(method: 'password' | 'external', result: SignInResult): void
  /** `id`: the number in the catalogue of refusals, such as `ID2052`. */
  refusal(id: string): void
  /** A refresh token that was replaced already was sent again inside the leeway, and answered. */
  refreshRepeat(): void
  /** `verb` as the storage port names it, such as `grants.redeem`. */
  storageVerb(verb: string, succeeded: boolean, seconds: number): void
  /** Commits that shared one transaction and one fsync. */
  commitBatch(commits: number): void
  gauge(name: GaugeName, read: () => number): void
  counter(name: CounterName, read: () => number): void
}

/** Counts nothing. */
export const noMetrics: Metrics = {
  request() {},
  signIn() {},
  refusal() {},
  refreshRepeat() {},
  storageVerb() {},
  commitBatch() {},
  gauge() {},
  counter() {},
}

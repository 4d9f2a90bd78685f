/**
 * The metrics that parts of the service report. They depend on this interface only: without a collector no library is
 * loaded and nothing is counted.
 *
 * Belongs here: the interfaces for metrics and traces, and the libraries that collect them.
 * Belongs elsewhere: what is measured: each part reports by itself through the interface.
 */

import type { RequestMetrics } from '../http/reports.ts'

/** The outcome of a sign-in attempt. `rate_limited` and `busy` are decided before the password is checked. */
export type SignInResult =
  | 'signed_in'
  | 'registered'
  | 'unknown_user'
  | 'wrong_password'
  | 'locked'
  | 'not_allowed'
  | 'second_factor'
  | 'wrong_code'
  | 'rate_limited'
  | 'busy'
  | 'failed'

/** Values sampled on collection. */
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
  | 'mails_queued'

/** Monotonic counters sampled on collection. */
export type CounterName =
  | 'connections_refused'
  | 'log_lines_dropped'
  | 'log_lines_suppressed'
  | 'audit_events_dropped'
  | 'audit_events_unformatted'
  | 'logout_notices_delivered'
  | 'logout_notices_failed'
  | 'mails_sent'
  | 'mails_failed'

export type Metrics = RequestMetrics & {
  signIn(method: 'password' | 'external' | 'passkey' | 'second_factor', result: SignInResult): void
  /** Counts a replaced refresh token that was accepted again within the leeway. */
  refreshRepeat(): void
  /** `verb`: the name in the storage port, such as `grants.redeem`. */
  storageVerb(verb: string, succeeded: boolean, seconds: number): void
  /** Counts commits that shared one transaction and one fsync. */
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

/** Collects metrics in the Prometheus format. Loaded only when `Metrics:Port` is set. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { CounterName, GaugeName, Metrics } from './metrics.ts'

export type Collector = {
  readonly metrics: Metrics
  /** The media type of the exposition format 0.0.4. */
  readonly contentType: string
  expose(): Promise<string>
}

const gaugeHelp: Readonly<Record<GaugeName, string>> = {
  sqlite_commits_waiting: 'Commits that wait for the SQLite writer.',
  sqlite_log_bytes: 'Size of the write-ahead log of SQLite.',
  postgres_queries_underway: 'Reads and commits that PostgreSQL has not answered yet.',
  postgres_queries_waiting: 'Reads and commits that wait for a connection to PostgreSQL.',
  sign_ins_running: 'Sign-ins with a password that are being judged.',
  sign_ins_waiting: 'Sign-ins with a password that wait for their turn.',
  password_hashes_running: 'Password hashes that are being computed.',
  password_hashes_waiting: 'Password hashes that wait for one of the threads.',
  signing_keys_published: 'Signing keys in the published key set.',
  mails_queued: 'Mails that wait to be sent, in the whole database.',
  connections_open: 'Open connections of clients and proxies.',
}

const counterHelp: Readonly<Record<CounterName, string>> = {
  connections_refused: 'Connections that were closed because there were too many.',
  log_lines_suppressed: 'Lines about refused and failed requests that a flood left out.',
  log_lines_dropped: 'Lines of the log that its output could not take.',
  audit_events_dropped: 'Events that the audit trail did not take although the database could be written to.',
  audit_events_unformatted: 'Entries of the audit trail that hold only a part of their event.',
  logout_notices_delivered: 'Logout tokens that a client accepted.',
  logout_notices_failed: 'Logout tokens that were given up after three retries.',
  mails_sent: 'Mails that the mail server accepted.',
  mails_failed: 'Mails that were refused, or given up after a day or at their end.',
}

/** Methods with their own label. All others share one, because clients can invent any number of them. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const storageBuckets = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5]
const batchBuckets = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]

/** Creates a collector with its own registry. `version`: of this program. */
export function openCollector(version: string): Collector {
  const registry = new Registry()
  const registers = [registry]
  // Memory, processor time, garbage collection and event-loop delay.
  collectDefaultMetrics({ register: registry })
  new Gauge({ name: 'latchkey_info', help: 'Always 1; the version is a label.', labelNames: ['version'], registers })
    .labels(version)
    .set(1)
  const requests = new Histogram({
    name: 'latchkey_http_request_duration_seconds',
    help: 'Answered requests by route and status; 499: the client went away first.',
    labelNames: ['method', 'route', 'status'],
    buckets: requestBuckets,
    registers,
  })
  const signIns = new Counter({
    name: 'latchkey_sign_ins_total',
    help: 'Sign-in attempts by their outcome.',
    labelNames: ['method', 'outcome'],
    registers,
  })
  const refusals = new Counter({
    name: 'latchkey_refusals_total',
    help: 'Refused protocol requests by their number in the catalogue of errors.',
    labelNames: ['id'],
    registers,
  })
  const repeats = new Counter({
    name: 'latchkey_refresh_repeats_total',
    help: 'Replaced refresh tokens that were sent again inside the leeway, and answered.',
    registers,
  })
  const verbs = new Histogram({
    name: 'latchkey_storage_duration_seconds',
    help: 'Storage verbs by outcome.',
    labelNames: ['verb', 'outcome'],
    buckets: storageBuckets,
    registers,
  })
  const batches = new Histogram({
    name: 'latchkey_sqlite_batch_commits',
    help: 'Commits that shared one transaction and one fsync.',
    buckets: batchBuckets,
    registers,
  })
  return {
    contentType: registry.contentType,
    expose: () => registry.metrics(),
    metrics: {
      request(method, route, status, seconds) {
        requests.labels(methods.has(method) ? method : 'other', route, String(status)).observe(seconds)
      },
      signIn(method, result) {
        signIns.labels(method, result).inc()
      },
      refusal(id) {
        refusals.labels(id).inc()
      },
      refreshRepeat() {
        repeats.inc()
      },
      storageVerb(verb, succeeded, seconds) {
        verbs.labels(verb, succeeded ? 'ok' : 'failed').observe(seconds)
      },
      commitBatch(commits) {
        batches.observe(commits)
      },
      gauge(name, read) {
        const collect = function (this: Gauge): void {
          this.set(read())
        }
        new Gauge({ name: `latchkey_${name}`, help: gaugeHelp[name], registers, collect })
      },
      counter(name, read) {
        const collect = function (this: Counter): void {
          this.reset()
          this.inc(read())
        }
        new Counter({ name: `latchkey_${name}_total`, help: counterHelp[name], registers, collect })
      },
    },
  }
}

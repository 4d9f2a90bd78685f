/** Opens metrics and traces if the settings ask for them. Otherwise loads nothing. */
import type { Logger } from 'pino'
import type { AttemptLimiter } from '../http/attempt-limiter.ts'
import type { HandlerSwitch } from '../http/handler-switch.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import { wayOutOf } from '../outbound/way-out.ts'
import { packageVersion } from '../package.ts'
import type { Settings } from '../settings/settings.ts'
import type { Storage } from '../storage/port/storage.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { MetricsListener } from '../telemetry/metrics-listener.ts'
import type { Observe } from '../telemetry/observed-storage.ts'
import type { Tracing } from '../telemetry/tracing.ts'
import { listenOrRefuse } from './listening.ts'

export type Telemetry = {
  /** Undefined: metrics are off. */
  readonly metrics: Metrics | undefined
  /** Undefined: tracing is off. */
  readonly tracing: Tracing | undefined
  /** Returns the storage to use: observed, or unchanged. */
  watch(storage: Storage): Promise<Storage>
  /** Starts to serve metrics. Throws `Refused` if their address cannot be bound. */
  listen(keys: KeyRing, attempts: AttemptLimiter, handlers: HandlerSwitch): Promise<void>
  close(): Promise<void>
}

export async function openTelemetry(settings: Settings, log: Logger): Promise<Telemetry> {
  const { host, port } = settings.metrics
  const collector =
    port === null ? undefined : (await import('../telemetry/prometheus.ts')).openCollector(packageVersion())
  const metrics = collector?.metrics
  const tracing = settings.tracing.collector !== null ? await openTracing(settings, log) : undefined
  let listener: MetricsListener | undefined
  return {
    metrics,
    tracing,
    async watch(storage) {
      if (metrics === undefined && tracing === undefined) return storage
      const { observedStorage } = await import('../telemetry/observed-storage.ts')
      const inSpan: Observe = tracing === undefined ? (_verb, work) => work() : tracing.storageVerb
      const observe = metrics === undefined ? inSpan : timed(metrics, inSpan)
      return observedStorage(storage, observe)
    },
    async listen(keys, attempts, handlers) {
      if (collector === undefined || port === null) return
      const { metrics } = collector
      const { passwordHashingLoad } = await import('../secrets/password.ts')
      metrics.gauge('sign_ins_running', () => attempts.load().running)
      metrics.gauge('sign_ins_waiting', () => attempts.load().waiting)
      metrics.gauge('password_hashes_running', () => passwordHashingLoad().running)
      metrics.gauge('password_hashes_waiting', () => passwordHashingLoad().waiting)
      metrics.gauge('connections_open', () => handlers.connections().open)
      metrics.counter('connections_refused', () => handlers.connections().refused)
      metrics.gauge('signing_keys_published', () => JSON.parse(keys.keySet()).keys.length)
      const { listenForMetrics } = await import('../telemetry/metrics-listener.ts')
      await listenOrRefuse('Metrics', { host, port }, async () => {
        listener = await listenForMetrics(collector, host, port)
        log.info({ address: `http://${host.includes(':') ? `[${host}]` : host}:${listener.port}/metrics` }, 'metrics')
      })
    },
    async close() {
      await Promise.all([listener?.close(), tracing?.close()])
    },
  }
}

async function openTracing({ database, outbound, tracing }: Settings, log: Logger): Promise<Tracing> {
  const { openTracing: open } = await import('../telemetry/opentelemetry.ts')
  const databaseSystem = database.url.kind === 'postgres' ? 'postgresql' : 'sqlite'
  const way = wayOutOf(outbound)
  const collector = tracing.collector ?? ''
  const isByUs = !way.isPlain && URL.canParse(collector)
  const agent = () => way.agentFor(new URL(collector), { keepAlive: true })
  const warn = (message: string): void => log.warn(message)
  return open({ version: packageVersion(), databaseSystem, warn, ...(isByUs && { agent }) })
}

function timed(metrics: Metrics, observe: Observe): Observe {
  return async (verb, work) => {
    const startedAtMs = performance.now()
    let succeeded = false
    try {
      const result = await observe(verb, work)
      succeeded = true
      return result
    } finally {
      metrics.storageVerb(verb, succeeded, (performance.now() - startedAtMs) / 1000)
    }
  }
}

/**
 * Exports traces to an OpenTelemetry collector (OTLP over HTTP, JSON). Loaded only when the environment names one. The
 * library reads the standard variables itself: endpoint, headers, service name, resource attributes, sampler, limits.
 */
import type { Agent } from 'node:http'
import {
  DiagLogLevel,
  defaultTextMapGetter,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { Tracing } from './tracing.ts'

/** Maximum time that shutdown waits for the collector. */
const flushMs = 3_000

/** `warn` receives sentences for the operator, without secrets. */
export function openTracing(options: {
  readonly version: string
  readonly databaseSystem: 'sqlite' | 'postgresql'
  readonly warn: (message: string) => void
  /** Makes the agent of the exporter. Default: its own. */
  readonly agent?: () => Promise<Agent>
}): Tracing {
  const { version, databaseSystem, warn, agent } = options
  reportFailures(warn)
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'latchkey', 'service.version': version }))
    // Merged last, so that OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take precedence.
    .merge(detectResources({ detectors: [envDetector] }))
  const provider = new BasicTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter(agent && { httpAgentOptions: agent }))],
  })
  const tracer = provider.getTracer('latchkey', version)
  const propagator = new W3CTraceContextPropagator()
  const contexts = new AsyncLocalStorageContextManager().enable()

  return {
    begin(method, headers) {
      const above = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter)
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER }, above)
      const context = trace.setSpan(above, span)
      return {
        traceId: span.spanContext().traceId,
        within: (work) => contexts.with(context, work),
        end(route, status) {
          span.updateName(`${method} ${route}`)
          span.setAttributes({
            'http.request.method': method,
            'http.route': route,
            'http.response.status_code': status,
          })
          if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        },
      }
    },
    storageVerb(verb, work) {
      const attributes = { 'db.system.name': databaseSystem, 'db.operation.name': verb }
      const above = contexts.active()
      const span = tracer.startSpan(`storage ${verb}`, { kind: SpanKind.CLIENT, attributes }, above)
      return ending(span, () => contexts.with(trace.setSpan(above, span), work))
    },
    spanHere: () => trace.getSpanContext(contexts.active()),
    storageBatch(members, work) {
      const attributes = { 'db.system.name': databaseSystem, 'db.operation.batch.size': members.length }
      const links = members.map((context) => ({ context }))
      const span = tracer.startSpan('storage batch', { kind: SpanKind.CLIENT, attributes, links }, ROOT_CONTEXT)
      return ending(span, work)
    },
    async close() {
      const { promise: late, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, flushMs)
      await Promise.race([provider.shutdown().catch(() => undefined), late])
      clearTimeout(timer)
    },
  }
}

/** Ends the span with the work. */
async function ending<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    fail(span, error)
    throw error
  } finally {
    span.end()
  }
}

/** Records the type of an error only: its message may contain confidential data. */
function fail(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR })
  span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown')
}

/** Logs an unreachable collector once, not for every failed export. */
function reportFailures(warn: (message: string) => void): void {
  let told = false
  const tell = (): void => {
    if (told) return
    told = true
    warn('traces cannot be delivered: check OTEL_EXPORTER_OTLP_ENDPOINT and the collector. The service is not affected')
  }
  const quiet = (): void => {}
  const logger = { error: tell, warn: quiet, info: quiet, debug: quiet, verbose: quiet }
  diag.setLogger(logger, { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true })
}

/** The composition root: every part meets here. What can be asked for is in `routes.ts`. */
import type { RequestListener } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import { discovery, keySet } from './connect/metadata.ts'
import { token } from './connect/token.ts'
import { answersWith } from './http/answers.ts'
import { antiforgeryWith } from './http/antiforgery.ts'
import { type AttemptLimiter, attemptLimiter } from './http/attempt-limiter.ts'
import { answerBrokenRequests } from './http/broken-requests.ts'
import { browserSessionsWith } from './http/browser-session.ts'
import { challengesWith } from './http/challenge.ts'
import { addressReader } from './http/client-address.ts'
import { cookiesFor } from './http/cookies.ts'
import { crossOriginHeaders } from './http/cross-origin.ts'
import { deviceCookieWith } from './http/device-cookie.ts'
import { type CookieCodec, type DirectRoutes, directLane } from './http/direct-lane.ts'
import { externalCookiesWith } from './http/external-cookies.ts'
import { answerFailures } from './http/failures.ts'
import type { Application } from './http/handler-switch.ts'
import type { Lifecycle } from './http/health.ts'
import { loadPages } from './http/pages.ts'
import { securityHeaders } from './http/security-headers.ts'
import type { KeyRing } from './keys/key-ring.ts'
import { builtPagesFolder } from './package.ts'
import { openProviders } from './providers/open.ts'
import type { Service } from './service.ts'
import { isLoopbackHost } from './settings/loopback.ts'
import type { Settings } from './settings.ts'
import type { Storage } from './storage/port.ts'
import { type Metrics, noMetrics } from './telemetry/metrics.ts'
import type { Tracing } from './telemetry/tracing.ts'

export type AppParts = {
  readonly settings: Settings
  readonly storage: Storage
  readonly keys: KeyRing
  /** Epoch milliseconds. */
  readonly clock: () => number
  /** Cryptographically secure. */
  readonly random: (bytes: number) => Uint8Array
  readonly log: FastifyBaseLogger
  /** Where the built pages are; default `dist/pages` of this package. */
  readonly pagesFolder?: string
  /** How long an external provider may take in all, milliseconds; default 10,000. */
  readonly providerDeadlineMs?: number
  /** Default: nobody collects numbers. */
  readonly metrics?: Metrics | undefined
  /** Default: nobody collects traces. */
  readonly tracing?: Tracing | undefined
  /** Default: never told to stop. */
  readonly lifecycle?: Lifecycle
  /** What outlives this application, because a reload makes another one; default: a count of its own. */
  readonly attempts?: AttemptLimiter
}

export type App = Application & {
  /**
   * Loads the framework, once. Resolves when nothing has to wait for it any more; rejects when it could not be loaded, and
   * then the application is of no use.
   */
  complete(): Promise<void>
}

/** RFC 6749 asks for small forms only; nothing that this service reads is larger. */
const bodyLimitBytes = 64 * 1024

/**
 * The application as it answers at once: what programs ask for without cookies goes the short way from the beginning. The
 * framework takes a third of a start to load, so it is loaded by `complete`, or by the first request that needs it, which
 * waits for it.
 */
export async function buildApp(parts: AppParts): Promise<App> {
  const service = await createService(parts)
  const { settings, log, metrics, tracing, random, lifecycle = { isStopping: false } } = parts
  const newTraceId = () => Buffer.from(random(16)).toString('hex')
  const lane = {
    bodyLimitBytes,
    log,
    newTraceId,
    addressOf: await addressReader(settings.server.trustProxy),
    failed: answerFailures(service.answers),
    metrics,
  }
  // A trace follows a request through the hooks of the framework.
  const hot = tracing === undefined ? hotEndpoints(service) : {}
  let direct = directLane({ ...lane, routes: hot, cookies: noCookies })
  let others: RequestListener = (message, response) => {
    complete().then(
      () => others(message, response),
      () => message.socket.destroy(),
    )
  }

  async function load(): Promise<void> {
    const { authorizeRoute, buildRoutes } = await import('./routes.ts')
    const framework = await buildRoutes(service, { log, bodyLimitBytes, newTraceId, metrics, tracing, lifecycle })
    if (tracing === undefined) {
      direct = directLane({ ...lane, routes: { ...hot, ...authorizeRoute(service) }, cookies: framework })
    }
    others = framework.routing
  }
  let loading: Promise<void> | undefined
  const complete = (): Promise<void> => {
    loading ??= load()
    return loading
  }

  return {
    listener(message, response) {
      if (!direct(message, response)) others(message, response)
    },
    brokenRequest: answerBrokenRequests({ issuer: settings.oauth.issuer, log, metrics: service.metrics, random }),
    complete,
  }
}

/** Before the framework is there, which knows them. */
const noCookies: CookieCodec = { parseCookie: noCookiesYet, serializeCookie: noCookiesYet }

function noCookiesYet(): never {
  throw new Error('an endpoint that is said to need no cookies asked for them')
}

/** What programs ask for all day; each is registered with the framework too, for whatever is unusual about it. */
function hotEndpoints(service: Service): DirectRoutes {
  const headers = { ...service.headers, ...crossOriginHeaders }
  return {
    'POST /connect/token': { endpoint: token(service), headers },
    'GET /.well-known/openid-configuration': { endpoint: discovery(service), headers },
    'GET /.well-known/jwks': { endpoint: keySet(service), headers },
  }
}

async function createService(parts: AppParts): Promise<Service> {
  const { settings, storage, keys, clock, random, metrics = noMetrics } = parts
  const pages = await loadPages(parts.pagesFolder ?? builtPagesFolder())
  const { issuer } = settings.oauth
  const cookies = cookiesFor(issuer)
  const external = externalCookiesWith(keys, cookies, clock, random)
  const device = deviceCookieWith(keys, cookies, clock)
  return {
    settings,
    storage,
    keys,
    clock,
    random,
    pages,
    cookies,
    sessions: browserSessionsWith({ settings, storage, cookies, device, external, clock, random }),
    antiforgery: antiforgeryWith(keys, cookies, clock, random),
    challenges: challengesWith(keys, cookies, clock),
    providers: await openProviders(settings.oauth.external, clock, parts.providerDeadlineMs ?? 10_000),
    external,
    device,
    attempts: parts.attempts ?? attemptLimiter(settings.rateLimit.loginPerMinute, clock),
    answers: answersWith({
      issuer,
      pages,
      metrics,
      clock,
      note: storage.audit.note,
      showDetail: isLoopbackHost(new URL(issuer).hostname),
    }),
    headers: securityHeaders(issuer),
    metrics,
  }
}

/** The composition root: every part meets here, and every endpoint is one line. */
import type { RequestListener } from 'node:http'
import fastifyCookie from '@fastify/cookie'
import fastifyCors, { type FastifyCorsOptions } from '@fastify/cors'
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import { antiforgery } from './account/antiforgery.ts'
import { consentContext, logoutContext, sessionContext } from './account/contexts.ts'
import { chooseProvider, externalProviders, providerCallback, startExternalLogin } from './account/external-login.ts'
import { externalLoginCallback, externalLoginPending, externalLoginRegister } from './account/external-sign-in.ts'
import { login } from './account/login.ts'
import { weatherForecast } from './api/weather-forecast.ts'
import { authorize } from './connect/authorize.ts'
import { askToLogOut, logOut } from './connect/logout.ts'
import { discovery, keySet } from './connect/metadata.ts'
import { revocation } from './connect/revocation.ts'
import { token } from './connect/token.ts'
import { answersWith } from './http/answers.ts'
import { antiforgeryWith } from './http/antiforgery.ts'
import { type AttemptLimiter, attemptLimiter } from './http/attempt-limiter.ts'
import { acceptAnyBody } from './http/bodies.ts'
import { answerBrokenRequests } from './http/broken-requests.ts'
import { browserSessionsWith } from './http/browser-session.ts'
import { challengesWith } from './http/challenge.ts'
import { addressReader } from './http/client-address.ts'
import { cookiesFor } from './http/cookies.ts'
import { deviceCookieWith } from './http/device-cookie.ts'
import { type DirectRoutes, directLane } from './http/direct-lane.ts'
import { errorCatalogue } from './http/error-catalogue.ts'
import { externalCookiesWith } from './http/external-cookies.ts'
import { answerFailures, refuseMethod } from './http/failures.ts'
import { type HandlerSwitch, handlerSwitch } from './http/handler-switch.ts'
import { type Lifecycle, liveness, readiness } from './http/health.ts'
import { observeRequests } from './http/observed-requests.ts'
import { loadPages } from './http/pages.ts'
import { requestLog } from './http/request-log.ts'
import { addSecurityHeaders, securityHeaders } from './http/security-headers.ts'
import { servePages } from './http/static-pages.ts'
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
  /** Makes the server that listens; default: a server for this application alone. */
  readonly serverFactory?: HandlerSwitch['serverFactory']
}

/** RFC 6749 asks for small forms only; nothing that this service reads is larger. */
const bodyLimitBytes = 64 * 1024

const crossOrigin = {
  credentials: true,
  methods: ['GET', 'POST'],
  allowedHeaders: ['authorization', 'content-type'],
  exposedHeaders: ['www-authenticate', 'x-trace-id'],
  maxAge: 600,
  strictPreflight: false,
}

/** What the plugin sends to those that name no origin, too. */
const crossOriginHeaders = {
  vary: 'Origin',
  'access-control-allow-credentials': 'true',
  'access-control-expose-headers': crossOrigin.exposedHeaders.join(', '),
}

/** Those that scripts of applications may call (contract of `Cors:Origins`). */
const sharedPaths = /^\/(?:connect\/(?:token|revocation)|\.well-known\/[^/?]+|weatherforecast)\/?(?:\?|$)/i

export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const service = await createService(parts)
  const { settings, log, metrics, tracing, random, serverFactory = handlerSwitch().serverFactory } = parts
  const { issuer } = settings.oauth
  const newTraceId = () => Buffer.from(random(16)).toString('hex')
  const direct = directLane({
    // A trace follows a request through the hooks of the framework.
    routes: tracing === undefined ? hotEndpoints(service) : {},
    bodyLimitBytes,
    log,
    newTraceId,
    cookies: {
      parseCookie: (header) => app.parseCookie(header),
      serializeCookie: (name, value, options) => app.serializeCookie(name, value, options),
    },
    addressOf: addressReader(settings.server.trustProxy),
    failed: answerFailures(service.answers),
    metrics,
  })
  let closing = false
  const throughDirectLane = (listener: RequestListener): RequestListener => {
    return (message, response) => {
      // Once it closes, the framework closes each connection with its answer.
      if (closing || !direct(message, response)) listener(message, response)
    }
  }
  const app = fastify({
    serverFactory: (handler) => serverFactory(throughDirectLane(handler)),
    loggerInstance: log,
    childLoggerFactory: requestLog,
    // No route has a schema, so the libraries that would compile them are never loaded: 10 ms of a start, and 3 MB.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    // One line for each refusal, sign-in and failure says more than two for each request.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'traceId' }),
    bodyLimit: bodyLimitBytes,
    trustProxy:
      typeof settings.server.trustProxy === 'boolean' ? settings.server.trustProxy : [...settings.server.trustProxy],
    genReqId: (request) => tracing?.begin(request) ?? newTraceId(),
    requestIdHeader: false,
    forceCloseConnections: 'idle',
    // What comes on an open connection at the end is answered like everything else, and the connection closed.
    return503OnClosing: false,
    clientErrorHandler: answerBrokenRequests({ issuer, log, metrics: service.metrics, random }),
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true },
    // These come before the hooks.
    frameworkErrors: (error, request, reply) =>
      answerFailures(service.answers)(error, request, reply.headers(service.headers)),
  })
  app.decorate('listener', throughDirectLane(app.routing))
  acceptAnyBody(app)
  observeRequests(app, { metrics, tracing })
  addSecurityHeaders(app, service.headers, service.answers)
  app.setErrorHandler(answerFailures(service.answers))
  app.addHook('preClose', async () => {
    closing = true
  })
  await app.register(fastifyCookie)

  // Called by scripts of applications on other origins.
  await app.register(async (shared) => {
    // The plugin answers preflights for every path, so it is asked which ones are meant.
    await shared.register(
      fastifyCors,
      () => (request: FastifyRequest, callback: (error: Error | null, options: FastifyCorsOptions) => void) => {
        callback(null, {
          ...crossOrigin,
          origin: sharedPaths.test(request.raw.url ?? '') && [...settings.cors.origins],
        })
      },
    )
    shared.post('/connect/token', token(service))
    shared.post('/connect/revocation', revocation(service))
    shared.get('/.well-known/openid-configuration', discovery(service))
    shared.get('/.well-known/oauth-authorization-server', discovery(service))
    shared.get('/.well-known/jwks', keySet(service))
    shared.get('/weatherforecast', weatherForecast(service))
  })

  // RFC 9110 §9.3.2 would have HEAD do all that GET does, codes included; nobody needs that here.
  app.get('/connect/authorize', { exposeHeadRoute: false }, authorize(service))
  app.post('/connect/authorize', authorize(service))
  app.get('/connect/logout', { exposeHeadRoute: false }, askToLogOut(service))
  app.post('/connect/logout', logOut(service))
  for (const path of ['/connect/authorize', '/connect/token', '/connect/revocation', '/connect/logout']) {
    refuseMethod(app, path, service.answers)
  }

  app.get('/Account/Antiforgery', antiforgery(service))
  app.post('/Account/Login', login(service))
  app.get('/Account/Session', sessionContext(service))
  app.get('/Account/ConsentContext', consentContext(service))
  app.get('/Account/LogoutContext', logoutContext(service))

  app.get('/Account/ExternalProviders', externalProviders(service))
  app.get('/Account/ExternalLogin', chooseProvider(service))
  app.post('/Account/ExternalLogin', startExternalLogin(service))
  app.get('/Account/ExternalLoginCallback', externalLoginCallback(service))
  app.get('/Account/ExternalLoginPending', externalLoginPending(service))
  app.post('/Account/ExternalLoginRegister', externalLoginRegister(service))
  for (const provider of service.providers.list) {
    app.get(`/callback/login/${provider.name}`, providerCallback(service, provider))
    app.post(`/callback/login/${provider.name}`, providerCallback(service, provider))
  }

  app.get('/errors', errorCatalogue(service))
  app.get('/healthz', liveness())
  app.get('/readyz', readiness(service, parts.lifecycle ?? { isStopping: false }))
  servePages(app, service)
  return app
}

function noSchemas(): never {
  throw new Error('a route was given a schema; nothing here compiles one')
}

/** What applications ask for all day; each is registered with the framework too, for whatever is unusual about it. */
function hotEndpoints(service: Service): DirectRoutes {
  const { headers } = service
  const shared = { ...headers, ...crossOriginHeaders }
  return {
    'POST /connect/token': { endpoint: token(service), headers: shared },
    'GET /connect/authorize': { endpoint: authorize(service), headers },
    'GET /.well-known/openid-configuration': { endpoint: discovery(service), headers: shared },
    'GET /.well-known/jwks': { endpoint: keySet(service), headers: shared },
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
    providers: openProviders(settings.oauth.external, clock, parts.providerDeadlineMs ?? 10_000),
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

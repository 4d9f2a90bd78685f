/** Everything that the service answers, on the framework: every endpoint is one line. */
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
import { acceptAnyBody } from './http/bodies.ts'
import { crossOrigin, sharedPaths } from './http/cross-origin.ts'
import type { DirectRoutes } from './http/direct-lane.ts'
import { errorCatalogue } from './http/error-catalogue.ts'
import { answerFailures, refuseMethod } from './http/failures.ts'
import { type Lifecycle, liveness, readiness } from './http/health.ts'
import { observeRequests } from './http/observed-requests.ts'
import { requestLog } from './http/request-log.ts'
import { addSecurityHeaders } from './http/security-headers.ts'
import { servePages } from './http/static-pages.ts'
import type { Service } from './service.ts'
import type { Metrics } from './telemetry/metrics.ts'
import type { Tracing } from './telemetry/tracing.ts'

export type RoutesParts = {
  readonly log: FastifyBaseLogger
  readonly bodyLimitBytes: number
  /** Names a request in logs and errors, where no trace does. */
  readonly newTraceId: () => string
  readonly metrics: Metrics | undefined
  readonly tracing: Tracing | undefined
  readonly lifecycle: Lifecycle
}

/** The framework with all routes. It listens nowhere: `routing` is what answers. */
export async function buildRoutes(
  service: Service,
  { log, bodyLimitBytes, newTraceId, metrics, tracing, lifecycle }: RoutesParts,
): Promise<FastifyInstance> {
  const { settings } = service
  const app = fastify({
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
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true },
    // These come before the hooks.
    frameworkErrors: (error, request, reply) =>
      answerFailures(service.answers)(error, request, reply.headers(service.headers)),
  })
  acceptAnyBody(app)
  observeRequests(app, { metrics, tracing })
  addSecurityHeaders(app, service.headers, service.answers)
  app.setErrorHandler(answerFailures(service.answers))
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
  app.get('/readyz', readiness(service, lifecycle))
  servePages(app, service)
  await app.ready()
  return app
}

/** What browsers ask for as often as programs ask for the rest; its cookies are read as the framework reads them. */
export function authorizeRoute(service: Service): DirectRoutes {
  return { 'GET /connect/authorize': { endpoint: authorize(service), headers: service.headers } }
}

function noSchemas(): never {
  throw new Error('a route was given a schema; nothing here compiles one')
}

/** The composition root: builds the application from its parts. Its endpoints are listed in `routes.ts`. */
import type { Logger } from 'pino'
import { refusalEvent } from './audit/request-events.ts'
import { readFixedBrand } from './branding/fixed-brand.ts'
import { keptBrand } from './branding/kept-brand.ts'
import { antiforgeryWith } from './browser/antiforgery.ts'
import { deviceCookieWith } from './browser/device-cookie.ts'
import { externalCookiesWith } from './browser/external-cookies.ts'
import { halfSignInsWith } from './browser/half-sign-in.ts'
import { passkeyChallengesWith } from './browser/passkey-challenge.ts'
import { requestMarksWith } from './browser/request-marks.ts'
import { browserSessionsWith } from './browser/session.ts'
import type { Doctor } from './finding.ts'
import { answersWith } from './http/answers.ts'
import { answerBrokenRequests } from './http/broken-requests.ts'
import { type Budgets, budgetsWith } from './http/budgets.ts'
import { clientAddresses, clientCertificates } from './http/client-address.ts'
import { cookiesFor } from './http/cookies.ts'
import { preflightFor } from './http/cross-origin.ts'
import { refuseMethod } from './http/failures.ts'
import type { Application } from './http/handler-switch.ts'
import { kernel } from './http/kernel.ts'
import { type LogGate, logGate } from './http/log-gate.ts'
import { onceAMinute } from './http/once-a-minute.ts'
import type { Endpoint } from './http/request.ts'
import { type Route, routerOf } from './http/router.ts'
import { securityHeaders, securityHeadersApart } from './http/security-headers.ts'
import { webOriginsOf } from './http/web-origins.ts'
import type { KeyRing } from './keys/key-ring.ts'
import { outgoingMail } from './mail/outgoing.ts'
import { onDemand } from './on-demand.ts'
import { legacyEndpoint } from './outbound/legacy-endpoint.ts'
import type { Resolve } from './outbound/lookup.ts'
import type { Outbound, OutboundOptions } from './outbound/outbound.ts'
import { sendBy } from './outbound/send.ts'
import { builtPagesFolder } from './package.ts'
import { isLoopbackHost } from './protocol/loopback.ts'
import { openProviders } from './providers/open.ts'
import { adminRoutesOf, routesOf } from './routes.ts'
import { failurePace } from './secrets/failure-pace.ts'
import { hashesAtOnce } from './secrets/password.ts'
import type { Service } from './service.ts'
import { hostRule } from './settings/exposure.ts'
import { readManufacturers } from './settings/manufacturers.ts'
import type { Settings } from './settings/settings.ts'
import type { Lifecycle } from './site/health.ts'
import { loadPages, type Pages } from './site/pages.ts'
import { nowhere, unmatched } from './site/static-pages.ts'
import type { Storage } from './storage/port/storage.ts'
import { StorageUnavailable } from './storage/port/unavailable.ts'
import { type Metrics, noMetrics } from './telemetry/metrics.ts'
import type { Tracing } from './telemetry/tracing.ts'
import type { ClientKeys } from './tokens/client-keys.ts'
import { type UptimeKeeper, uptimeKeeper } from './tokens/uptime.ts'

export type AppParts = {
  readonly settings: Settings
  readonly storage: Storage
  readonly keys: KeyRing
  /** In epoch milliseconds. */
  readonly clock: () => number
  /** Cryptographically secure. */
  readonly random: (bytes: number) => Uint8Array
  readonly log: Logger
  /** The folder of the built pages; default: `dist/pages` of this package. */
  readonly pagesFolder?: string
  /** What `readPages` returned for these settings. Default: they are read. */
  readonly pages?: Promise<Pages>
  /** Time limit of one step of an external sign-in, in milliseconds; default 10,000. */
  readonly providerDeadlineMs?: number
  /** Resolves the host names that clients registered. Default: as the machine does for operators, and by DNS for strangers. */
  readonly resolve?: Resolve
  /** Default: no metrics. */
  readonly metrics?: Metrics | undefined
  /** Default: no tracing. */
  readonly tracing?: Tracing | undefined
  /** Default: never stopping. */
  readonly lifecycle?: Lifecycle
  /** Shared across reloads, which build a new application. Default: its own. */
  readonly budgets?: Budgets
  readonly logGate?: LogGate
  /** Shared across reloads as well. Default: starts with the application. */
  readonly uptime?: UptimeKeeper
  /** Undefined: requests are answered at once. Otherwise they wait for the promise. Default: they are answered at once. */
  readonly ready?: () => Promise<void> | undefined
  /** Returns the checks of the installation under these settings. Default: nothing is checked. */
  readonly doctorFor?: (settings: Settings) => Doctor
  /** How often answers that go on look for news, in milliseconds; default 1000. */
  readonly followEveryMs?: number
}

export { loadAdminEndpoints, loadSignInEndpoints } from './routes.ts'

/** Reads the built pages, which needs no database: a start does so while it waits for one. */
export function readPages(settings: Settings, folder = builtPagesFolder()): Promise<Pages> {
  return loadPages(folder, settings)
}

/** Builds the application. It does not listen; its listener is passed to a server. */
export async function buildApp(parts: AppParts): Promise<Application> {
  const end = new AbortController()
  const service = await createService(parts, end.signal)
  const { settings, log, metrics, tracing, random, clock, lifecycle = { isStopping: false } } = parts
  const { logGate: gate = logGate(log) } = parts
  const { answers, headers } = service
  const { addressOf, isProxy } = clientAddresses(settings.server.trustProxy)
  const isApart = settings.admin.enabled && settings.admin.port !== null
  const { issuer } = settings.oauth
  const common = { headers, origins: settings.cors.origins }
  const webOrigins = webOriginsOf(() => service.storage.clients.webOrigins(), clock)
  const listenerOf = (routes: readonly Route[], others: Endpoint, { headers, origins } = common) =>
    kernel({
      router: routerOf(routes, {
        preflight: preflightFor(origins, settings.cors.headers, webOrigins),
        refuseMethod: (supported) => refuseMethod(answers, supported),
      }),
      unmatched: others,
      answers,
      headers,
      origins,
      webOrigins,
      log,
      logGate: gate,
      isUnavailable: (error) => error instanceof StorageUnavailable,
      newTraceId: () => Buffer.from(random(16)).toString('hex'),
      servesHost: hostRule(settings),
      addressOf,
      certificateOf: clientCertificates(settings.oauth.mtls.clientCertificateHeader, isProxy),
      metrics,
      tracing,
      ready: parts.ready,
    })
  // The console gets its tokens from the public listener.
  const apart = { ...common, origins: [...common.origins, new URL(settings.admin.url).origin] }
  const ofApart = { headers: securityHeadersApart(settings.admin.url, issuer), origins: [] }
  return {
    listener: listenerOf(routesOf(service, lifecycle), unmatched(service), isApart ? apart : common),
    ...(isApart && { administration: listenerOf(adminRoutesOf(service, lifecycle), nowhere(service), ofApart) }),
    end: () => end.abort(),
    connectionLimits: {
      total: settings.server.maxConnections,
      perAddress: settings.server.maxConnectionsPerAddress,
      isProxy,
      onRefused: onceAMinute(clock, (address) => {
        log.warn({ address }, 'too many connections: some are closed (Server:MaxConnections, …PerAddress)')
      }),
    },
    brokenRequest: answerBrokenRequests({
      issuer: settings.oauth.issuer,
      log,
      logGate: gate,
      metrics: service.metrics,
      random,
    }),
  }
}

async function createService(parts: AppParts, ended: AbortSignal): Promise<Service> {
  const { settings, storage, keys, clock, random, metrics = noMetrics } = parts
  const pages = await (parts.pages ?? readPages(settings, parts.pagesFolder))
  const brand = keptBrand(await readFixedBrand(settings), storage.branding, clock)
  pages.follow(brand)
  await brand.now()
  const { issuer } = settings.oauth
  const { passkeyManufacturers } = settings.accounts
  const cookies = cookiesFor(issuer)
  const outbound = outboundOnDemand(settings, { issuer, clock, ...(parts.resolve && { resolve: parts.resolve }) })
  const external = externalCookiesWith(keys, cookies, clock, random)
  const device = deviceCookieWith(keys, cookies, clock)
  const antiforgery = antiforgeryWith(keys, cookies, clock, random)
  return {
    ...(parts.budgets ?? budgetsWith(settings.rateLimit, clock, hashesAtOnce)),
    settings,
    storage,
    catalogue: storage.catalogue,
    keys,
    clock,
    random,
    pages,
    brand,
    cookies,
    sessions: browserSessionsWith({ settings, storage, cookies, device, external, clock, random }),
    antiforgery,
    halfSignIns: halfSignInsWith(keys, cookies, antiforgery, clock, random),
    challenges: requestMarksWith(keys, cookies, clock, 'challenge'),
    openedRequests: requestMarksWith(keys, cookies, clock, 'opened'),
    passkeyChallenges: passkeyChallengesWith(keys, cookies, clock, random),
    passkeyManufacturers: passkeyManufacturers === null ? null : await readManufacturers(passkeyManufacturers),
    chosenAccounts: requestMarksWith(keys, cookies, clock, 'chosen'),
    providers: await openProviders(settings.oauth.external, {
      keys,
      clock,
      random,
      deadlineMs: parts.providerDeadlineMs ?? 10_000,
      send: sendBy(settings.outbound),
    }),
    external,
    outbound,
    clientKeys: clientKeysOnDemand(outbound, clock),
    mail: outgoingMail({ settings, keys, storage, clock, random }),
    device,
    legacy: legacyOf(settings, clock, random),
    failurePace: failurePace(() => storage.passwordKinds.list()),
    uptime: parts.uptime ?? uptimeKeeper({ uptimes: storage.uptimes, clock, random }),
    answers: answersWith({
      issuer,
      pages,
      metrics,
      note: (request, refusal) => storage.audit.note(refusalEvent(request, clock(), refusal)),
      showDetail: isLoopbackHost(new URL(issuer).hostname),
    }),
    headers: securityHeaders(issuer),
    metrics,
    doctor: parts.doctorFor?.(settings) ?? (async () => []),
    ended,
    followEveryMs: parts.followEveryMs ?? 1000,
  }
}

function outboundOnDemand(settings: Settings, options: OutboundOptions): Outbound {
  const outbound = onDemand(async () => {
    const { outboundWith, reachFrom } = await import('./outbound/outbound.ts')
    return outboundWith({ ...options, reach: reachFrom(settings), way: settings.outbound })
  })
  return {
    get: async (url, by, client) => (await outbound()).get(url, by, client),
    getFile: async (url, accept, by, client) => (await outbound()).getFile(url, accept, by, client),
    check: async (url, by) => (await outbound()).check(url, by),
    post: async (url, form, by, client) => (await outbound()).post(url, form, by, client),
  }
}

function clientKeysOnDemand(outbound: Outbound, clock: () => number): ClientKeys {
  const keys = onDemand(async () => (await import('./tokens/client-keys.ts')).clientKeysWith(outbound, clock))
  return {
    signatureFault: async (jws, algorithm, metadata, client) =>
      (await keys()).signatureFault(jws, algorithm, metadata, client),
    keyFault: async (fulfils, metadata, client) => (await keys()).keyFault(fulfils, metadata, client),
  }
}

function legacyOf({ accounts, outbound }: Settings, clock: () => number, random: (bytes: number) => Uint8Array) {
  const { url, secret } = accounts.legacy
  return url === null || secret === null ? null : legacyEndpoint({ url, secret, way: outbound, clock, random })
}

/** All endpoints of the service, one line each. */
import { antiforgery } from './account/antiforgery.ts'
import { discoveryRoutes, keycloakRoutes, withAliases } from './alias-routes.ts'
import { assertionKeySet, discovery, keySet, sampleResourceDocument } from './connect/metadata.ts'
import type { Endpoint } from './http/request.ts'
import type { Route } from './http/router.ts'
import { get, lazy, post, shared, sharedByAll } from './lazy-route.ts'
import type { Service } from './service.ts'
import { type Lifecycle, liveness, readiness } from './site/health.ts'
import { asset, brandSheet, favicon } from './site/static-pages.ts'

// Modules of endpoints are imported with the first request for one of their endpoints: a new endpoint needs a line here and
// one with `lazy` in the table.
const contexts = () => import('./account/contexts.ts')
const logins = () => import('./account/login.ts')
const authorizations = () => import('./connect/authorize.ts')
const tokens = () => import('./connect/token.ts')
const cancels = () => import('./account/cancel.ts')
const choices = () => import('./account/choose.ts')
const loginContexts = () => import('./account/login-context.ts')
const clientLogos = () => import('./account/client-logo.ts')
const deviceAnswers = () => import('./account/device.ts')
const confirmations = () => import('./account/confirm.ts')
const forgotPasswords = () => import('./account/forgot-password.ts')
const emailChanges = () => import('./account/self/email.ts')
const passwordChanges = () => import('./account/self/password.ts')
const newAccounts = () => import('./account/register.ts')
const resets = () => import('./account/reset-password.ts')
const setUps = () => import('./account/set-up.ts')
const setUpPasskeys = () => import('./account/set-up-passkey.ts')
const externalLogin = () => import('./account/external-login.ts')
const externalSignIn = () => import('./account/external-sign-in.ts')
const secondFactors = () => import('./account/second-factor.ts')
const weather = () => import('./api/weather-forecast.ts')
const devices = () => import('./connect/device.ts')
const introspections = () => import('./connect/introspection.ts')
const passkeyLogins = () => import('./account/passkey-login.ts')
const passkeyRequests = () => import('./account/passkey-options.ts')
const passkeys = () => import('./account/self/passkeys.ts')
const passkeyDocuments = () => import('./account/passkey-documents.ts')
const adminApis = () => import('./admin/endpoint.ts')
const consoles = () => import('./admin/console.ts')
const activity = () => import('./account/self/activity.ts')
const applications = () => import('./account/self/applications.ts')
const externalLogins = () => import('./account/self/external-logins.ts')
const dataExport = () => import('./account/self/export.ts')
const deletion = () => import('./account/self/deletion.ts')
const ownDevices = () => import('./account/self/devices.ts')
const ownFactors = () => import('./account/self/second-factors.ts')
const ownApps = () => import('./account/self/apps.ts')
const profile = () => import('./account/self/profile.ts')
const logoutContexts = () => import('./account/logout-context.ts')
const logouts = () => import('./connect/logout.ts')
const pushes = () => import('./connect/par.ts')
const registrations = () => import('./connect/register.ts')
const registered = () => import('./connect/registered-client.ts')
const revocations = () => import('./connect/revocation.ts')
const userInfo = () => import('./connect/userinfo.ts')
const catalogue = () => import('./site/error-catalogue.ts')

/** Imports what nearly every sign-in needs. For a start that has begun to listen: nobody has to wait for it later. */
export async function loadSignInEndpoints(): Promise<void> {
  await Promise.all([contexts(), loginContexts(), logins(), authorizations(), tokens()])
}

/**
 * Loads the admin API and the console beside requests, so that their first request finds them loaded. For a service that is
 * ready, and uses them.
 */
export async function loadAdminEndpoints(isEnded: () => boolean): Promise<void> {
  await (await import('./admin/parts.ts')).loadParts(isEnded)
}

/**
 * The table of routes. Answers to unknown paths, unsupported methods, preflights and `HEAD` are derived from it
 * (`http/router.ts`, `site/static-pages.ts`).
 */
export function routesOf(service: Service, lifecycle: Lifecycle): readonly Route[] {
  const routes: readonly Route[] = [
    // Called by programs, and by scripts from other origins.
    shared(lazy(post, '/connect/token', async () => (await tokens()).token(service))),
    shared(lazy(post, '/connect/par', async () => (await pushes()).pushedAuthorizationRequest(service))),
    shared(lazy(post, '/connect/device', async () => (await devices()).deviceAuthorization(service))),
    shared(lazy(post, '/connect/revocation', async () => (await revocations()).revocation(service))),
    lazy(post, '/connect/introspect', async () => (await introspections()).introspection(service)),
    shared(lazy(get, '/connect/userinfo', async () => (await userInfo()).userinfo(service))),
    shared(lazy(post, '/connect/userinfo', async () => (await userInfo()).userinfo(service))),
    ...registrationRoutes(service),
    ...discoveryRoutes(service.settings.oauth.issuer, discovery(service), sampleResourceDocument(service)),
    sharedByAll(get('/.well-known/jwks', keySet(service))),
    get('/connect/rp-jwks', assertionKeySet(service)),
    shared(lazy(get, '/weatherforecast', async () => (await weather()).weatherForecast(service))),
    shared(lazy(get, '/weatherforecast/details', async () => (await weather()).detailedForecast(service))),

    // By RFC 9110 §9.3.2, HEAD would have the effects of GET, such as issuing a code. No client needs that here.
    { ...lazy(get, '/connect/authorize', async () => (await authorizations()).authorize(service)), head: false },
    lazy(post, '/connect/authorize', async () => (await authorizations()).authorize(service)),
    { ...lazy(get, '/connect/logout', async () => (await logouts()).askToLogOut(service)), head: false },
    lazy(post, '/connect/logout', async () => (await logouts()).logOut(service)),

    get('/Account/Antiforgery', antiforgery(service)),
    lazy(post, '/Account/Login', async () => (await logins()).login(service)),
    lazy(get, '/Account/LoginContext', async () => (await loginContexts()).loginContext(service)),
    lazy(post, '/Account/Cancel', async () => (await cancels()).cancel(service)),
    lazy(post, '/Account/Choose', async () => (await choices()).chooseAccount(service)),
    lazy(get, '/Account/SecondFactorContext', async () => (await secondFactors()).secondFactorContext(service)),
    lazy(post, '/Account/SecondFactor', async () => (await secondFactors()).secondFactor(service)),
    lazy(get, '/Account/Session', async () => (await contexts()).sessionContext(service)),
    lazy(get, '/Account/ConsentContext', async () => (await contexts()).consentContext(service)),
    lazy(get, '/Account/ClientLogo', async () => (await clientLogos()).clientLogo(service)),
    lazy(get, '/Account/DeviceContext', async () => (await deviceAnswers()).deviceContext(service)),
    lazy(post, '/Account/Device', async () => (await deviceAnswers()).answerDevice(service)),
    lazy(get, '/Account/LogoutContext', async () => (await logoutContexts()).logoutContext(service)),

    lazy(post, '/Account/Register', async () => (await newAccounts()).registerAccount(service)),
    lazy(get, '/Account/RegisterContext', async () => (await newAccounts()).registerContext(service)),
    lazy(post, '/Account/Confirm', async () => (await confirmations()).confirm(service)),
    lazy(post, '/Account/ForgotPassword', async () => (await forgotPasswords()).forgotPassword(service)),
    lazy(post, '/Account/ResetPassword', async () => (await resets()).resetPassword(service)),
    ...(service.settings.admin.enabled ? setUpRoutes(service) : []),
    ...selfRoutes(service),
    ...(service.settings.admin.port === null ? adminRoutes(service) : []),
    ...passkeyRoutes(service),

    lazy(get, '/Account/ExternalProviders', async () => (await externalLogin()).externalProviders(service)),
    lazy(get, '/Account/ExternalLogin', async () => (await externalLogin()).chooseProvider(service)),
    lazy(post, '/Account/ExternalLogin', async () => (await externalLogin()).startExternalLogin(service)),
    lazy(get, '/Account/ExternalLoginCallback', async () => (await externalSignIn()).externalLoginCallback(service)),
    {
      ...lazy(get, '/Account/ExternalLinkCallback', async () => (await externalLogins()).finishLink(service)),
      head: false,
    },
    lazy(get, '/Account/ExternalLoginPending', async () => (await externalSignIn()).externalLoginPending(service)),
    lazy(post, '/Account/ExternalLoginRegister', async () => (await externalSignIn()).externalLoginRegister(service)),
    ...service.providers.list.flatMap((provider) => [
      lazy(get, `/callback/login/${provider.name}`, async () =>
        (await externalLogin()).providerCallback(service, provider),
      ),
      lazy(post, `/callback/login/${provider.name}`, async () =>
        (await externalLogin()).providerCallback(service, provider),
      ),
    ]),

    lazy(get, '/.well-known/change-password', async () => (await passkeyDocuments()).changePassword()),
    lazy(get, '/errors', async () => (await catalogue()).errorCatalogue(service)),
    { ...get('/healthz', liveness()), always: true },
    get('/readyz', readiness(service, lifecycle)),
    get('/assets/:name', asset(service)),
    get('/branding.css', brandSheet(service)),
    get('/favicon.ico', favicon(service)),
    ...keycloakRoutes(service),
  ]
  return withAliases(routes, service.settings.oauth)
}

function registrationRoutes(service: Service): readonly Route[] {
  const mode = service.settings.oauth.dynamicRegistration
  if (mode === 'off') return []
  const managed = '/connect/register/:client_id'
  return [
    shared(lazy(post, '/connect/register', async () => (await registrations()).register(service, mode))),
    lazy(get, managed, async () => (await registered()).readClient(service)),
    { ...lazy(post, managed, async () => (await registered()).updateClient(service)), method: 'PUT' },
    { ...lazy(get, managed, async () => (await registered()).deleteClient(service)), method: 'DELETE' },
  ]
}

/** A new installation gets its first administrator, who has something to administer. */
function setUpRoutes(service: Service): readonly Route[] {
  return [
    lazy(post, '/Account/SetUp', async () => (await setUps()).setUp(service)),
    lazy(get, '/Account/SetUpContext', async () => (await setUps()).setUpContext(service)),
    lazy(post, '/Account/SetUpPasskeyOptions', async () => (await setUpPasskeys()).setUpPasskeyOptions(service)),
  ]
}

/** The account area: JSON, and refusals as problem details. */
function selfRoutes(service: Service): readonly Route[] {
  return [
    self('GET', '', async () => (await profile()).readProfile(service)),
    self('PATCH', '', async () => (await profile()).changeProfile(service)),
    self('GET', '/sessions', async () => (await ownDevices()).listSessions(service)),
    self('DELETE', '/sessions', async () => (await ownDevices()).endOtherSessions(service)),
    self('DELETE', '/sessions/:id', async () => (await ownDevices()).endSession(service)),
    self('GET', '/browsers', async () => (await ownDevices()).listBrowsers(service)),
    self('DELETE', '/browsers/:id', async () => (await ownDevices()).forgetBrowser(service)),
    self('GET', '/applications', async () => (await applications()).listApplications(service)),
    self('DELETE', '/applications/:client', async () => (await applications()).removeApplication(service)),
    self('POST', '/external-logins/:provider', async () => (await externalLogins()).startLink(service)),
    self('DELETE', '/external-logins/:provider', async () => (await externalLogins()).removeLink(service)),
    { ...self('GET', '/export', async () => (await dataExport()).exportData(service)), head: false },
    self('POST', '/deletion', async () => (await deletion()).askDeletion(service)),
    self('DELETE', '/deletion', async () => (await deletion()).keepAccount(service)),
    self('POST', '/totp', async () => (await ownFactors()).startTotp(service)),
    self('POST', '/totp/confirm', async () => (await ownFactors()).confirmNewTotp(service)),
    self('DELETE', '/totp', async () => (await ownFactors()).deleteTotp(service)),
    self('DELETE', '/totp/:id', async () => (await ownApps()).deleteApp(service)),
    self('PATCH', '/totp/:id', async () => (await ownApps()).renameApp(service)),
    self('POST', '/recovery-codes', async () => (await ownFactors()).replaceRecoveryCodes(service)),
    self('GET', '/activity', async () => (await activity()).listActivity(service)),
    self('POST', '/password', async () => (await passwordChanges()).changePassword(service)),
    ...(service.mail.enabled ? [self('POST', '/email', async () => (await emailChanges()).changeEmail(service))] : []),
  ]
}

/** The table of routes of the listener for administration (`Admin:Port`). */
export function adminRoutesOf(service: Service, lifecycle: Lifecycle): readonly Route[] {
  const beside = ['/assets/:name', '/favicon.ico', '/healthz', '/readyz']
  return [...adminRoutes(service), ...routesOf(service, lifecycle).filter(({ path }) => beside.includes(path))]
}

/** All of the admin API is one part, which is loaded after the start, or by the first request if that comes earlier. */
function adminRoutes(service: Service): readonly Route[] {
  const { enabled, url } = service.settings.admin
  if (!enabled) return []
  const api = lazy(get, '/admin/api/*', async () => (await adminApis()).adminApi(service, url))
  const all = { ...api, body: 'json', problems: true, everyMethod: true } as const
  const pages = async () => (await consoles()).consolePages(service, url)
  return [all, { ...all, path: '/admin/api' }, lazy(get, '/admin', pages), lazy(get, '/admin/*', pages)]
}

/** With `Accounts:Passkeys` off, the documents alone, which answer 404 then. */
function passkeyRoutes(service: Service): readonly Route[] {
  const documents = [
    shared(
      lazy(get, '/.well-known/passkey-endpoints', async () => (await passkeyDocuments()).passkeyEndpoints(service)),
    ),
    shared(lazy(get, '/.well-known/webauthn', async () => (await passkeyDocuments()).relatedOrigins(service))),
  ]
  if (service.settings.accounts.passkeys === 'off') return documents
  const options = async () => (await passkeyRequests()).passkeyOptions(service)
  const readOptions = async () => (await passkeyRequests()).readPasskeyOptions(service)
  return [
    ...documents,
    lazy(post, '/Account/PasskeyLogin', async () => (await passkeyLogins()).passkeyLogin(service)),
    { ...lazy(post, '/Account/PasskeyOptions', options), body: 'json', problems: true },
    { ...lazy(get, '/Account/PasskeyOptions', readOptions), problems: true },
    self('GET', '/passkeys', async () => (await passkeys()).listPasskeys(service)),
    self('POST', '/passkeys', async () => (await passkeys()).addPasskey(service)),
    { ...self('POST', '/passkeys/options', async () => (await passkeys()).startPasskey(service)), body: 'none' },
    self('PATCH', '/passkeys/:id', async () => (await passkeys()).renamePasskey(service)),
    self('DELETE', '/passkeys/:id', async () => (await passkeys()).removePasskey(service)),
  ]
}

/** `below`: what follows `/Account/Self`. */
function self(method: Route['method'], below: string, load: () => Promise<Endpoint>): Route {
  const body = method === 'GET' || method === 'DELETE' ? 'none' : 'json'
  return { ...lazy(get, `/Account/Self${below}`, load), method, body, problems: true }
}

/** All endpoints of the service, one line each. */
import { antiforgery } from './account/antiforgery.ts'
import { clientLogo } from './account/client-logo.ts'
import { consentContext, logoutContext, sessionContext } from './account/contexts.ts'
import { answerDevice, deviceContext } from './account/device.ts'
import { chooseProvider, externalProviders, providerCallback, startExternalLogin } from './account/external-login.ts'
import { externalLoginCallback, externalLoginPending, externalLoginRegister } from './account/external-sign-in.ts'
import { login } from './account/login.ts'
import { weatherForecast } from './api/weather-forecast.ts'
import { authorize } from './connect/authorize.ts'
import { deviceAuthorization } from './connect/device.ts'
import { introspection } from './connect/introspection.ts'
import { askToLogOut, logOut } from './connect/logout.ts'
import { discovery, keySet, sampleResourceDocument } from './connect/metadata.ts'
import { pushedAuthorizationRequest } from './connect/par.ts'
import { register } from './connect/register.ts'
import { deleteClient, readClient, updateClient } from './connect/registered-client.ts'
import { revocation } from './connect/revocation.ts'
import { token } from './connect/token.ts'
import { userinfo } from './connect/userinfo.ts'
import type { Endpoint } from './http/request.ts'
import type { Route } from './http/router.ts'
import type { Service } from './service.ts'
import { errorCatalogue } from './site/error-catalogue.ts'
import { type Lifecycle, liveness, readiness } from './site/health.ts'
import { asset } from './site/static-pages.ts'

/**
 * The table of routes. Answers to unknown paths, unsupported methods, preflights and `HEAD` are derived from it
 * (`http/router.ts`, `site/static-pages.ts`).
 */
export function routesOf(service: Service, lifecycle: Lifecycle): readonly Route[] {
  const document = discovery(service)
  return [
    // Called by programs, and by scripts from other origins.
    shared(post('/connect/token', token(service))),
    shared(post('/connect/par', pushedAuthorizationRequest(service))),
    shared(post('/connect/device', deviceAuthorization(service))),
    shared(post('/connect/revocation', revocation(service))),
    post('/connect/introspect', introspection(service)),
    shared(get('/connect/userinfo', userinfo(service))),
    shared(post('/connect/userinfo', userinfo(service))),
    ...registrationRoutes(service),
    shared(get('/.well-known/openid-configuration', document)),
    shared(get('/.well-known/oauth-authorization-server', document)),
    // The issuer ends with a slash, and some libraries append one more.
    shared(get('//.well-known/openid-configuration', document)),
    shared(get('//.well-known/oauth-authorization-server', document)),
    shared(get('/.well-known/jwks', keySet(service))),
    shared(get('/.well-known/oauth-protected-resource/weatherforecast', sampleResourceDocument(service))),
    shared(get('/weatherforecast', weatherForecast(service))),

    // By RFC 9110 §9.3.2, HEAD would have the effects of GET, such as issuing a code. No client needs that here.
    { ...get('/connect/authorize', authorize(service)), head: false },
    post('/connect/authorize', authorize(service)),
    { ...get('/connect/logout', askToLogOut(service)), head: false },
    post('/connect/logout', logOut(service)),

    get('/Account/Antiforgery', antiforgery(service)),
    post('/Account/Login', login(service)),
    get('/Account/Session', sessionContext(service)),
    get('/Account/ConsentContext', consentContext(service)),
    get('/Account/ClientLogo', clientLogo(service)),
    get('/Account/DeviceContext', deviceContext(service)),
    post('/Account/Device', answerDevice(service)),
    get('/Account/LogoutContext', logoutContext(service)),

    get('/Account/ExternalProviders', externalProviders(service)),
    get('/Account/ExternalLogin', chooseProvider(service)),
    post('/Account/ExternalLogin', startExternalLogin(service)),
    get('/Account/ExternalLoginCallback', externalLoginCallback(service)),
    get('/Account/ExternalLoginPending', externalLoginPending(service)),
    post('/Account/ExternalLoginRegister', externalLoginRegister(service)),
    ...service.providers.list.flatMap((provider) => [
      get(`/callback/login/${provider.name}`, providerCallback(service, provider)),
      post(`/callback/login/${provider.name}`, providerCallback(service, provider)),
    ]),

    get('/errors', errorCatalogue(service)),
    get('/healthz', liveness()),
    get('/readyz', readiness(service, lifecycle)),
    get('/assets/:name', asset(service)),
  ]
}

function registrationRoutes(service: Service): readonly Route[] {
  const mode = service.settings.oauth.dynamicRegistration
  if (mode === 'off') return []
  const managed = '/connect/register/:client_id'
  return [
    shared(post('/connect/register', register(service, mode))),
    get(managed, readClient(service)),
    { ...post(managed, updateClient(service)), method: 'PUT' },
    { ...get(managed, deleteClient(service)), method: 'DELETE' },
  ]
}

function get(path: string, endpoint: Endpoint): Route {
  return { method: 'GET', path, endpoint, body: 'none', crossOrigin: false }
}

function post(path: string, endpoint: Endpoint): Route {
  return { method: 'POST', path, endpoint, body: 'form', crossOrigin: false }
}

function shared(route: Route): Route {
  return { ...route, crossOrigin: true }
}

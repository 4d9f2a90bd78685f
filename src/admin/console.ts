/** `/admin`: the pages of the console, which signs in as every application does. */
import { eventBy } from '../audit/entry.ts'
import { withHeaders } from '../http/answer.ts'
import type { Endpoint } from '../http/request.ts'
import { securityHeadersApart, withChosenPictures } from '../http/security-headers.ts'
import { isWellKnown } from '../http/well-known.ts'
import { type Client, consoleClientId } from '../protocol/client/client.ts'
import { registerClient } from '../protocol/client/client-registration.ts'
import { addedClient } from '../protocol/client/records.ts'
import { isLoopbackHost } from '../protocol/loopback.ts'
import { refuse } from '../protocol/refusals/index.ts'
import { adminScopes } from '../protocol/scope/admin-scopes.ts'
import { isRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'

/** Answers with the shell of the console. `base`: the address of the console as browsers know it, with a trailing slash. */
export function consolePages(service: Service, base: string): Endpoint {
  const { admin, oauth } = service.settings
  const { 'content-security-policy': own = '' } =
    admin.port === null ? service.headers : securityHeadersApart(base, oauth.issuer)
  const policy = withChosenPictures(own)
  return async (request) => {
    const { method, path } = request
    if (isWellKnown(path)) return service.answers.fail(request, refuse('not_found', '', { method, path }))
    await registerConsole(service, base)
    return withHeaders(await service.pages.shell(request), { 'content-security-policy': policy })
  }
}

/** Registers the client of the console, and corrects its redirect URIs when the address has changed. */
async function registerConsole({ storage, settings, clock }: Service, base: string): Promise<void> {
  const redirectUris = [`${base}admin/`, `${base}admin/signed-in`]
  const found = await storage.clients.find(consoleClientId)
  if (found !== undefined && JSON.stringify(found.redirectUris) === JSON.stringify(redirectUris)) return
  const nowMs = clock()
  if (found !== undefined) {
    const what = { change: 'set', members: ['redirect_uris'] }
    const event = eventBy('service', nowMs, 'client_changed', { clientId: consoleClientId }, what)
    await storage.clients.update(consoleClientId, (client) => ({ ...client, redirectUris }), [event])
    return
  }
  const client = consoleClient(settings, redirectUris, nowMs)
  const event = eventBy('service', nowMs, 'client_added', { clientId: consoleClientId }, addedClient(client))
  // Another process may have been faster.
  await storage.clients.create(client, [event])
}

/** Public, with codes alone, whose tokens are bound to a key of the browser. Its users are not asked: it is a part of the service. */
function consoleClient({ oauth }: Service['settings'], redirectUris: readonly string[], nowMs: number): Client {
  const members = {
    client_name: 'Latchkey console',
    redirect_uris: redirectUris,
    grant_types: ['authorization_code'],
    scope: 'openid admin:read admin:write',
    consent: 'implicit',
    dpop_bound_access_tokens: true,
    access_token_claims: 'minimal',
  }
  const changes = Object.entries(members).map(([member, value]) => ({ member, operation: 'set', value }) as const)
  const context = {
    registeredScopes: adminScopes,
    newSecretHash: '',
    isLoopbackIssuer: isLoopbackHost(new URL(oauth.issuer).hostname),
    isPostQuantum: oauth.postQuantum,
    accessTokenScope: oauth.accessTokenScope,
    nowMs,
  }
  const client = registerClient(consoleClientId, changes, context, nowMs)
  if (isRefusal(client)) throw new Error(client.problems.map(({ message }) => message).join(' '))
  return client
}

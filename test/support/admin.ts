/** Callers of the admin API: programs by client credentials, people by a sign-in in a browser. */

import type { Client } from '../../src/protocol/client/client.ts'
import type { Permission } from '../../src/protocol/scope/admin-scopes.ts'
import { hashSecret } from '../../src/secrets/opaque.ts'
import type { User } from '../../src/users/user.ts'
import { authorizePath, Browser, codeFields, locationOf, postToken } from './browser.ts'
import { bySecret } from './clients.ts'
import { type TestService, testClient, testUser } from './service.ts'

export type AdminAnswer = {
  readonly status: number
  readonly headers: Headers
  readonly etag: string
  // biome-ignore lint/suspicious/noExplicitAny: an answer of the service under test can hold anything
  readonly body: any
}

export type AdminRequest = { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }

/** Sends requests with one access token. */
export class AdminCaller {
  readonly service: Pick<TestService, 'issuer'>
  readonly token: string

  constructor(service: Pick<TestService, 'issuer'>, token: string) {
    this.service = service
    this.token = token
  }

  /** `path`: below `/admin/api/v1`. */
  async send(method: string, path: string, { body, headers = {} }: AdminRequest = {}): Promise<AdminAnswer> {
    const response = await fetch(new URL(`admin/api/v1${path}`, this.service.issuer), {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const etag = response.headers.get('etag') ?? ''
    return {
      status: response.status,
      headers: response.headers,
      etag,
      body: text === '' ? undefined : JSON.parse(text),
    }
  }

  get = (path: string, headers?: AdminRequest['headers']) => this.send('GET', path, headers && { headers })
  post = (path: string, body?: unknown, headers?: AdminRequest['headers']) =>
    this.send('POST', path, { body, ...(headers && { headers }) })
  delete = (path: string, headers?: AdminRequest['headers']) => this.send('DELETE', path, headers && { headers })
  /** `etag`: default: any version. */
  patch = (path: string, body: unknown, etag = '*') => this.send('PATCH', path, { body, headers: { 'if-match': etag } })
  put = (path: string, body: unknown, etag = '*') => this.send('PUT', path, { body, headers: { 'if-match': etag } })
}

const secret = 'machine-secret'

/** Registers a program that is permitted the scopes, and returns it with a token for them. */
export async function adminProgram(
  service: TestService,
  scopes: readonly (Permission | string)[] = ['admin:write'],
  change: Partial<Client> = {},
): Promise<AdminCaller> {
  const id = change.id ?? `program-${scopes.join('-')}`
  const client = testClient({
    authentication: bySecret(hashSecret(secret)),
    grantTypes: ['client_credentials'],
    redirectUris: [],
    postLogoutRedirectUris: [],
    scopes,
    createdAtMs: service.now(),
    ...change,
    id,
  })
  await service.storage.clients.create(client)
  return new AdminCaller(service, await programToken(service, id, scopes))
}

export async function programToken(
  service: TestService,
  id: string,
  scopes: readonly string[],
  more = {},
): Promise<string> {
  const fields = { grant_type: 'client_credentials', client_id: id, client_secret: secret, scope: scopes.join(' ') }
  const { body } = await postToken(service, { ...fields, ...more })
  return body.access_token
}

/** Adds a person with the roles, signs in, and returns the person with a token of a client that may have any scope. */
export async function adminPerson(
  service: TestService,
  roles: readonly string[],
  { name = `person-${roles.join('-')}`, scopes = ['admin:write'] as readonly string[] } = {},
): Promise<{ readonly user: User; readonly caller: AdminCaller }> {
  const email = `${name}@example.com`
  const user = testUser({ name, email, roles, createdAtMs: service.now() })
  await service.storage.users.create(user)
  const id = `app-${scopes.join('-')}`
  await service.storage.clients.create(
    testClient({ id, consent: 'implicit', scopes: ['offline_access', ...scopes], createdAtMs: service.now() }),
  )
  const browser = new Browser(service)
  await browser.signIn({ username: name })
  const redirected = await browser.get(authorizePath({ client_id: id, scope: ['openid', ...scopes].join(' ') }))
  const code = locationOf(redirected).searchParams.get('code') ?? ''
  const { body } = await postToken(service, codeFields(code, { client_id: id }))
  return { user, caller: new AdminCaller(service, body.access_token) }
}

/** What the modules of the certification plan 'Basic OP' share: two clients and a person with every standard claim. */
import assert from 'node:assert/strict'
import type { ClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import { hashSecret } from '../../src/secrets/opaque.ts'
import type { UserClaims } from '../../src/users/user-claims.ts'
import {
  authorizePath,
  Browser,
  claimsOf,
  codeFields,
  fetchWithToken,
  locationOf,
  postToken,
} from '../support/browser.ts'
import { bySecret } from '../support/clients.ts'
import { addClient, startService, type TestService, testScope } from '../support/service.ts'

export const claims: UserClaims = {
  name: 'Alice Ann Example',
  given_name: 'Alice',
  family_name: 'Example',
  middle_name: 'Ann',
  nickname: 'ally',
  profile: 'https://example.com/alice',
  picture: 'https://example.com/alice.png',
  website: 'https://alice.example.com/',
  gender: 'female',
  birthdate: '1987-10-16',
  zoneinfo: 'Europe/Berlin',
  locale: 'de-DE',
  phone_number: '+49 30 123456',
  phone_number_verified: true,
  address: { street_address: 'Hauptstr. 1', locality: 'Berlin', country: 'DE' },
}

const secret = 'a secret of the plan'
export const client_id = 'basic'

/** The claims of a scope, as the suite demands them. */
export const demanded = {
  profile: [
    ...['name', 'family_name', 'given_name', 'middle_name', 'nickname', 'preferred_username', 'profile', 'picture'],
    ...['website', 'gender', 'birthdate', 'zoneinfo', 'locale', 'updated_at'],
  ],
  email: ['email', 'email_verified'],
  address: ['address'],
  phone: ['phone_number', 'phone_number_verified'],
}

export type Scene = TestService & { readonly sub: string }

/** Starts a service with a client as the plan registers it: id-token claims `requested`, PKCE not required. */
export async function basicOp(metadata: Partial<ClientMetadata> = {}): Promise<Scene> {
  const service = await startService()
  const scopes = Object.keys(demanded)
  for (const scope of scopes) await service.storage.scopes.create(testScope(scope))
  await addClient(service, {
    id: client_id,
    authentication: bySecret(hashSecret(secret)),
    requirePkce: false,
    scopes: [...scopes, 'offline_access'],
    metadata: { id_token_claims: 'requested', ...metadata },
  })
  const alice = await service.storage.users.findByName('alice')
  assert.ok(alice)
  await service.storage.users.update(alice.id, (user) => ({ ...user, claims }))
  return { ...service, sub: alice.id }
}

/** A request of the plan's client, without PKCE. An empty value leaves a parameter out. */
export function requestPath(change: Readonly<Record<string, string>> = {}): string {
  const url = new URL(authorizePath({ client_id, scope: 'openid', nonce: 'n', ...change }), 'http://localhost')
  const isOut = (name: string, value: string) => value === '' || name.startsWith('code_challenge')
  const kept = [...url.searchParams].filter(([name, value]) => !isOut(name, value))
  return `${url.pathname}?${new URLSearchParams(kept)}`
}

/** Follows a request as a person would: signs in and consents where asked. Returns where the client is called. */
export async function visit(browser: Browser, change: Readonly<Record<string, string>> = {}) {
  const path = requestPath(change)
  const shown: string[] = []
  let response = await browser.get(path)
  for (let step = 0; step < 4; step += 1) {
    const location = locationOf(response)
    if (location.pathname === '/callback') return { answer: location.searchParams, shown }
    shown.push(location.pathname)
    if (location.pathname === '/Account/Login') {
      await browser.signIn({ ReturnUrl: location.searchParams.get('ReturnUrl') ?? '' })
      response = await browser.get(path)
    } else {
      assert.equal(location.pathname, '/Account/Consent')
      response = await browser.submit('/connect/authorize', [...location.searchParams, ['submit.Accept', 'Yes']])
    }
  }
  throw new Error(`no way to the client: ${shown}`)
}

/** `fields`: those of another grant type, without a code. */
export async function redeem(service: TestService, code: string | null, other?: Readonly<Record<string, string>>) {
  const { code_verifier: _, ...fields } = other ?? codeFields(code ?? '', { client_id })
  const authorization = `Basic ${btoa(`${client_id}:${encodeURIComponent(secret)}`)}`
  const { status, body } = await postToken(service, fields, { authorization })
  assert.equal(status, 200, JSON.stringify(body))
  return { ...body, claims: claimsOf(body.id_token) }
}

/** The whole flow: tokens, the claims of the id token, and the pages that were shown. */
export async function flow(
  service: TestService,
  change: Readonly<Record<string, string>> = {},
  browser = new Browser(service),
) {
  const { answer, shown } = await visit(browser, change)
  assert.equal(answer.get('state'), 'state-1')
  return { ...(await redeem(service, answer.get('code'))), shown, browser }
}

export async function userinfo(service: TestService, token: string): Promise<Record<string, unknown>> {
  const response = await fetchWithToken(service, 'connect/userinfo', token)
  assert.equal(response.status, 200)
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
  return (await response.json()) as Record<string, unknown>
}

/** No member is null or empty, and each has the type of OpenID Connect Core §5.1. */
export function checkTypes(response: Readonly<Record<string, unknown>>): void {
  const booleans = ['email_verified', 'phone_number_verified']
  for (const [claim, value] of Object.entries(response)) {
    const type = booleans.includes(claim) ? 'boolean' : claim === 'updated_at' ? 'number' : 'string'
    assert.equal(typeof value, claim === 'address' ? 'object' : type, claim)
    assert.ok(value !== null && value !== '', claim)
  }
}

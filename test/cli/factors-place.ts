/** What the tests of second factors from other systems share. */
import assert from 'node:assert/strict'
import { createHash, pbkdf2Sync } from 'node:crypto'
import { join } from 'node:path'
import { TOTP } from 'otpauth'
import type { Authenticator, Ceremony } from '../support/authenticator.ts'
import { Browser, locationOf } from '../support/browser.ts'
import { startService, type TestService } from '../support/service.ts'
import type { Workplace } from './run.ts'

/** The service on the database that the commands filled. */
export function serviceOn(at: Workplace, env: Readonly<Record<string, string>> = {}): Promise<TestService> {
  const file = join(at.folder, 'data', 'latchkey.db')
  return startService({ Database__Url: `sqlite:${file}`, RateLimit__LoginPerMinute: '1000', ...env })
}

export const sha512 = (code: string): string => createHash('sha512').update(code).digest('base64')

type Credential = Readonly<Record<string, unknown>>
const salt = Buffer.from('salt of sixteen!')

/** As Keycloak exports them: two members of JSON text. */
const credential = (type: string, data: object, secret: object, more: object = {}): Credential => ({
  ...{ type, createdDate: 1_795_468_365_032, ...more },
  ...{ credentialData: JSON.stringify(data), secretData: JSON.stringify(secret) },
})

export const keycloakPassword = (password: string): Credential =>
  credential(
    'password',
    { hashIterations: 1000, algorithm: 'pbkdf2-sha256', additionalParameters: {} },
    {
      value: pbkdf2Sync(password, salt, 1000, 32, 'sha256').toString('base64'),
      ...{ salt: salt.toString('base64'), additionalParameters: {} },
    },
  )

export const keycloakApp = (secret: string, data: object = {}, userLabel = 'phone'): Credential =>
  credential(
    'otp',
    { subType: 'totp', digits: 6, counter: 0, period: 30, algorithm: 'HmacSHA1', secretEncoding: 'BASE32', ...data },
    { value: secret },
    { userLabel },
  )

export const keycloakCodes = (codes: readonly string[], data: object = {}): Credential =>
  credential(
    'recovery-authn-codes',
    { algorithm: 'SHA-512', totalCodes: codes.length, remainingCodes: codes.length, ...data },
    { codes: codes.map((code, at) => ({ number: at + 1, encodedHashedValue: sha512(code) })) },
    { userLabel: 'Recovery codes' },
  )

/** A realm with these people; each signs in with `password of NAME`. */
export const realmOf = (people: Readonly<Record<string, readonly Credential[]>>, more: object = {}): string =>
  JSON.stringify({
    realm: 'acme',
    ...more,
    users: Object.entries(people).map(([username, credentials], at) => ({
      ...{ id: `6a3f1df9-f03a-43c0-9bd9-7e57731f64${at + 10}`, username, enabled: true },
      ...{ email: `${username}@acme.example`, emailVerified: true },
      credentials: [keycloakPassword(`password of ${username}`), ...credentials],
    })),
  })

/** A browser that typed the password of the person, and whose next step is a second factor. */
export async function halfWay(service: TestService, username: string): Promise<Browser> {
  const browser = new Browser(service)
  const response = await browser.signIn({ username, password: `password of ${username}`, ReturnUrl: '/Account?x=1' })
  assert.equal(locationOf(response).pathname, '/Account/SecondFactor')
  assert.equal((await browser.userName()) ?? null, null)
  return browser
}

/** Returns the error of a proof; null: it led to a session. */
export async function proved(browser: Browser, method: string, code: string): Promise<string | null> {
  const location = locationOf(await browser.submit('/Account/SecondFactor', { method, code }))
  const error = location.searchParams.get('error')
  if (error === null) assert.notEqual((await browser.userName()) ?? null, null)
  return error
}

export const codeNow = (service: TestService, secret: string, more: object = {}): string =>
  new TOTP({ secret, ...more }).generate({ timestamp: service.now() })

/** A credential of an authenticator, as Keycloak keeps it. */
export const keycloakKey = (
  { credentialId, publicKey }: Pick<Authenticator, 'credentialId' | 'publicKey'>,
  type: 'webauthn' | 'webauthn-passwordless',
  data: object = {},
): Credential =>
  credential(
    type,
    {
      aaguid: 'adce0002-35bc-c60a-648b-0b25f1f05503',
      credentialId: Buffer.from(credentialId, 'base64url').toString('base64'),
      ...{ counter: 0, attestationStatementFormat: 'none', transports: ['INTERNAL', 'hybrid'] },
      credentialPublicKey: Buffer.from(publicKey).toString('base64url'),
      ...data,
    },
    {},
    { userLabel: 'Laptop' },
  )

/** Asks for options of the purpose, as the pages do. */
export async function passkeyOptions(browser: Browser, purpose: 'signin' | 'second_factor') {
  const RequestVerificationToken = await browser.antiforgeryToken()
  const headers = { 'content-type': 'application/json', RequestVerificationToken }
  const init = { method: 'POST', headers, body: JSON.stringify({ purpose }) }
  const response = await browser.fetch('/Account/PasskeyOptions', init)
  // biome-ignore lint/suspicious/noExplicitAny: an answer of the service under test can hold anything
  return (await response.json()) as any
}

/** Signs in by passkey alone; returns the name of who is in then, or the error. */
export async function enter(service: TestService, key: Authenticator, ceremony: Ceremony = {}) {
  const browser = new Browser(service)
  const credential = JSON.stringify(key.get(await passkeyOptions(browser, 'signin'), ceremony))
  const response = await browser.submit('/Account/PasskeyLogin', { credential, ReturnUrl: '/after' })
  return (await browser.userName()) ?? locationOf(response).searchParams.get('error')
}

/** Proves the second factor by passkey; returns the error, or null. */
export async function provedBy(browser: Browser, key: Authenticator, ceremony: Ceremony = {}): Promise<string | null> {
  const credential = JSON.stringify(key.get(await passkeyOptions(browser, 'second_factor'), ceremony))
  const response = await browser.submit('/Account/SecondFactor', { method: 'passkey', credential })
  return (await browser.userName()) === undefined ? locationOf(response).searchParams.get('error') : null
}

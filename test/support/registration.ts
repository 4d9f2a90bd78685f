/** Clients that register themselves at a service under test (RFC 7591, RFC 7592). */
import type { RegistrationPermits } from '../../src/protocol/client/registration-record.ts'
import { mintOpaque, uuidv7 } from '../../src/secrets/opaque.ts'
import type { TestService } from './service.ts'

export type RegistrationAnswer = {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: an answer of the service under test can hold anything
  readonly body: any
}

type TokenOptions = {
  readonly uses?: number
  readonly expiresSeconds?: number
  readonly permits?: RegistrationPermits
}

/** A new initial access token, as `latchkey client registration-token` makes it. */
export async function initialAccessToken(
  { storage, now }: TestService,
  { uses = 1, expiresSeconds = 3600, permits }: TokenOptions = {},
): Promise<string> {
  const createdAtMs = now()
  const { id, value, secretHash } = mintOpaque(uuidv7(createdAtMs))
  const expiresAtMs = createdAtMs + expiresSeconds * 1000
  const token = { id, secretHash, usesLeft: uses, createdAtMs, expiresAtMs }
  await storage.registrations.addToken({ ...token, ...(permits && { permits }) })
  return value
}

export async function sendMetadata(
  address: string | URL,
  method: string,
  document: unknown,
  token?: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RegistrationAnswer> {
  const response = await fetch(address, {
    method,
    headers: {
      ...(document === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(document === undefined ? {} : { body: typeof document === 'string' ? document : JSON.stringify(document) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
}

export function register(service: TestService, document: unknown, token?: string, headers = {}) {
  return sendMetadata(new URL('connect/register', service.address), 'POST', document, token, headers)
}

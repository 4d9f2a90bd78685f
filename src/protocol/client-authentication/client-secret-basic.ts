import { type Refusal, refuse } from '../refusals/index.ts'
import { type SecretAuthentication, type SecretCredentials, verifySecret } from './client-secret.ts'
import type { ClientAuthenticationMethod, PresentedClient } from './method.ts'

const maxHeaderLength = 8192

/** The Authorization header (RFC 6749 §2.3.1, RFC 7617). Must not be combined with another method (RFC 6749 §2.3). */
export const clientSecretBasic: ClientAuthenticationMethod<SecretCredentials, SecretAuthentication> = {
  registeredAs: 'client_secret',
  read({ authorization, clientId, secret, assertion, assertionType }) {
    if (authorization === undefined || (assertion ?? assertionType) !== null) return undefined
    const basic = parseBasic(authorization)
    if (basic === undefined) return refuse('credentials_malformed', 'Authorization', { scheme: 'Basic' })
    if (secret !== null || (clientId !== null && clientId !== basic.clientId)) {
      const rule = secret === null ? 'header and body name different clients' : 'a secret in the body beside the header'
      return refuse('credentials_multiple', 'client_secret', { client: basic.clientId, rule })
    }
    return { ...basic, method: 'client_secret_basic' }
  },
  verify: verifySecret,
}

/**
 * Returns what of the Authorization header counts for client authentication, and the client that it or the body names. Another scheme
 * than Basic is none: HTTP libraries add their own. With an empty password the header only names the client: an
 * empty secret may be left out (RFC 6749 §2.3.1).
 */
export function countingHeader(
  authorization: string | undefined,
  clientId: string | null,
): Pick<PresentedClient, 'authorization' | 'clientId'> | Refusal {
  if (authorization === undefined || !/^Basic(?= |$)/i.test(authorization)) {
    return { authorization: undefined, clientId }
  }
  const basic = parseBasic(authorization)
  if (basic?.secret !== '') return { authorization, clientId }
  if (clientId !== null && clientId !== basic.clientId) {
    return refuse('credentials_multiple', 'client_id', {
      client: basic.clientId,
      rule: 'header and body name different clients',
    })
  }
  return { authorization: undefined, clientId: basic.clientId }
}

/**
 * RFC 6749 §2.3.1: both halves are form-encoded before they are joined by a colon. Many libraries join them as they are
 * (RFC 7617 §2): `rawSecret` is the secret that was meant by those, where it differs.
 */
function parseBasic(
  header: string,
): Pick<SecretCredentials, 'clientId' | 'secret' | 'rawSecret' | 'isUnencoded'> | undefined {
  if (header.length > maxHeaderLength) return undefined
  const match = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(header)
  if (match?.[1] === undefined) return undefined
  const text = Buffer.from(match[1], 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 1) return undefined
  const clientId = formDecoded(text.slice(0, colon))
  const rawSecret = text.slice(colon + 1)
  const secret = formDecoded(rawSecret)
  if (clientId === undefined) return undefined
  if (secret === undefined) return { clientId, secret: rawSecret, isUnencoded: true }
  if (secret === rawSecret) return { clientId, secret: rawSecret }
  return { clientId, secret, rawSecret }
}

/** Returns undefined for what is not form-encoded. */
function formDecoded(part: string): string | undefined {
  if (!part.includes('%') && !part.includes('+')) return part
  try {
    return decodeURIComponent(part.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

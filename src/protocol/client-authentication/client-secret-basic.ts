import { refuse } from '../refusals/index.ts'
import { type SecretAuthentication, type SecretCredentials, verifySecret } from './client-secret.ts'
import type { ClientAuthenticationMethod } from './method.ts'

const maxHeaderLength = 8192

/** The Authorization header (RFC 6749 §2.3.1, RFC 7617). Must not be combined with another method (RFC 6749 §2.3). */
export const clientSecretBasic: ClientAuthenticationMethod<SecretCredentials, SecretAuthentication> = {
  registeredAs: 'client_secret',
  read({ authorization, clientId, secret, assertion, assertionType }) {
    if (authorization === undefined || (assertion ?? assertionType) !== null) return undefined
    const basic = parseBasic(authorization)
    if (basic === undefined) {
      // Only the scheme: what follows it may be a secret.
      const scheme = /^(?:Basic|Bearer|Digest|DPoP|Negotiate)(?= |$)/i.exec(authorization)?.[0]
      return refuse('credentials_malformed', 'Authorization', { scheme: scheme ?? 'not known', supported: 'Basic' })
    }
    if (secret !== null || (clientId !== null && clientId !== basic.clientId)) {
      const rule = secret === null ? 'header and body name different clients' : 'a secret in the body beside the header'
      return refuse('credentials_multiple', 'client_secret', { client: basic.clientId, rule })
    }
    return { ...basic, method: 'client_secret_basic' }
  },
  verify: verifySecret,
}

/** RFC 6749 §2.3.1: both halves are form-encoded before they are joined by a colon. */
function parseBasic(header: string): { clientId: string; secret: string } | undefined {
  if (header.length > maxHeaderLength) return undefined
  const match = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(header)
  if (match?.[1] === undefined) return undefined
  const text = Buffer.from(match[1], 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 1) return undefined
  const plain = !text.includes('%') && !text.includes('+')
  try {
    const decode = (part: string): string => (plain ? part : decodeURIComponent(part.replaceAll('+', ' ')))
    return { clientId: decode(text.slice(0, colon)), secret: decode(text.slice(colon + 1)) }
  } catch {
    return undefined
  }
}

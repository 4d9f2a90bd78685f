/** Certificates that clients present in TLS (RFC 8705), and which of them a client is registered for. */
import type { ClientMetadata, JwkSet } from '../client/client-metadata.ts'
import { isSameName } from './distinguished-name.ts'

export type ClientCertificate = {
  /** SHA-256 of the DER encoding, base64url: `x5t#S256` (RFC 8705 §3.1). */
  readonly thumbprint: string
  /** DER, base64. */
  readonly der: string
  /** One relative distinguished name a line, in the order of the certificate, with the escapes of RFC 4514. */
  readonly subject: string
  readonly alternativeNames: readonly AlternativeName[]
  readonly publicKey: Readonly<Record<string, unknown>>
  /** Epoch milliseconds. */
  readonly validFromMs: number
  readonly validUntilMs: number
}

export type AlternativeName = { readonly kind: 'dns' | 'uri' | 'ip' | 'email'; readonly value: string }

/** undefined: the request has no certificate. malformed: what the proxy sent is none. */
export type PresentedCertificate = ClientCertificate | 'malformed' | undefined

/** Whether the certificate has the registered name; exactly one is registered (RFC 8705 §2.1.2). */
export function hasRegisteredName(certificate: ClientCertificate, metadata: ClientMetadata): boolean {
  const has = (kind: AlternativeName['kind'], registered: string): boolean =>
    certificate.alternativeNames.some(
      (one) => one.kind === kind && comparable(one) === comparable({ kind, value: registered }),
    )
  const checks = [
    metadata.tls_client_auth_subject_dn?.length && isSameName(metadata.tls_client_auth_subject_dn, certificate.subject),
    metadata.tls_client_auth_san_dns?.length && has('dns', metadata.tls_client_auth_san_dns),
    metadata.tls_client_auth_san_uri?.length && has('uri', metadata.tls_client_auth_san_uri),
    metadata.tls_client_auth_san_ip?.length && has('ip', metadata.tls_client_auth_san_ip),
    metadata.tls_client_auth_san_email?.length && has('email', metadata.tls_client_auth_san_email),
  ].filter((check) => typeof check === 'boolean')
  return checks.length === 1 && checks[0] === true
}

/** Whether the key is that of the certificate, or its `x5c` begins with the certificate (RFC 8705 §2.2). */
export function isKeyOf({ der, publicKey }: ClientCertificate, key: JwkSet['keys'][number]): boolean {
  if (Array.isArray(key.x5c) && key.x5c[0] === der) return true
  const members = publicMembers[String(publicKey.kty)]
  return members?.every((member) => typeof publicKey[member] === 'string' && publicKey[member] === key[member]) ?? false
}

/** RFC 7518 §6.2.1 and §6.3.1, RFC 8037 §2. */
const publicMembers: Readonly<Record<string, readonly string[]>> = {
  RSA: ['kty', 'n', 'e'],
  EC: ['kty', 'crv', 'x', 'y'],
  OKP: ['kty', 'crv', 'x'],
}

/** Names of hosts are compared without case, and each address has one spelling. */
function comparable({ kind, value }: AlternativeName): string {
  if (kind === 'dns') return value.toLowerCase()
  if (kind !== 'ip') return value
  const host = value.includes(':') ? `[${value}]` : value
  return /^[\da-f:.[\]]+$/i.test(host) && URL.canParse(`http://${host}/`) ? new URL(`http://${host}/`).hostname : value
}

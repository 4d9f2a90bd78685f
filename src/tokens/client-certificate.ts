/** Reads certificates of clients as a proxy passes them on. */
import { hash, X509Certificate } from 'node:crypto'
import { rsaFault } from '../protocol/client/rsa-key.ts'
import type {
  AlternativeName,
  ClientCertificate,
  PresentedCertificate,
} from '../protocol/client-authentication/client-certificate.ts'

/** Of the header, in characters. */
const lengthAtMost = 16_384
const base64 = '[A-Za-z0-9+/]+={0,2}'
/** RFC 9440 §2.1, or base64 alone. */
const derForm = new RegExp(`^(?::(${base64}):|(${base64}))$`)
const pemForm = /^-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----\s*$/

/**
 * Reads the value of the proxy's header: a certificate in PEM, URL-encoded (nginx `$ssl_client_escaped_cert`), as a byte
 * sequence (RFC 9440), or its DER in base64. Exactly one certificate.
 */
export function readClientCertificate(header: string | undefined): PresentedCertificate {
  if (header === undefined || header === '') return undefined
  if (header.length > lengthAtMost) return 'malformed'
  try {
    const [, sequence, bare] = derForm.exec(header) ?? []
    const encoded = sequence ?? bare ?? pemForm.exec(decodeURIComponent(header))?.[1]?.replace(/\s/g, '')
    if (encoded === undefined) return 'malformed'
    const der = Buffer.from(encoded, 'base64')
    const certificate = new X509Certificate(der)
    // The parser would also accept PEM in the bytes, and more bytes after the certificate.
    return certificate.raw.equals(der) && isUsable(certificate) ? toRecord(certificate) : 'malformed'
  } catch {
    return 'malformed'
  }
}

/** The same keys as those that clients register. */
function isUsable({ publicKey }: X509Certificate): boolean {
  const { modulusLength: bits, publicExponent: exponent } = publicKey.asymmetricKeyDetails ?? {}
  return bits === undefined || exponent === undefined || rsaFault({ bits, exponent }) === undefined
}

function toRecord(certificate: X509Certificate): ClientCertificate {
  return {
    thumbprint: hash('sha256', certificate.raw, 'base64url'),
    der: certificate.raw.toString('base64'),
    subject: certificate.subject ?? '',
    alternativeNames: alternativeNamesIn(certificate.subjectAltName ?? ''),
    publicKey: { ...certificate.publicKey.export({ format: 'jwk' }) },
    validFromMs: certificate.validFromDate.getTime(),
    validUntilMs: certificate.validToDate.getTime(),
  }
}

const kinds: Readonly<Record<string, AlternativeName['kind']>> = {
  DNS: 'dns',
  URI: 'uri',
  'IP Address': 'ip',
  email: 'email',
}

/** Reads the names in the runtime's text. It quotes values with commas or quotes like strings of JSON. */
function alternativeNamesIn(text: string): AlternativeName[] {
  const names: AlternativeName[] = []
  const form = /(?:^|, )([A-Za-z][A-Za-z ]*):(?:("(?:[^"\\]|\\.)*")|([^",]*))(?=, |$)/y
  for (let read = 0; read < text.length; read = form.lastIndex) {
    form.lastIndex = read
    const [, label = '', quoted, plain = ''] = form.exec(text) ?? []
    if (label === '') return []
    const kind = kinds[label]
    if (kind !== undefined) names.push({ kind, value: quoted === undefined ? plain : String(JSON.parse(quoted)) })
  }
  return names
}

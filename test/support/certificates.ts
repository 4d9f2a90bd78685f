/** Certificates of clients, made here: the runtime reads X.509 and does not write it (RFC 5280 §4.1). */
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

export type TestCertificate = {
  readonly der: Buffer
  readonly publicKey: KeyObject
  /** As nginx has it in `$ssl_client_escaped_cert`. */
  readonly escapedPem: string
}

type Options = {
  readonly subject?: Subject
  /** General names: the tag of the choice, and the content. */
  readonly alternativeNames?: readonly (readonly [tag: number, content: string | Buffer])[]
  readonly from?: Date
  readonly until?: Date
  readonly keys?: { readonly publicKey: KeyObject; readonly privateKey: KeyObject }
  /** Default: itself. */
  readonly issuer?: { readonly subject: Subject; readonly privateKey: KeyObject }
  /** Whether it may issue others (RFC 5280 §4.2.1.9). */
  readonly ca?: boolean
}

/** Relative distinguished names in the order of the certificate, each of pairs of an object identifier and a value. */
export type Subject = readonly (readonly (readonly [oid: string, value: string])[])[]

export const oids = { cn: '2.5.4.3', o: '2.5.4.10', ou: '2.5.4.11', c: '2.5.4.6', uid: '0.9.2342.19200300.100.1.1' }
/** Tags of general names (RFC 5280 §4.2.1.6). */
export const generalNames = { email: 0x81, dns: 0x82, uri: 0x86, ip: 0x87 }

/** Returns a certificate of an EC key. */
export function certificate({
  subject = [[[oids.cn, 'client']]],
  alternativeNames = [],
  from = new Date(Date.now() - 86_400_000),
  until = new Date(Date.now() + 86_400_000),
  keys = generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  issuer = { subject, privateKey: keys.privateKey },
  ca = false,
}: Options = {}): TestCertificate {
  const algorithm = sequence(oid('1.2.840.10045.4.3.2'))
  const nameOf = (whose: Subject) =>
    sequence(
      ...whose.map((rdn) =>
        tlv(0x31, ...rdn.map(([type, value]) => sequence(oid(type), tlv(0x0c, Buffer.from(value))))),
      ),
    )
  const names = sequence(...alternativeNames.map(([tag, content]) => tlv(tag, Buffer.from(content))))
  const extensions = [
    ...(alternativeNames.length === 0 ? [] : [sequence(oid('2.5.29.17'), tlv(0x04, names))]),
    ...(ca
      ? [sequence(oid('2.5.29.19'), tlv(0x01, Buffer.from([255])), tlv(0x04, sequence(tlv(0x01, Buffer.from([255])))))]
      : []),
  ]
  const signed = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    nameOf(issuer.subject),
    sequence(time(from), time(until)),
    nameOf(subject),
    keys.publicKey.export({ type: 'spki', format: 'der' }),
    ...(extensions.length === 0 ? [] : [tlv(0xa3, sequence(...extensions))]),
  )
  const signature = sign('sha256', signed, issuer.privateKey)
  const der = sequence(signed, algorithm, tlv(0x03, Buffer.from([0]), signature))
  return { der, publicKey: keys.publicKey, escapedPem: encodeURIComponent(pemOf(der)) }
}

export function pemOf(der: Buffer): string {
  const lines = der.toString('base64').replace(/.{64}/g, '$&\n')
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tlv(0x30, ...parts)
}

function tlv(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const head =
    length < 128 ? [tag, length] : length < 256 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from(head), content])
}

function oid(text: string): Buffer {
  const [first = 0, second = 0, ...arcs] = text.split('.').map(Number)
  const bytes = [first * 40 + second, ...arcs].flatMap((arc) => {
    const groups = [arc & 127]
    for (let rest = Math.floor(arc / 128); rest > 0; rest = Math.floor(rest / 128)) groups.unshift((rest & 127) | 128)
    return groups
  })
  return tlv(0x06, Buffer.from(bytes))
}

/** UTCTime. */
function time(at: Date): Buffer {
  return tlv(0x17, Buffer.from(`${at.toISOString().replace(/\D/g, '').slice(2, 14)}Z`))
}

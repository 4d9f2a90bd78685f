/**
 * A software authenticator and the browser in front of it (WebAuthn Level 3): keys by `node:crypto`, messages in the
 * JSON of `PublicKeyCredential.toJSON()`. `Ceremony` changes what it signs, so that a test can send what a browser never
 * would.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

export type Algorithm = 'ES256' | 'EdDSA' | 'RS256'

export type Ceremony = {
  readonly origin?: string
  readonly rpId?: string
  readonly type?: string
  readonly challenge?: string
  readonly crossOrigin?: boolean
  readonly topOrigin?: string
  /** Bits of the flags to clear and to set (WebAuthn §6.1). */
  readonly clear?: number
  readonly set?: number
  readonly counter?: number
  /** Null: none. */
  readonly userHandle?: string | null
  /** Appended to the authenticator data. */
  readonly extra?: Uint8Array
  /** The statement of an attestation; default: `none` without members. */
  readonly fmt?: string
  readonly attStmt?: Cbor
  /** Makes the statement of an attestation of what it signs (WebAuthn §6.5.4). */
  readonly attest?: (signed: Buffer) => Cbor
  /** Sent as the key of a new credential. */
  readonly publicKey?: Uint8Array
}

export type AssertionJson = {
  readonly id: string
  readonly rawId: string
  readonly type: string
  readonly response: {
    readonly clientDataJSON: string
    readonly authenticatorData: string
    readonly signature: string
    readonly userHandle?: string | null
  }
  readonly clientExtensionResults: Readonly<Record<string, never>>
}

type CreationOptions = {
  readonly challenge: string
  readonly rp: { readonly id?: string }
  readonly user: { readonly id: string }
}
type RequestOptions = { readonly challenge: string; readonly rpId?: string }

/** User present, user verified, backup eligible, backed up, attested credential data. */
export const flags = { up: 1, uv: 4, be: 8, bs: 16, at: 64, ed: 128 } as const

export class Authenticator {
  readonly credentialId: string
  /** 0 and never counted: undefined. */
  counter: number | undefined
  readonly origin: string
  readonly synced: boolean
  readonly publicKey: Uint8Array
  userHandle = ''
  readonly #privateKey: KeyObject
  readonly #hash: 'sha256' | null

  constructor(
    service: { readonly issuer: string },
    {
      algorithm = 'ES256',
      synced = false,
      counter,
    }: { readonly algorithm?: Algorithm; readonly synced?: boolean; readonly counter?: number } = {},
  ) {
    this.origin = new URL(service.issuer).origin
    this.synced = synced
    this.counter = counter
    this.credentialId = base64url(randomBytes(32))
    const { privateKey, publicKey } = pairOf(algorithm)
    this.#privateKey = privateKey
    this.#hash = algorithm === 'EdDSA' ? null : 'sha256'
    this.publicKey = encode(coseKeyOf(algorithm, publicKey))
  }

  /** `navigator.credentials.create()`, as JSON. */
  create(options: CreationOptions, ceremony: Ceremony = {}) {
    this.userHandle = options.user.id
    const id = Buffer.from(this.credentialId, 'base64url')
    const attested = Buffer.concat([
      Buffer.alloc(16),
      Buffer.from([id.length >> 8, id.length & 255]),
      id,
      ceremony.publicKey ?? this.publicKey,
    ])
    const authData = this.#authenticatorData(options.rp.id ?? '', flags.at, attested, ceremony)
    const clientData = this.#clientData('webauthn.create', options.challenge, ceremony)
    const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()])
    const attestationObject = encode(
      new Map<string, Cbor>([
        ['fmt', ceremony.fmt ?? 'none'],
        ['attStmt', ceremony.attest?.(signed) ?? ceremony.attStmt ?? new Map()],
        ['authData', authData],
      ]),
    )
    return {
      ...this.#credential(),
      authenticatorAttachment: 'platform',
      response: {
        clientDataJSON: base64url(clientData),
        attestationObject: base64url(attestationObject),
        transports: ['internal', 'hybrid'],
      },
    }
  }

  /** `navigator.credentials.get()`, as JSON. Counts on. */
  get(options: RequestOptions, ceremony: Ceremony = {}): AssertionJson {
    if (this.counter !== undefined) this.counter += 1
    const authData = this.#authenticatorData(options.rpId ?? '', 0, Buffer.alloc(0), ceremony)
    const clientData = this.#clientData('webauthn.get', options.challenge, ceremony)
    const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()])
    const handle = ceremony.userHandle === undefined ? this.userHandle : ceremony.userHandle
    return {
      ...this.#credential(),
      response: {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(authData),
        signature: base64url(sign(this.#hash, signed, this.#privateKey)),
        userHandle: handle,
      },
    }
  }

  #credential() {
    return { id: this.credentialId, rawId: this.credentialId, type: 'public-key', clientExtensionResults: {} } as const
  }

  #clientData(type: string, challenge: string, ceremony: Ceremony): Buffer {
    const { crossOrigin = false, topOrigin } = ceremony
    const data = {
      type: ceremony.type ?? type,
      challenge: ceremony.challenge ?? challenge,
      origin: ceremony.origin ?? this.origin,
      crossOrigin,
      ...(topOrigin !== undefined && { topOrigin }),
    }
    return Buffer.from(JSON.stringify(data))
  }

  #authenticatorData(rpId: string, more: number, attested: Uint8Array, ceremony: Ceremony): Buffer {
    const { clear = 0, set = 0, extra = Buffer.alloc(0) } = ceremony
    const own = flags.up | flags.uv | (this.synced ? flags.be | flags.bs : 0) | more
    const head = Buffer.alloc(5)
    head.writeUInt8((own & ~clear) | set, 0)
    head.writeUInt32BE(ceremony.counter ?? this.counter ?? 0, 1)
    const rpIdHash = createHash('sha256')
      .update(ceremony.rpId ?? rpId)
      .digest()
    return Buffer.concat([rpIdHash, head, attested, extra])
  }
}

export type Cbor = number | string | Uint8Array | readonly Cbor[] | ReadonlyMap<number | string, Cbor>

/** Encodes what WebAuthn needs of CBOR (RFC 8949). */
export function encode(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value)
  if (typeof value === 'string') return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([cborHead(2, value.length), value])
  if (Array.isArray(value)) return Buffer.concat([cborHead(4, value.length), ...value.map(encode)])
  const pairs = [...(value as ReadonlyMap<number | string, Cbor>)]
  return Buffer.concat([cborHead(5, pairs.length), ...pairs.flat().map((one) => encode(one))])
}

function cborHead(major: number, value: number): Buffer {
  const type = major << 5
  if (value < 24) return Buffer.from([type | value])
  if (value < 256) return Buffer.from([type | 24, value])
  if (value < 65_536) return Buffer.from([type | 25, value >> 8, value & 255])
  const head = Buffer.alloc(5, type | 26)
  head.writeUInt32BE(value, 1)
  return head
}

let rsaPair: { readonly privateKey: KeyObject; readonly publicKey: KeyObject } | undefined

function pairOf(algorithm: Algorithm) {
  if (algorithm === 'ES256') return generateKeyPairSync('ec', { namedCurve: 'P-256' })
  if (algorithm === 'EdDSA') return generateKeyPairSync('ed25519')
  // One for all: making it takes long.
  rsaPair ??= generateKeyPairSync('rsa', { modulusLength: 2048 })
  return rsaPair
}

/** RFC 9053 §7, RFC 8230 §4. */
function coseKeyOf(algorithm: Algorithm, key: KeyObject): Cbor {
  const jwk = key.export({ format: 'jwk' })
  const bytes = (text = '') => Buffer.from(text, 'base64url')
  if (algorithm === 'RS256') {
    return new Map<number, Cbor>([
      [1, 3],
      [3, -257],
      [-1, bytes(jwk.n)],
      [-2, bytes(jwk.e)],
    ])
  }
  if (algorithm === 'EdDSA') {
    return new Map<number, Cbor>([
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, bytes(jwk.x)],
    ])
  }
  return new Map<number, Cbor>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, bytes(jwk.x)],
    [-3, bytes(jwk.y)],
  ])
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}

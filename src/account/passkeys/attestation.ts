/** Who made an authenticator: its attestation (WebAuthn §6.5), against the manufacturers that an operator trusts. */
import { X509Certificate } from 'node:crypto'
import { onDemand } from '../../on-demand.ts'
import { rsaFault } from '../../protocol/client/rsa-key.ts'
import type { AttestationJson } from './credential.ts'
import type { RelyingParty } from './relying-party.ts'

/** Formats whose statements have a chain of certificates and name no address (WebAuthn §8.2, §8.3, §8.6). */
const formats: readonly string[] = ['packed', 'tpm', 'fido-u2f']
/** The longest of an authenticator in use has three. */
const certificatesAtMost = 5
const certificateBytesAtMost = 8192

const library = onDemand(async () => ({
  ...(await import('@simplewebauthn/server')),
  ...(await import('@simplewebauthn/server/helpers')),
}))

/**
 * Whether the statement of a new credential, which was verified but for that, is signed by an authenticator whose
 * certificate leads to one of the manufacturers. A statement that proves nothing, or none, is no fault of the credential.
 */
export async function isAttested(
  party: RelyingParty,
  attestation: AttestationJson,
  challenge: string,
  manufacturers: readonly X509Certificate[],
  nowMs: number,
): Promise<boolean> {
  const { decodeAttestationObject, verifyRegistrationResponse } = await library()
  try {
    const sent = new Uint8Array(Buffer.from(attestation.response.attestationObject, 'base64url'))
    const decoded = decodeAttestationObject(sent)
    if (!formats.includes(decoded.get('fmt'))) return false
    // Without certificates, the credential signed its statement itself.
    const chain = certificatesOf(decoded.get('attStmt').get('x5c'))
    if (chain === undefined || !leadsTo(chain, manufacturers, nowMs)) return false
    // Is given no roots of these formats, so it fetches no lists of revoked certificates.
    const { verified } = await verifyRegistrationResponse({
      response: { ...attestation, response: { ...attestation.response, transports: [] } },
      expectedChallenge: challenge,
      expectedOrigin: [...party.origins],
      expectedRPID: party.id,
      requireUserVerification: true,
    })
    return verified
  } catch {
    // The libraries throw for every fault of the input.
    return false
  }
}

/** Undefined: none, too many, too large, or with a key that is dear to verify with. */
function certificatesOf(x5c: unknown): readonly X509Certificate[] | undefined {
  if (!Array.isArray(x5c) || x5c.length === 0 || x5c.length > certificatesAtMost) return undefined
  const isBounded = x5c.every((one) => one instanceof Uint8Array && one.length <= certificateBytesAtMost)
  if (!isBounded) return undefined
  const chain = x5c.map((one: Uint8Array) => new X509Certificate(one))
  return chain.every(({ publicKey }) => isCheap(publicKey)) ? chain : undefined
}

function isCheap({ asymmetricKeyType, asymmetricKeyDetails }: X509Certificate['publicKey']): boolean {
  if (asymmetricKeyType === 'ec') return ['prime256v1', 'secp384r1'].includes(asymmetricKeyDetails?.namedCurve ?? '')
  if (asymmetricKeyType !== 'rsa') return false
  const { modulusLength: bits = 0, publicExponent: exponent = 0n } = asymmetricKeyDetails ?? {}
  return rsaFault({ bits, exponent }) === undefined
}

/** Whether each certificate was issued by the next one, and the last one by a manufacturer (RFC 5280 §6.1). */
function leadsTo(chain: readonly X509Certificate[], manufacturers: readonly X509Certificate[], nowMs: number): boolean {
  const isCurrent = ({ validFromDate, validToDate }: X509Certificate): boolean =>
    nowMs >= validFromDate.getTime() && nowMs <= validToDate.getTime()
  const isIssuedBy = (one: X509Certificate, issuer: X509Certificate): boolean =>
    issuer.ca && isCurrent(issuer) && one.checkIssued(issuer) && one.verify(issuer.publicKey)
  const [leaf] = chain
  const last = chain.at(-1)
  if (leaf === undefined || last === undefined || leaf.ca || !chain.every(isCurrent)) return false
  const isLinked = chain.slice(1).every((issuer, at) => isIssuedBy(chain[at] ?? leaf, issuer))
  return isLinked && manufacturers.some((root) => root.raw.equals(last.raw) || isIssuedBy(last, root))
}

/** Second factors of an import: how records have them, and how they are stored. */
import { noSecondFactors, type SecondFactors } from './second-factor.ts'

export type ImportedFactors = {
  /** Base32. */
  readonly totpSecret?: string
  /** Codes, or hashes of them that begin with `sha512:`. */
  readonly recoveryCodes?: readonly string[]
}

/** Makes what is stored of secrets. */
export type FactorProtection = {
  readonly app: (secret: string) => string
  readonly code: (code: string) => string
}

const recoveryCodesAtMost = 50

export const codesRule =
  'must be a list of codes of 10 to 32 letters and digits, or of 16 to 32 digits, or of sha512: and the Base64 of a hash'
export const secretRule = 'must be a Base32 text of 16 to 128 letters'

/** Returns the factors as the record has them, in place of those before; undefined: it has none. */
export function importedFactors(
  userId: string,
  { totpSecret, recoveryCodes = [] }: ImportedFactors,
  before: SecondFactors | undefined,
  protect: FactorProtection,
  nowMs: number,
): SecondFactors | undefined {
  if (totpSecret === undefined) return undefined
  return {
    ...(before ?? noSecondFactors(userId)),
    totp: { sealedSecret: protect.app(totpSecret), sinceMs: nowMs, lastStep: 0 },
    recoveryHashes: recoveryCodes.map(protect.code),
    recoverySinceMs: recoveryCodes.length > 0 ? nowMs : null,
  }
}

/** Whether nobody guesses the recovery code: at least 50 bits, because tries at it are not counted by the day. */
export function isStrongCode(code: string): boolean {
  return code.length <= 64 && /^(?:\d{16,32}|(?=.*[A-Za-z]).{10,32})$/.test(code.replaceAll(/[^0-9A-Za-z]/g, ''))
}

/** The Base64 of 64 bytes. Its code is as strong as the other system made it. */
const isHash = (text: string): boolean => /^sha512:[A-Za-z0-9+/]{85}[AQgw]==$/.test(text)

export function readCodes(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value) || value.length > recoveryCodesAtMost) return undefined
  return value.every((one) => typeof one === 'string' && (isHash(one) || isStrongCode(one))) ? value : undefined
}

export function readSecret(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const secret = value.replaceAll(/[\s-]/g, '').replace(/=+$/, '').toUpperCase()
  return /^[A-Z2-7]{16,128}$/.test(secret) ? secret : undefined
}

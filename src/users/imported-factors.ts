/** Second factors of an import: how records have them, and how they are stored. */
import type { ImportedPasskey, LostPasskey } from './imported-passkeys.ts'
import { passkeyName } from './passkey.ts'
import { type AuthenticatorApp, noSecondFactors, type SecondFactors, withApps } from './second-factor.ts'

/** How codes are made: the algorithm, the digits and the seconds. */
export type AppForm = {
  readonly algorithm: 'SHA1' | 'SHA256' | 'SHA512'
  readonly digits: 6 | 8
  readonly period: 30 | 60
}

export const usualForm = { algorithm: 'SHA1', digits: 6, period: 30 } as const satisfies AppForm

/** `secret`: Base32. `form` absent: the usual one. */
export type ImportedApp = { readonly secret: string; readonly name?: string; readonly form?: AppForm }

export type ImportedFactors = {
  /** Base32. */
  readonly totpSecret?: string
  /** Apps beside it, or in its place. Absent: none. */
  readonly apps?: readonly ImportedApp[]
  /** Codes, or hashes of them that begin with `sha512:`. */
  readonly recoveryCodes?: readonly string[]
  /** Absent: none. */
  readonly passkeys?: readonly ImportedPasskey[]
  /** Those that do not come. */
  readonly lostPasskeys?: readonly LostPasskey[]
}

/** Makes what is stored of secrets. */
export type FactorProtection = {
  readonly app: (secret: string, form?: AppForm) => string
  readonly code: (code: string) => string
}

const recoveryCodesAtMost = 50

export const codesRule =
  'must be a list of codes of 10 to 32 letters and digits, or of 16 to 32 digits, or of sha512: and the Base64 of a hash'
export const secretRule = 'must be a Base32 text of 16 to 128 letters'

type GivenApps = Pick<ImportedFactors, 'totpSecret' | 'apps'>

/**
 * The authenticator apps, each secret once: a code that one of two equal ones accepted would count again with the other
 * (RFC 6238 §5.2), and six of its digits are a code of six.
 */
export function appsIn({ totpSecret, apps = [] }: GivenApps): readonly ImportedApp[] {
  const all = totpSecret === undefined ? apps : [{ secret: totpSecret }, ...apps]
  return all.filter(({ secret }, at) => all.findIndex((one) => one.secret === secret) === at)
}

/** Those that do not come because another one has the secret, and whose codes are others: they are refused here. */
export function appsLeftOut(given: GivenApps): readonly ImportedApp[] {
  const kept = appsIn(given)
  return (given.apps ?? []).filter((one) => {
    const same = kept.find(({ secret }) => secret === one.secret)
    return same !== undefined && formText(same) !== formText(one)
  })
}

/** `SHA1, 6 digits, 30 s`. */
export function formText({ form = usualForm }: ImportedApp): string {
  return `${form.algorithm}, ${form.digits} digits, ${form.period} s`
}

/** Returns the factors as the record has them, in place of those before; undefined: it has none. */
export function importedFactors(
  userId: string,
  { recoveryCodes = [], ...given }: ImportedFactors,
  before: SecondFactors | undefined,
  protect: FactorProtection,
  nowMs: number,
): SecondFactors | undefined {
  const all = appsIn(given)
  if (all.length === 0 && recoveryCodes.length === 0) return undefined
  const stored = before ?? noSecondFactors(userId)
  const sealed = all.map(
    ({ secret, name, form }): AuthenticatorApp => ({
      ...{ sealedSecret: protect.app(secret, form), sinceMs: nowMs, lastStep: 0 },
      ...(name !== undefined && { name }),
    }),
  )
  return {
    ...(sealed.length === 0 ? stored : withApps(stored, sealed)),
    recoveryHashes: recoveryCodes.map(protect.code),
    recoverySinceMs: recoveryCodes.length > 0 ? nowMs : null,
  }
}

/**
 * Whether the person had a second factor that could be missing here: keys alone, some of which do not come, or which an operator may
 * switch off (`Accounts:Passkeys`). Then the password alone is never enough.
 */
export function needsStandIn({ totpSecret, apps = [], passkeys = [], lostPasskeys = [] }: ImportedFactors): boolean {
  return (
    totpSecret === undefined &&
    apps.length === 0 &&
    [...passkeys, ...lostPasskeys].some(({ isSecondFactor }) => isSecondFactor === true)
  )
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

const appsAtMost = 5
export const appsRule = `must be a list of at most ${appsAtMost} objects with a secret in Base32, and algorithm (SHA1, SHA256, SHA512), digits (6, 8) and period (30, 60) where they are others than SHA1, 6 and 30`

/** Reads objects with `secret`, `name`, `algorithm`, `digits` and `period`. */
export function readApps(value: unknown): readonly ImportedApp[] | undefined {
  if (!Array.isArray(value) || value.length > appsAtMost) return undefined
  const apps = value.map((one) => (typeof one === 'object' && one !== null ? readApp(one) : undefined))
  return apps.every((one) => one !== undefined) ? apps : undefined
}

function readApp(one: Readonly<Record<string, unknown>>): ImportedApp | undefined {
  const secret = readSecret(one.secret)
  const form = appForm(one.algorithm ?? 'SHA1', one.digits ?? 6, one.period ?? 30)
  const name = passkeyName(one.name)
  return secret === undefined || form === undefined ? undefined : { secret, form, ...(name !== undefined && { name }) }
}

/** Undefined: codes of another form, which are not checked here. */
export function appForm(algorithm: unknown, digits: unknown, period: unknown): AppForm | undefined {
  const isKnown =
    ['SHA1', 'SHA256', 'SHA512'].includes(String(algorithm)) &&
    (digits === 6 || digits === 8) &&
    (period === 30 || period === 60)
  return isKnown ? ({ algorithm, digits, period } as AppForm) : undefined
}

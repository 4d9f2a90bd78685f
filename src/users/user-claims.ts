/** Claims about a person that are set, beyond user name and e-mail address (OpenID Connect Core §5.1). */
import { lineFault } from '../problem.ts'
import { userNameFault } from './user-name.ts'

/** OpenID Connect Core §5.1.1. */
export type Address = {
  readonly formatted?: string
  readonly street_address?: string
  readonly locality?: string
  readonly region?: string
  readonly postal_code?: string
  readonly country?: string
}

/** Absent: not set. No text is empty. */
export type UserClaims = {
  /** The full name; without it, tokens and userinfo call the person by the user name. */
  readonly name?: string
  readonly given_name?: string
  readonly family_name?: string
  readonly middle_name?: string
  readonly nickname?: string
  /** Without it, the user name. */
  readonly preferred_username?: string
  readonly profile?: string
  readonly picture?: string
  readonly website?: string
  readonly gender?: string
  /** `YYYY-MM-DD`, `YYYY`, or `0000-MM-DD` for a date without a year. */
  readonly birthdate?: string
  /** A name of the IANA time zone database. */
  readonly zoneinfo?: string
  /** A language tag (RFC 5646); an underscore may replace the hyphen. */
  readonly locale?: string
  readonly phone_number?: string
  readonly phone_number_verified?: boolean
  readonly address?: Address
  /** When a claim, the user name or the e-mail address last changed; seconds since the epoch. Never set directly. */
  readonly updated_at?: number
}

/** `null` removes a claim. */
export type ClaimChanges = { readonly [Claim in SettableClaim]?: UserClaims[Claim] | null }

export type SettableClaim = Exclude<keyof UserClaims, 'updated_at'>

export const noUserClaims: UserClaims = Object.freeze({})

/** Claims that can be set, with the conversion of each from text. */
export const settableClaims: Readonly<Record<SettableClaim, 'text' | 'flag' | 'json'>> = {
  name: 'text',
  given_name: 'text',
  family_name: 'text',
  middle_name: 'text',
  nickname: 'text',
  preferred_username: 'text',
  profile: 'text',
  picture: 'text',
  website: 'text',
  gender: 'text',
  birthdate: 'text',
  zoneinfo: 'text',
  locale: 'text',
  phone_number: 'text',
  phone_number_verified: 'flag',
  address: 'json',
}

/** Applies changes. A new telephone number is unconfirmed unless it is confirmed with it. */
export function changeClaims(claims: UserClaims, changes: ClaimChanges): UserClaims {
  const isNewNumber = changes.phone_number !== undefined && changes.phone_number !== claims.phone_number
  const next = { ...claims, ...(isNewNumber && { phone_number_verified: null }), ...changes }
  return Object.fromEntries(Object.entries(next).filter(([, value]) => value !== null))
}

/** Returns what is wrong with the value of a claim, as the end of a sentence; undefined: nothing. */
export function claimFault(claim: SettableClaim, value: unknown): string | undefined {
  if (claim === 'phone_number_verified') return typeof value === 'boolean' ? undefined : 'must be true or false'
  if (claim === 'address') return addressFault(value)
  if (typeof value !== 'string') return 'must be a text'
  return lineFault(value, longTexts.has(claim) ? 2000 : 200) ?? textRules[claim]?.(value)
}

const longTexts: ReadonlySet<string> = new Set(['profile', 'picture', 'website'])

const textRules: { readonly [Claim in SettableClaim]?: (text: string) => string | undefined } = {
  preferred_username: userNameFault,
  profile: webAddressFault,
  picture: webAddressFault,
  website: webAddressFault,
  birthdate: birthdateFault,
  zoneinfo: (text) => (isTimeZone(text) ? undefined : 'must be a time zone such as Europe/Berlin'),
  locale: (text) => (isLanguageTag(text) ? undefined : 'must be a language tag such as en-US'),
  phone_number: phoneNumberFault,
}

function webAddressFault(text: string): string | undefined {
  const isWebAddress = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && !/[\s"<>\\]/.test(text)
  return isWebAddress ? undefined : 'must be an address that begins with https:// or http://'
}

function birthdateFault(text: string): string | undefined {
  if (/^\d{4}$/.test(text) && text !== '0000') return undefined
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []
  // Every day of a year exists in a leap year.
  const fullYear = year === '0000' ? 2000 : Number(year)
  const date = new Date(0)
  date.setUTCFullYear(fullYear, Number(month) - 1, Number(day))
  const exists = year !== '' && date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
  return exists ? undefined : 'must be a date such as 1987-10-16, a year such as 1987, or 0000-10-16'
}

function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z][\w+-]*(\/[\w+-]+)*$/.test(text)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }) !== undefined
  } catch {
    return false
  }
}

function isLanguageTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text.replaceAll('_', '-')).length === 1
  } catch {
    return false
  }
}

/** OpenID Connect Core §5.1 recommends E.164, with an extension as in RFC 3966. Grouping characters are allowed. */
function phoneNumberFault(text: string): string | undefined {
  const isNumber = /^\+?[0-9 ().\-/]{3,40}(;ext=[0-9]{1,15})?$/.test(text) && /[0-9]/.test(text)
  return isNumber ? undefined : 'must be a telephone number such as +49 30 123456'
}

const addressMembers: ReadonlySet<string> = new Set<keyof Address>([
  'formatted',
  'street_address',
  'locality',
  'region',
  'postal_code',
  'country',
])
const severalLines: ReadonlySet<string> = new Set(['formatted', 'street_address'])

function addressFault(value: unknown): string | undefined {
  const form = `must be a JSON object with members of ${[...addressMembers].join(', ')}`
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return form
  const entries = Object.entries(value)
  if (entries.length === 0) return form
  for (const [member, text] of entries) {
    if (!addressMembers.has(member)) return form
    if (typeof text !== 'string') return `has a member ${member} that is not a text`
    const line = severalLines.has(member) ? text.replaceAll(/\r?\n/g, ' ') : text
    const fault = lineFault(line, 1000)
    if (fault !== undefined) return `has a member ${member} that ${fault}`
  }
  return undefined
}

/** Encodes claims for storage; null: none. */
export function claimsToText(claims: UserClaims): string | null {
  return Object.keys(claims).length === 0 ? null : JSON.stringify(claims)
}

export function textToClaims(text: string | null): UserClaims {
  return text === null ? noUserClaims : JSON.parse(text)
}

/**
 * Challenges for passkeys (WebAuthn §13.4.3): signed texts, bound to the browser by its anti-forgery cookie, to a
 * purpose and to a person. Nothing is stored before one is used, so any number of tabs may each have theirs.
 */
import type { Cookies } from '../http/cookies.ts'
import type { Request } from '../http/request.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import { type SignedFormat, signedTexts } from '../secrets/signed.ts'
import type { SpentValue } from '../storage/port/grants.ts'

/** How long a challenge is valid. */
export const challengeSeconds = 5 * 60

/** signin: to name the person. second_factor: after the password of a person. create: to add a passkey. */
export type ChallengePurpose = 'signin' | 'second_factor' | 'create'

export type PasskeyChallenges = {
  /** Whether the browser has the cookie to which a challenge is bound. */
  mayIssue(request: Request): boolean
  /**
   * Returns the challenge as WebAuthn messages carry it, base64url. `userId` null: of a person not yet known.
   */
  issue(request: Request, purpose: ChallengePurpose, userId: string | null): string
  /**
   * Returns the value to use up with the commit; undefined: not a challenge for this browser, purpose and person, or
   * older than five minutes.
   */
  check(request: Request, challenge: string, purpose: ChallengePurpose, userId: string | null): SpentValue | undefined
}

type Owner = { readonly cookie: string; readonly purpose: ChallengePurpose; readonly userId: string | null }

/** Neither the cookie nor an id contains a line break, so field boundaries are unambiguous. */
const format: SignedFormat<Owner> = {
  use: 'antiforgery',
  digest: 'sha256',
  maxLength: 256,
  message: (text, { cookie, purpose, userId }, secretId) =>
    ['latchkey passkey challenge v1', `${secretId}.${text}`, cookie, purpose, userId ?? ''].join('\n'),
}

export function passkeyChallengesWith(
  keys: KeyRing,
  cookies: Cookies,
  clock: () => number,
  random: (bytes: number) => Uint8Array,
): PasskeyChallenges {
  const signed = signedTexts(keys, format)
  const cookieOf = (request: Request): string => cookies.read(request, 'antiforgery') ?? ''
  return {
    mayIssue: (request) => cookieOf(request) !== '',
    issue(request, purpose, userId) {
      const text = `${clock().toString(36)}.${Buffer.from(random(16)).toString('base64url')}`
      const value = signed.sign(text, { cookie: cookieOf(request), purpose, userId })
      return Buffer.from(value).toString('base64url')
    },
    check(request, challenge, purpose, userId) {
      const cookie = cookieOf(request)
      if (cookie === '' || challenge.length > 2 * format.maxLength) return undefined
      const genuine = signed.verify(Buffer.from(challenge, 'base64url').toString('latin1'), { cookie, purpose, userId })
      if (typeof genuine !== 'object') return undefined
      const expiresAtMs = Number.parseInt(genuine.text, 36) + challengeSeconds * 1000
      return clock() < expiresAtMs ? { id: `passkey:${genuine.text}`, expiresAtMs } : undefined
    },
  }
}

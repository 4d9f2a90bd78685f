/** State that an external sign-in keeps in the browser between its steps, encrypted and short-lived. */
import { createHash } from 'node:crypto'
import type { SetCookie } from '../http/answer.ts'
import { type CookieName, type Cookies, maxRemovals } from '../http/cookies.ts'
import type { Request } from '../http/request.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { AuthenticatedIdentity } from '../providers/provider.ts'
import { unsealText } from '../secrets/sealed.ts'
import { chunkedCookies, chunksOf, maxChunkedLength, sealedForChunks } from './cookie-chunks.ts'

/** A sign-in in progress at a provider. */
export type PendingSignIn = {
  readonly provider: string
  readonly state: string
  readonly codeVerifier: string
  readonly nonce: string
  /** A local path. */
  readonly returnUrl: string
  /** For whom the identity is to be linked; absent: it is to sign in. */
  readonly linkFor?: LinkFor
}

/** The signed-in user who asked, and the session, with which the link ends. */
export type LinkFor = { readonly userId: string; readonly sessionId: string }

export type ExternalCookies = {
  /** Returns the cookies of the sign-in; undefined: its return address is too long for them. */
  makePending(request: Request, pending: PendingSignIn): readonly SetCookie[] | undefined
  /** Returns the pending sign-in for `state` in this browser, if it is at most 15 minutes old. */
  readPending(request: Request, state: string): PendingSignIn | undefined
  removePending(request: Request, state: string): readonly SetCookie[]
  /** `linkFor`: for whom it is to be linked; absent: it is to sign in. */
  makeIdentity(request: Request, identity: AuthenticatedIdentity, linkFor?: LinkFor): readonly SetCookie[]
  /**
   * Returns the identity that a provider confirmed for this browser at most five minutes ago, unless it is to be linked.
   */
  readIdentity(request: Request): AuthenticatedIdentity | undefined
  /** The same for an identity that is to be linked to the user of `linkFor`, and no other. */
  readLink(request: Request): (AuthenticatedIdentity & { readonly linkFor: LinkFor }) | undefined
  removeIdentity(request: Request): readonly SetCookie[]
}

/** How long the sign-in at the provider may take. */
export const pendingSeconds = 15 * 60
const identitySeconds = 5 * 60
/** Cookies of sign-ins in progress that a browser keeps, with those of a new one; older ones are removed. */
const maxPendingCookies = 7

export function externalCookiesWith(
  keys: KeyRing,
  cookies: Cookies,
  clock: () => number,
  random: (bytes: number) => Uint8Array,
): ExternalCookies {
  const close = (label: string, value: unknown): string =>
    sealedForChunks(keys, label, JSON.stringify({ atMs: clock(), value }), random)
  const open = <T>(label: string, text: string, lifetimeSeconds: number): T | undefined => {
    const json = unsealText(keys, 'external', label, text)
    if (json === undefined) return undefined
    const { atMs, value } = JSON.parse(json) as { atMs: number; value: T }
    return clock() - atMs < lifetimeSeconds * 1000 ? value : undefined
  }
  const chunks = chunkedCookies(cookies)
  const pendingLabel = 'latchkey pending external sign-in v1'
  const identityLabel = 'latchkey external identity v1'
  const linkLabel = 'latchkey external identity to link v1'
  return {
    makePending(request, pending) {
      const text = close(pendingLabel, pending)
      if (text.length > maxChunkedLength) return undefined
      // Sign-ins abandoned in many tabs must not overflow the cookie header.
      const stale = cookies.names(request, 'state.')
      const superfluous = Math.max(0, stale.length + chunksOf(text) - maxPendingCookies)
      const removed = stale.slice(0, Math.min(superfluous, maxRemovals)).map(cookies.removal)
      const options = { maxAgeSeconds: pendingSeconds, sameSite: 'none' } as const
      return [...removed, ...chunks.make(request, stateCookies(pending.state), text, options)]
    },
    readPending(request, state) {
      const text = chunks.read(request, stateCookies(state))
      const pending = open<PendingSignIn>(pendingLabel, text, pendingSeconds)
      return pending?.state === state ? pending : undefined
    },
    removePending: (request, state) => chunks.remove(request, stateCookies(state)),
    makeIdentity(request, identity, linkFor) {
      // Under a label of its own, so that it can never sign anybody in.
      const label = linkFor === undefined ? identityLabel : linkLabel
      let text = close(label, { ...identity, linkFor })
      if (text.length > maxChunkedLength) {
        // Drops the provider's tokens when the identity is too long with them; nothing uses them yet.
        text = close(label, { ...identity, linkFor, accessToken: '', refreshToken: null })
      }
      return chunks.make(request, identityCookie, text, {})
    },
    readIdentity(request) {
      return open<AuthenticatedIdentity>(identityLabel, chunks.read(request, identityCookie), identitySeconds)
    },
    readLink(request) {
      return open(linkLabel, chunks.read(request, identityCookie), identitySeconds)
    },
    removeIdentity: (request) => chunks.remove(request, identityCookie),
  }
}

/** Names the cookies after the state, so that several tabs can sign in at once. */
function stateCookies(state: string): (index: number) => CookieName {
  const id = createHash('sha256').update(state).digest('base64url').slice(0, 22)
  return (index) => (index === 0 ? `state.${id}` : `state.${id}.${index}`)
}

function identityCookie(index: number): CookieName {
  return index === 0 ? 'external' : `external.${index}`
}

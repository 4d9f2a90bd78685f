/** What an external sign-in keeps in the browser between its steps: encrypted, short-lived, readable by nobody else. */
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { KeyRing } from '../keys/key-ring.ts'
import type { AuthenticatedIdentity } from '../providers/provider.ts'
import { seal, unseal } from '../secrets/seal.ts'
import { type CookieName, type CookieOptions, type Cookies, maxRemovals } from './cookies.ts'

/** One sign-in that is under way at a provider. */
export type PendingSignIn = {
  readonly provider: string
  readonly state: string
  readonly codeVerifier: string
  readonly nonce: string
  /** Local. */
  readonly returnUrl: string
}

export type ExternalCookies = {
  writePending(request: FastifyRequest, reply: FastifyReply, pending: PendingSignIn): void
  /** The sign-in that `state` belongs to in this browser, at most 15 minutes old; it is taken out of the browser. */
  takePending(request: FastifyRequest, reply: FastifyReply, state: string): PendingSignIn | undefined
  writeIdentity(request: FastifyRequest, reply: FastifyReply, identity: AuthenticatedIdentity): void
  /** The identity that a provider confirmed for this browser, at most five minutes ago. */
  readIdentity(request: FastifyRequest): AuthenticatedIdentity | undefined
  clearIdentity(request: FastifyRequest, reply: FastifyReply): void
}

/** How long a sign-in may take at the provider. */
export const pendingSeconds = 15 * 60
const identitySeconds = 5 * 60
/** Browsers keep 4096 bytes a cookie, name and attributes included. */
const chunkLength = 3600
const maxChunks = 4
/** Cookies of sign-ins that were begun and not finished; the rest of them is taken out of the browser. */
const maxPendingCookies = 6

export function externalCookiesWith(
  keys: KeyRing,
  cookies: Cookies,
  clock: () => number,
  random: (bytes: number) => Uint8Array,
): ExternalCookies {
  const close = (label: string, value: unknown): string => {
    const secret = keys.secret('external')
    return `${secret.id}.${seal(secret.bytes, label, JSON.stringify({ atMs: clock(), value }), random)}`
  }
  const open = <T>(label: string, text: string | undefined, lifetimeSeconds: number): T | undefined => {
    const dot = text?.indexOf('.') ?? -1
    if (text === undefined || dot < 1) return undefined
    const secret = keys.secretById('external', text.slice(0, dot))
    const json = secret && unseal(secret.bytes, label, text.slice(dot + 1))
    if (json === undefined) return undefined
    const { atMs, value } = JSON.parse(json) as { atMs: number; value: T }
    return clock() - atMs < lifetimeSeconds * 1000 ? value : undefined
  }
  type Names = (index: number) => CookieName
  const writeChunks = (
    request: FastifyRequest,
    reply: FastifyReply,
    names: Names,
    text: string,
    options: CookieOptions,
  ) => {
    for (let index = 0; index < maxChunks; index += 1) {
      const chunk = text.slice(index * chunkLength, (index + 1) * chunkLength)
      if (chunk !== '') cookies.write(reply, names(index), chunk, options)
      else if (cookies.read(request, names(index)) !== undefined) cookies.clear(reply, names(index))
    }
  }
  const readChunks = (request: FastifyRequest, names: Names): string =>
    Array.from({ length: maxChunks }, (_, index) => cookies.read(request, names(index)) ?? '').join('')
  const clearChunks = (request: FastifyRequest, reply: FastifyReply, names: Names): void => {
    for (let index = 0; index < maxChunks; index += 1) {
      if (index === 0 || cookies.read(request, names(index)) !== undefined) cookies.clear(reply, names(index))
    }
  }
  const pendingLabel = 'latchkey pending external sign-in v1'
  const identityLabel = 'latchkey external identity v1'
  return {
    writePending(request, reply, pending) {
      // Whatever was begun and left in many tabs: the header that carries cookies has its limits.
      const stale = cookies.names(request, 'state.')
      const superfluous = Math.max(0, stale.length - maxPendingCookies)
      for (const name of stale.slice(0, Math.min(superfluous, maxRemovals))) cookies.clear(reply, name)
      const options = { maxAgeSeconds: pendingSeconds, sameSite: 'none' } as const
      writeChunks(request, reply, (index) => stateCookie(pending.state, index), close(pendingLabel, pending), options)
    },
    takePending(request, reply, state) {
      const name = (index: number): CookieName => stateCookie(state, index)
      const pending = open<PendingSignIn>(pendingLabel, readChunks(request, name), pendingSeconds)
      if (pending === undefined || pending.state !== state) return undefined
      clearChunks(request, reply, name)
      return pending
    },
    writeIdentity(request, reply, identity) {
      let text = close(identityLabel, identity)
      if (text.length > chunkLength * maxChunks) {
        // Who is there matters more than the provider's tokens, which nothing uses yet.
        text = close(identityLabel, { ...identity, accessToken: '', refreshToken: null })
      }
      writeChunks(request, reply, identityCookie, text, {})
    },
    readIdentity(request) {
      return open<AuthenticatedIdentity>(identityLabel, readChunks(request, identityCookie), identitySeconds)
    },
    clearIdentity(request, reply) {
      clearChunks(request, reply, identityCookie)
    },
  }
}

/** Several sign-ins may be under way at once, in as many tabs. */
function stateCookie(state: string, index: number): CookieName {
  const id = createHash('sha256').update(state).digest('base64url').slice(0, 22)
  return index === 0 ? `state.${id}` : `state.${id}.${index}`
}

function identityCookie(index: number): CookieName {
  return index === 0 ? 'external' : `external.${index}`
}

/** What an external sign-in keeps in the browser between its steps: encrypted, short-lived, readable by nobody else. */
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { KeyRing } from '../keys/key-ring.ts'
import type { AuthenticatedIdentity } from '../providers/provider.ts'
import { seal, unseal } from '../secrets/seal.ts'
import type { CookieName, Cookies } from './cookies.ts'

/** One sign-in that is under way at a provider. */
export type PendingSignIn = {
  readonly provider: string
  readonly state: string
  readonly codeVerifier: string
  readonly nonce: string
  /** Local. */
  readonly returnUrl: string
  readonly startedAtMs: number
}

export type ExternalCookies = {
  writePending(reply: FastifyReply, pending: PendingSignIn): void
  /** The sign-in that `state` belongs to in this browser, at most 15 minutes old; it is taken out of the browser. */
  takePending(request: FastifyRequest, reply: FastifyReply, state: string): PendingSignIn | undefined
  writeIdentity(request: FastifyRequest, reply: FastifyReply, identity: AuthenticatedIdentity): void
  /** The identity that a provider confirmed for this browser, at most five minutes ago. */
  readIdentity(request: FastifyRequest): AuthenticatedIdentity | undefined
  clearIdentity(request: FastifyRequest, reply: FastifyReply): void
}

const pendingSeconds = 15 * 60
const identitySeconds = 5 * 60
/** Browsers keep 4096 bytes a cookie, name and attributes included. */
const chunkLength = 3600
const maxChunks = 4

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
  const pendingLabel = 'latchkey pending external sign-in v1'
  const identityLabel = 'latchkey external identity v1'
  return {
    writePending(reply, pending) {
      const options = { maxAgeSeconds: pendingSeconds, sameSite: 'none' } as const
      cookies.write(reply, stateCookie(pending.state), close(pendingLabel, pending), options)
    },
    takePending(request, reply, state) {
      const name = stateCookie(state)
      const pending = open<PendingSignIn>(pendingLabel, cookies.read(request, name), pendingSeconds)
      if (pending === undefined || pending.state !== state) return undefined
      cookies.clear(reply, name)
      return pending
    },
    writeIdentity(request, reply, identity) {
      let text = close(identityLabel, identity)
      if (text.length > chunkLength * maxChunks) {
        // Who is there matters more than the provider's tokens, which nothing uses yet.
        text = close(identityLabel, { ...identity, accessToken: '', refreshToken: null })
      }
      for (let index = 0; index < maxChunks; index += 1) {
        const chunk = text.slice(index * chunkLength, (index + 1) * chunkLength)
        const name = identityCookie(index)
        if (chunk !== '') cookies.write(reply, name, chunk)
        else if (cookies.read(request, name) !== undefined) cookies.clear(reply, name)
      }
    },
    readIdentity(request) {
      const chunks = Array.from({ length: maxChunks }, (_, index) => cookies.read(request, identityCookie(index)) ?? '')
      return open<AuthenticatedIdentity>(identityLabel, chunks.join(''), identitySeconds)
    },
    clearIdentity(request, reply) {
      for (let index = 0; index < maxChunks; index += 1) {
        const name = identityCookie(index)
        if (index === 0 || cookies.read(request, name) !== undefined) cookies.clear(reply, name)
      }
    },
  }
}

/** Several sign-ins may be under way at once, in as many tabs. */
function stateCookie(state: string): CookieName {
  return `state.${createHash('sha256').update(state).digest('base64url').slice(0, 22)}`
}

function identityCookie(index: number): CookieName {
  return index === 0 ? 'external' : `external.${index}`
}

/**
 * The session as the browser carries it: an opaque cookie whose secret half is stored only as a hash.
 *
 * Belongs here: everything that a browser keeps for the service: session, anti-forgery token, challenge, device and
 * external sign-in.
 * Belongs elsewhere: reading and writing cookies in HTTP (`http/cookies.ts`), and rules about sessions (`users/`).
 */

import { auditEvent } from '../audit/request-events.ts'
import type { SetCookie } from '../http/answer.ts'
import type { Cookies } from '../http/cookies.ts'
import type { Request } from '../http/request.ts'
import { endsWithSession } from '../protocol/client/client.ts'
import { mintOpaque, parseOpaque, secretMatches, uuidv7 } from '../secrets/opaque.ts'
import type { Settings } from '../settings/settings.ts'
import type { SessionClient } from '../storage/port/clients.ts'
import type { Storage } from '../storage/port/storage.ts'
import { type Eligible, maySignIn, type SignInRules } from '../users/eligibility.ts'
import type { KnownBrowser } from '../users/known-browser.ts'
import {
  hasExpired,
  isSeenLongAgo,
  isSessionAlive,
  type RequestingSession,
  type Session,
  type SessionFacts,
  type SessionSpan,
  type SignedIn,
  slideSession,
} from '../users/session.ts'
import type { PreparedSignIn } from '../users/sign-in.ts'
import type { DeviceCookie } from './device-cookie.ts'
import type { ExternalCookies } from './external-cookies.ts'
import { broughtLanguage } from './language-cookie.ts'

/** A well-formed cookie. Only the database knows whether its session exists. */
export type SessionCookie = { readonly id: string; readonly secretHash: string }

export type BrowserSessions = {
  readonly rules: SignInRules
  /** Whether the user, last authenticated at that time, may act now. */
  maySignIn(user: Eligible, authenticatedAtMs: number): boolean
  /** Whether tokens of a client may be used as far as sessions decide: those of the console end with theirs. */
  permits(clientId: string, session: SessionSpan | undefined): boolean
  cookieOf(request: Request): SessionCookie | undefined
  /** Returns the found session if the cookie's secret matches and the session is alive. */
  verify<Found extends SessionFacts>(
    cookie: SessionCookie | undefined,
    found: Found | undefined,
  ): SignedIn<Found> | undefined
  /** Reads and verifies: returns who is signed in at this browser. */
  current(request: Request): Promise<SignedIn | undefined>
  /** Returns the records of a sign-in, not stored yet, and the value of the session cookie. */
  prepare(
    request: Request,
    input: { readonly userId: string; readonly methods: readonly string[]; readonly persistent: boolean },
  ): PreparedSignIn & { readonly cookieValue: string }
  /**
   * Replaces `former`, the browser's previous session. The cookies carry the new session, make the browser known and
   * remove its external identity.
   */
  start(
    request: Request,
    entered: {
      readonly session: Session
      readonly cookieValue: string
      readonly browser: KnownBrowser
      readonly locale?: string
    },
    former: SignedIn | undefined,
  ): Promise<readonly SetCookie[]>
  /** Extends the session once more than half of its lifetime has passed. Notes once a day that it was seen. */
  slide(request: Request, session: RequestingSession['session']): Promise<readonly SetCookie[]>
  /**
   * Ends the browser's session, if any. The cookies remove it from the browser, and the headers its pages from the
   * browser's cache. `clients`: those that are told, which includes the ones that the browser itself has to tell.
   */
  end(request: Request): Promise<{
    readonly cookies: readonly SetCookie[]
    readonly headers: Readonly<Record<string, string>>
    readonly clients: readonly SessionClient[]
  }>
}

export function browserSessionsWith(context: {
  readonly settings: Settings
  readonly storage: Storage
  readonly cookies: Cookies
  readonly device: DeviceCookie
  readonly external: ExternalCookies
  readonly clock: () => number
  readonly random: (bytes: number) => Uint8Array
}): BrowserSessions {
  const { settings, storage, cookies, device, external, clock, random } = context
  const { accounts } = settings
  const lifetimeMs = accounts.sessionLifetimeSeconds * 1000
  const rules: SignInRules = {
    maxFailedAttempts: accounts.lockout.maxFailedAttempts,
    lockoutMs: accounts.lockout.durationSeconds * 1000,
    lockoutKeepsSessions: accounts.lockout.keepsSessions,
    requireConfirmedEmail: accounts.requireConfirmedEmail,
    sessionMaxMs: accounts.sessionMaxLifetimeSeconds * 1000,
    secondFactor: {
      mode: accounts.secondFactor.mode,
      email: accounts.secondFactor.email && settings.mail.url !== null,
      external: accounts.secondFactor.external,
      passkeys: accounts.passkeys === 'on',
      sendsMail: settings.mail.url !== null,
      attestation: accounts.passkeyManufacturers !== null,
    },
  }
  const persistence = (session: Pick<Session, 'persistent'>) =>
    session.persistent ? { maxAgeSeconds: accounts.sessionLifetimeSeconds } : {}

  const cookieOf: BrowserSessions['cookieOf'] = (request) => {
    const value = cookies.read(request, 'session')
    return value === undefined ? undefined : parseOpaque(value)
  }
  function verify<Found extends SessionFacts>(
    cookie: SessionCookie | undefined,
    found: Found | undefined,
  ): SignedIn<Found> | undefined {
    if (cookie === undefined || found === undefined || found.session.id !== cookie.id) return undefined
    if (!secretMatches(cookie.secretHash, found.session.secretHash)) return undefined
    return isSessionAlive(found, rules, clock()) ? (found as SignedIn<Found>) : undefined
  }
  return {
    rules,
    maySignIn: (user, authenticatedAtMs) => maySignIn(user, rules, authenticatedAtMs, clock()),
    permits: (clientId, session) =>
      !endsWithSession(clientId) || (session !== undefined && !hasExpired(session, rules, clock())),
    cookieOf,
    verify,
    async current(request) {
      const cookie = cookieOf(request)
      return cookie === undefined ? undefined : verify(cookie, await storage.sessions.find(cookie.id))
    },
    prepare(request, { userId, methods, persistent }) {
      const nowMs = clock()
      const { value, secretHash, id } = mintOpaque(uuidv7(nowMs, random), random)
      const session: Session = {
        id,
        secretHash,
        userId,
        authenticatedAtMs: nowMs,
        methods,
        persistent,
        createdAtMs: nowMs,
        expiresAtMs: nowMs + lifetimeMs,
        lastSeenAtMs: nowMs,
        clientAddress: printable(request.address),
        userAgent: printable(request.headers['user-agent'] ?? ''),
      }
      return { session, cookieValue: value, newBrowserId: uuidv7(nowMs, random) }
    },
    async start(request, { session, cookieValue, browser, locale }, former) {
      if (former !== undefined) {
        const ended = auditEvent(request, clock(), 'sign_out', former.session, { reason: 'signed_in_again' })
        await storage.sessions.replace(former.session, session, [ended])
      }
      return [
        cookies.make('session', cookieValue, persistence(session)),
        device.make(request, browser),
        ...external.removeIdentity(request),
        ...broughtLanguage(request, locale, settings.oauth.issuer),
        ...(cookies.read(request, 'half') === undefined ? [] : [cookies.removal('half')]),
      ]
    },
    async slide(request, session) {
      const nowMs = clock()
      const expiresAtMs = slideSession(session, lifetimeMs, nowMs, rules.sessionMaxMs)
      if (expiresAtMs === undefined) {
        if (isSeenLongAgo(session, nowMs)) await storage.sessions.renew(session.id, session.expiresAtMs, nowMs)
        return []
      }
      await storage.sessions.renew(session.id, expiresAtMs, nowMs)
      const value = cookies.read(request, 'session')
      return value === undefined ? [] : [cookies.make('session', value, persistence(session))]
    },
    async end(request) {
      const cookie = cookieOf(request)
      const found = cookie === undefined ? undefined : await storage.sessions.findToEnd(cookie.id)
      const removals = [cookies.removal('session'), ...external.removeIdentity(request)]
      const answer = { cookies: removals, headers: forgetPages }
      if (cookie === undefined || found === undefined) return { ...answer, clients: [] }
      const { session, clients } = found
      if (!secretMatches(cookie.secretHash, session.secretHash)) return { ...answer, clients: [] }
      const ended = auditEvent(request, clock(), 'sign_out', session, { reason: 'asked_for' })
      // Without clients to tell, a single statement. The sweeper finds a client that signs in at the same moment.
      if (clients.length === 0) await storage.sessions.delete(session, [ended])
      else await storage.sessions.end(session, [ended], { isSignOut: true })
      return { ...answer, clients }
    },
  }
}

/** Also the pages that a browser keeps as they were, to show them again with its Back button (Clear Site Data §3.1). */
const forgetPages = { 'clear-site-data': '"cache"' } as const

/** A header as stored for the user's list of sessions: printable and bounded. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '').slice(0, 256)
}

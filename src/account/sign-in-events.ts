/** Audit events of sign-in attempts. They omit the entered user name, because users mistakenly type passwords there. */
import type { AuditDetails, AuditEvents } from '../audit/entry.ts'
import { auditEvent } from '../audit/request-events.ts'
import type { Request } from '../http/request.ts'
import { consoleClientId } from '../protocol/client/client.ts'
import { permissionsOfRoles } from '../protocol/scope/admin-scopes.ts'
import type { Service } from '../service.ts'
import type { ExternalSignIn } from '../users/external-identity.ts'
import type { Candidate } from '../users/lockout.ts'
import type { FollowingStep, HalfSignIn, SecondFactorSignIn } from '../users/second-factor-sign-in.ts'
import type { Entry, PasswordSignIn, SignedInNow } from '../users/sign-in.ts'
import type { User } from '../users/user.ts'

/** What tells which roles a person has. */
type Roles = Pick<Service, 'catalogue'>

/** Events of a password attempt that was decided on `user` and `browser` as stored. */
export function passwordSignInEvents(
  service: Roles,
  request: Request,
  atMs: number,
  { user, browser }: Candidate,
  decided: PasswordSignIn,
  returnUrl: string,
): AuditEvents {
  const { outcome } = decided
  const by = { userId: user.id }
  if (outcome === 'signed_in') return signInEvents(service, request, atMs, { user, returnUrl }, 'pwd', decided)
  if ('startedAtMs' in decided) return [askedEvent(request, atMs, by, 'pwd', decided.outcome)]
  const failed = auditEvent(request, atMs, 'sign_in_failed', by, { method: 'pwd', reason: outcome })
  if (decided.outcome !== 'wrong_password') return [failed]
  const lockedOut = (untilMs: number | null | undefined, before: number | null | undefined, details: AuditDetails) =>
    untilMs == null || untilMs === before ? [] : [auditEvent(request, atMs, 'locked_out', by, { untilMs, ...details })]
  return [
    failed,
    ...lockedOut(decided.user.lockedUntilMs, user.lockedUntilMs, {}),
    ...lockedOut(decided.browser?.lockedUntilMs, browser?.lockedUntilMs, { budget: 'browser' }),
  ]
}

/** Events of a sign-in through a provider. */
export function externalSignInEvents(
  service: Roles,
  request: Request,
  atMs: number,
  user: User,
  provider: string,
  decided: ExternalSignIn,
  returnUrl: string,
): AuditEvents {
  const by = { userId: user.id }
  if (decided.outcome === 'signed_in')
    return signInEvents(service, request, atMs, { user, returnUrl }, provider, decided)
  if (decided.outcome !== 'refused') return [askedEvent(request, atMs, by, provider, decided.outcome)]
  return [auditEvent(request, atMs, 'sign_in_failed', by, { method: provider, reason: decided.error })]
}

/** Events of a sign-in whose first factor was proved elsewhere. The first of `methods` names it. */
export function entryEvents(
  service: Roles,
  request: Request,
  atMs: number,
  user: User,
  methods: readonly string[],
  decided: Entry,
  returnUrl: string,
): AuditEvents {
  const by = { userId: user.id }
  const [method = ''] = methods
  if (decided.outcome === 'signed_in') return signInEvents(service, request, atMs, { user, returnUrl }, method, decided)
  if ('startedAtMs' in decided) return [askedEvent(request, atMs, by, method, decided.outcome)]
  return [auditEvent(request, atMs, 'sign_in_failed', by, { method, reason: decided.outcome })]
}

/** The first factor was right. `next`: what the sign-in goes on with. */
export function askedEvent(
  request: Request,
  atMs: number,
  by: { readonly userId: string },
  method: string,
  next: FollowingStep,
) {
  return auditEvent(request, atMs, 'second_factor_asked', by, { method, next })
}

/** Events after a step of a sign-in that proves no factor. */
export function heldEvents(
  service: Roles,
  request: Request,
  atMs: number,
  { user }: Candidate,
  half: HalfSignIn,
  decided: SecondFactorSignIn,
): AuditEvents {
  const by = { userId: half.userId }
  const { returnUrl } = half
  const [method = ''] = half.methods
  if (decided.outcome === 'signed_in') return signInEvents(service, request, atMs, { user, returnUrl }, method, decided)
  if (decided.outcome === 'continues') return [askedEvent(request, atMs, by, method, decided.step)]
  return [auditEvent(request, atMs, 'sign_in_failed', by, { method, reason: 'sign_in_expired' })]
}

/** `returnUrl`: where the sign-in leads to. */
export function signInEvents(
  service: Roles,
  request: Request,
  atMs: number,
  { user, returnUrl }: { readonly user: User; readonly returnUrl: string },
  method: string,
  { endedSessions = 0, cancelsDeletion }: SignedInNow,
  /** How the second factor was proved; undefined: none was. */
  second?: string,
): AuditEvents {
  const by = { userId: user.id }
  const parties = { ...by, clientId: clientOf(service, user, returnUrl) }
  const signedIn = auditEvent(request, atMs, 'sign_in', parties, { method, ...(second !== undefined && { second }) })
  if (endedSessions === 0 && !cancelsDeletion) return [signedIn]
  const ended = { reason: 'too_many_sessions', sessions: endedSessions }
  return [
    signedIn,
    ...(endedSessions > 0 ? [auditEvent(request, atMs, 'sign_out', by, ended)] : []),
    ...(cancelsDeletion ? [auditEvent(request, atMs, 'deletion_cancelled', by, { reason: 'signed_in' })] : []),
  ]
}

/** As printable ASCII: every registered id is (RFC 6749 Appendix A.1). */
const clientId = /^[\x20-\x7e]{1,256}$/

/**
 * Returns the client whose authorization request a sign-in goes on with, as that names it; undefined: it leads elsewhere. Whether
 * there is such a client is decided when the request is. The console is named for people alone whose roles permit it: figures and
 * lists leave out its sign-ins, and whoever signs in chooses the address. Reads nothing: without a catalogue in memory, the person's
 * own roles count.
 */
function clientOf({ catalogue }: Roles, user: User, returnUrl: string): string | undefined {
  const end = returnUrl.indexOf('?')
  if (end === -1 || !returnUrl.slice(0, end).endsWith('/connect/authorize')) return undefined
  const id = new URLSearchParams(returnUrl.slice(end)).get('client_id') ?? ''
  if (!clientId.test(id)) return undefined
  if (id !== consoleClientId) return id
  const roles = catalogue.kept()?.rolesOf(user) ?? user.roles
  return permissionsOfRoles(roles).size > 0 ? id : undefined
}

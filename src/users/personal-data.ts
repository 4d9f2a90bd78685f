/** Everything that is stored about one person, in words, for that person. */
import type { EffectiveRole } from './effective-roles.ts'
import type { KnownBrowser } from './known-browser.ts'
import type { Passkey } from './passkey.ts'
import { appsOf, type SecondFactors } from './second-factor.ts'
import type { Session } from './session.ts'
import type { ExternalLogin, User } from './user.ts'
import { describeAgent } from './user-agent.ts'
import { isoTime, userRecord } from './user-record.ts'

/** Times are epoch milliseconds. */
export type PersonalData = {
  readonly user: User
  /** The names of applications by their ids; absent: it is not registered any more. */
  readonly clientNames: ReadonlyMap<string, string>
  readonly factors: SecondFactors | undefined
  readonly passkeys: readonly Passkey[]
  readonly externalLogins: readonly ExternalLogin[]
  /** The accounts at providers that made this one, linked still or not. */
  readonly registeredBy: readonly ExternalLogin[]
  readonly sessions: readonly Session[]
  readonly browsers: readonly KnownBrowser[]
  readonly consents: readonly {
    readonly clientId: string
    readonly scopes: readonly string[]
    /** The claims that the scopes put into tokens when it was given, each with its source: `dept attribute:department`. */
    readonly claims?: readonly string[]
    readonly createdAtMs: number
  }[]
  /** What applications were given: open, over and revoked, until it is swept. */
  readonly grants: readonly {
    readonly clientId: string
    readonly scopes: readonly string[]
    readonly methods: readonly string[]
    readonly createdAtMs: number
    readonly expiresAtMs: number
    readonly revokedAtMs: number | null
  }[]
  /** Paths of the groups that the person is in directly. */
  readonly groups: readonly string[]
  readonly effectiveRoles: readonly EffectiveRole[]
  /** What waits for a code or a link by mail. */
  readonly confirmations: readonly {
    readonly purpose: string
    readonly createdAtMs: number
    readonly expiresAtMs: number
  }[]
  readonly mails: readonly {
    readonly to: string
    readonly purpose: string
    readonly state: string
    readonly createdAtMs: number
  }[]
  /** From the audit trail, newest first, without issued tokens. */
  readonly activity: readonly {
    readonly atMs: number
    readonly kind: string
    readonly clientId: string | null
    readonly address: string | null
    /** As in the records of the audit trail. */
    readonly details: Readonly<Record<string, unknown>>
  }[]
  /** Whether older activity was left out. */
  readonly isCut: boolean
}

/** Returns a JSON object without secrets, hashes and keys. `issuer`: the service that it comes from. */
export function personalDataRecord(data: PersonalData, issuer: string, nowMs: number) {
  const { user, factors } = data
  const client = (id: string | null) => ({
    client_id: id,
    client_name: (id === null ? undefined : data.clientNames.get(id)) ?? null,
  })
  return {
    service: issuer,
    exported_at: isoTime(nowMs),
    account: {
      ...userRecord(user, nowMs),
      updated_at: isoTime(user.updatedAtMs),
      deletion_due_at: time(user.deletionDueAtMs),
      failed_sign_ins: user.failedAttempts,
    },
    groups: data.groups,
    effective_roles: data.effectiveRoles,
    sign_in: {
      password: user.passwordHash !== null,
      authenticator_app: factors?.totp ? { created_at: isoTime(factors.totp.sinceMs) } : null,
      authenticator_apps: appsOf(factors).map(({ name = null, sinceMs }) => ({ name, created_at: isoTime(sinceMs) })),
      recovery_codes_left: factors?.recoveryHashes.length ?? 0,
      passkeys: data.passkeys.map(({ id, name, synced, attested, isSecondFactor, createdAtMs, lastUsedAtMs }) => ({
        id,
        name,
        synced,
        attested,
        second_factor: isSecondFactor === true,
        created_at: isoTime(createdAtMs),
        last_used_at: time(lastUsedAtMs),
      })),
      external_logins: data.externalLogins.map(loginRecord),
      registered_by: data.registeredBy.map(loginRecord),
    },
    sessions: data.sessions.map(sessionRecord),
    browsers: data.browsers.map((browser) => ({
      id: browser.id,
      ...describeAgent(browser.userAgent),
      user_agent: browser.userAgent,
      created_at: isoTime(browser.createdAtMs),
      last_used_at: isoTime(browser.lastUsedAtMs),
      expires_at: isoTime(browser.expiresAtMs),
      remembered_until: time(browser.secondFactorUntilMs),
    })),
    consents: data.consents.map(({ clientId, scopes, claims = [], createdAtMs }) => ({
      ...client(clientId),
      scopes,
      claims,
      created_at: isoTime(createdAtMs),
    })),
    grants: data.grants.map(({ clientId, scopes, methods, createdAtMs, expiresAtMs, revokedAtMs }) => ({
      ...client(clientId),
      scopes,
      methods,
      created_at: isoTime(createdAtMs),
      expires_at: isoTime(expiresAtMs),
      revoked_at: time(revokedAtMs),
    })),
    pending: data.confirmations.map(({ purpose, createdAtMs, expiresAtMs }) => ({
      purpose,
      created_at: isoTime(createdAtMs),
      expires_at: isoTime(expiresAtMs),
    })),
    mails: data.mails.map(({ to, purpose, state, createdAtMs }) => ({
      to,
      purpose,
      state,
      created_at: isoTime(createdAtMs),
    })),
    activity: data.activity.map(({ atMs, kind, clientId, address, details: { actor, ...details } }) => ({
      at: isoTime(atMs),
      kind,
      ...client(clientId),
      address,
      by_operator: actor !== undefined && actor !== 'service',
      details,
    })),
    activity_is_complete: !data.isCut,
  }
}

/** Returns a session as JSON, without its secret. */
export function sessionRecord(session: Session) {
  return {
    id: session.id,
    ...describeAgent(session.userAgent),
    user_agent: session.userAgent,
    address: session.clientAddress,
    methods: session.methods,
    created_at: isoTime(session.createdAtMs),
    authenticated_at: isoTime(session.authenticatedAtMs),
    last_seen_at: isoTime(session.lastSeenAtMs),
    expires_at: isoTime(session.expiresAtMs),
  }
}

function time(ms: number | null): string | null {
  return ms === null ? null : isoTime(ms)
}

function loginRecord({ provider, subject, createdAtMs }: ExternalLogin) {
  return { provider, account: subject, created_at: isoTime(createdAtMs) }
}

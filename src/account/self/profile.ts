/** `/Account/Self`: who one is, and what there is to do. */

import { auditEvent } from '../../audit/request-events.ts'
import { chosenLanguage } from '../../browser/language-cookie.ts'
import { json, withCookies } from '../../http/answer.ts'
import type { Endpoint, Request } from '../../http/request.ts'
import { loadPatterns } from '../../patterns.ts'
import type { Rejection } from '../../problem.ts'
import { isObject } from '../../protocol/json-value.ts'
import { acceptedLanguages, languageTags } from '../../protocol/language-tags.ts'
import { asRefusal, isRefusal } from '../../refusal.ts'
import type { Service } from '../../service.ts'
import { ValueRefused } from '../../storage/port/attributes.ts'
import { changeAttributesToo } from '../../users/attribute-changes.ts'
import { missingFields, seenFields } from '../../users/own-attributes.ts'
import { changeOwnProfile, type Enrolled, type OwnClaims, ownClaims, worthDoing } from '../../users/own-profile.ts'
import type { SignedIn } from '../../users/session.ts'
import { normalizeProvider, type User } from '../../users/user.ts'
import { isoTime, ownRecord } from '../../users/user-record.ts'
import { invalid, selfChange, selfRead } from './endpoint.ts'
import { anything, optional } from './members.ts'
import { describeFactors } from './sign-in-ways.ts'

/**
 * `GET /Account/Self`: the user's record, and besides: `sign_in` (the ways to sign in that there are; `password_changed_at`: null
 * where the audit trail does not tell), `next` (what is
 * worth doing, the most useful first), `session` (this one), `deletion` (when the account is deleted; null: not at all),
 * `settings` (those that the account area shows or acts on), `providers` (that can be linked), `attribute_fields` and
 * `missing_attributes` (the declared fields that are shown, and those that have to be filled in).
 */
export function readProfile(service: Service): Endpoint {
  return selfRead(service, async ({ request, signedIn, nowMs }) => {
    const profile = json(await profileOf(service, request, signedIn, nowMs))
    return withCookies(profile, await service.sessions.slide(request, signedIn.session))
  })
}

/**
 * `PATCH /Account/Self`: sets claims, by their names in OpenID Connect Core §5.1, and `attributes`: values of declared fields by
 * name. Answers like `GET`.
 */
export function changeProfile(service: Service): Endpoint {
  const members = Object.fromEntries([...ownClaims, 'attributes'].map((member) => [member, optional(anything)]))
  return selfChange(service, { recent: false, members }, async ({ request, signedIn, nowMs, body }) => {
    const { attributes, ...changes } = body as OwnClaims & { readonly attributes?: unknown }
    const values = isObject(attributes) ? attributes : undefined
    if (attributes !== undefined && values === undefined) {
      return invalid(asRefusal({ problems: [attributesProblem] }))
    }
    const [{ known: declared }, { matches }] = await Promise.all([service.storage.attributes.all(), loadPatterns()])
    // decide, before the commit decides it again on the user as stored
    const decide = (user: User) => {
      const changed = changeOwnProfile(user, changes, languageTags, nowMs)
      if (values === undefined) return changed
      return changeAttributesToo(user, changed, values, 'person', { declared, matches }, nowMs)
    }
    const first = decide(signedIn.user)
    if (isRefusal(first)) return invalid(first)

    // commit
    const details = { change: 'set', members: [...Object.keys(changes), ...Object.keys(values ?? {})] }
    const event = auditEvent(request, nowMs, 'user_changed', { userId: signedIn.user.id }, details)
    const rule = (user: User): User | undefined => {
      const changed = decide(user)
      return isRefusal(changed) || changed === user ? undefined : changed
    }
    const user = await refusingValue(() => service.storage.users.update(signedIn.user.id, rule, [event]))
    if (isRefusal(user)) return invalid(user)
    const answer = json(await profileOf(service, request, { ...signedIn, user: user ?? signedIn.user }, nowMs))
    const { locale } = changes
    return typeof locale === 'string'
      ? withCookies(answer, chosenLanguage(locale, service.settings.oauth.issuer))
      : answer
  })
}

const attributesProblem = { member: 'attributes', message: 'attributes must be an object.' }

/** Runs a change. Returns the problem of a value that may not be, for which nothing was stored. */
async function refusingValue<T>(change: () => Promise<T>): Promise<T | Rejection> {
  try {
    return await change()
  } catch (error) {
    if (!(error instanceof ValueRefused)) throw error
    return asRefusal({ problems: [{ member: `attributes.${error.attribute}`, message: error.message }] })
  }
}

async function profileOf(
  service: Service,
  request: Request,
  { session, user }: Pick<SignedIn, 'session' | 'user'>,
  nowMs: number,
) {
  const { settings, storage, providers } = service
  const { accounts } = settings
  const hasPassword = user.passwordHash !== null
  const [{ known: declared }, logins, passkeys, factors, passwordSet] = await Promise.all([
    storage.attributes.all(),
    storage.externalLogins.list(user.id),
    storage.passkeys.list(user.id),
    storage.secondFactors.find(user.id),
    hasPassword ? storage.audit.last(user.id, 'password') : undefined,
  ])
  const displayNames = new Map(providers.list.map(({ name, displayName }) => [normalizeProvider(name), displayName]))
  const enrolled: Enrolled = {
    hasPasskey: passkeys.length > 0 && accounts.passkeys === 'on',
    hasTotp: factors?.totp != null,
    recoveryCodes: factors?.recoveryHashes.length ?? 0,
  }
  const isPasskeyOn = accounts.passkeys === 'on'
  const offered = { mail: settings.mail.url !== null, passkeys: isPasskeyOn }
  const language = acceptedLanguages(service.pages.preferredLanguage(request))[0] ?? ''
  return {
    ...ownRecord(user, declared, nowMs),
    attribute_fields: seenFields(declared, language),
    missing_attributes: missingFields(user.attributes, declared, language),
    sign_in: {
      password: hasPassword,
      password_changed_at: passwordSet === undefined ? null : isoTime(passwordSet.atMs),
      passkeys: passkeys.length,
      ...describeFactors(factors),
      external_logins: logins.map(({ provider, createdAtMs }) => ({
        provider,
        name: displayNames.get(provider) ?? provider,
        created_at: isoTime(createdAtMs),
      })),
    },
    next: worthDoing(user, enrolled, offered),
    session: {
      id: session.id,
      authenticated_at: isoTime(session.authenticatedAtMs),
      recent_until: isoTime(session.authenticatedAtMs + accounts.recentSignInSeconds * 1000),
    },
    deletion: user.deletionDueAtMs === null ? null : { due_at: isoTime(user.deletionDueAtMs) },
    providers: providers.list.map(({ name, displayName }) => ({
      provider: normalizeProvider(name),
      name: displayName,
    })),
    settings: {
      mail: offered.mail,
      passkeys: isPasskeyOn,
      second_factor: accounts.secondFactor.mode,
      password_min_length: accounts.password.minLength,
      recent_sign_in: accounts.recentSignInSeconds,
      deletion_delay: accounts.deletionDelaySeconds,
      languages: languageTags,
    },
  }
}

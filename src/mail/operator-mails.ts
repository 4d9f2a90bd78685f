/**
 * The mails that follow from what an operator does, by command or over HTTP. Notices are undefined for an address that
 * nobody confirmed.
 */
import type { AuditEvents } from '../audit/entry.ts'
import { type LanguageTag, languageTags, lookUpLanguage } from '../protocol/language-tags.ts'
import { mintConfirmation } from '../secrets/confirmation-secrets.ts'
import {
  type Confirmation,
  confirmationLink,
  linkConfirmation,
  operatorsSubject,
  subjectOf,
} from '../users/confirmation.ts'
import { normalizeName, type User } from '../users/user.ts'
import type { Mail } from './mail.ts'

type Random = (bytes: number) => Uint8Array

/** A link, and the mail that carries it. */
export type MailedLink = { readonly confirmation: Confirmation; readonly mail: Mail }

/** Tells the owner of an account how signing in to it was changed. `language`: of owners without one. */
export function securityNotice(
  owner: User,
  purpose: 'password_changed' | 'second_factor_off' | 'app_removed',
  atMs: number,
  language: LanguageTag,
): Mail | undefined {
  if (!owner.emailConfirmed) return undefined
  return {
    to: owner.email,
    purpose,
    language: languageOf(owner, language),
    data: { username: owner.name },
    link: '/Account/Security',
    facts: { atMs },
  }
}

/** A way to sign in that was taken off an account. */
type Removed =
  | { readonly purpose: 'passkey_removed'; readonly data: { readonly added: { readonly atMs: number } } }
  | { readonly purpose: 'external_login_removed'; readonly data: { readonly provider: string } }

/** Tells the owner of an account which way to sign in was removed. */
export function removalNotice(owner: User, removed: Removed, atMs: number, language: LanguageTag): Mail | undefined {
  if (!owner.emailConfirmed) return undefined
  const about = {
    to: owner.email,
    language: languageOf(owner, language),
    link: '/Account/Security',
    facts: { atMs },
  }
  const { name: username } = owner
  return removed.purpose === 'passkey_removed'
    ? { ...about, purpose: removed.purpose, data: { username, ...removed.data } }
    : { ...about, purpose: removed.purpose, data: { username, ...removed.data } }
}

/** Tells the former address that there is another; undefined as well: it is the same. */
export function emailNotice(owner: User, email: string, atMs: number, language: LanguageTag): Mail | undefined {
  if (!owner.emailConfirmed || normalizeName(email) === normalizeName(owner.email)) return undefined
  return {
    to: owner.email,
    purpose: 'email_changed',
    language: languageOf(owner, language),
    data: { username: owner.name },
    facts: { atMs },
  }
}

type Invited = {
  readonly email: string
  readonly roles: readonly string[]
  readonly begun?: Pick<Confirmation, 'begunBy' | 'sessionId'>
  /** The client that invites for itself. */
  readonly sentBy?: string | undefined
}

/**
 * Returns a link with which a person creates an account that has the roles. `begun`: by the person who invites, in a
 * session, with the end of which it ends.
 */
export function invitation(about: Invited, nowMs: number, random: Random, language: LanguageTag): MailedLink {
  const { confirmation, path: link } = invitationLink(about, nowMs, random)
  const { email } = about
  return { confirmation, mail: { to: email, purpose: 'invite', language, link, validSeconds: validity(confirmation) } }
}

type Carrier = { withMail(event: AuditEvents[number], mail: Mail): AuditEvents[number] }

/** Returns the event with the mail of an invitation, which then knows how its mail fared. */
export function carriedBy(
  outgoing: Carrier,
  event: AuditEvents[number],
  { confirmation, mail }: MailedLink,
): { readonly confirmation: Confirmation; readonly carrying: AuditEvents[number] } {
  const carrying = outgoing.withMail(event, mail)
  const mailId = carrying.mails?.at(-1)?.id
  if (mailId === undefined) return { confirmation, carrying }
  return { confirmation: { ...confirmation, details: { ...confirmation.details, mailId } }, carrying }
}

/**
 * Returns the same as a path. `vouched`: whoever invites hands it over, so that it proves no address.
 */
export function invitationLink(
  { email, roles, begun = {}, sentBy, vouched = false }: Invited & { readonly vouched?: boolean },
  nowMs: number,
  random: Random,
) {
  const secrets = mintConfirmation(nowMs, random)
  const details = { email, roles, ...(sentBy !== undefined && { sentBy }), ...(vouched && { vouched }) }
  const about = { purpose: 'invite', subject: subjectOf(email), userId: null, details } as const
  const confirmation: Confirmation = { ...linkConfirmation(secrets, about, nowMs), ...begun }
  return { confirmation, path: confirmationLink('invite', secrets.token) }
}

/** Returns why no link can be sent to the person, as the end of a sentence; undefined: one can. */
export function addressFault({ email, sharesEmail }: User): string | undefined {
  if (email === '') return 'has no e-mail address. Set one, or a password'
  return sharesEmail === true ? `may have ${email} together with others. Set another address, or a password` : undefined
}

/** Returns a link with which the person sets a new password. */
export function resetLink(user: User, nowMs: number, random: Random, language: LanguageTag): MailedLink {
  const secrets = mintConfirmation(nowMs, random)
  const about = { purpose: 'reset', subject: user.id, userId: user.id, details: {} } as const
  const confirmation = linkConfirmation(secrets, about, nowMs)
  const mail: Mail = {
    to: user.email,
    purpose: 'reset',
    language: languageOf(user, language),
    data: { username: user.name },
    link: confirmationLink('reset', secrets.token),
    validSeconds: validity(confirmation),
  }
  return { confirmation, mail }
}

/** Returns a link that confirms the present address of the person. It changes nothing once there is another one. */
export function addressLink(user: User, nowMs: number, random: Random, language: LanguageTag): MailedLink {
  const { id, email } = user
  const secrets = mintConfirmation(nowMs, random)
  const details = { email, formerEmail: email }
  const about = { purpose: 'email', subject: operatorsSubject(id), userId: id, details } as const
  const confirmation = linkConfirmation(secrets, about, nowMs)
  const mail: Mail = {
    to: email,
    purpose: 'email',
    language: languageOf(user, language),
    link: confirmationLink('email', secrets.token),
    validSeconds: validity(confirmation),
  }
  return { confirmation, mail }
}

/** How long a link is good that an operator hands over. */
const recoveryMs = 24 * 3_600_000

/**
 * Returns a link, as a path, with which somebody whom an operator recognised sets a new password. `begun`, `sentBy`: as
 * of an invitation; none: at the command line.
 */
export function recoveryLink(
  user: User,
  { begun = {}, sentBy }: Pick<Invited, 'begun' | 'sentBy'>,
  nowMs: number,
  random: Random,
) {
  const secrets = mintConfirmation(nowMs, random)
  const details = { vouched: true, ...(sentBy !== undefined && { sentBy }) }
  const about = { purpose: 'reset', subject: user.id, userId: user.id, details } as const
  const confirmation: Confirmation = {
    ...linkConfirmation(secrets, about, nowMs),
    ...begun,
    expiresAtMs: nowMs + recoveryMs,
  }
  return { confirmation, path: confirmationLink('reset', secrets.token) }
}

/** Returns a link, as a path, with which the first administrator of a new installation sets it up. */
export function setUpLink(nowMs: number, random: Random) {
  const secrets = mintConfirmation(nowMs, random)
  // Each stands for itself: of several processes that start together, each prints one.
  const about = { purpose: 'setup', subject: `setup:${secrets.id}`, userId: null, details: {} } as const
  return { confirmation: linkConfirmation(secrets, about, nowMs), path: confirmationLink('setup', secrets.token) }
}

function validity({ createdAtMs, expiresAtMs }: Confirmation): number {
  return (expiresAtMs - createdAtMs) / 1000
}

function languageOf(user: User, otherwise: LanguageTag): LanguageTag {
  return lookUpLanguage([user.claims.locale ?? ''], languageTags) ?? otherwise
}

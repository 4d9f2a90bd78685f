import type { Messages } from '#messages'
import { actorOf, type Entry } from './activity-entry.ts'

export type StoryKey = keyof Messages['console']['activity']['story']

/** What a sentence names: a record, something that has no page of its own, the service, or nobody in particular. */
export type Named =
  | { kind: 'user' | 'client'; id: string }
  | { kind: 'text'; text: string }
  | { kind: 'service' | 'somebody' }

/** The sentence of an entry, and what stands in its places. */
export type Sentence = { key: StoryKey; who: Named; whom: Named; what: Named }

const somebody: Named = { kind: 'somebody' }

/** Sentences about the account of another person, by what changed. */
const changes: Readonly<Record<string, StoryKey>> = {
  locked: 'locked',
  unlocked: 'unlocked',
  password_set: 'password_set',
  password_reset: 'password_set',
  second_factor_reset: 'factor_reset',
  role_added: 'roles_changed',
  role_removed: 'roles_changed',
  roles_set: 'roles_changed',
  sessions_ended: 'sessions_ended',
}

/** Sentences about one's own account, by what changed. */
const ownChanges: Readonly<Record<string, StoryKey>> = {
  password_set: 'own_password',
  password_reset: 'own_password',
  totp_on: 'totp_on',
  totp_off: 'totp_off',
  recovery_code_used: 'recovery_code_used',
}

/** Whose subject is the person, although the service or a client is what acts. */
const ofPerson: ReadonlySet<string> = new Set(['logout_notice', 'mail_failed', 'tokens_issued'])

/** What people do with their own account: by somebody else, it is a change of the account. */
const own: ReadonlySet<string> = new Set([
  ...['passkey_added', 'passkey_removed', 'external_login_added', 'external_login_removed'],
  ...['deletion_planned', 'deletion_cancelled'],
])

/** Returns who did what to whom. An unknown kind, of another version, has the sentence `other`. */
export function sentenceOf(entry: Entry): Sentence {
  const { kind, user_id: userId, client_id: clientId } = entry
  const person: Named = userId === null ? somebody : { kind: 'user', id: userId }
  const who = ofPerson.has(kind) ? person : (doerOf(entry) ?? person)
  return { key: keyOf(entry), who, whom: person, what: whatOf(entry, clientId) }
}

function doerOf(entry: Entry): Named | undefined {
  const actor = actorOf(entry)
  if (actor === null) return undefined
  if (actor.kind !== null) return { kind: actor.kind, id: actor.id }
  return actor.id === 'service' ? { kind: 'service' } : { kind: 'text', text: actor.id }
}

function whatOf({ kind, details }: Entry, clientId: string | null): Named {
  const { name, group, claim, method, count } = details
  const named = kind === 'not_recorded' ? count : (name ?? group ?? claim)
  if (named !== undefined && named !== null) return { kind: 'text', text: String(named) }
  if (clientId !== null) return { kind: 'client', id: clientId }
  return typeof method === 'string' ? { kind: 'text', text: method } : somebody
}

function keyOf(entry: Entry): StoryKey {
  const { kind, user_id: userId, client_id: clientId, details } = entry
  const isByOther = actorOf(entry) !== null
  const change = String(details.change)
  switch (kind) {
    case 'sign_in':
      return clientId === null ? 'sign_in' : 'sign_in_to'
    case 'sign_out':
      return isByOther ? 'sessions_ended' : 'sign_out'
    case 'logout_notice':
      return details.outcome === 'given_up' ? 'logout_notice_failed' : 'logout_notice'
    case 'confirmation_asked':
      if (details.purpose === 'setup') return 'setup_asked'
      if (!isByOther) return 'confirmation_asked'
      return userId === null ? 'invited' : 'confirmation_made'
    case 'tokens_issued':
      return userId === null ? 'tokens_issued_alone' : 'tokens_issued'
    case 'refusal':
      return clientId === null ? 'refusal_unknown' : 'refusal'
    case 'user_changed':
      return isByOther ? (changes[change] ?? 'user_changed') : (ownChanges[change] ?? 'own_changed')
    case 'user_deleted':
      return isByOther ? 'user_deleted' : 'own_deleted'
    case 'client_added':
    case 'client_changed':
    case 'client_deleted':
      return isByOther ? kind : `${kind}_alone`
    default:
      if (own.has(kind) && isByOther) return 'user_changed'
      return isStory(kind) ? kind : 'other'
  }
}

const others = [
  ...(['sign_in_failed', 'second_factor_asked', 'locked_out', 'mail_failed', 'mail_retried'] as const),
  ...([
    'account_registered',
    'invitation_withdrawn',
    'invitation_sent_again',
    'mail_withdrawn',
    'branding_changed',
    'provider_accepted',
    'confirmation_failed',
    'consent_given',
    'consent_denied',
  ] as const),
  ...(['consent_revoked', 'device_started', 'device_approved', 'code_replayed', 'refresh_token_replayed'] as const),
  ...(['token_revoked', 'passkey_added', 'passkey_removed', 'external_login_added', 'external_login_removed'] as const),
  ...(['keys_created', 'keys_rotated', 'keys_imported', 'setup_changed', 'user_added', 'data_exported'] as const),
  ...(['data_imported', 'deletion_planned', 'deletion_cancelled', 'client_test_sign_in'] as const),
  ...(['registration_token_added', 'attribute_added', 'attribute_changed', 'attribute_deleted'] as const),
  ...(['role_added', 'role_changed', 'role_deleted', 'group_added', 'group_changed', 'group_deleted'] as const),
  ...(['group_member_added', 'group_member_removed', 'scope_added', 'scope_changed', 'scope_deleted'] as const),
  ...(['claim_rule_added', 'claim_rule_removed', 'database_restored', 'database_moved'] as const),
  ...(['database_reopened', 'gap_acknowledged', 'not_recorded'] as const),
] as const satisfies readonly StoryKey[]

const isStory = (kind: string): kind is (typeof others)[number] => (others as readonly string[]).includes(kind)

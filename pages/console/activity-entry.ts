import { type AuditKind, auditKinds } from '../../src/audit/kinds.ts'
import { entry } from '../texts.ts'
import { words } from './texts.ts'

/** An entry of the audit trail, as the API describes it. */
export type Entry = {
  at: string
  writer: string
  seq: number
  kind: string
  user_id: string | null
  client_id: string | null
  trace_id: string | null
  address: string | null
  details: Record<string, unknown>
  hash: string
}

/** What names records in an entry. */
export type Mention = Pick<Entry, 'user_id' | 'client_id' | 'details'>

/** Kinds to filter by. */
export const kinds = Object.keys(auditKinds)

/** In the language of the page; in English for one that the console does not know. */
export function kindInWords(kind: string): string {
  const inWords: Readonly<Record<AuditKind, string>> = words().activity.kinds
  return entry(inWords, kind, kindInEnglish(kind))
}

/** `sign_in_failed` becomes 'Sign in failed'. */
export function kindInEnglish(kind: string): string {
  const spaced = kind.replaceAll('_', ' ')
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}

/** Who did it, if that is said and is not the person that the entry is about. */
export function actorOf({
  user_id: userId,
  client_id: clientId,
  details: { actor, actor_kind: kind },
}: Mention): Actor | null {
  if (typeof actor !== 'string' || actor === userId || actor === clientId) return null
  return { id: actor, kind: kind === 'user' || kind === 'client' ? kind : null }
}

/** Null: it is no record of this service, but an account of a machine, or the service. */
export type Actor = { id: string; kind: 'user' | 'client' | null }

/** What the entry says beside its columns. */
export function detailsOf({ details }: Entry): [name: string, value: string][] {
  return Object.entries(details)
    .filter(([name, value]) => name !== 'actor' && name !== 'actor_kind' && name !== 'through' && value !== null)
    .map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : String(value)])
}

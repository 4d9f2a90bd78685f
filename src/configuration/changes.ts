/** What becomes of a record, as plans show it. */
import type { Client } from '../protocol/client/client.ts'
import type { RecordChange } from '../storage/port/configuration.ts'
import type { User } from '../users/user.ts'
import type { Kind } from './declaration.ts'
import type { Pair } from './matching.ts'
import type { Shown } from './shown.ts'

/** Client ids or user names, possibly not all, and the number of all. */
export type Losers = { readonly names: readonly string[]; readonly count: number }

export type Change = {
  readonly action: 'create' | 'update' | 'delete'
  readonly kind: Kind
  readonly id: string
  /** Null: the record is new. */
  readonly before: Shown | null
  /** Null: the record is deleted. */
  readonly after: Shown | null
  /** The changed members, secrets among them. */
  readonly members: readonly string[]
  /** Who loses the deleted scope or role without being declared. Known of a role only once the plan's impact is read. */
  readonly takenFrom?: Losers
  readonly record: RecordChange
}

export function changeOf<T extends object, K extends RecordChange['kind']>(
  kind: Kind,
  { before, after }: Pair<T>,
  idOf: (record: T) => string,
  show: (record: T) => Shown,
  noun: K,
): Change | undefined {
  const record = after ?? before
  if (record === undefined || before === after) return undefined
  const shownBefore = before === undefined ? null : show(before)
  const shownAfter = after === undefined ? null : show(after)
  const members = changedMembers(shownBefore, shownAfter)
  const secret = after && secretOf(after)
  const isSecretNew = before !== undefined && secret !== undefined && secret !== secretOf(before)
  if (isSecretNew) members.push(kind === 'users' ? 'password' : 'client_secret')
  if (members.length === 0) return undefined
  const action = before === undefined ? 'create' : after === undefined ? 'delete' : 'update'
  const change = { kind: noun, before, after } as unknown as RecordChange
  return { action, kind, id: idOf(record), before: shownBefore, after: shownAfter, members, record: change }
}

/** Returns the hash of the record's secret; undefined: it has none. Compared, never shown. */
function secretOf(record: object): string | undefined {
  const { authentication, passwordHash } = record as Partial<Client & User>
  return authentication?.method === 'client_secret' ? authentication.secretHash : (passwordHash ?? undefined)
}

function changedMembers(before: Shown | null, after: Shown | null): string[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return names.filter((name) => JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]))
}

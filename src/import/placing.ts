/** The roles, groups and consents with which a person comes. */
import { uuidv7 } from '../secrets/opaque.ts'
import type { ImportedPerson } from '../storage/port/imports.ts'
import type { ImportRules } from '../users/imported-person.ts'
import { roleProblems } from '../users/roles.ts'
import { commandOf } from './commands.ts'
import type { Note, SourceConsent } from './source.ts'

type Minting = { readonly nowMs: number; readonly random: (bytes: number) => Uint8Array }

/** Returns the record without the roles that cannot be given: they must not keep a person from signing in. */
export function withRoles(record: Readonly<Record<string, unknown>>, rules: Pick<ImportRules, 'roleFault'>) {
  const { roles } = record
  if (!Array.isArray(roles)) return { given: record, notes: [] }
  const notes: Note[] = []
  const isGiven = (role: unknown) => {
    if (typeof role !== 'string') return true
    const barred = rules.roleFault(role)
    const [unfit] = roleProblems([role])
    const reason = barred === undefined ? unfit?.message : `The role ${role} ${barred}.`
    if (reason === undefined) return true
    const command = barred === undefined ? {} : commandOf('user add-role', record.username, role)
    notes.push({ member: 'roles', severity: 'lost', reason, ...command })
    return false
  }
  return { given: { ...record, roles: roles.filter(isGiven) }, notes }
}

/** Consents that the person gave there. */
export function consentsOf(
  userId: string,
  given: unknown,
  { nowMs, random }: Minting,
): Pick<ImportedPerson, 'consents'> {
  const all = Array.isArray(given) ? (given as readonly SourceConsent[]) : []
  const consents = all.map(({ clientId, scopes }) => ({
    ...{ id: uuidv7(nowMs, random), userId, clientId, createdAtMs: nowMs },
    scopes: [...new Set(scopes)].sort(),
  }))
  return consents.length > 0 ? { consents } : {}
}

/**
 * Returns the groups at these paths, and what is to be said of those that are not there, or whose roles no file may give. `barredIn`:
 * returns such a role of the group.
 */
export async function groupsOf(
  paths: unknown,
  groupAt: (path: string) => Promise<string | undefined>,
  barredIn: (groupId: string) => Promise<string | undefined>,
) {
  const all: readonly unknown[] = Array.isArray(paths) ? paths : []
  const found = await Promise.all(all.map((path) => groupAt(String(path))))
  const barred = await Promise.all(found.map((id) => (id === undefined ? undefined : barredIn(id))))
  const ids = found.filter((id, at) => id !== undefined && barred[at] === undefined) as string[]
  const notes = all.flatMap((path, at): Note[] => {
    if (found[at] === undefined) return [{ member: 'groups', severity: 'lost', reason: `There is no group ${path}.` }]
    if (barred[at] === undefined) return []
    const reason = `The group ${path} gives the role ${barred[at]}, which comes in with --allow-admin only.`
    return [{ member: 'groups', severity: 'lost', reason }]
  })
  return { of: ids.length > 0 ? { groupIds: [...new Set(ids)] } : {}, notes }
}

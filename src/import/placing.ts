/** The roles, groups and consents with which a person comes. */
import { handedOver, type ScopeRules } from '../protocol/claims/known-rules.ts'
import { uuidv7 } from '../secrets/opaque.ts'
import type { ImportedPerson } from '../storage/port/imports.ts'
import type { Storage } from '../storage/port/storage.ts'
import { appsLeftOut, formText } from '../users/imported-factors.ts'
import type { ImportedRecord, ImportRules } from '../users/imported-person.ts'
import { roleProblems, rolesAtMost, sortedSet } from '../users/roles.ts'
import type { User } from '../users/user.ts'
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
  const all = roles.filter(isGiven)
  if (!all.every((role) => typeof role === 'string')) return { given: { ...record, roles: all }, notes }
  const sorted = sortedSet(all)
  const beyond = sorted.slice(rolesAtMost)
  if (beyond.length > 0) {
    const reason = `${record.username} has at most ${rolesAtMost} roles here, and comes without ${beyond.join(', ')}.`
    notes.push({ member: 'roles', severity: 'lost', reason })
  }
  return { given: { ...record, roles: sorted.slice(0, rolesAtMost) }, notes }
}

/** Consents that the person gave there, to what rules of the scopes hand over too. `ruled`: the scopes with rules. */
export function consentsOf(
  userId: string,
  given: unknown,
  { nowMs, random }: Minting,
  ruled: ReadonlyMap<string, Pick<ScopeRules, 'claims'>>,
): Pick<ImportedPerson, 'consents'> {
  const all = Array.isArray(given) ? (given as readonly SourceConsent[]) : []
  const consents = all.map(({ clientId, scopes }) => {
    const claims = handedOver(scopes.flatMap((scope) => ruled.get(scope)?.claims ?? []))
    return {
      ...{ id: uuidv7(nowMs, random), userId, clientId, createdAtMs: nowMs },
      scopes: [...new Set(scopes)].sort(),
      ...(claims.length > 0 && { claims }),
    }
  })
  return consents.length > 0 ? { consents } : {}
}

/**
 * Returns the groups at these paths, and what is to be said of the others. A group gives its roles to its members, so that one that
 * gives a role which a file may not give has no members by a file either. `faultOf`: why nobody may be in a group, as the end of a
 * sentence; undefined: people may.
 */
export async function groupsOf(
  paths: unknown,
  groupAt: (path: string) => Promise<string | undefined>,
  faultOf: (id: string) => Promise<string | undefined>,
) {
  const all: readonly unknown[] = Array.isArray(paths) ? paths : []
  const ids: string[] = []
  const notes: Note[] = []
  for (const path of all) {
    const id = await groupAt(String(path))
    const fault = id === undefined ? undefined : await faultOf(id)
    if (id !== undefined && fault === undefined) ids.push(id)
    else {
      const reason = fault === undefined ? `There is no group ${path}.` : `The group ${path} ${fault}.`
      notes.push({ member: 'groups', severity: 'lost', reason })
    }
  }
  return { of: ids.length > 0 ? { groupIds: [...new Set(ids)] } : {}, notes }
}

/** Returns what tells why nobody may be in a group by a file, for each group once. */
export function groupFaults(storage: Pick<Storage, 'catalogue'>, { roleFault }: Pick<ImportRules, 'roleFault'>) {
  const known = new Map<string, Promise<string | undefined>>()

  async function read(id: string): Promise<string | undefined> {
    const { rolesOf } = await storage.catalogue.now()
    const barred = rolesOf({ roles: [], groupIds: [id] }).find((role) => roleFault(role) !== undefined)
    return barred && `gives the role ${barred}, which ${roleFault(barred)}`
  }

  return (id: string): Promise<string | undefined> => {
    const fault = known.get(id) ?? read(id)
    known.set(id, fault)
    return fault
  }
}

/** What is said of authenticator apps that have the secret of another one, and other codes. */
export function appNotes(source: ImportedRecord): readonly Note[] {
  return appsLeftOut(source).map((app) => {
    const called = app.name === undefined ? '' : ` "${app.name}"`
    const reason = `An authenticator app${called} of ${source.username} has the secret of another one for other codes (${formText(app)}), and does not come: its codes are refused. The person sets up the app anew.`
    return { member: 'authenticator_apps', severity: 'lost', reason }
  })
}

export function lockNote({ name }: User): Note {
  const reason = `${name} was locked here, and stays so.`
  return { member: 'locked_until', severity: 'held', reason, ...commandOf('user unlock', name) }
}

/** What is said of a user name that loses its ends. */
export function blankNotes({ username }: ImportedRecord): Note[] {
  if (username === username.trim()) return []
  const reason = `${username.trim()}: The user name has blanks at its ends, which a sign-in does not send, and comes without them.`
  return [{ member: 'username', severity: 'changed', reason }]
}

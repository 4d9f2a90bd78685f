/** Makes the roles and groups of another system, by the rules of `role add` and `group add`. */

import type { AuditDetails, AuditEvent, AuditKind } from '../audit/entry.ts'
import { clientPartOf } from '../protocol/claims/client-roles.ts'
import { builtInRoles } from '../protocol/scope/admin-scopes.ts'
import { uuidv7 } from '../secrets/opaque.ts'
import type { Storage } from '../storage/port/storage.ts'
import { changeGroup, type DecidedGroup, findGroup, makeGroup } from '../users/group-changes.ts'
import type { Group } from '../users/groups.ts'
import { changeRole, groupProblems, ruleOf } from '../users/role-changes.ts'
import type { Role } from '../users/roles.ts'
import { type OnConflict, type RegistrationOutcome, type SourceGroup, type SourceRole, sentence } from './source.ts'

export type RolesAndGroupsContext = {
  readonly storage: Pick<Storage, 'roles' | 'groups' | 'catalogue' | 'clients'>
  readonly onConflict: OnConflict
  readonly isDryRun: boolean
  readonly allowAdmin: boolean
  readonly nowMs: number
  readonly random: (bytes: number) => Uint8Array
  readonly event: (kind: AuditKind, parties: Record<never, never>, details: AuditDetails) => AuditEvent
}

/** `hasClient`: whether a dry run saw the client before, which it did not store. */
export function rolesAndGroups(context: RolesAndGroupsContext, hasClient: (id: string) => boolean) {
  const { storage, onConflict, isDryRun, nowMs, event } = context
  const guarded = context.allowAdmin ? [] : builtInRoles
  /** Of a dry run, which stores none. */
  const roles = new Map<string, Role>()
  const groups = new Map<string, Group>()
  /** Ids by path, of this import and of those that are stored. */
  const ids = new Map<string, string>()

  async function role({ name, description, includes, isDefault }: SourceRole): Promise<RegistrationOutcome> {
    if (builtInRoles.includes(name)) {
      return { fault: `The role ${name} gives rights over Latchkey itself, and is not made of one of another system.` }
    }
    const stored = await storage.roles.find(name)
    const owner = clientPartOf(name)
    const isOfClient = owner !== undefined && ((await storage.clients.find(owner)) !== undefined || hasClient(owner))
    if (owner !== undefined && !isOfClient)
      return { fault: `The role ${name} is of the application ${owner}, which is not there.` }
    const isNew = stored === undefined
    const asked = { name, members: { description, includes, isDefault }, isNew, guarded, nowMs }
    const known = new Map([...(await storage.roles.list()).map((one) => [one.name, one] as const), ...roles])
    const judged = changeRole(asked, { roles: known, leaving: new Set() })
    if (judged.problems !== undefined) return { fault: sentence(judged.problems) }
    if (judged.changes === undefined) return { done: 'skipped' }
    if (!isNew && onConflict === 'fail') return { fault: `There is a role called ${name} already.`, isThere: true }
    if (!isNew && onConflict === 'skip') return { done: 'skipped' }
    if (isDryRun) for (const one of judged.changes) roles.set(one.name, one)
    else {
      const kind = isNew ? 'role_added' : 'role_changed'
      const { problems, refused } = await storage.roles.change(
        (now) => changeRole(asked, now),
        [event(kind, {}, { name })],
        isNew ? owner : undefined,
      )
      if (problems !== undefined) return { fault: sentence(problems) }
      if (refused !== undefined) return { fault: `The role ${name} was added or deleted by somebody else meanwhile.` }
    }
    return { done: isNew ? 'created' : 'updated' }
  }

  async function group({ path, name, parent, description, roles: given }: SourceGroup): Promise<RegistrationOutcome> {
    const { known } = await storage.groups.all()
    const { roles: rules } = await storage.catalogue.now()
    const withSeen = new Map([...known, ...groups])
    const at = findGroup(path, withSeen)
    const allRules = new Map([...rules, ...[...roles.values()].map((one) => [one.name, ruleOf(one)] as const)])
    const start = { id: uuidv7(nowMs, context.random), createdAtMs: nowMs }
    const decide = (all: ReadonlyMap<string, Group>): DecidedGroup => {
      const members = { description, roles: given }
      const decided =
        at === undefined ? makeGroup({ name, parent, ...members }, start, all) : changeGroup(at.id, () => members, all)
      if (decided.group === undefined || decided.changes === undefined) return decided
      const after = new Map(all).set(decided.group.id, decided.group)
      const problems = groupProblems(decided.group.id, all, after, allRules, guarded)
      return problems.length > 0 ? { problems } : decided
    }
    const judged = decide(withSeen)
    if (judged.problems !== undefined) return { fault: sentence(judged.problems) }
    if (judged.group === undefined) return { fault: `The group ${path} could not be made.` }
    ids.set(path, judged.group.id)
    if (judged.changes === undefined) return { done: 'skipped' }
    if (at !== undefined && onConflict === 'fail') return { fault: `There is a group ${path} already.`, isThere: true }
    if (at !== undefined && onConflict === 'skip') return { done: 'skipped' }
    if (isDryRun) groups.set(judged.group.id, judged.group)
    else {
      const kind = at === undefined ? 'group_added' : 'group_changed'
      const { problems, refused } = await storage.groups.change(decide, [event(kind, {}, { group: path })])
      if (problems !== undefined) return { fault: sentence(problems) }
      if (refused !== undefined) return { fault: `The group ${path} was changed by somebody else meanwhile.` }
    }
    return { done: at === undefined ? 'created' : 'updated' }
  }

  return {
    register: (
      record: { readonly role: SourceRole } | { readonly group: SourceGroup },
    ): Promise<RegistrationOutcome> => ('role' in record ? role(record.role) : group(record.group)),
    /** Returns the id of the group at the path; undefined: there is none. */
    async groupAt(path: string): Promise<string | undefined> {
      const known = ids.get(path)
      if (known !== undefined) return known
      const found = findGroup(path, (await storage.groups.all()).known)?.id
      if (found !== undefined) ids.set(path, found)
      return found
    },
  }
}

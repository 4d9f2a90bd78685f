/** Applies configuration as a whole, and counts what it ends. */
import type { AuditEvents } from '../../audit/entry.ts'
import { administratorRole } from '../../protocol/scope/admin-scopes.ts'
import type { RoleSources } from '../../users/effective-roles.ts'
import { ruleOf } from '../../users/role-changes.ts'
import { normalizeName, type User } from '../../users/user.ts'
import type { Engine } from '../engine.ts'
import type { Catalogue } from '../port/catalogue.ts'
import type { Affected, Ending, RecordChange, Removal } from '../port/configuration.ts'
import type { KeepingAdministrators } from './administrators.ts'
import { affectedBy } from './affected.ts'
import { requireValues } from './attribute-values.ts'
import { brandStatement } from './branding.ts'
import { raisedFrom } from './catalogue.ts'
import { isSameOfRules, ruledStatements } from './claim-rules.ts'
import { deletionOf } from './deletions.ts'
import { groupStatements } from './group-rows.ts'
import { mustChange, type Placeholders, prepare } from './prepared.ts'
import type { RemoveSoon } from './removals.ts'
import { roleStatements } from './roles.ts'
import { takenFromAccounts } from './service-accounts.ts'
import type { Statement } from './statement.ts'
import { addressStatements, endStatements } from './user-ends.ts'
import { keyStatements, newUserStatements } from './user-keys.ts'
import { renameStatement } from './user-names.ts'
import { fromNewUser } from './user-row.ts'

export function sqlConfiguration(
  engine: Engine,
  catalogue: { readonly now: () => Promise<Catalogue> },
  keeping: KeepingAdministrators,
  removeSoon: RemoveSoon,
) {
  return {
    /** Returns what is valid at `nowMs` and would end. Reads whole tables, which is acceptable for an operator's command. */
    affected: (ending: Ending, nowMs: number): Promise<Affected> => affectedBy(engine, ending, nowMs),

    /**
     * Applies all changes in one commit, each on exactly the record that it was decided on. Returns false, and changes
     * nothing, if one of the records is another by now, or if a new name or address is taken. Rejects with
     * `LastAdministrator` if nobody could administer the service afterwards who could before. A deleted scope or role is taken
     * from everybody who has it, and a group is deleted only if nobody is in it. `catalogueVersion`: what roles include, attributes and rules of claims were decided on it; the same
     * holds for it.
     */
    async apply(
      changes: readonly RecordChange[],
      nowMs: number,
      events?: AuditEvents,
      catalogueVersion?: number,
    ): Promise<boolean> {
      const isOfCatalogue = catalogueVersion !== undefined && changes.some(changesCatalogue)
      const statements: Statement[] = isOfCatalogue ? [raisedFrom(catalogueVersion)] : []
      // People who are deleted leave their addresses to others. A scope or role that is deleted is taken from records that
      // the same commit may change.
      const rank = ({ kind, after }: RecordChange) =>
        after !== undefined || kind === 'client' ? 1 : kind === 'user' ? 0 : 2
      const ordered = [...changes].sort((a, b) => rank(a) - rank(b))
      const vacated = vacatedAddresses(changes)
      for (const change of ordered.filter((one) => rank(one) === 0)) {
        statements.push(...(await statementsOf(change, nowMs)))
      }
      statements.push(...vacated)
      for (const change of ordered.filter((one) => rank(one) > 0)) {
        statements.push(...(await statementsOf(change, nowMs)))
      }
      statements.push(...(await takenFromAccounts(engine, deletedRoles(changes), changedClients(changes))))
      // Takes the role from everybody, also from those whom the changes do not name.
      const { version, ...known } = await catalogue.now()
      const people = changes.filter(({ kind }) => kind === 'user') as readonly Extract<RecordChange, { kind: 'user' }>[]
      const kept = await keeping.ofAll(people, known, sourcesAfter(known, changes), changes.some(deletesAdministration))
      const raised = kept.last.length > 0 && !isOfCatalogue ? [raisedFrom(version)] : []
      const { applied } = await engine.commit([...raised, ...statements, ...kept.last], events)
      if (applied) await removeSoon(removalsOf(changes))
      else await kept.requireOther()
      for (const { kind, before, after } of applied ? [] : changes) {
        if (kind === 'user' && after !== undefined) await requireValues(engine, before, after)
      }
      return applied
    },
  }
}

function changesCatalogue(change: RecordChange): boolean {
  if (change.kind !== 'client') return change.kind !== 'user' && change.kind !== 'brand'
  // What is deleted with a client is decided on all roles.
  return change.after === undefined || !isSameOfRules(change.before, change.after)
}

/** No address has a space. */
const vacate = prepare('configuration.vacate', (db, p: Placeholders<{ id: string; version: number; vacant: string }>) =>
  db.updateTable('users').set({ normalized_email: p.vacant }).where('id', '=', p.id).where('version', '=', p.version),
)

/** Returns statements that free the addresses which people of the same commit pass on to one another. */
function vacatedAddresses(changes: readonly RecordChange[]): Statement[] {
  const people = changes.filter((change) => change.kind === 'user')
  const names = ({ name, email }: User) => [normalizeName(name), normalizeName(email)]
  return people.flatMap(({ before, after }) => {
    if (before === undefined || after === undefined) return []
    const address = normalizeName(before.email)
    const isPassedOn = people.some(
      (other) => other.after && other.after !== after && names(other.after).includes(address),
    )
    if (!isPassedOn || normalizeName(after.email) === address) return []
    return [mustChange(vacate({ id: before.id, version: before.version, vacant: `vacant ${before.id}` }))]
  })
}

/** What the changes delete, whose rows follow. */
function removalsOf(changes: readonly RecordChange[]): Removal[] {
  return changes.flatMap(({ kind, before, after }) => {
    if (kind === 'user' || kind === 'resource' || kind === 'brand' || before === undefined || after !== undefined)
      return []
    return [{ kind, name: kind === 'client' || kind === 'group' ? before.id : before.name }]
  })
}

const deletedRoles = (changes: readonly RecordChange[]): readonly string[] =>
  changes.flatMap(({ kind, before, after }) =>
    kind === 'role' && before !== undefined && after === undefined ? [before.name] : [],
  )

const changedClients = (changes: readonly RecordChange[]): ReadonlySet<string> =>
  new Set(changes.flatMap(({ kind, before }) => (kind === 'client' && before !== undefined ? [before.id] : [])))

/** What gives roles, as the changes leave it. */
function sourcesAfter(known: RoleSources, changes: readonly RecordChange[]): RoleSources {
  const [rules, groups] = [new Map(known.roles), new Map(known.groups)]
  for (const { kind, before, after } of changes) {
    if (kind === 'role') {
      if (before !== undefined) rules.delete(before.name)
      if (after !== undefined) rules.set(after.name, ruleOf(after))
    } else if (kind === 'group') {
      if (before !== undefined) groups.delete(before.id)
      if (after !== undefined) groups.set(after.id, after)
    }
  }
  return { groups, roles: rules }
}

function deletesAdministration({ kind, before, after }: RecordChange): boolean {
  return kind === 'role' && after === undefined && before?.name === administratorRole
}

async function statementsOf(change: RecordChange, nowMs: number): Promise<readonly Statement[]> {
  switch (change.kind) {
    case 'attribute':
    case 'scope':
    case 'resource':
    case 'client':
      return ruledStatements(change)
    case 'role':
      return roleStatements(change.before, change.after, nowMs)
    case 'group':
      return groupStatements(change.before, change.after)
    case 'brand':
      return change.after === undefined
        ? []
        : [brandStatement(change.before ?? { version: 0 }, change.after.members, nowMs)]
    case 'user': {
      const { before, after } = change
      if (after === undefined) return before === undefined ? [] : deletionOf(before.id)
      if (before === undefined) {
        return newUserStatements(await fromNewUser(after), after)
      }
      const next = { ...after, id: before.id, version: before.version + 1 }
      const { statement } = await renameStatement(before, next)
      const following = [...keyStatements(before, next), ...addressStatements(before, next)]
      return [statement, ...following, ...endStatements(before, next)]
    }
  }
}

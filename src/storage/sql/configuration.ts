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
import { requireValues } from './attribute-values.ts'
import { attributeStatements } from './attributes.ts'
import { raisedFrom } from './catalogue.ts'
import { isSameOfRules } from './claim-rules.ts'
import { clientStatements } from './clients.ts'
import { deletionOf } from './deletions.ts'
import { living } from './dependents.ts'
import { mustChange, type Placeholders, prepare } from './prepared.ts'
import type { RemoveSoon } from './removals.ts'
import { resourceStatements } from './resources.ts'
import { roleStatements } from './roles.ts'
import { scopeStatements } from './scopes.ts'
import type { Statement } from './statement.ts'
import { textToList } from './tables.ts'
import { addressStatements, endStatements } from './user-ends.ts'
import { keyStatements, newUserStatements } from './user-keys.ts'
import { renameStatement } from './user-names.ts'
import { fromNewUser } from './user-row.ts'

type Owned = { readonly id: string; readonly user_id: string }

const consentsOfClient = prepare('configuration.consentsOfClient', (db, p: Placeholders<{ id: string }>) =>
  db.selectFrom('authorizations').select(['id', 'user_id', 'scopes']).where('client_id', '=', p.id),
)
const grantsOfClient = prepare('configuration.grantsOfClient', (db, p: Placeholders<{ id: string; now_ms: number }>) =>
  db
    .selectFrom('grants')
    .select(['id', 'user_id'])
    .where('client_id', '=', p.id)
    .where((eb) => living(eb, p)),
)
const consentsWith = prepare('configuration.consentsWith', (db, p: Placeholders<{ named: string }>, { sql }) =>
  db
    .selectFrom('authorizations')
    .select(['id', 'user_id'])
    .where(sql<boolean>`replace(scopes, ${p.named}, '') <> scopes`),
)
const grantsWith = prepare(
  'configuration.grantsWith',
  (db, p: Placeholders<{ named: string; now_ms: number }>, { sql }) =>
    db
      .selectFrom('grants')
      .select(['id', 'user_id'])
      .where(sql<boolean>`replace(scopes, ${p.named}, '') <> scopes`)
      .where((eb) => living(eb, p)),
)
const sessionsOfUser = prepare('configuration.sessionsOfUser', (db, p: Placeholders<{ id: string; now_ms: number }>) =>
  db.selectFrom('sessions').select(['id', 'user_id']).where('user_id', '=', p.id).where('expires_at_ms', '>', p.now_ms),
)
const consentsOfUser = prepare('configuration.consentsOfUser', (db, p: Placeholders<{ id: string }>) =>
  db.selectFrom('authorizations').select(['id', 'user_id']).where('user_id', '=', p.id),
)
const grantsOfUser = prepare('configuration.grantsOfUser', (db, p: Placeholders<{ id: string; now_ms: number }>) =>
  db
    .selectFrom('grants')
    .select(['id', 'user_id'])
    .where('user_id', '=', p.id)
    .where((eb) => living(eb, p)),
)

export function sqlConfiguration(
  engine: Engine,
  catalogue: { readonly now: () => Promise<Catalogue> },
  keeping: KeepingAdministrators,
  removeSoon: RemoveSoon,
) {
  return {
    /** Returns what is valid at `nowMs` and would end. Reads whole tables, which is acceptable for an operator's command. */
    async affected(ending: Ending, nowMs: number): Promise<Affected> {
      if (ending.of === 'role') {
        const found = await engine.read(holders({ named: JSON.stringify(ending.name) }))
        return { consents: [], grants: [], sessions: [], people: found.map(({ id }) => id) }
      }
      const [consents, grants, sessions] = await Promise.all(reads(engine, ending, nowMs))
      const ids = (rows: readonly Owned[] = []) => rows.map(({ id }) => id)
      const people = [consents, grants, sessions].flatMap((rows = []) => rows.map((row) => row.user_id))
      return { consents: ids(consents), grants: ids(grants), sessions: ids(sessions), people: [...new Set(people)] }
    },

    /**
     * Applies all changes in one commit, each on exactly the record that it was decided on. Returns false, and changes
     * nothing, if one of the records is another by now, or if a new name or address is taken. Rejects with
     * `LastAdministrator` if nobody could administer the service afterwards who could before. A deleted scope or role is taken
     * from everybody who has it. `catalogueVersion`: what roles include, attributes and rules of claims were decided on it; the same
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
  return change.kind === 'client' ? !isSameOfRules(change.before, change.after) : change.kind !== 'user'
}

const holders = prepare('configuration.holders', (db, p: Placeholders<{ named: string }>, { sql }) =>
  db.selectFrom('users').select(['id', 'id as user_id']).where(sql<boolean>`replace(roles, ${p.named}, '') <> roles`),
)

function reads(engine: Engine, ending: Exclude<Ending, { of: 'role' }>, nowMs: number): Promise<readonly Owned[]>[] {
  const none = Promise.resolve([])
  switch (ending.of) {
    case 'client': {
      const { id, consents, grants } = ending
      const found = engine
        .read(consentsOfClient({ id }))
        .then((rows) =>
          consents === 'all'
            ? rows
            : rows.filter((row) => textToList(row.scopes).some((one) => consents.includes(one))),
        )
      return [found, grants ? engine.read(grantsOfClient({ id, now_ms: nowMs })) : none, none]
    }
    case 'scope': {
      // Scope names contain neither quotes nor backslashes, so the quoted name matches exactly.
      const named = JSON.stringify(ending.name)
      return [engine.read(consentsWith({ named })), engine.read(grantsWith({ named, now_ms: nowMs })), none]
    }
    case 'user': {
      const { id, isDeleted } = ending
      const sessions = engine.read(sessionsOfUser({ id, now_ms: nowMs }))
      if (!isDeleted) return [none, none, sessions]
      return [engine.read(consentsOfUser({ id })), engine.read(grantsOfUser({ id, now_ms: nowMs })), sessions]
    }
  }
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
    if (kind === 'user' || kind === 'resource' || before === undefined || after !== undefined) return []
    return [{ kind, name: kind === 'client' ? before.id : before.name }]
  })
}

/** What gives roles, as the changes leave it. */
function sourcesAfter({ groups, roles }: RoleSources, changes: readonly RecordChange[]): RoleSources {
  const rules = new Map(roles)
  for (const { kind, before, after } of changes) {
    if (kind !== 'role') continue
    if (before !== undefined) rules.delete(before.name)
    if (after !== undefined) rules.set(after.name, ruleOf(after))
  }
  return { groups, roles: rules }
}

function deletesAdministration({ kind, before, after }: RecordChange): boolean {
  return kind === 'role' && after === undefined && before?.name === administratorRole
}

async function statementsOf(change: RecordChange, nowMs: number): Promise<readonly Statement[]> {
  switch (change.kind) {
    case 'attribute':
      return attributeStatements(
        (change.after ?? change.before)?.name ?? '',
        change.before,
        change.after,
        change.checked,
      )
    case 'scope':
      return scopeStatements(change.before, change.after)
    case 'resource':
      return resourceStatements(change.before, change.after)
    case 'role':
      return roleStatements(change.before, change.after, nowMs)
    case 'client':
      return clientStatements(change.before, change.after)
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

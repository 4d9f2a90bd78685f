/** Registered scopes. */

import type { AuditEvents } from '../../audit/entry.ts'
import type { ScopeRules } from '../../protocol/claims/known-rules.ts'
import type { Scope } from '../../protocol/scope/scope.ts'
import { rememberedText } from '../../users/remembered.ts'
import type { Engine } from '../engine.ts'
import { raised } from './catalogue.ts'
import { scopeDependents } from './dependents.ts'
import { mustChange, type Placeholders, pick, prepare, selected, type Tools } from './prepared.ts'
import { isFree, type RemoveSoon, removalOf } from './removals.ts'
import type { Statement } from './statement.ts'
import { columns, listToText, type Prefixed, prefixed, type ScopesTable, textToList } from './tables.ts'

export type ScopeRow = Prefixed<'sc', ScopesTable>
export const scopeColumns = prefixed('scopes', 'sc', columns.scopes)

const byNames = prepare('scopes.byNames', (db, p: Placeholders<{ names: string }>, { isOneOf }) =>
  db.selectFrom('scopes').select(scopeColumns).where(isOneOf('name', p.names)),
)
const all = prepare('scopes.all', (db, _: Placeholders<Record<never, never>>) =>
  db.selectFrom('scopes').select(scopeColumns),
)
const ruled = prepare('scopes.ruled', (db, _: Placeholders<Record<never, never>>) =>
  db
    .selectFrom('scopes')
    .select(scopeColumns)
    .where((eb) => eb.or([eb('claims', 'is not', null), eb('access_token_type', 'is not', null)])),
)
const insertScope = prepare('scopes.insertScope', (db, p: Placeholders<ScopesTable>, { sql }) =>
  db
    .insertInto('scopes')
    .columns(columns.scopes)
    .expression(db.selectNoFrom(selected(p, columns.scopes)).where(isFree('scope', sql, p.name)))
    .onConflict((conflict) => conflict.doNothing()),
)
const deleteScope = prepare('scopes.deleteScope', (db, p: Placeholders<{ name: string }>) =>
  db.deleteFrom('scopes').where('name', '=', p.name),
)

/** A scope has no version: what was read is the condition. */
type ScopeUpdate = ScopesTable & {
  was_display_name: string | null
  was_description: string | null
  was_resources: string
  was_created_at_ms: number
  was_claims: string | null
  was_purposes: string | null
  was_localized: string | null
  was_access_token_type: string | null
}
const updateScope = prepare('scopes.updateScope', (db, p: Placeholders<ScopeUpdate>) =>
  db
    .updateTable('scopes')
    .set(pick(p, ['display_name', 'description', 'resources', 'claims', 'purposes', 'localized', 'access_token_type']))
    .where('name', '=', p.name)
    .where('display_name', 'is not distinct from', p.was_display_name)
    .where('description', 'is not distinct from', p.was_description)
    .where('resources', '=', p.was_resources)
    .where('created_at_ms', '=', p.was_created_at_ms)
    .where('claims', 'is not distinct from', p.was_claims)
    .where('purposes', 'is not distinct from', p.was_purposes)
    .where('localized', 'is not distinct from', p.was_localized)
    .where('access_token_type', 'is not distinct from', p.was_access_token_type),
)

const deleteAs = prepare('scopes.deleteAs', (db, p: Placeholders<Omit<ScopesTable, 'created_at_ms'>>) =>
  db
    .deleteFrom('scopes')
    .where('name', '=', p.name)
    .where('display_name', 'is not distinct from', p.display_name)
    .where('description', 'is not distinct from', p.description)
    .where('resources', '=', p.resources)
    .where('claims', 'is not distinct from', p.claims)
    .where('purposes', 'is not distinct from', p.purposes)
    .where('localized', 'is not distinct from', p.localized)
    .where('access_token_type', 'is not distinct from', p.access_token_type),
)

/** `named`: the scope as quoted in a stored list. Its name contains neither quotes nor backslashes. */
type Taken = { named: string; followed: string; preceded: string }
const takenFrom = ({ named, followed, preceded }: Placeholders<Taken>, sql: Tools['sql']) =>
  sql<string>`replace(replace(replace(scopes, ${followed}, ''), ${preceded}, ''), ${named}, '')`
const has = ({ named }: Placeholders<Taken>, sql: Tools['sql']) => sql<boolean>`replace(scopes, ${named}, '') <> scopes`

const takeFromClients = prepare('scopes.takeFromClients', (db, p: Placeholders<Taken>, { sql }) =>
  db
    .updateTable('clients')
    .set({ scopes: takenFrom(p, sql), version: sql<number>`version + 1` })
    .where(has(p, sql)),
)
export function sqlScopes(engine: Engine, removeSoon: RemoveSoon) {
  return {
    /** Returns the registered scopes among `names`, in no particular order. */
    async findMany(names: readonly string[]): Promise<Scope[]> {
      // Anything may have been asked for. PostgreSQL reads no list with such a text.
      const storable = names.filter((name) => name.isWellFormed() && !name.includes('\0'))
      return storable.length === 0 ? [] : (await engine.read(byNames({ names: listToText(storable) }))).map(toScope)
    },
    /** Ascending by name. */
    async list(): Promise<Scope[]> {
      // Sorted here, because collations differ between databases.
      return (await readScopes(engine)).sort((a, b) => (a.name < b.name ? -1 : 1))
    },
    /** Returns false if the name is taken. */
    async create(scope: Scope, events?: AuditEvents): Promise<boolean> {
      return (await engine.commit(scopeStatements(undefined, scope), events)).applied
    },
    /**
     * Returns who uses the scope: ids of the clients that may request it, ascending, and the number of consents and
     * grants valid at `nowMs`.
     */
    dependents: (
      name: string,
      nowMs: number,
    ): Promise<{ readonly clients: readonly string[]; readonly consents: number; readonly grants: number }> =>
      scopeDependents(engine, name, nowMs),
    /**
     * Runs `decide` on the stored scope and commits its result if the scope is still the same. Retries after a concurrent
     * change, so `decide` must be pure. Changes nothing if `decide` returns `undefined`. Resolves to the current scope;
     * undefined: there is none.
     */
    async update(
      name: string,
      decide: (scope: Scope) => Scope | undefined,
      events?: AuditEvents,
    ): Promise<Scope | undefined> {
      for (;;) {
        const [row] = await engine.read(byNames({ names: listToText([name]) }))
        const scope = row && toScope(row)
        const next = scope && decide(scope)
        if (!row || !scope || !next) return scope
        if ((await engine.commit(scopeStatements(scope, next), events)).applied) return next
      }
    },
    /**
     * Deletes the scope, and takes it from the clients that may request it, from consents and from grants. Consents that
     * had it no longer answer any request. Returns false if the scope is no longer as given.
     */
    async deleteEverywhere(scope: Scope, events?: AuditEvents): Promise<boolean> {
      const { applied } = await engine.commit(deletionOf(scope), events)
      if (applied) await removeSoon([{ kind: 'scope', name: scope.name }])
      return applied
    },
    async delete(name: string, events?: AuditEvents): Promise<boolean> {
      return (await engine.commit([mustChange(deleteScope({ name })), raised()], events)).applied
    },
  }
}

/** In no order. */
export const readScopes = async (engine: Engine): Promise<Scope[]> => (await engine.read(all({}))).map(toScope)

/** By name: those with rules or a type of access tokens. */
export async function readScopeRules(engine: Engine): Promise<ReadonlyMap<string, ScopeRules>> {
  return new Map((await engine.read(ruled({}))).map(toScope).map((scope) => [scope.name, scope]))
}

/**
 * Returns the commit that deletes the scope, if it is still the same, and takes it from the clients. `removeSoon` takes it from
 * grants and consents.
 */
function deletionOf(scope: Scope): Statement[] {
  const { created_at_ms: _, ...as } = toRow(scope)
  const named = JSON.stringify(scope.name)
  const taken = { named, followed: `${named},`, preceded: `,${named}` }
  const kept = isKept(scope) ? [raised()] : []
  return [mustChange(deleteAs(as)), ...kept, takeFromClients(taken), removalOf({ kind: 'scope', name: scope.name })]
}

/** Returns the commit that makes `before` to `after`, if it is still the same. Absent: the scope is new, or deleted. */
export function scopeStatements(before: Scope | undefined, after: Scope | undefined): readonly Statement[] {
  if (after === undefined) return before === undefined ? [] : deletionOf(before)
  // What every process keeps of scopes is read again.
  const rules = isKept(before) || isKept(after) ? [raised()] : []
  if (before === undefined) return [additionOf(after), ...rules]
  const was = toRow(before)
  const update = updateScope({
    ...toRow({ ...after, name: before.name, createdAtMs: before.createdAtMs }),
    was_display_name: was.display_name,
    was_description: was.description,
    was_resources: was.resources,
    was_created_at_ms: was.created_at_ms,
    was_claims: was.claims,
    was_purposes: was.purposes,
    was_localized: was.localized,
    was_access_token_type: was.access_token_type,
  })
  return [mustChange(update), ...rules]
}

/** Returns the statement that stores a new scope. Does not raise the version of the catalogue. */
export const additionOf = (scope: Scope): Statement => mustChange(insertScope(toRow(scope)))

/** Whether every process keeps it in memory. */
const isKept = (scope: Scope | undefined): boolean =>
  scope !== undefined && (scope.claims.length > 0 || scope.accessTokenType !== null)

function toRow(scope: Scope): ScopesTable {
  const { name, displayName, description, resources, claims, purposes, localized, accessTokenType, createdAtMs } = scope
  return {
    name,
    display_name: displayName,
    description,
    resources: listToText(resources),
    created_at_ms: createdAtMs,
    claims: claims.length === 0 ? null : JSON.stringify(claims),
    purposes: textsToJson(purposes),
    localized: textsToJson(localized),
    access_token_type: accessTokenType,
  }
}

type Texts = Scope['localized']
const textsToJson = (texts: Texts): string | null => (Object.keys(texts).length === 0 ? null : JSON.stringify(texts))
const textsFromJson = (text: string | null): Texts => (text === null ? {} : (JSON.parse(text) as Texts))

/** Read with each request for the scope. */
const readClaims = rememberedText((text): Scope['claims'] => JSON.parse(text))

export function toScope(row: ScopeRow): Scope {
  return {
    name: row.sc_name,
    displayName: row.sc_display_name,
    description: row.sc_description,
    resources: textToList(row.sc_resources),
    claims: row.sc_claims === null ? [] : readClaims(row.sc_claims),
    purposes: textsFromJson(row.sc_purposes),
    localized: textsFromJson(row.sc_localized),
    accessTokenType: row.sc_access_token_type as Scope['accessTokenType'],
    createdAtMs: row.sc_created_at_ms,
  }
}

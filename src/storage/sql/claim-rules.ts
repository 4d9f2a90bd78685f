/**
 * Changes of rules of claims, and of what decides which of them are in one token. Each is decided on the version of the catalogue, so
 * that no two that are made at the same time store what one after the other would be refused for.
 */
import type { AuditEvents } from '../../audit/entry.ts'
import { knownAmong } from '../../protocol/claims/rule-changes.ts'
import type { Client } from '../../protocol/client/client.ts'
import type { Scope } from '../../protocol/scope/scope.ts'
import type { Engine } from '../engine.ts'
import type { Catalogue } from '../port/catalogue.ts'
import {
  type JudgedOn,
  type JudgingRules,
  type RuledChange,
  ScopeBeingDeleted,
  type StoredRules,
} from '../port/claim-rules.ts'
import type { RecordChange } from '../port/configuration.ts'
import { attributeStatements, readAttributes } from './attributes.ts'
import { type Decided, inCatalogue, keptAt, raisedFrom, readVersion } from './catalogue.ts'
import { clientStatements, findClient, readClients } from './clients.ts'
import { sqlLongTokens } from './long-tokens.ts'
import { measuredOnce } from './measured-lengths.ts'
import { type Placeholders, prepare } from './prepared.ts'
import type { RemoveSoon } from './removals.ts'
import { readResources, resourceStatements } from './resources.ts'
import { additionOf, readScopes, scopeStatements } from './scopes.ts'
import type { Statement } from './statement.ts'

const scopeBeingRemoved = prepare('claim-rules.scopeBeingRemoved', (db, p: Placeholders<{ name: string }>, { sql }) =>
  db.selectFrom('removals').select('name').where('kind', '=', sql.lit('scope')).where('name', '=', p.name),
)

export function sqlClaimRules(
  engine: Engine,
  catalogue: { readonly now: () => Promise<Catalogue> },
  removeSoon: RemoveSoon,
) {
  const { change } = inCatalogue(engine, () => readAll(engine), ruledStatements, requireFree(engine))

  const { longerBy, leaving } = sqlLongTokens(engine, catalogue)

  return {
    leaving,
    /** As in `long-tokens.ts`. `during`: what a change is decided in, however often; it is measured once in that. */
    longerBy: measuredOnce(longerBy),
    /** What records are judged with that are stored by another verb, which is given it. */
    judging: (): Promise<JudgedOn> => readJudging(engine),
    /**
     * Decides on all records that have rules, as `inCatalogue` says, and commits the changes of any of them together. Reads them all,
     * which is acceptable for operators. `decide` may look things up. What follows a deletion follows in small commits. Rejects with `ScopeBeingDeleted`.
     */
    async change<Result extends Decided<RuledChange>>(
      decide: (stored: StoredRules) => Result | Promise<Result>,
      events?: AuditEvents | ((decided: Result) => AuditEvents),
    ): Promise<Result> {
      const decided = await change(decide, events)
      await removeSoon(deletedAttributes(decided.changes ?? []))
      return decided
    },
    /** The same of one client, as `clients.update`: `decide` judges it with the rules that there are. */
    async changeClient(
      id: string,
      decide: (client: Client, rules: JudgingRules) => Client | undefined | Promise<Client | undefined>,
      events?: (before: Client, after: Client) => AuditEvents,
    ): Promise<Client | undefined> {
      for (;;) {
        const { version, rules } = await readJudging(engine)
        const client = await findClient(engine, id)
        const decided = client && (await decide(client, rules))
        if (!client || !decided) return client
        const first = isSameOfRules(client, decided) ? [] : [decidedOn(version, rules, [client, decided])]
        const after = { ...decided, id, version: client.version + 1 }
        const statements = [...first, ...clientStatements(client, decided)]
        if ((await engine.commit(statements, events?.(client, after))).applied) return after
      }
    },
    /**
     * Creates the clients that `decide` returns, all or none, and resolves to them; `taken`: one of the ids is. Commits nothing if it
     * returns none. `decide` may throw. Scopes of `wanted` that are missing are created in the same commit: `decide` and `events` are
     * given them, and the rules have them already. Rejects with `ScopeBeingDeleted`.
     */
    async addClients<Clients extends readonly Client[]>(
      decide: (rules: JudgingRules, missing: readonly Scope[]) => Clients | Promise<Clients>,
      events: (clients: Clients, missing: readonly Scope[]) => AuditEvents,
      wanted: readonly Scope[] = [],
    ): Promise<Clients | 'taken'> {
      for (;;) {
        const { version, rules: known } = await readJudging(engine)
        const missing = wanted.filter(({ name }) => !known.stored.scopes.some((one) => one.name === name))
        const rules = missing.length === 0 ? known : withScopes(known, missing)
        const clients = await decide(rules, missing)
        if (clients.length === 0) return clients
        const statements = [
          // Locks scopes before the catalogue, as the creation of a scope does: otherwise the two could deadlock.
          ...missing.map(additionOf),
          decidedOn(version, rules, clients),
          // A new client raises the version.
          ...clients.flatMap((client) => clientStatements(undefined, client)),
        ]
        if ((await engine.commit(statements, events(clients, missing))).applied) return clients
        if ((await readVersion(engine)) !== version) continue
        if (missing.length === 0) return 'taken'
        // A scope without rules leaves the version as it is.
        await requireFree(engine)(missing.map((after) => ({ kind: 'scope', before: undefined, after })))
        for (const { id } of clients) if ((await findClient(engine, id)) !== undefined) return 'taken'
      }
    },
  }
}

/** The version first: what is newer than it makes the commit fail. */
async function readJudging(engine: Engine): Promise<JudgedOn> {
  const version = await readVersion(engine)
  const rules = await readRules(engine)
  return { version, rules: { ...knownAmong(rules), stored: rules } }
}

const withScopes = ({ stored }: JudgingRules, scopes: readonly Scope[]): JudgingRules => {
  const all = { ...stored, scopes: [...stored.scopes, ...scopes] }
  return { ...knownAmong(all), stored: all }
}

/** Judges a client with the rules that there are; undefined: nothing is stored. Must be pure. */
export type JudgedClient = (rules: JudgingRules) => Client | undefined

/**
 * Commits what follows from the client that `decide` returns, on the version of the catalogue that it was decided on. Returns false if
 * `decide` returns none, or if a condition of the statements is not met. `before` undefined: the client is new.
 */
export async function commitJudged(
  engine: Engine,
  before: Client | undefined,
  decide: JudgedClient,
  statementsOf: (client: Client) => readonly Statement[],
  events?: AuditEvents | ((client: Client) => AuditEvents),
): Promise<boolean> {
  for (;;) {
    const { version, rules } = await readJudging(engine)
    const client = decide(rules)
    if (client === undefined) return false
    const entries = typeof events === 'function' ? events(client) : events
    const first = isSameOfRules(before, client)
      ? []
      : [decidedOn(version, rules, [client, ...(before ? [before] : [])])]
    if ((await engine.commit([...first, ...statementsOf(client)], entries)).applied) return true
    if ((await readVersion(engine)) === version) return false
  }
}

/** Throws where a change can never be committed. */
function requireFree(engine: Engine) {
  return async (changes: readonly RuledChange[]): Promise<void> => {
    for (const { kind, before, after } of changes) {
      if (kind !== 'scope' || before !== undefined || after === undefined) continue
      if ((await engine.read(scopeBeingRemoved({ name: after.name }))).length > 0)
        throw new ScopeBeingDeleted(after.name)
    }
  }
}

const readRules = async (engine: Engine): Promise<Omit<StoredRules, 'clients'>> => {
  const [attributes, scopes, resources] = await Promise.all([
    readAttributes(engine),
    readScopes(engine),
    readResources(engine),
  ])
  return { attributes, scopes, resources }
}

async function readAll(engine: Engine): Promise<StoredRules> {
  const [rules, clients] = await Promise.all([readRules(engine), readClients(engine)])
  return { ...rules, clients }
}

/** Where nothing that a client may have has rules, it does not make every process read the catalogue again. */
function decidedOn(version: number, rules: JudgingRules, clients: readonly Client[]): Statement {
  const isRuled = ({ scopes, metadata }: Client): boolean =>
    metadata.claims.length > 0 ||
    metadata.claim_shape !== 'plain' ||
    scopes.some((name) => {
      const { claims = [], resources = [] } = rules.scopes.get(name) ?? {}
      return claims.length > 0 || resources.some((resource) => rules.resources.has(resource))
    })
  return clients.some(isRuled) ? raisedFrom(version) : keptAt(version)
}

/** Returns the statement of a commit of records that were judged on this. */
export function judgedOnStatement({ version, rules }: JudgedOn, records: readonly RecordChange[]): Statement {
  // Clients that are registered meanwhile were judged without the scope.
  if (records.some(({ kind }) => kind === 'scope')) return raisedFrom(version)
  const clients = records.flatMap((one) => (one.kind === 'client' ? [one.before ?? [], one.after ?? []].flat() : []))
  return decidedOn(version, rules, clients)
}

/** Whether rules are the same, and those that may be in one token with them. */
export function isSameOfRules(before: Client | undefined, after: Client | undefined): boolean {
  const [was, is] = [before, after].map((one) => {
    const { claims = [], claim_shape: shape, id_token_claims: placement } = one?.metadata ?? {}
    return JSON.stringify([one?.scopes ?? [], claims, ...(one === undefined ? [] : [placement, shape])])
  })
  return was === is
}

/** The statements of a change of what claim rules are made of. */
export function ruledStatements(change: RuledChange): readonly Statement[] {
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
    case 'client':
      return clientStatements(change.before, change.after)
  }
}

const deletedAttributes = (changes: readonly RuledChange[]) =>
  changes.flatMap(({ kind, before, after }) =>
    kind === 'attribute' && before !== undefined && after === undefined ? [{ kind, name: before.name } as const] : [],
  )

/** Registered clients. */
import type { AuditEvents } from '../../audit/entry.ts'
import { type Client, clientType, isSelfRegistered, type RequestingClient } from '../../protocol/client/client.ts'
import { type ClientMetadata, metadataToText, textToMetadata } from '../../protocol/client/client-metadata.ts'
import type { ClientAuthentication } from '../../protocol/client-authentication/registered.ts'
import { keyAuthentication } from '../../protocol/client-authentication/registration.ts'
import { defaultGrantTypes, type GrantType } from '../../protocol/grant/grant-types.ts'
import type { Engine } from '../engine.ts'
import { type ClientFilter, type ClientRows, clientPageRows } from '../port/clients.ts'
import { raised } from './catalogue.ts'
import { type ClientRow, clientColumns } from './client-columns.ts'
import { deletionOfClient } from './client-deletion.ts'
import { byLogoutUri, page, pageAmong, readOrigins, readRuled, readShapes } from './client-searches.ts'
import { mustChange, type Placeholders, pick, prepare } from './prepared.ts'
import { keepClientsOf, keepRegistration, neverMs } from './registration-keeping.ts'
import type { Statement } from './statement.ts'
import { type ClientsTable, columns, type Joined, listToText, type Prefixed, prefixed, textToList } from './tables.ts'

/** The columns of a `RequestingClient`. */
const requestingNames = [
  'id',
  'type',
  'secret_hash',
  'consent',
  'require_pkce',
  'scopes',
  'created_at_ms',
  'previous_secret_hash',
  'previous_secret_ends_at_ms',
  'grant_types',
  'metadata',
] as const
export const requestingColumns = prefixed('clients', 'c', requestingNames)
export type RequestingRow = Prefixed<'c', Pick<ClientsTable, (typeof requestingNames)[number]>>

const byId = prepare(
  'clients.byId',
  (db, p: Placeholders<{ id: string }>, { sql }) =>
    db.selectFrom('clients').select(clientColumns).where('id', '=', p.id).where('deleted', '=', sql.lit(0)),
  { id: 'text' },
)
const all = prepare('clients.all', (db, _: Placeholders<Record<never, never>>, { sql }) =>
  db.selectFrom('clients').select(clientColumns).where('deleted', '=', sql.lit(0)),
)
export const insertClient = prepare('clients.insertClient', (db, p: Placeholders<ClientsTable>) =>
  db
    .insertInto('clients')
    .values(pick(p, columns.clients))
    .onConflict((conflict) => conflict.doNothing()),
)
export const updateClient = prepare(
  'clients.updateClient',
  (db, p: Placeholders<ClientsTable & { decided_on: number }>) =>
    db.updateTable('clients').set(pick(p, columns.clients)).where('id', '=', p.id).where('version', '=', p.decided_on),
)
export function sqlClients(engine: Engine) {
  const find = (id: string): Promise<Client | undefined> => findClient(engine, id)

  async function createAll(clients: readonly Client[], events?: AuditEvents): Promise<boolean> {
    const statements = [raised(), ...clients.map((client) => mustChange(insertClient(toClientRow(client))))]
    return (await engine.commit(statements, events)).applied
  }

  return {
    find,
    /**
     * Returns the first clients that registered the address for the return from a sign-out, as far as the database can tell.
     * Leaves out clients that anybody could have registered.
     */
    async findByLogoutUri(uri: string): Promise<Client[]> {
      return (await engine.read(byLogoutUri({ uri: JSON.stringify(uri) }))).map(toClient)
    },
    /** Ascending by id. */
    async list(): Promise<Client[]> {
      // Sorted here, because collations differ between databases.
      return (await readClients(engine)).sort((a, b) => (a.id < b.id ? -1 : 1))
    },
    /** Those with rules of claims, by an index of them, in no order. Whoever changes rules raises the version of the catalogue. */
    ruled: (): Promise<Client[]> => readRuledClients(engine),
    /** The shapes but `plain` that clients have, in no order. Whoever changes one raises the version of the catalogue. */
    shapes: () => readShapes(engine),
    /** Returns the clients whose scripts may read answers from other origins, with those, in no order. */
    async webOrigins(): Promise<{ readonly id: string; readonly origins: readonly string[] }[]> {
      const rows = await readOrigins(engine)
      return rows.map(({ id, metadata }) => ({ id, origins: textToMetadata(metadata).allowed_origins }))
    },
    /** Returns false if the id is taken. */
    create: (client: Client, events?: AuditEvents): Promise<boolean> => createAll([client], events),
    /** Creates all of them, or none if an id is taken: then returns false. */
    createAll,
    /**
     * Runs `decide` on the stored client and commits its result on exactly that version. Retries after a concurrent
     * change, so `decide` must be pure. Changes nothing if `decide` returns `undefined`. Keeps consents and grants. A client
     * that registered itself no longer ends unused once its consent is none that people give and that is stored.
     * Resolves to the current client; undefined: there is none.
     */
    async update(
      id: string,
      decide: (client: Client) => Client | undefined,
      events?: AuditEvents,
    ): Promise<Client | undefined> {
      for (;;) {
        const client = await find(id)
        const decided = client && decide(client)
        if (!client || !decided) return client
        const next = successor(client, decided)
        if ((await engine.commit(clientStatements(client, decided), events)).applied) return next
      }
    },
    /**
     * Returns the next `atMost` (default: `clientPageRows`) clients whose id follows `after` (empty: from the first), by id. Leaves out
     * clients that the filter says nothing of, as far as the database can tell.
     */
    async page(
      after: string,
      { text = '', scope, algorithm: asked }: ClientFilter = {},
      atMost: ClientRows = clientPageRows,
    ): Promise<Client[]> {
      // ASCII alone has the same lower case in every database.
      const runs = text.match(/[ -~]+/g) ?? []
      const [longest = ''] = runs.map((run) => run.toLowerCase()).sort((a, b) => b.length - a.length)
      const named = scope === undefined ? '' : JSON.stringify(scope)
      const algorithm = asked === undefined ? '' : JSON.stringify(asked)
      const isAny = longest === '' && named === '' && algorithm === ''
      const statement = isAny ? page[atMost]({ after }) : pageAmong[atMost]({ after, text: longest, named, algorithm })
      return (await engine.read(statement)).map(toClient)
    },
  }
}

export async function findClient(engine: Engine, id: string): Promise<Client | undefined> {
  const [row] = await engine.read(byId({ id }))
  return row && toClient(row)
}

/** In no order. */
export const readClients = async (engine: Engine): Promise<Client[]> => (await engine.read(all({}))).map(toClient)

/** Those with rules of claims, by an index of them. */
const readRuledClients = async (engine: Engine): Promise<Client[]> =>
  (await readRuled(engine)).map(toClient).filter(({ metadata }) => metadata.claims.length > 0)

/** Returns the commit that makes `before` to `after`, on exactly that version. Absent: the client is new, or deleted. */
export function clientStatements(before: Client | undefined, after: Client | undefined): readonly Statement[] {
  if (after === undefined) return before === undefined ? [] : deletionOfClient(before.id, before.version)
  const ofRoles = keepClientsOf(before?.metadata.service_account_roles ?? [], after.metadata.service_account_roles)
  if (before === undefined) return [raised(), mustChange(insertClient(toClientRow(after))), ...ofRoles]
  const update = updateClient({ ...toClientRow(successor(before, after)), decided_on: before.version })
  // Users give it no consent that is stored, so none would show that it is used.
  const isReleased = after.consent !== 'explicit' && isSelfRegistered(after)
  const kept = isReleased ? [keepRegistration({ client_id: before.id, expires_at_ms: neverMs })] : []
  // Roles of the client are told to these.
  const isForOthers = listToText(before.metadata.resources) !== listToText(after.metadata.resources)
  return [...(isForOthers ? [raised()] : []), mustChange(update), ...kept, ...ofRoles]
}

/** Returns the next state. Overrides id and version, whatever was decided. */
function successor(current: Client, decided: Client): Client {
  return { ...decided, id: current.id, version: current.version + 1 }
}

export function toClientRow(client: Client): ClientsTable {
  const { authentication } = client
  const secret = authentication.method === 'client_secret' ? authentication : undefined
  return {
    id: client.id,
    name: client.name,
    type: clientType(client),
    secret_hash: secret?.secretHash ?? null,
    consent: client.consent,
    require_pkce: Number(client.requirePkce),
    redirect_uris: listToText(client.redirectUris),
    post_logout_redirect_uris: listToText(client.postLogoutRedirectUris),
    scopes: listToText(client.scopes),
    created_at_ms: client.createdAtMs,
    previous_secret_hash: secret?.previousSecret?.hash ?? null,
    previous_secret_ends_at_ms: secret?.previousSecret?.endsAtMs ?? null,
    grant_types: listToText(client.grantTypes),
    metadata: metadataToText(client.metadata),
    version: client.version,
  }
}

export function toClient(row: ClientRow): Client {
  const metadata = textToMetadata(row.c_metadata)
  return {
    id: row.c_id,
    name: row.c_name,
    authentication: toAuthentication(row, metadata),
    consent: row.c_consent as Client['consent'],
    requirePkce: row.c_require_pkce === 1,
    redirectUris: textToList(row.c_redirect_uris),
    postLogoutRedirectUris: textToList(row.c_post_logout_redirect_uris),
    scopes: textToList(row.c_scopes),
    createdAtMs: row.c_created_at_ms,
    grantTypes: toGrantTypes(row.c_grant_types),
    metadata,
    version: row.c_version,
  }
}

function toRequestingClient(row: RequestingRow): RequestingClient {
  const metadata = textToMetadata(row.c_metadata)
  return {
    id: row.c_id,
    authentication: toAuthentication(row, metadata),
    consent: row.c_consent as Client['consent'],
    requirePkce: row.c_require_pkce === 1,
    scopes: textToList(row.c_scopes),
    createdAtMs: row.c_created_at_ms,
    grantTypes: toGrantTypes(row.c_grant_types),
    metadata,
  }
}

/** Keeps grant types that only a newer version knows. */
function toGrantTypes(text: string | null): readonly GrantType[] {
  return text === null ? defaultGrantTypes : (textToList(text) as readonly GrantType[])
}

function toAuthentication(row: RequestingRow, metadata: ClientMetadata): ClientAuthentication {
  if (row.c_type === 'public') return { method: 'none' }
  const byKey = keyAuthentication(metadata.token_endpoint_auth_method)
  if (byKey !== undefined) return byKey
  const { c_previous_secret_hash: hash, c_previous_secret_ends_at_ms: endsAtMs } = row
  const previousSecret = hash === null || endsAtMs === null ? null : { hash, endsAtMs }
  // A confidential client without a hash never matches any secret.
  return { method: 'client_secret', secretHash: row.c_secret_hash ?? '', previousSecret }
}

/** Returns the client of an outer-joined row, if any. */
export function joinedClient(row: Joined<ClientRow>): Client | undefined {
  return row.c_id === null ? undefined : toClient(row as ClientRow)
}

/** The same for the columns of a `RequestingClient`. */
export function joinedRequestingClient(row: Joined<RequestingRow>): RequestingClient | undefined {
  return row.c_id === null ? undefined : toRequestingClient(row as RequestingRow)
}

import type { AuditEvents } from '../../audit/entry.ts'
import { type Client, clientType } from '../../protocol/client.ts'
import type { ClientAuthentication } from '../../protocol/client-authentication/registered.ts'
import { keyAuthentication } from '../../protocol/client-authentication/registration.ts'
import { type ClientMetadata, metadataToText, textToMetadata } from '../../protocol/client-metadata.ts'
import { defaultGrantTypes, type GrantType } from '../../protocol/grant-types.ts'
import type { Engine } from '../engine.ts'
import type { Clients } from '../port/clients.ts'
import { clientDependents } from './dependents.ts'
import { mustChange, type Placeholders, pick, prepare } from './prepared.ts'
import { forgetClient } from './session-clients.ts'
import { type ClientsTable, columns, type Joined, listToText, type Prefixed, prefixed, textToList } from './tables.ts'

export type ClientRow = Prefixed<'c', ClientsTable>
export const clientColumns = prefixed('clients', 'c', columns.clients)

const byId = prepare('clients.byId', (db, p: Placeholders<{ id: string }>) =>
  db.selectFrom('clients').select(clientColumns).where('id', '=', p.id),
)
const all = prepare('clients.all', (db, _: Placeholders<Record<never, never>>) =>
  db.selectFrom('clients').select(clientColumns),
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
export const deleteClient = prepare('clients.deleteClient', (db, p: Placeholders<{ id: string }>) =>
  db.deleteFrom('clients').where('id', '=', p.id),
)
export const deleteGrants = prepare('clients.deleteGrants', (db, p: Placeholders<{ id: string }>) =>
  db.deleteFrom('grants').where('client_id', '=', p.id),
)

const deleteRegistration = prepare('clients.deleteRegistration', (db, p: Placeholders<{ id: string }>) =>
  db.deleteFrom('client_registrations').where('client_id', '=', p.id),
)

export function sqlClients(engine: Engine): Clients {
  async function find(id: string): Promise<Client | undefined> {
    const [row] = await engine.read(byId({ id }))
    return row && toClient(row)
  }

  async function createAll(clients: readonly Client[], events?: AuditEvents): Promise<boolean> {
    const statements = clients.map((client) => mustChange(insertClient(toClientRow(client))))
    return (await engine.commit(statements, events)).applied
  }

  return {
    find,
    dependents: (id, nowMs) => clientDependents(engine, id, nowMs),
    async list() {
      // Sorted here, because collations differ between databases.
      const rows = await engine.read(all({}))
      return rows.sort((a, b) => (a.c_id < b.c_id ? -1 : 1)).map(toClient)
    },
    create: (client, events) => createAll([client], events),
    createAll,
    async update(id, decide, events) {
      for (;;) {
        const client = await find(id)
        const decided = client && decide(client)
        if (!client || !decided) return client
        const next = { ...decided, id: client.id, version: client.version + 1 }
        const statement = updateClient({ ...toClientRow(next), decided_on: client.version })
        if ((await engine.commit([mustChange(statement)], events)).applied) return next
      }
    },
    async delete(id, events) {
      // Scans all grants, which is acceptable for an operator's command. They cannot be left to the sweeper like those
      // of a deleted user: client ids are chosen by people and may be reused.
      const deletions = [deleteGrants({ id }), deleteRegistration({ id }), ...forgetClient(id)]
      const { applied } = await engine.commit([mustChange(deleteClient({ id })), ...deletions], events)
      return applied
    },
  }
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

/** Keeps grant types that only a newer version knows. */
function toGrantTypes(text: string | null): readonly GrantType[] {
  return text === null ? defaultGrantTypes : (textToList(text) as readonly GrantType[])
}

function toAuthentication(row: ClientRow, metadata: ClientMetadata): ClientAuthentication {
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

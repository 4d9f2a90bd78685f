/** Initial access tokens, and the clients that registered themselves (RFC 7591, RFC 7592). */
import type { AuditEvents } from '../../audit/entry.ts'
import type { Client } from '../../protocol/client/client.ts'
import type { ClientRegistration, InitialAccessToken } from '../../protocol/client/registration-record.ts'
import type { Engine } from '../engine.ts'
import { keptAt, readVersion } from './catalogue.ts'
import { commitJudged, type JudgedClient } from './claim-rules.ts'
import { type ClientRow, clientColumns } from './client-columns.ts'
import { type DecidingDeletions, deleteUnused, type GoingRoles, removalsWith } from './client-deletion.ts'
import { insertClient, toClient, toClientRow, updateClient } from './clients.ts'
import { mustChange, type Placeholders, pick, prepare } from './prepared.ts'
import { keepRegistration, neverMs } from './registration-keeping.ts'
import type { RemoveSoon } from './removals.ts'
import type { Statement } from './statement.ts'
import {
  type ClientRegistrationsTable,
  columns,
  type Prefixed,
  prefixed,
  type RegistrationTokensTable,
} from './tables.ts'

type TokenRow = Prefixed<'rt', RegistrationTokensTable>
type RegistrationRow = Prefixed<'cr', ClientRegistrationsTable>

const tokenColumns = prefixed('registration_tokens', 'rt', columns.registration_tokens)
const registrationColumns = prefixed('client_registrations', 'cr', columns.client_registrations)

const insertToken = prepare('registrations.insertToken', (db, p: Placeholders<RegistrationTokensTable>) =>
  db.insertInto('registration_tokens').values(pick(p, columns.registration_tokens)),
)
const tokenById = prepare('registrations.tokenById', (db, p: Placeholders<{ id: string }>) =>
  db.selectFrom('registration_tokens').select(tokenColumns).where('id', '=', p.id),
)
/** The row decides between registrations that use the same token at once. */
const useToken = prepare('registrations.useToken', (db, p: Placeholders<{ id: string; now_ms: number }>) =>
  db
    .updateTable('registration_tokens')
    .set((is) => ({ uses_left: is('uses_left', '-', 1) }))
    .where('id', '=', p.id)
    .where('uses_left', '>', 0)
    .where('expires_at_ms', '>', p.now_ms),
)
const insertRegistration = prepare('registrations.insert', (db, p: Placeholders<ClientRegistrationsTable>) =>
  db.insertInto('client_registrations').values(pick(p, columns.client_registrations)),
)
const byId = prepare('registrations.byId', (db, p: Placeholders<{ id: string }>, { sql }) =>
  db
    .selectFrom('client_registrations')
    .innerJoin('clients', (on) =>
      on.onRef('clients.id', '=', 'client_registrations.client_id').on('clients.deleted', '=', sql.lit(0)),
    )
    .select([...registrationColumns, ...clientColumns])
    .where('client_registrations.id', '=', p.id),
)
type Rotation = { id: string; secret_hash: string; decided_on: string }
const rotate = prepare('registrations.rotate', (db, p: Placeholders<Rotation>) =>
  db
    .updateTable('client_registrations')
    .set(pick(p, ['secret_hash']))
    .where('id', '=', p.id)
    .where('secret_hash', '=', p.decided_on),
)
type AsRead = { id: string; secret_hash: string; expires_at_ms: number }
const remove = prepare('registrations.remove', (db, p: Placeholders<AsRead>) =>
  db
    .deleteFrom('client_registrations')
    .where('id', '=', p.id)
    .where('secret_hash', '=', p.secret_hash)
    .where('expires_at_ms', '=', p.expires_at_ms),
)

export function sqlRegistrations(engine: Engine, { deciding }: DecidingDeletions, removeSoon: RemoveSoon) {
  return {
    async addToken(token: InitialAccessToken, events?: AuditEvents): Promise<void> {
      await engine.commit([insertToken(toTokenRow(token))], events)
    },
    /** Returns it whether used up and expired or not, until the sweeper removes it. */
    async findToken(id: string): Promise<InitialAccessToken | undefined> {
      const [row] = await engine.read(tokenById({ id }))
      return row && toToken(row)
    },
    /**
     * Creates the client that `decide` makes of the rules that there are, with its registration, and takes one use of the initial
     * access token `tokenId`; null: none is needed. Decides again if the rules change meanwhile. Returns false, and stores nothing, if
     * `decide` returns none, the id is taken, or the token has no use left at `nowMs`.
     */
    register: (
      decide: JudgedClient,
      registration: ClientRegistration,
      tokenId: string | null,
      nowMs: number,
      events?: AuditEvents | ((client: Client) => AuditEvents),
    ): Promise<boolean> =>
      commitJudged(
        engine,
        undefined,
        decide,
        (client) => [
          ...(tokenId === null ? [] : [mustChange(useToken({ id: tokenId, now_ms: nowMs }))]),
          mustChange(insertClient(toClientRow(client))),
          insertRegistration(toRow(registration)),
        ],
        events,
      ),
    async find(
      id: string,
    ): Promise<{ readonly registration: ClientRegistration; readonly client: Client } | undefined> {
      const [row] = await engine.read(byId({ id }))
      return row && { registration: toRegistration(row), client: toClient(row as ClientRow) }
    },
    /**
     * Replaces the client by what `decide` makes of it, decided on its version and on the rules that there are, and the secret of its
     * registration. Returns false, and changes nothing, if `decide` returns none, or if either changed since it was read.
     */
    replace: (
      before: Client,
      decide: JudgedClient,
      { id, secretHash: hashBefore }: ClientRegistration,
      secretHash: string,
      events?: AuditEvents | ((client: Client) => AuditEvents),
    ): Promise<boolean> =>
      commitJudged(
        engine,
        before,
        decide,
        (client) => {
          const next = { ...client, version: client.version + 1 }
          return [
            mustChange(rotate({ id, secret_hash: secretHash, decided_on: hashBefore })),
            mustChange(updateClient({ ...toClientRow(next), decided_on: client.version })),
          ]
        },
        events,
      ),
    /** Keeps a client that would be removed if it stayed unused. */
    async keep(clientId: string): Promise<void> {
      await engine.commit([keepRegistration({ client_id: clientId, expires_at_ms: neverMs })])
    },
    /**
     * Deletes the client as `clients.delete` does. Returns false if the registration changed since it was read. Rejects with
     * `ClientHasRoles` as that does.
     */
    async delete(
      { id, clientId, secretHash }: ClientRegistration,
      events?: AuditEvents,
      going?: GoingRoles,
    ): Promise<boolean> {
      for (;;) {
        const version = await readVersion(engine)
        const [row] = await engine.read(byId({ id }))
        if (row?.cr_secret_hash !== secretHash) return false
        const { cr_expires_at_ms: expires_at_ms } = row
        // A client without a consent has no grants, no sessions and no roles. Where registration is open, anybody can register and
        // delete such clients, so the deletion must not scan large tables. A consent given meanwhile is deleted with the client,
        // and grants that rest on it are void; a role added or given meanwhile makes the commit fail.
        const isUnused = expires_at_ms < neverMs
        const removal = mustChange(remove({ id, secret_hash: secretHash, expires_at_ms }))
        const decided = isUnused ? undefined : await deciding(clientId, going)
        // The version of the catalogue is held first, as by who adds a role.
        const [first, ...others]: readonly [Statement, ...Statement[]] = decided?.statements ?? [
          keptAt(version),
          deleteUnused({ id: clientId }),
        ]
        if ((await engine.commit([first, removal, ...others], events)).applied) {
          if (!isUnused) await removeSoon(removalsWith(clientId, going))
          return true
        }
        await decided?.requireOther()
      }
    },
  }
}

function toTokenRow(token: InitialAccessToken): RegistrationTokensTable {
  return {
    id: token.id,
    secret_hash: token.secretHash,
    uses_left: token.usesLeft,
    created_at_ms: token.createdAtMs,
    expires_at_ms: token.expiresAtMs,
    permits: token.permits === undefined ? null : JSON.stringify(token.permits),
  }
}

function toToken(row: TokenRow): InitialAccessToken {
  return {
    id: row.rt_id,
    secretHash: row.rt_secret_hash,
    usesLeft: row.rt_uses_left,
    createdAtMs: row.rt_created_at_ms,
    expiresAtMs: row.rt_expires_at_ms,
    ...(row.rt_permits !== null && { permits: JSON.parse(row.rt_permits) }),
  }
}

function toRow(registration: ClientRegistration): ClientRegistrationsTable {
  return {
    id: registration.id,
    client_id: registration.clientId,
    secret_hash: registration.secretHash,
    created_at_ms: registration.createdAtMs,
    expires_at_ms: registration.unusedUntilMs ?? neverMs,
  }
}

function toRegistration(row: RegistrationRow): ClientRegistration {
  return {
    id: row.cr_id,
    clientId: row.cr_client_id,
    secretHash: row.cr_secret_hash,
    createdAtMs: row.cr_created_at_ms,
    unusedUntilMs: row.cr_expires_at_ms === neverMs ? null : row.cr_expires_at_ms,
  }
}

/**
 * The peer's records on the same ground as ours: an SQLite file in WAL mode with `synchronous=FULL`, reads on the main
 * thread, writes gathered into shared commits in a writer thread. Both are Latchkey's own code, so neither side has the
 * better driver.
 */
import type { Adapter, Payload } from 'oidc-provider'
import { connect, type Outcome } from '../../src/storage/sqlite/batch.ts'
import { prepareFile } from '../../src/storage/sqlite/engine.ts'
import { groupCommits, threadWriter } from '../../src/storage/sqlite/writer.ts'

type Value = string | number | null
export type Account = {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly passwordHash: string
}

const busyTimeoutMs = 5000

const schema = `
  create table if not exists records (
    model text not null, id text not null, payload text not null, grant_id text, uid text,
    consumed_at integer, expires_at integer, primary key (model, id)
  ) without rowid;
  create index if not exists records_by_grant on records (grant_id) where grant_id is not null;
  create index if not exists sessions_by_uid on records (uid) where uid is not null;
  create table if not exists accounts (
    id text primary key, name text not null unique, email text not null, password_hash text not null, roles text not null
  ) without rowid;`

export function openRecords(file: string) {
  prepareFile(file, true)
  const { db, prepare } = connect(file, busyTimeoutMs)
  db.exec(schema)
  const commits = groupCommits(threadWriter({ file, busyTimeoutMs }))

  async function write(text: string, ...parameters: Value[]): Promise<void> {
    const commit = { statements: [{ text, parameters, mustChange: false }], drafts: [] }
    const outcome = await new Promise<Outcome>((settle, reject) => {
      commits.add({ commit, settle, reject, underWay: undefined })
    })
    if ('failure' in outcome) throw new Error(outcome.failure.message)
  }
  /** Expired records are gone; consumed ones say since when. */
  function payloadOf(row: Record<string, unknown> | undefined): Payload | undefined {
    if (row === undefined) return undefined
    if (row.expires_at !== null && Number(row.expires_at) * 1000 < Date.now()) return undefined
    const payload = JSON.parse(String(row.payload)) as Payload
    return row.consumed_at === null ? payload : { ...payload, consumed: row.consumed_at }
  }

  const adapterOf = (model: string): Adapter => ({
    async upsert(id, payload, expiresInSeconds) {
      const uid = model === 'Session' ? (payload.uid ?? null) : null
      const expiresAt = expiresInSeconds === undefined ? null : nowSeconds() + expiresInSeconds
      await write(
        `insert into records (model, id, payload, grant_id, uid, expires_at) values (?, ?, ?, ?, ?, ?)
         on conflict (model, id) do update set
           payload = excluded.payload, grant_id = excluded.grant_id, uid = excluded.uid, expires_at = excluded.expires_at`,
        model,
        id,
        JSON.stringify(payload),
        payload.grantId ?? null,
        uid,
        expiresAt,
      )
    },
    find: async (id) => payloadOf(prepare('select * from records where model = ? and id = ?').get(model, id)),
    findByUid: async (uid) => payloadOf(prepare('select * from records where uid = ?').get(uid)),
    // Only the device flow asks for it, which is switched off.
    findByUserCode: async () => undefined,
    consume: (id) => write('update records set consumed_at = ? where model = ? and id = ?', nowSeconds(), model, id),
    destroy: (id) => write('delete from records where model = ? and id = ?', model, id),
    revokeByGrantId: (grantId) => write('delete from records where grant_id = ?', grantId),
  })

  const toAccount = (row: Record<string, unknown> | undefined): Account | undefined =>
    row && {
      id: String(row.id),
      name: String(row.name),
      email: String(row.email),
      passwordHash: String(row.password_hash),
    }

  return {
    adapterOf,
    accountById: (id: string) => toAccount(prepare('select * from accounts where id = ?').get(id)),
    accountByName: (name: string) => toAccount(prepare('select * from accounts where name = ?').get(name)),
    addAccount: ({ id, name, email, passwordHash }: Account) =>
      write(
        'insert into accounts (id, name, email, password_hash, roles) values (?, ?, ?, ?, ?)',
        id,
        name,
        email,
        passwordHash,
        '["admin"]',
      ),
    async close() {
      await commits.close()
      db.close()
    },
  }
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}

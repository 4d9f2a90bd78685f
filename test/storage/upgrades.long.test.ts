/** Databases of other versions: what earlier ones wrote is read, what later ones added is left alone. */
import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it, type TestContext } from 'node:test'
import postgres from 'postgres'
import { fillSearch } from '../../src/server/search-filling.ts'
import type { DatabaseSettings } from '../../src/settings/settings.ts'
import { migrations } from '../../src/storage/migrations/index.ts'
import { migrateDatabase, openStorage, readSchema } from '../../src/storage/open.ts'
import { StorageUnavailable } from '../../src/storage/port/unavailable.ts'
import { schemaMajor } from '../../src/storage/schema.ts'
import { withResetPassword } from '../../src/users/changes.ts'
import { wordKey } from '../../src/users/search.ts'
import { assertEverything, type Everything, oneOfEverything, storeEverything } from '../fixtures/everything.ts'
import { closing } from '../support/lifetime.ts'
import { postgresServer } from '../support/postgres.ts'
import { freePort, testUser } from '../support/service.ts'
import { startProcess } from '../support/service-process.ts'
import { executeSqlite } from '../support/sqlite.ts'
import { valuesOf } from '../support/values.ts'

const fixtures = new URL('../fixtures/', import.meta.url)
const folder = mkdtempSync(join(tmpdir(), 'latchkey-upgrades-'))
const server = await postgresServer()
after(async () => {
  rmSync(folder, { recursive: true, force: true })
  await server.stop()
})

let made = 0
const newFile = () => {
  made += 1
  return join(folder, `${made}.db`)
}

type Kind = {
  readonly name: string
  /** A new database without anything in it. */
  empty(): Promise<DatabaseSettings>
  /** The database that a released version left, `NNNN` being its last migration. */
  fixture(version: string): Promise<DatabaseSettings>
  execute(database: DatabaseSettings, text: string): Promise<void>
}

const kinds: readonly Kind[] = [
  {
    name: 'SQLite',
    empty: async () => ({ kind: 'sqlite', file: newFile() }),
    async fixture(version) {
      const file = newFile()
      copyFileSync(new URL(`schema-${version}.sqlite`, fixtures), file)
      return { kind: 'sqlite', file }
    },
    async execute(database, text) {
      assert.ok(database.kind === 'sqlite')
      executeSqlite(database.file, text)
    },
  },
  {
    name: 'PostgreSQL',
    empty: async () => ({ kind: 'postgres', url: await server.createEmptyDatabase() }),
    async fixture(version) {
      const database = await this.empty()
      await this.execute(database, readFileSync(new URL(`schema-${version}.sql`, fixtures), 'utf8'))
      return database
    },
    async execute(database, text) {
      assert.ok(database.kind === 'postgres')
      const sql = postgres(database.url, { max: 1, onnotice: () => {} })
      await sql.unsafe(text).simple()
      await sql.end()
    },
  },
]

const versions = readdirSync(fixtures).flatMap((name) => /^schema-(\d{4})\.json$/.exec(name)?.[1] ?? [])

let inserted = 0

/** A user as the first versions stored it; `form`: what is unique. */
function insertionOf(name: string, form: string): string {
  inserted += 1
  const values = [`${String(inserted).padStart(8, '0')}`, name, form, `${name}@example.com`, `${form}@example.com`]
  return `insert into users (id, name, normalized_name, email, normalized_email, email_confirmed, roles, disabled,
    failed_attempts, created_at_ms, updated_at_ms, version)
    values (${values.map((value) => `'${value}'`).join(', ')}, 1, '[]', 0, 0, 1, 1, 1)`
}

/** id, name, type, secret_hash, consent, require_pkce, redirect_uris, post_logout_redirect_uris, scopes, created_at_ms */
const oldClient = "'old', 'Old', 'public', null, 'explicit', 1, '[\"myapp://cb\"]', '[]', '[]', 1"

const additions = `
  create table audit_notes (id text primary key, note text);
  alter table users add column nickname text;
  alter table grants add column device text not null default 'unknown';
  alter table keys add column hardware_slot integer;
  create index grants_by_device on grants (device);
  insert into kysely_migration (name, timestamp) values ('0999-additions', '2100')`

/** What this version makes of a database of an earlier one, in which these statements were executed. */
async function upgraded(t: TestContext, kind: Kind, upTo: string, text: string) {
  const database = await kind.empty()
  await migrateDatabase(database, { upTo })
  await kind.execute(database, text)
  return { database, storage: closing(t, await openStorage(database, { migrate: true })) }
}

for (const kind of kinds) {
  describe(`a database of another version, on ${kind.name}`, () => {
    for (const version of versions) {
      it(`is read to the last row after all migrations when it was written under ${version}`, async () => {
        const database = await kind.fixture(version)
        const expected = JSON.parse(readFileSync(new URL(`schema-${version}.json`, fixtures), 'utf8')) as Everything
        const storage = await openStorage(database, { migrate: true })
        await assertEverything(storage, expected)
        await storage.close()
        assert.deepEqual((await readSchema(database)).applied.toSorted(), Object.keys(migrations))
      })
    }

    it('adds those who were there before to the index of full names and roles, step by step, as they are then', async (t) => {
      const people = Array.from({ length: 450 }, (_, at) => insertionOf(String(1000 + at), `person${at}`))
      const claims = `update users set roles = '["keeper"]', claims = '{"name":"Ada Lovelace"}' where name > '1440'`
      const { storage } = await upgraded(t, kind, '0050-user-search', [...people, claims].join(';\n'))
      const { userSearch, users, servers } = storage
      const key = wordKey('love')
      const found = async () => (await userSearch.page(key, { key, userId: '' })).found.map(({ user }) => user.name)
      assert.deepEqual([await found(), await userSearch.holders('keeper', 10)], [[], undefined])
      assert.equal(await userSearch.isHeld('keeper'), true)
      // Somebody who changes first is in the index at once, and once.
      await users.update((await users.findByName('person449'))?.id ?? '', (user) => ({
        ...user,
        claims: { name: 'Grace Lovell' },
      }))
      const server = { id: 'earlier', host: 'another', pid: 1, startedAtMs: 1, seenAtMs: 9_990_000 }
      await servers.beat(server)
      let nowMs = 10_000_000
      const fill = (steps: number) => fillSearch({ userSearch, servers, clock: () => nowMs }, () => steps-- > 0)
      assert.equal(await fill(9), false)
      assert.equal((await userSearch.fill())?.people, 0)
      nowMs += 60_000
      assert.equal(await fill(1), false)
      assert.equal((await userSearch.fill())?.people, 100)
      assert.equal(await fill(9), true)
      assert.equal(await fill(9), true)
      assert.deepEqual(await found(), ['1441', '1442', '1443', '1444', '1445', '1446', '1447', '1448', '1449'])
      assert.equal((await userSearch.holders('keeper', 10))?.length, 9)
      assert.deepEqual([await userSearch.isHeld('keeper'), await userSearch.isHeld('nobody')], [true, false])
    })

    it('marks accounts that a provider registered with an address that nobody proved, and no others', async (t) => {
      const database = await kind.empty()
      await migrateDatabase(database, { upTo: '0055-room-for-updates' })
      // More than are marked at once.
      const people = Array.from({ length: 1100 }, (_, at) => insertionOf(`p${at}@example.com`, `p${at}@example.com`))
      const statements = [
        ...people,
        'update users set email_confirmed = 0, email = name, normalized_email = normalized_name',
        `insert into external_logins (provider, subject, user_id, created_at_ms) select 'github', id, id, 1 from users where name <> 'p7@example.com'`,
        `update users set email_confirmed = 1 where name = 'p8@example.com'`,
        `update users set name = 'other', normalized_name = 'other' where name = 'p9@example.com'`,
      ]
      await kind.execute(database, statements.join(';\n'))
      const storage = closing(t, await openStorage(database, { migrate: true }))
      const users = await storage.users.list()
      const others = users.filter(({ isUnclaimed }) => isUnclaimed !== true).map(({ name }) => name)
      assert.deepEqual([users.length, others.toSorted()], [1100, ['other', 'p7@example.com', 'p8@example.com']])
      const [found] = users.filter(({ isUnclaimed }) => isUnclaimed === true)
      assert.ok(found)
      const proved = await storage.users.update(found.id, (user) => withResetPassword(user, 'hash', false, 1))
      assert.equal((await storage.users.find(proved?.id ?? ''))?.isUnclaimed, undefined)
    })

    it('finds external sign-ins under every spelling of a provider, and leaves one that was bound twice to whoever was first', async (t) => {
      const database = await kind.empty()
      await migrateDatabase(database, { upTo: '0058-consents-by-client' })
      // More than are renamed at once.
      const people = Array.from({ length: 1100 }, (_, at) => insertionOf(`e${at}`, `e${at}`))
      const bound = (provider: string, subject: string, name: string, atMs: number) =>
        `insert into external_logins (provider, subject, user_id, created_at_ms)
          select '${provider}', '${subject}', id, ${atMs} from users where name = '${name}'`
      await kind.execute(
        database,
        [
          ...people,
          `insert into external_logins (provider, subject, user_id, created_at_ms) select 'GitHub', name, id, 5 from users`,
          // The import came first, and the first sign-in made a second account.
          bound('github', 'e1', 'e2', 9),
          // The account was here first, and the import bound it to another.
          bound('github', 'e3', 'e4', 1),
          // One person, twice; and a third spelling.
          bound('github', 'e5', 'e5', 9),
          bound('GITHUB', 'e6', 'e7', 1),
          bound('github', 'kept', 'e8', 1),
          bound('Acme.AD', 'kept', 'e9', 1),
        ].join(';\n'),
      )
      const storage = closing(t, await openStorage(database, { migrate: true }))
      const holder = async (provider: string, subject: string) =>
        (await storage.users.findByExternalLogin(provider, subject))?.name
      for (const [provider, subject, name] of [
        ['github', 'e0', 'e0'],
        ['GitHub', 'e1099', 'e1099'],
        ['github', 'e1', 'e1'],
        ['github', 'e3', 'e4'],
        ['github', 'e5', 'e5'],
        ['github', 'e6', 'e7'],
        ['GITHUB', 'kept', 'e8'],
        ['acme.ad', 'kept', 'e9'],
      ] as const) {
        assert.equal(await holder(provider, subject), name, `${provider} ${subject}`)
      }
      const logins = await Promise.all((await storage.users.list()).map(({ id }) => storage.externalLogins.list(id)))
      const pairs = logins.flat().map(({ provider, subject }) => `${provider} ${subject}`)
      assert.deepEqual([pairs.length, new Set(pairs).size], [1102, 1102])
      assert.deepEqual([...new Set(pairs.map((pair) => pair.split(' ')[0]))].toSorted(), ['acme.ad', 'github'])
      // An account at a provider that made one here makes no further one after the upgrade either.
      const { id } = (await storage.users.findByName('e0')) ?? assert.fail()
      await storage.users.update(id, (user) => ({ ...user, passwordHash: 'hash' }))
      assert.equal(await storage.externalLogins.unlink(id, 'github', { passkeys: false, providers: [] }), 'unlinked')
      const again = testUser({ name: 'again', email: 'again@example.com' })
      const login = { provider: 'github', subject: 'e0', userId: again.id, createdAtMs: 9 }
      assert.deepEqual(await storage.users.registerExternal(again, login, null), { outcome: 'made_before' })
    })

    it('finds names and addresses with a capital ẞ that an earlier version wrote, unless another account has the spelling', async (t) => {
      // The form that the earlier version stored; a mark below is composed with the s before it.
      const forms = ['strasse', 'straße', 'ßß', 'ssß', 'maß\u0323']
      const { storage } = await upgraded(
        t,
        kind,
        '0003-known-browsers',
        forms.map((form, index) => insertionOf(`${index}`, form)).join(';\n'),
      )
      for (const [typed, name] of [
        ['STRAẞE', '0'],
        ['ẞẞ', '2'],
        ['ẞss', '2'],
        ['MAẞ\u0323', '4'],
      ] as const) {
        assert.equal((await storage.users.findByName(typed))?.name, name, typed)
        const again = testUser({ name: `another ${typed}`, email: `${typed}@example.com` })
        assert.equal(await storage.users.create(again), 'email_taken', typed)
      }
      // The others are as they were.
      assert.deepEqual(valuesOf(await storage.users.list(), 'name'), ['4', '2', '3', '0', '1'])
    })

    it('keeps look-alikes that an earlier version let in, and takes no further one (UTS 39)', async (t) => {
      const database = await kind.empty()
      const names = Object.keys(migrations)
      await migrateDatabase(database, { upTo: names[names.indexOf('0008-name-skeletons') - 1] ?? '' })
      // More than are read at once, and two of them alike.
      const old = Array.from({ length: 1203 }, (_, index) => `person ${index}`)
        .with(3, 'paypal')
        .with(1200, 'раураl')
      await kind.execute(database, old.map((name) => insertionOf(name, name)).join(';\n'))
      await kind.execute(database, `insert into clients values (${oldClient})`)
      const storage = closing(t, await openStorage(database, { migrate: true }))
      for (const [name, outcome] of [
        ['paypa1', 'name_confusable'],
        ['person l202', 'name_confusable'],
        ['person 1203', 'created'],
      ] as const) {
        assert.equal(await storage.users.create(testUser({ name, email: `${name}@new` })), outcome, name)
      }
      // Both can be found, and changed in every way that leaves their names alone.
      for (const name of ['paypal', 'раураl']) {
        const found = await storage.users.findByName(name)
        assert.ok(found, name)
        const change = { email: `${found.id}@new` }
        const changed = await storage.users.updateNames(found.id, (user) => ({ ...user, ...change }))
        assert.partialDeepStrictEqual(changed, { name, ...change })
      }
      const client = await storage.clients.find('old')
      assert.deepEqual([client?.authentication, client?.version], [{ method: 'none' }, 1])
      assert.equal((await storage.clients.update('old', (found) => ({ ...found, name: 'Old' })))?.version, 2)
    })

    it('gives clients of earlier versions the grant types that all had, also when one is written beside this version', async (t) => {
      const insertion = (id: string) => `insert into clients (id, name, type, secret_hash, consent, require_pkce,
        redirect_uris, post_logout_redirect_uris, scopes, created_at_ms) values (${oldClient.replace("'old'", `'${id}'`)})`
      const { database, storage } = await upgraded(t, kind, '0011-unique-name-skeletons', insertion('before'))
      await kind.execute(database, insertion('beside'))
      for (const id of ['before', 'beside']) {
        assert.deepEqual((await storage.clients.find(id))?.grantTypes, ['authorization_code', 'refresh_token'], id)
      }
      await storage.clients.update('before', (client) => ({ ...client, grantTypes: ['refresh_token'] }))
      // The earlier version changes what it knows, and leaves the rest alone.
      await kind.execute(database, "update clients set name = 'changed', version = version + 1 where id = 'before'")
      const changed = await storage.clients.find('before')
      assert.deepEqual([changed?.name, changed?.grantTypes], ['changed', ['refresh_token']])
    })

    it('reads grants that an earlier version redeemed, also beside this one, as of no known session', async (t) => {
      const insertion = (id: string) => `insert into grants (id, client_id, user_id, scopes, resources,
        authenticated_at_ms, method, created_at_ms, expires_at_ms) values ('${id}', 'c', 'u', '[]', '[]', 1, 'pwd', 1, 1)`
      const { database, storage } = await upgraded(t, kind, '0012-client-grant-types', insertion('before'))
      await kind.execute(database, insertion('beside'))
      for (const id of ['before', 'beside']) {
        const { grant } = await storage.grants.findForRefresh(id, 'c')
        assert.deepEqual([grant?.sessionId, grant?.methods], [null, ['pwd']], id)
      }
    })

    it('is worked on when a newer one of the same major version has added to it, also while this one runs', async () => {
      const database = await kind.empty()
      const running = await openStorage(database, { migrate: true })
      const before = oneOfEverything()
      await storeEverything(running, before)
      await assertEverything(running, before)
      await kind.execute(database, additions)
      const during = oneOfEverything()
      // Statements that were prepared before the change, and keys of uses that are taken: the ring stays as it is.
      await storeEverything(running, {
        ...during,
        scopes: [],
        resources: [],
        spentValues: [],
        revokedAccessTokens: ['more'],
        keys: [],
      })
      await assertEverything(running, {
        ...during,
        keys: before.keys,
        scopes: before.scopes,
        resources: before.resources ?? [],
        spentValues: before.spentValues,
      })
      await running.close()
      for (const migrate of [false, true]) {
        const started = await openStorage(database, { migrate })
        await assertEverything(started, before)
        await started.close()
      }
      const swept = await openStorage(database, { migrate: true })
      assert.ok((await swept.sweep(Number.MAX_SAFE_INTEGER, 1000)) >= 10)
      await swept.close()
      assert.deepEqual((await readSchema(database)).unknown, ['0999-additions'])
    })

    it('is refused when its schema is of another major version, in one line', async () => {
      const database = await kind.empty()
      await (await openStorage(database, { migrate: true })).close()
      const next = `${schemaMajor + 1}000-takes-something-away`
      await kind.execute(database, `insert into kysely_migration (name, timestamp) values ('${next}', '2100')`)
      for (const migrate of [true, false]) {
        await assert.rejects(openStorage(database, { migrate }), (error: Error) => {
          assert.ok(error instanceof StorageUnavailable)
          assert.match(error.message, /newer version .* cannot work on .*000-takes-something-away/)
          assert.doesNotMatch(error.message, /\n/)
          return true
        })
      }
      await assert.rejects(
        serveOn(database),
        /^Error: the service ended: error: The database was upgraded by a newer [^\n]+\n$/,
      )
    })

    it('is refused when it has what this one does not know, and lacks what this one needs', async () => {
      const database = await kind.empty()
      await (await openStorage(database, { migrate: true })).close()
      await kind.execute(
        database,
        "delete from kysely_migration; insert into kysely_migration (name, timestamp) values ('0999-additions', '2100')",
      )
      await assert.rejects(openStorage(database, { migrate: true }), /0999-additions\), but lacks .*0001-initial/)
    })

    it('is served from when it was written by a newer one of the same major version', async () => {
      const database = await kind.empty()
      await (await openStorage(database, { migrate: true })).close()
      await kind.execute(database, additions)
      const service = await serveOn(database)
      assert.equal((await fetch(`${service.address}.well-known/jwks`)).status, 200)
      assert.equal(await service.stop(), 0)
    })
  })
}

describe('a PostgreSQL that is migrated while it is used', () => {
  it('refuses none of the requests that read several tables at once', async () => {
    const url = await server.createEmptyDatabase()
    const database = { kind: 'postgres', url } as const
    await migrateDatabase(database, { upTo: '0001-initial' })
    const sql = postgres(url, { max: 8, onnotice: () => {} })
    // Every pair of tables, in either order, as the statements of requests lock them.
    const hot = ['users', 'clients', 'grants', 'sessions', 'authorizations', 'keys']
    const pairs = hot.flatMap((one) => hot.flatMap((other) => (one === other ? [] : [[one, other]])))
    let isMigrating = true
    let reads = 0
    const read = async (): Promise<void> => {
      while (isMigrating) {
        for (const [one, other] of pairs) {
          await sql.unsafe(`select 1 from ${one} cross join ${other} limit 1`)
          reads += 1
        }
      }
    }
    const reading = Promise.all(Array.from({ length: 8 }, read))
    const done = await Promise.race([
      reading.then(() => []),
      migrateDatabase(database).finally(() => {
        isMigrating = false
      }),
    ])
    await reading
    await sql.end()
    assert.deepEqual(done, Object.keys(migrations).slice(1))
    assert.ok(reads > 0)
  })

  it('makes an index again whose making was interrupted', async () => {
    const url = await server.createEmptyDatabase()
    const database = { kind: 'postgres', url } as const
    await migrateDatabase(database, { upTo: '0026-deletions' })
    const sql = postgres(url, { max: 1, onnotice: () => {} })
    // As `create index concurrently` leaves it behind.
    await sql`create index grants_by_user on grants (id)`
    await sql`update pg_index set indisvalid = false where indexrelid = 'grants_by_user'::regclass`
    await migrateDatabase(database, { upTo: '0036-grants-by-user' })
    const [index] = await sql`select indisvalid as valid, pg_get_indexdef(indexrelid) as definition
      from pg_index where indexrelid = 'grants_by_user'::regclass`
    await sql.end()
    assert.equal(index?.valid, true)
    assert.match(String(index?.definition), /\(user_id, client_id\)$/)
  })

  it('has one index for the grants of a person, and never none, also where its replacement was interrupted', async () => {
    const url = await server.createEmptyDatabase()
    const database = { kind: 'postgres', url } as const
    await migrateDatabase(database, { upTo: '0091-room-for-factors' })
    const sql = postgres(url, { max: 1, onnotice: () => {} })
    // As it is left behind between the two steps: the first made nothing that counts, or the second is missing.
    for (const isValid of [false, true]) {
      await sql`create index if not exists grants_by_user on grants (user_id, client_id)`
      await sql`create index if not exists grants_of_user on grants (user_id)`
      await sql`update pg_index set indisvalid = ${isValid} where indexrelid = 'grants_of_user'::regclass`
      await sql`delete from kysely_migration where name >= '0092'`
      await migrateDatabase(database, { upTo: '0092-narrower-grants-by-user' })
      const indexes = await sql`select indisvalid as valid, pg_get_indexdef(indexrelid) as definition
        from pg_index where indrelid = 'grants'::regclass and pg_get_indexdef(indexrelid) like '%user_id%'`
      assert.deepEqual(
        indexes.map(({ valid }) => valid),
        [true],
      )
      assert.match(String(indexes[0]?.definition), /\(user_id\)$/)
    }
    await sql.end()
  })

  it('is migrated once by several that start together', async () => {
    const url = await server.createEmptyDatabase()
    const done = await Promise.all(Array.from({ length: 5 }, () => migrateDatabase({ kind: 'postgres', url })))
    assert.deepEqual(done.flat().toSorted(), Object.keys(migrations))
  })
})

async function serveOn(database: DatabaseSettings) {
  const url = database.kind === 'postgres' ? database.url : `sqlite:${database.kind === 'sqlite' && database.file}`
  const env = { Database__Url: url, Keys__MasterKey: Buffer.alloc(32, 5).toString('base64') }
  return startProcess({ port: await freePort(), folder, env })
}

describe('the fixtures', () => {
  it('hold every schema that was released, and none twice', () => {
    assert.ok(versions.includes('0001'))
    for (const version of versions) {
      assert.ok(
        Object.keys(migrations).some((name) => name.startsWith(`${version}-`)),
        version,
      )
    }
  })
})

describe('the names of the migrations', () => {
  it('are four digits and what they do, ascending, and new ones begin no other major version by accident', () => {
    const names = Object.keys(migrations)
    assert.ok(names.length > 0)
    for (const name of names) assert.match(name, /^\d{4}-[a-z0-9-]+$/)
    assert.deepEqual(names, names.toSorted())
    assert.equal(new Set(names.map((name) => name.slice(0, 4))).size, names.length)
    assert.equal(schemaMajor, 0)
  })
})

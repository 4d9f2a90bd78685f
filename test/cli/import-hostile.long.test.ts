/** `latchkey import` of files that are broken or made to do harm, and what it says of what it does not keep. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { type AuditKind, eventBy } from '../../src/audit/entry.ts'
import { importId } from '../../src/import/files.ts'
import { readers } from '../../src/import/readers.ts'
import { registrations } from '../../src/import/registrations.ts'
import { runImport } from '../../src/import/run.ts'
import { sqliteFile } from '../../src/import/sqlite-tables.ts'
import { executeSqlite } from '../support/sqlite.ts'
import { countsOf, find, lines, placeWith, result } from './import-place.ts'
import { wholeFolder, wholeSchema } from './whole-tables.ts'

const person = (name: string, more: object = {}) => ({ username: name, email: `${name}@example.com`, ...more })
const line = (name: string, more: object = {}) => JSON.stringify(person(name, more))

describe('a file that is broken or made to do harm', () => {
  it('loses the rows that cannot be read, each with its reason, and the others come in', async (t) => {
    const rows: readonly (readonly [string | Buffer, RegExp | undefined])[] = [
      [line('first'), undefined],
      [line('long', { name: 'x'.repeat(1_200_000) }), /more than 1000000 characters/],
      [`{"username": "deep", "email": ${'['.repeat(400_000)}${']'.repeat(400_000)}}`, /nested too deeply/],
      [`${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`, /nested too deeply/],
      [line('nul', { name: 'a\0b' }), /control characters/],
      [line('nul2', { external_logins: [{ provider: 'GitHub', subject: 'a\0b' }] }), /provider and subject/],
      ['{"username": "half", "email": "half@example.com", "name": "\\ud800"}', /control characters/],
      [Buffer.from(line('latin', { name: 'J\u00f6rg' }), 'latin1'), /not valid UTF-8/],
      ['{"username": "twice", "username": "once", "email": "o@example.com"}', /the member username twice/],
      [
        '{"username": "proto", "email": "p@example.com", "__proto__": {"roles": ["admin"]}}',
        /__proto__ is not a member/,
      ],
      ['{"username": "constructor", "email": "c@example.com", "constructor": 1}', /constructor is not a member/],
      ['{"username": "open, "email": "open@example.com', /not JSON|without an end/],
      ['{"username": "open", "email": "open@example.com', /without an end/],
      ['username: yaml', /not JSON/],
      [line('roles', { roles: [`r${'x'.repeat(5000)}`] }), undefined],
      [line('id', { id: 'x'.repeat(5000) }), /^.{10,1001}$/s],
      [line('last'), undefined],
    ]
    const at = placeWith(t, {})
    const file = Buffer.concat(rows.flatMap(([text]) => [Buffer.from(text), Buffer.from('\n')]))
    writeFileSync(join(at.folder, 'people.jsonl'), file)
    const found = await result(at, 'users people.jsonl')
    assert.equal(found.created, 3)
    for (const [index, [text, reason]] of rows.entries()) {
      const said = found.rows.filter((row) => row.line === index + 1)
      assert.equal(said.length > 0, reason !== undefined, `${text.toString().slice(0, 80)}: ${JSON.stringify(said)}`)
      if (reason !== undefined) assert.match(said[0]?.reason ?? '', reason)
    }
    await find(at, 'first')
    await find(at, 'last')
  })

  it('is refused as a realm of Keycloak where it has nothing of one', async (t) => {
    const at = placeWith(t, { 'package.json': '{"name": "notes"}' })
    await at.refuses(
      'import keycloak package.json',
      /package\.json is no export of a realm: it has none of realm, users,/,
    )
  })

  it('of CSV: rows that are too long are passed over, and a quote without an end stops after what came before it', async (t) => {
    const at = placeWith(t, {
      'long.csv': `username,email\na,a@example.com\n${'x'.repeat(1_500_000)},y\n${','.repeat(20_000)}\nb,b@example.com\n`,
      'quote.csv': 'username,email,name\nc,c@example.com,C\nd,d@example.com,"D\ne,e@example.com,E\n',
      'twice.csv': 'username,email,email\nf,f@example.com,g@example.com\n',
      'bytes.csv': 'username,email,name\nh,h@example.com,\ufffd\ni,i@example.com,I\n',
    })
    const long = await result(at, 'users long.csv')
    assert.deepEqual(countsOf(long), [4, 2, 0, 0, 2])
    assert.deepEqual(
      long.rows.map((row) => [row.line, row.reason.includes('more than')]),
      [
        [3, true],
        [4, true],
      ],
    )
    const { code, stdout, stderr } = await at.run('import users quote.csv')
    assert.equal(code, 1)
    assert.match(stdout, /1 read: 1 created/)
    assert.match(stderr, /Line 3 has a field without an end\. What came before it was imported\./)
    await find(at, 'c')
    await at.refuses('import users twice.csv', /heading names email twice/)
    assert.deepEqual(countsOf(await result(at, 'users bytes.csv')), [2, 1, 0, 0, 1])
  })

  it('of other systems: values of another kind and names of built-in members stop nobody else', async (t) => {
    const odd = { toString: 1, valueOf: 1 }
    const firebase = [
      { localId: 'f1', email: 'f1@example.com', providerUserInfo: [{ providerId: 'constructor', rawId: '1' }] },
      { localId: 'f2', email: 'f2@example.com', createdAt: odd },
      { localId: 'f3', email: 'f3@example.com' },
    ]
    const auth0 = [
      { user_id: 'auth0|1', email: 'a1@example.com', identities: [{ provider: '__proto__', user_id: '1' }] },
      { user_id: 'auth0|2', email: 'a2@example.com', identities: [{ provider: 'github', user_id: odd }] },
      { user_id: 'auth0|3', email: 'a3@example.com', mfa_factors: [null, 'totp', { totp: 7 }] },
    ]
    const parameters = { base64_signer_key: 'AAAA', base64_salt_separator: 'Bw==', rounds: 64, mem_cost: 24 }
    const at = placeWith(t, {
      'firebase.json': JSON.stringify({ users: firebase }),
      'auth0.json': lines(...auth0),
      'large.json': JSON.stringify(parameters),
      ...wholeFolder('tables', {
        OpenIddictApplications: 'ClientId,ClientType,Permissions\n',
        OpenIddictScopes: [
          'Name;Resources',
          String.raw`nul;["urn:a\u0000b"]`,
          String.raw`half;["urn:a\ud800b"]`,
          'whole;["urn:a"]',
        ]
          .join('\n')
          .replaceAll('"', '""')
          .replaceAll(/;(\[.*\])/g, ';"$1"'),
      }),
    })
    const scopes = await result(at, 'openiddict tables')
    assert.deepEqual(countsOf(scopes), [3, 3, 0, 0, 0])
    assert.equal(JSON.stringify(scopes).split('absolute URI without a fragment').length, 3)
    const whole = await at.withStorage(({ scopes: stored }) => stored.findMany(['nul', 'half', 'whole']))
    assert.deepEqual(new Set(whole.flatMap(({ resources }) => resources)), new Set(['urn:a']))
    assert.deepEqual(countsOf(await result(at, 'firebase firebase.json')), [3, 2, 0, 0, 1])
    assert.deepEqual(countsOf(await result(at, 'auth0 auth0.json')), [3, 2, 0, 0, 1])
    await at.refuses('import firebase firebase.json --hash-parameters large.json', /256 MiB/)
  })

  it('of SQLite: views, virtual tables, computed columns and values without a bound are refused', async (t) => {
    const at = placeWith(t, {})
    const columns = 'Id, UserName, Email, EmailConfirmed, PasswordHash, LockoutEnd, LockoutEnabled, TwoFactorEnabled'
    const hostile: readonly (readonly [string, RegExp])[] = [
      [
        `create view AspNetUsers as with recursive n(i) as (select 1 union all select i + 1 from n) select i as Id from n`,
        /no table of its own/,
      ],
      ['create virtual table AspNetUsers using fts5(Id)', /no table of its own/],
      [`create table AspNetUsers (${columns}, x generated always as (hex(zeroblob(400000000))))`, /computed columns/],
      [
        `create table AspNetUsers (${columns}); insert into AspNetUsers (Id, UserName) values (1, hex(zeroblob(3000000)))`,
        /cannot be read after its row 0 \(string or blob too big\)/,
      ],
      [
        `create table AspNetUsers (${columns}); create view AspNetRoles as select 1 as Id, 2 as Name`,
        /AspNetRoles in .* is no table/,
      ],
    ]
    for (const [index, [sql, reason]] of hostile.entries()) {
      executeSqlite(join(at.folder, `${index}.db`), sql, wholeSchema())
      await at.refuses(`import aspnet-identity ${index}.db`, reason)
    }
    executeSqlite(
      join(at.folder, 'large.db'),
      `create table AspNetUsers (${columns}); insert into AspNetUsers (Id, UserName, Email)
      values (9223372036854775807, 'big', 'big@example.com'), ('t', 't', 't@example.com')`,
      wholeSchema(),
      "create trigger never before insert on AspNetUsers begin select raise(abort, 'no'); end",
    )
    assert.deepEqual(countsOf(await result(at, 'aspnet-identity large.db')), [2, 2, 0, 0, 0])
    assert.equal((await find(at, 'big')).id, '9223372036854775807')
  })

  it('of SQLite: pages that lead to one page over and over have no rows without an end', async (t) => {
    const at = placeWith(t, {})
    const file = join(at.folder, 'circle.db')
    const people = Array.from({ length: 6000 }, (_, id) => `(${id}, 'name${id}')`)
    executeSqlite(
      file,
      'pragma page_size = 512; create table AspNetUsers (Id, UserName)',
      `insert into AspNetUsers values ${people.join(', ')}`,
    )
    const bytes = readFileSync(file)
    const page = (number: number) => bytes.subarray((number - 1) * 512, number * 512)
    // A page of pointers (§1.6): their number, that of the last page, and where the cells are, which begin with a page.
    const children = (of: Buffer) =>
      Array.from({ length: of.readUInt16BE(3) }, (_, cell) => of.readUInt16BE(12 + 2 * cell))
    const db = new DatabaseSync(file)
    const root = page(
      Number(db.prepare("select rootpage from sqlite_schema where name = 'AspNetUsers'").get()?.rootpage),
    )
    db.close()
    const [first = 0, second = 0] = children(root).map((cell) => root.readUInt32BE(cell))
    for (const cell of children(root)) root.writeUInt32BE(first, cell)
    for (const cell of children(page(first))) page(first).writeUInt32BE(second, cell)
    writeFileSync(file, bytes)
    assert.ok(bytes.length < 200_000)
    const source = sqliteFile(file)
    await assert.rejects(async () => {
      for await (const _ of source.rows('AspNetUsers')) {
        // Rows are counted alone.
      }
    }, /more rows than fit into the file/)
    source.close()
  })

  it('of a realm: nesting and size beside its people have a bound, and those of a person are the person’s', async (t) => {
    const groups = (levels: number) => `${'[{"name":"g","subGroups":'.repeat(levels)}[]${'}]'.repeat(levels)}`
    const realm = (more: string, users = '[{"id":"u","username":"ann"}]') => `{"realm":"acme",${more}"users":${users}}`
    const deep = `"groups":${groups(100_000)},`
    // Each list of people is passed over, and its name is not.
    const many = '"users":[],'.repeat(6_000_000)
    const at = placeWith(t, {
      'deep.json': realm(deep),
      'list.json': `[${realm(deep)}]`,
      'long.json': realm(many),
      'fit.json': realm(`"groups":${groups(3)},`),
      'person.json': realm('', `[{"id":"v","username":"ben","attributes":${'['.repeat(5000)}${']'.repeat(5000)}}]`),
    })
    const levels = /nested deeper than 200 levels/
    await at.refuses('import keycloak deep.json', levels)
    await at.refuses('import keycloak list.json --realm acme', levels)
    await at.refuses('import keycloak long.json', /more than 64000000 characters beside its people/)
    assert.equal((await result(at, 'keycloak fit.json')).failed, 0)
    await find(at, 'ann')
    const person = await result(at, 'keycloak person.json')
    assert.match(person.rows[0]?.reason ?? '', /nested too deeply/)
  })

  it('of a folder: links that lead out of it, devices and folders are refused', async (t) => {
    const { 'all/AspNetUsers.csv': heading = '', ...others } = wholeFolder('all', {})
    const row = (start: string) => `${start}${','.repeat(heading.split(',').length - 3)}\n`
    const besides = (folder: string) =>
      Object.fromEntries(Object.entries(others).map(([name, text]) => [name.replace('all', folder), text]))
    const at = placeWith(t, {
      'elsewhere.csv': heading,
      'link/note.txt': '',
      'device/AspNetUsers.csv': heading,
      'nested/AspNetUsers.csv': heading,
      ...besides('inside'),
      'inside/users.real.csv': `${heading}${row('1,in,in@example.com')}`,
      ...besides('dangling'),
      'dangling/AspNetUsers.csv': `${heading}${row('2,dan,dan@example.com')}`,
    })
    symlinkSync('../elsewhere.csv', join(at.folder, 'link/AspNetUsers.csv'))
    await at.refuses('import aspnet-identity link', /link to a file of another folder/)
    symlinkSync('/dev/zero', join(at.folder, 'device/AspNetRoles.csv'))
    await at.refuses('import aspnet-identity device', /link to a file of another folder/)
    mkdirSync(join(at.folder, 'nested/AspNetRoles.csv'))
    await at.refuses('import aspnet-identity nested', /is no file/)
    symlinkSync('users.real.csv', join(at.folder, 'inside/AspNetUsers.csv'))
    assert.deepEqual(countsOf(await result(at, 'aspnet-identity inside')), [1, 1, 0, 0, 0])
    symlinkSync('nowhere.csv', join(at.folder, 'dangling/AspNetUserPasskeys.CSV'))
    assert.deepEqual(countsOf(await result(at, 'aspnet-identity dangling')), [1, 1, 0, 0, 0])
    rmSync(join(at.folder, 'dangling/AspNetRoles.csv'))
    symlinkSync('nowhere.csv', join(at.folder, 'dangling/AspNetRoles.csv'))
    await at.refuses('import aspnet-identity dangling', /lacks the table AspNetRoles/)
    await at.refuses('import users /dev/zero', /neither a file nor a folder/)
  })
})

describe('what an import does not keep', () => {
  it('is named with the number of people, and its values are not', async (t) => {
    const auth0 = [
      {
        ...{ user_id: 'auth0|1', email: 'a1@example.com', phone_number: 'SECRET', last_login: '2024-01-01T00:00:00Z' },
        ...{ user_metadata: { colour: 'SECRET' }, app_metadata: { roles: ['staff'], plan: 'SECRET' } },
      },
      { user_id: 'auth0|2', email: 'a2@example.com', username: 'SECRET', user_metadata: { colour: 'SECRET' } },
      { user_id: 'auth0|3', email: 'nowhere', nonsense: 'SECRET' },
    ]
    const keycloak = {
      users: [
        {
          ...{ id: 'k1', username: 'k1', email: 'k1@example.com', firstName: 'Kay', groups: ['/SECRET'] },
          ...{ attributes: { locale: ['de'], department: ['SECRET'] }, clientRoles: { shop: ['SECRET'] } },
          credentials: [{ type: 'webauthn', secretData: 'SECRET' }],
        },
      ],
    }
    const user = { localId: 'f1', email: 'f1@example.com', customAttributes: 'SECRET', photoUrl: 'javascript:SECRET' }
    const at = placeWith(t, {
      'auth0.json': lines(...auth0),
      'keycloak.json': JSON.stringify(keycloak),
      'firebase.json': JSON.stringify({ users: [user] }),
      ...wholeFolder('tables', {
        AspNetUsers: 'Id,UserName,Email,SecurityStamp,Department\n1,t1,t1@example.com,x,SECRET\n2,t2,,,\n',
        AspNetUserClaims: 'Id,UserId,ClaimType,ClaimValue\n1,1,team,SECRET\n2,1,team,SECRET\n3,9,other,x\n',
      }),
    })
    const notKept = async (line: string) => (await result(at, line)) as { readonly not_kept?: unknown }
    assert.deepEqual((await notKept('auth0 auth0.json')).not_kept, {
      phone_number: 1,
      'user_metadata.colour': 2,
      'app_metadata.plan': 1,
      username: 1,
    })
    assert.deepEqual((await notKept('keycloak keycloak.json')).not_kept, { 'attributes.department': 1 })
    assert.deepEqual((await notKept('firebase firebase.json')).not_kept, { photoUrl: 1, customAttributes: 1 })
    assert.deepEqual((await notKept('aspnet-identity tables')).not_kept, { Department: 1, 'claim team': 1 })
    const { stdout } = await at.run('import auth0 auth0.json --on-conflict update')
    assert.match(stdout, /Not kept, with the number of people: phone_number \(1\), user_metadata\.colour \(2\)/)
    assert.doesNotMatch(stdout, /SECRET/)
  })
})

describe('an import of clients and scopes that stops', () => {
  it('goes on where it stopped: nothing that it registered itself is reported as there already', async (t) => {
    const at = placeWith(t, {})
    const db = new DatabaseSync(join(at.folder, 'source.db'))
    db.exec(`${wholeSchema('OpenIddictScopes')} alter table OpenIddictApplications add column ClientType`)
    db.exec(`insert into OpenIddictScopes (Name) values ('one'), ('two')`)
    const insert = db.prepare('insert into OpenIddictApplications (ClientId, ClientType, Permissions) values (?, ?, ?)')
    for (const id of ['a', 'b', 'c']) {
      insert.run(
        id,
        'public',
        '["ept:token","ept:device_authorization","gt:urn:ietf:params:oauth:grant-type:device_code","scp:one","scp:profile"]',
      )
    }
    db.close()
    const place = join(at.folder, 'source.db')
    await at.withStorage(async (storage) => {
      let stores = 0
      const imports = {
        ...storage.imports,
        store: (...batch: Parameters<typeof storage.imports.store>) => {
          stores += 1
          return stores > 3 ? Promise.reject(new Error('killed')) : storage.imports.store(...batch)
        },
      }
      const event = (kind: AuditKind) => eventBy('test', at.nowMs, kind, {})
      const facts = { isLoopbackIssuer: true, isPostQuantum: false, accessTokenScope: 'string' } as const
      const judgeHash = () => ({ fault: '' })
      const run = {
        ...{ id: await importId('openiddict', [place]), kind: 'openiddict', isDryRun: false, nowMs: at.nowMs, event },
        records: readers.openiddict([place], {}),
        people: { judge: () => assert.fail(), resolve: async <T>(item: T) => item },
        register: registrations({
          ...{
            storage,
            onConflict: 'fail',
            isDryRun: false,
            allowAdmin: false,
            nowMs: at.nowMs,
            facts,
            judgeHash,
            seal: async () => '',
            event,
            random: randomBytes,
          },
        }).register,
        storage: { imports },
        progress() {},
      }
      await assert.rejects(runImport({ ...run, file: 'source' }), /killed/)
      assert.equal((await storage.clients.list()).length, 1)
    })
    assert.deepEqual(countsOf(await result(at, 'openiddict source.db')), [5, 5, 0, 0, 0])
    assert.equal(await at.withStorage(async ({ clients }) => (await clients.list()).length), 3)
  })
})

/** Where `latchkey import aspnet-identity` finds its tables, and how it reads them (moving in, sections 1 and 2). */
import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import type { User } from '../../src/users/user.ts'
import { aspNetData, skipped } from './aspnet-data.ts'
import { countsOf, find, placeWith, result } from './import-place.ts'
import type { Workplace } from './run.ts'
import { wholeFolder, wholeSchema } from './whole-tables.ts'

const id = '0B9F2A1E-4C61-4F0E-8A54-1D8F6F3E7A10'
const role = '7C9E6679-7425-40DE-944B-E07FC1F90AE7'

/** Runs the import, and returns why it was refused before anything was stored. */
async function refusal(at: Workplace, line: string): Promise<string> {
  const { code, stderr, stdout } = await at.run(`import aspnet-identity ${line}`)
  assert.equal(code, 1)
  assert.equal(stdout, '')
  assert.equal(await at.withStorage(async ({ users }) => (await users.list()).length), 0)
  return stderr
}

const userNames = (at: Workplace) =>
  at.withStorage(async ({ users }) => (await users.list()).map(({ name }: User) => name).sort())

function sqlite(at: Workplace, name: string, sql: string): void {
  const db = new DatabaseSync(join(at.folder, name))
  db.exec(sql)
  db.close()
}

describe('a source of ASP.NET Core Identity (moving in, section 1)', () => {
  for (const table of ['AspNetUserTokens', 'AspNetUserRoles', 'AspNetUserLogins', 'AspNetRoles', 'AspNetUserClaims']) {
    it(`is refused before anything is stored where ${table} is missing`, async (t) => {
      const files = wholeFolder('tables', { AspNetUsers: 'Id,UserName,Email\n1,ann,ann@example.com\n' })
      delete files[`tables/${table}.csv`]
      const at = placeWith(t, files)
      assert.match(await refusal(at, 'tables'), new RegExp(`lacks the table ${table}\\. .*--table NAME=`))
      assert.equal((await result(at, `aspnet-identity tables --table ${table}=`)).created, 1)
    })
  }

  it('is refused with one error where columns and tables are missing, not one for each row', async (t) => {
    const files = wholeFolder('tables', {})
    files['tables/AspNetUsers.csv'] = 'Id,UserName,Email\n1,ann,ann@example.com\n2,ben,ben@example.com\n'
    delete files['tables/AspNetRoles.csv']
    const at = placeWith(t, files)
    const message = await refusal(at, 'tables')
    assert.match(message, /lacks the table AspNetRoles; the columns EmailConfirmed, PasswordHash, TwoFactorEnabled, /)
    assert.equal(message.trim().split('\n').length, 1)
  })

  it('has names without case and underscores, of tables, columns and with a schema', async (t) => {
    const files = wholeFolder('tables', {
      AspNetUsers: 'Id,UserName,Email\n1,ann,ann@example.com\n',
      AspNetRoles: 'Id,Name\n7,staff\n',
      AspNetUserRoles: 'UserId,RoleId\n1,7\n',
    })
    const snake = (name: string) => name.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toLowerCase()
    const renamed = Object.entries(files).map(([name, text]) => {
      const [heading = '', ...rows] = text.split('\n')
      const table = name.slice('tables/'.length, -'.csv'.length)
      return [`tables/identity.${snake(table)}.csv`, [snake(heading), ...rows].join('\n')]
    })
    const at = placeWith(t, Object.fromEntries(renamed))
    assert.deepEqual(countsOf(await result(at, 'aspnet-identity tables')), [1, 1, 0, 0, 0])
    assert.deepEqual((await find(at, 'ann')).roles, ['staff'])
  })

  it('names a table with the columns of a missing one, and takes it with --table', async (t) => {
    const files = wholeFolder('tables', { AspNetUsers: 'Id,UserName,Email\n1,ann,ann@example.com\n' })
    const { 'tables/AspNetUsers.csv': users = '', ...others } = files
    const at = placeWith(t, { ...others, 'tables/tbl_users.csv': users })
    const hint = /the table AspNetUsers \(tbl_users has its columns: --table AspNetUsers=tbl_users\)/
    assert.match(await refusal(at, 'tables'), hint)
    assert.match(await refusal(at, 'tables --table AspNetUsers=people'), /there is no table people/)
    assert.match(await refusal(at, 'tables --table Users=tbl_users'), /the tables are AspNetUsers, AspNetRoles/)
    assert.equal((await result(at, 'aspnet-identity tables --table AspNetUsers=tbl_users')).created, 1)
  })

  it('is refused as a whole where its columns are ciphertext (ProtectPersonalData)', async (t) => {
    const cipher = (text: string) => `5f0d3c:${Buffer.from(`${text} and more than enough`).toString('base64')}`
    const row = (at: number) => `${at},${cipher(`user ${at}`)},${cipher(`mail ${at}`)}\n`
    const at = placeWith(t, wholeFolder('tables', { AspNetUsers: `Id,UserName,Email\n${row(1)}${row(2)}` }))
    assert.match(await refusal(at, 'tables'), /ciphertext \(ProtectPersonalData\)/)
  })
})

describe('CSV of three systems (moving in, section 1)', () => {
  const named = (values: string, rest = '') =>
    wholeFolder('tables', {
      AspNetUsers: `Id,UserName,Email,EmailConfirmed,LockoutEnabled,LockoutEnd${rest}\n${values}`,
    })

  it('of \\copy has NULL as a text, and infinity as a time', async (t) => {
    const at = placeWith(t, named('1,NULL,null@example.com,t,t,infinity\n2,ben,ben@example.com,f,t,-infinity\n'))
    assert.equal((await result(at, 'aspnet-identity tables')).created, 2)
    assert.equal((await find(at, 'NULL')).disabled, true)
    const ben = await find(at, 'ben')
    assert.deepEqual([ben.disabled, ben.lockedUntilMs, ben.emailConfirmed], [false, null, false])
  })

  it('of SQL Server has NULL for what is missing, and ids in capitals, which come in small letters', async (t) => {
    const at = placeWith(t, {
      ...wholeFolder('tables', {
        AspNetUsers: `Id,UserName,Email,EmailConfirmed,LockoutEnabled,LockoutEnd,PhoneNumber\n${id},ann,ann@example.com,1,1,9999-12-31 23:59:59.9999999 +00:00,NULL\n`,
        AspNetRoles: `Id,Name\n${role},staff\n`,
        AspNetUserRoles: `UserId,RoleId\n${id},${role}\n`,
      }),
    })
    const found = await result(at, 'aspnet-identity tables')
    assert.equal(found.created, 1)
    const ann = await find(at, 'ann')
    assert.deepEqual([ann.id, ann.roles, ann.disabled], [id.toLowerCase(), ['staff'], true])
    assert.equal(ann.claims.phone_number, undefined)
    const { findings } = found as unknown as { findings: { member: string; reason: string }[] }
    assert.match(findings.find(({ member }) => member === 'AspNetUsers.Id')?.reason ?? '', /1 ids .* small letters/)
  })

  it('of PowerShell has True and False; a time of its culture locks the person, and is named with an example', async (t) => {
    const rows = '1,ann,ann@example.com,True,True,11/15/2056 11:29:06 PM +00:00\n2,ben,ben@example.com,False,True,\n'
    const at = placeWith(t, named(rows))
    const found = await result(at, 'aspnet-identity tables')
    assert.deepEqual(countsOf(found), [2, 2, 0, 0, 0])
    assert.equal((await find(at, 'ann')).disabled, true)
    assert.equal((await find(at, 'ann')).emailConfirmed, true)
    const { findings } = found as unknown as { findings: { member: string; reason: string; severity: string }[] }
    const said = findings.find(({ member }) => member === 'LockoutEnd')
    assert.equal(said?.severity, 'held')
    assert.match(said?.reason ?? '', /of ann is no time such as 2030-01-31 12:00:00\+00:00/)
  })

  it('has ids that are no UUIDs as they are', async (t) => {
    const at = placeWith(t, named('USER-A,ann,ann@example.com,t,t,\n42,ben,ben@example.com,t,t,\n'))
    assert.equal((await result(at, 'aspnet-identity tables')).created, 2)
    assert.deepEqual([(await find(at, 'ann')).id, (await find(at, 'ben')).id], ['USER-A', '42'])
  })
})

describe('an SQLite file in WAL mode (moving in, section 1)', () => {
  const wal = `pragma journal_mode = wal; ${wholeSchema()}`
  const ann = `insert into AspNetUsers (Id, UserName, Email) values ('${id}', 'ann', 'ann@example.com')`

  function folderWith(t: TestContext): Workplace {
    const at = placeWith(t, {})
    mkdirSync(join(at.folder, 'there'))
    return at
  }

  it('is read without a trace beside it, and the latest changes that a copy may lack are spoken of', async (t) => {
    const at = folderWith(t)
    sqlite(at, 'there/app.db', `${wal} ${ann}`)
    const found = await result(at, 'aspnet-identity there/app.db')
    assert.equal(found.created, 1)
    assert.deepEqual(readdirSync(join(at.folder, 'there')), ['app.db'])
    assert.match(
      JSON.stringify(found),
      /app\.db is in WAL mode, and there is no .*-wal beside it\. .*stop the service first/,
    )
  })

  it('is read with its -wal file', async (t) => {
    const at = folderWith(t)
    const place = join(at.folder, 'there/app.db')
    const open = new DatabaseSync(place)
    open.exec(`${wal} pragma wal_autocheckpoint = 0; ${ann}`)
    copyFileSync(place, join(at.folder, 'copy.db'))
    copyFileSync(`${place}-wal`, join(at.folder, 'copy.db-wal'))
    open.close()
    const found = await result(at, 'aspnet-identity copy.db')
    assert.equal(found.created, 1)
    assert.doesNotMatch(JSON.stringify(found), /WAL mode/)
  })
})

describe('the database of a real service, in both forms (moving in, sections 1 and 2)', () => {
  for (const form of ['sqlite', 'postgres'] as const) {
    it(`reads everybody of ${form}, with the id that applications stored`, async (t) => {
      if (skipped(t)) return
      const at = placeWith(t, {})
      const place = form === 'sqlite' ? 'aspnet-acme.sqlite' : 'aspnet-acme-postgres'
      const { people } = aspNetData.expected()
      const found = await result(at, `aspnet-identity ${aspNetData.path(place)}`)
      assert.equal(found.read, people.length)
      for (const name of await userNames(at)) {
        const person = people.find(({ username }) => username === name || username.trim() === name)
        assert.equal((await find(at, name)).id, person?.sub, name)
      }
      assert.equal((await find(at, 'NULL')).id, people.find(({ username }) => username === 'NULL')?.sub)
      assert.deepEqual([(await find(at, 'quentin')).disabled, (await find(at, 'hal')).disabled], [true, true])
      assert.equal((await find(at, 'peggy')).lockedUntilMs, Date.parse('2056-11-15T23:29:06.135Z'))
      assert.deepEqual(
        [(await find(at, 'rupert')).lockedUntilMs, (await find(at, 'sybil')).lockedUntilMs],
        [null, null],
      )
    })
  }
})

/** Attributes, groups and consents of a person on two nodes of one database: who gets a unique value, and what a deletion leaves. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, it } from 'node:test'
import postgres from 'postgres'
import { adminProgram } from '../support/admin.ts'
import { Browser, codeFields, postToken, refreshFields, type SelfAnswer } from '../support/browser.ts'
import { temporaryFolder } from '../support/lifetime.ts'
import { postgresServer } from '../support/postgres.ts'
import { addClient, addUser, startService, testScope } from '../support/service.ts'

async function sqliteFile() {
  const file = join(temporaryFolder({ after }), 'latchkey.db')
  const dump = async () => {
    const database = new DatabaseSync(file, { readOnly: true })
    const tables = database.prepare("select name from sqlite_master where type = 'table'").all()
    const rows = tables.map(({ name }) => [name, database.prepare(`select * from "${name}"`).all()])
    database.close()
    return JSON.stringify(rows)
  }
  return { url: `sqlite:${file}`, dump }
}

async function postgresDatabase() {
  const server = await postgresServer()
  after(() => server.stop())
  const url = await server.createDatabase()
  const dump = async () => {
    const sql = postgres(url, { max: 1, onnotice: () => {} })
    const tables = await sql`select tablename from pg_tables where schemaname = current_schema()`
    const rows: unknown[] = []
    for (const { tablename } of tables) rows.push([tablename, await sql`select * from ${sql(tablename)}`])
    await sql.end()
    return JSON.stringify(rows)
  }
  return { url, dump }
}

const places = (body: { errors?: readonly { path: string }[] }) => body.errors?.map(({ path }) => path)

for (const [engine, make] of [
  ['SQLite', sqliteFile],
  ['PostgreSQL', postgresDatabase],
] as const) {
  describe(`a person on two nodes with ${engine} (claims and groups, section 1)`, async () => {
    const { url, dump } = await make()
    const env = {
      Database__Url: url,
      Keys__MasterKey: `${'A'.repeat(43)}=`,
      RateLimit__LoginPerMinute: '1000',
      Accounts__Registration: 'open',
      Mail__Url: 'file:/nowhere',
    }
    const one = await startService(env)
    const two = await startService(env, { isNew: true })
    after(async () => {
      await one.stop()
      await two.stop()
    })
    const admin = await adminProgram(one)
    const other = await adminProgram(two, ['admin:write'], { id: 'other-program' })
    for (const attribute of [
      { name: 'badge', unique: true, edited_by: 'person' },
      { name: 'number', type: 'integer', unique: true },
      { name: 'department', searchable: true },
      { name: 'rating', seen_by: 'operator' },
    ]) {
      assert.equal((await admin.post('/attributes', attribute)).status, 201)
    }

    it('has a unique value alone, whoever else takes it in the same moment by whichever way', async () => {
      const [ann, ben, cy] = await Promise.all(['ann', 'ben', 'cy'].map((name) => addUser(one, name)))
      assert.ok(ann && ben && cy)
      const inBrowser = await Browser.signedIn(two, { username: 'cy' })
      for (let round = 0; round < 8; round += 1) {
        const newcomer = { username: `new${round}`, email: `new${round}@example.com` }
        const answers: readonly { readonly status: number; readonly body: SelfAnswer['body'] }[] = await Promise.all([
          admin.patch(`/users/${ann.id}`, { attributes: { badge: `X ${round}`, number: round } }),
          other.patch(`/users/${ben.id}`, { attributes: { badge: `x ${round}`, number: round } }),
          other.post('/users', { ...newcomer, attributes: { badge: `X ${round}` } }),
          inBrowser.self('PATCH', '', { attributes: { badge: `x ${round}` } }),
        ])
        const done = answers.filter(({ status }) => status < 300)
        assert.equal(done.length, 1, JSON.stringify(answers.map(({ status, body }) => [status, body.errors])))
        for (const { status, body } of answers.filter((answer) => !done.includes(answer))) {
          assert.ok(status === 409 || status === 400, `${status}`)
          const [path = 'none'] = places(body) ?? []
          assert.match(path, /^\/attributes\/(?:badge|number)$/)
        }
        const { items } = (await admin.get('/users?limit=100')).body
        const holders = items.filter(
          (person: { attributes?: { badge?: string } }) => person.attributes?.badge?.toLowerCase() === `x ${round}`,
        )
        assert.equal(holders.length, 1)
      }
    })

    it('is deleted with values, memberships and consents, of which the export had each, and nothing is left of them', async () => {
      await one.storage.scopes.create(
        testScope('orders', { claims: [{ claim: 'dept', from: 'attribute:department', in: null, as: 'auto' }] }),
      )
      await addClient(one, { id: 'shop', scopes: ['offline_access', 'orders'] })
      const group = (await admin.post('/groups', { name: 'Choir' })).body
      const below = (await admin.post('/groups', { name: 'Altos', parent: '/choir' })).body
      const { id } = await addUser(one, 'dora', { roles: ['singer'] })
      const values = { badge: 'Unmistakable-7', department: 'Larkspur', rating: 'Quillwort', number: 771_177 }
      assert.equal((await admin.patch(`/users/${id}`, { attributes: values })).status, 200)
      assert.equal((await admin.post(`/groups/${below.id}/members`, { users: [id] })).status, 200)
      const browser = await Browser.signedIn(two, { username: 'dora' })
      const asked = { client_id: 'shop', scope: 'openid offline_access orders' }
      const code = await browser.allowedCode(asked)
      const { body: tokens } = await postToken(one, codeFields(code, { client_id: 'shop' }))

      const exported = (await browser.self('GET', '/Export')).body
      assert.deepEqual([exported.account.attributes, exported.groups], [values, ['/Choir/Altos']])
      const [consent] = exported.consents
      assert.deepEqual(
        [consent.client_id, consent.scopes, consent.claims],
        ['shop', ['offline_access', 'openid', 'orders'], ['dept attribute:department']],
      )
      for (const value of Object.values(values)) assert.ok((await dump()).includes(String(value)), `${value}`)

      assert.equal((await other.delete(`/users/${id}`)).status, 204)
      for (const caller of [admin, other]) {
        assert.equal((await caller.get(`/users/${id}`)).status, 404)
        assert.deepEqual((await caller.get('/users?attributes.department=Larkspur')).body.items, [])
        assert.deepEqual((await caller.get('/users?search=larkspur')).body.items, [])
        assert.deepEqual((await caller.get(`/groups/${below.id}/members`)).body.items, [])
      }
      assert.equal((await browser.self('GET', '')).status, 401)
      const refreshed = await postToken(one, refreshFields(tokens.refresh_token, { client_id: 'shop' }))
      assert.equal(refreshed.body.error, 'invalid_grant')
      for (const service of [one, two]) await service.storage.removals.goOn(() => true)
      assert.deepEqual(await one.storage.authorizations.list(id), [])
      const left = await dump()
      for (const value of ['Unmistakable-7', 'unmistakable-7', 'Larkspur', 'larkspur', 'Quillwort', 'quillwort']) {
        assert.ok(!left.includes(value), `${value} is left`)
      }
      const again = { username: 'dora', email: 'dora@example.com', attributes: { badge: 'unmistakable-7' } }
      const successor = await admin.post('/users', again)
      assert.deepEqual([successor.status, successor.body.attributes], [201, { badge: 'unmistakable-7' }])
      assert.deepEqual(await one.storage.groups.ofUser(successor.body.id), [])
      assert.equal((await admin.delete(`/groups/${group.id}?recursive=true`)).status, 204)
    })
  })
}

/** `latchkey import keycloak … --sync` and `--compare`: applications, roles, groups, and what people of a realm have (connections, section 7, Again). */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { importId } from '../../src/import/files.ts'
import { aGroup } from '../storage/records.ts'
import { countsOf, find, placeWith, type Result, result } from './import-place.ts'
import { realmPlace } from './keycloak-data.ts'
import type { Workplace } from './run.ts'

type Any = Readonly<Record<string, unknown>>
type Compared = { readonly differences: readonly Any[] }

const day = 86_400_000
const shop = {
  ...{ clientId: 'shop', name: 'Shop', secret: 'a secret of the shop, long enough', standardFlowEnabled: true },
  ...{ redirectUris: ['https://shop.acme.example/back'], protocol: 'openid-connect', publicClient: false },
}
const stock = { ...shop, clientId: 'stock', name: 'Stock', redirectUris: ['https://stock.acme.example/back'] }
const password = {
  type: 'password',
  secretData: JSON.stringify({
    value: 'r6TXlW1fBvVYJP0SbVyvbQzHhNPgzPDFRfm9h4T5gN0=',
    salt: 'c2FsdHNhbHRzYWx0c2FsdA==',
  }),
  credentialData: JSON.stringify({ hashIterations: 210000, algorithm: 'pbkdf2-sha256' }),
}
const alice = {
  ...{ id: 'id-alice', username: 'alice', email: 'alice@acme.example', emailVerified: true, enabled: true },
  ...{ realmRoles: ['sales'], groups: ['/Staff'], credentials: [password] },
  federatedIdentities: [{ identityProvider: 'github', userId: '7', userName: 'alice' }],
  clientConsents: [{ clientId: 'shop', grantedClientScopes: ['email'] }],
}
const realm = {
  ...{ realm: 'acme', enabled: true, users: [alice], clients: [shop, stock] },
  roles: { realm: [{ name: 'sales', description: 'Sells' }, { name: 'board' }] },
  groups: [
    { name: 'Staff', path: '/Staff', realmRoles: ['sales'] },
    { name: 'Board', path: '/Board', realmRoles: ['board'] },
  ],
}

const write = (at: Workplace, changes: Any = {}) =>
  writeFileSync(join(at.folder, 'realm.json'), JSON.stringify({ ...realm, ...changes }))

async function moved(t: TestContext): Promise<Workplace> {
  const at = placeWith(t, { 'realm.json': JSON.stringify(realm) })
  assert.equal((await result(at, 'keycloak realm.json')).failed, 0)
  at.nowMs += day
  return at
}

async function sync(at: Workplace, changes: Any, options = '--sync'): Promise<Result> {
  write(at, changes)
  const found = await result(at, `keycloak realm.json ${options}`)
  at.nowMs += day
  return found
}

async function differencesOf(at: Workplace): Promise<readonly Any[]> {
  const { code, stdout, stderr } = await at.run('import keycloak realm.json --compare --json')
  assert.notEqual(stdout, '', stderr)
  const { differences } = JSON.parse(stdout) as Compared
  assert.equal(code, differences.length > 0 ? 2 : 0)
  return differences
}

const reasons = ({ findings }: Result) => findings.map(({ reason }) => reason)
/** Without what is said of the realm at each run. */
const changesIn = (found: Result) => reasons(found).filter((one) => /changed here|stays|gone from the source/.test(one))
const client = async (at: Workplace, id: string) => (await at.json(`client show ${id}`)) as Any

describe('import --sync of a realm (connections, section 7)', () => {
  it('changes applications as the source did; what was changed here stays, and --compare names it', async (t) => {
    const at = await moved(t)
    assert.deepEqual(await differencesOf(at), [])
    await at.json('client set shop client_name=Boutique')
    const next = { clients: [{ ...shop, name: 'The Shop', redirectUris: ['https://shop.acme.example/in'] }, stock] }
    const found = await sync(at, next)
    assert.deepEqual(changesIn(found), [
      'client_name of the client shop was changed here as well, and stays as it is here.',
    ])
    const { client_name, redirect_uris } = await client(at, 'shop')
    assert.deepEqual([client_name, redirect_uris], ['Boutique', ['https://shop.acme.example/in']])
    assert.deepEqual(await differencesOf(at), [
      { kind: 'client', source: 'shop', member: 'client_name', there: 'The Shop', here: 'Boutique' },
    ])
    // It stays with later runs, whichever member changes.
    await sync(at, { clients: [{ ...shop, name: 'The Shop 2', consentRequired: true }, stock] })
    assert.equal((await client(at, 'shop')).client_name, 'Boutique')
    const again = await sync(at, { clients: [{ ...shop, name: 'The Shop 2', consentRequired: true }, stock] })
    assert.deepEqual([again.created, again.updated, changesIn(again)], [0, 0, []])
  })

  it('takes a new secret of the source, unless another one was set here', async (t) => {
    const at = await moved(t)
    await at.json('client rotate-secret stock')
    const secret = 'another secret, as long as it is'
    write(at, { clients: [shop, stock].map((one) => ({ ...one, secret })) })
    const members = (await differencesOf(at)).map(({ source, member }) => [source, member])
    assert.deepEqual(members, [
      ['shop', 'client_secret'],
      ['stock', 'client_secret'],
    ])
    const found = await sync(at, { clients: [shop, stock].map((one) => ({ ...one, secret })) })
    assert.deepEqual(changesIn(found), [
      'client_secret of the client stock was changed here as well, and stays as it is here.',
    ])
    assert.deepEqual(
      (await differencesOf(at)).map(({ source }) => source),
      ['stock'],
    )
  })

  it('changes roles and groups as the source did, and those that were changed here stay', async (t) => {
    const at = await moved(t)
    await at.json('group set /Board description=Ours')
    await at.json('role set sales description=Ours')
    const found = await sync(at, {
      roles: { realm: [{ name: 'sales', description: 'Sells more' }, { name: 'board' }, { name: 'extra' }] },
      groups: [
        { name: 'Staff', path: '/Staff', realmRoles: ['sales', 'extra'] },
        { name: 'Board', path: '/Board', realmRoles: ['board', 'extra'] },
      ],
    })
    assert.deepEqual(changesIn(found), [
      'description of the role sales was changed here as well, and stays as it is here.',
    ])
    const { roles, groups } = await at.withStorage(async (storage) => {
      return { roles: await storage.roles.find('sales'), groups: [...(await storage.groups.all()).known.values()] }
    })
    assert.equal(roles?.description, 'Ours')
    assert.deepEqual(groups.map(({ name, description, roles: given }) => [name, description, given]).sort(), [
      ['Board', 'Ours', ['board', 'extra']],
      ['Staff', null, ['extra', 'sales']],
    ])
  })

  it('names applications, roles and groups that are gone, and deletes applications with --yes; one that was deleted here stays so', async (t) => {
    const at = await moved(t)
    const less = {
      clients: [shop],
      roles: { realm: [{ name: 'sales', description: 'Sells' }] },
      groups: realm.groups.slice(0, 1),
    }
    const named = await sync(at, less)
    assert.deepEqual(changesIn(named), [
      'The client stock is gone from the source, and stays here.',
      'The role board is gone from the source, and stays here.',
      'The group /Board is gone from the source, and stays here.',
    ])
    await client(at, 'stock')
    assert.match(changesIn(await sync(at, less, '--sync --yes')).join(), /client stock is gone .* was deleted/)
    assert.match((await at.run('client show stock')).stderr, /no client/)
    await at.json('client delete shop --yes')
    const found = await sync(at, { ...less, clients: [{ ...shop, name: 'Other' }] })
    assert.match(changesIn(found).join(), /client shop was deleted here, and stays so/)
    assert.match((await at.run('client show shop')).stderr, /no client/)
  })

  it('leaves an application that is there and cannot come, whatever is deleted, and goes on so after it was killed', async (t) => {
    const at = await moved(t)
    const left = [
      { ...stock, enabled: false },
      { ...stock, standardFlowEnabled: false },
      { ...stock, secret: '**********' },
    ]
    for (const one of left) {
      const clients = [shop, one]
      write(at, { clients })
      const { code, stdout } = await at.run('import keycloak realm.json --compare --json')
      const { differences } = JSON.parse(stdout) as Compared
      // One that was disabled lets people in here alone.
      const isDisabled = 'enabled' in one
      const difference = { kind: 'client', source: 'stock', member: 'enabled', there: false, here: true }
      assert.deepEqual([code, differences], isDisabled ? [2, [difference]] : [0, []])
      const found = await sync(at, { clients }, '--sync --yes --delete-many')
      assert.deepEqual([found.failed, changesIn(found)], [1, []])
      const [finding] = found.findings.filter(({ severity }) => severity === 'lost')
      assert.match(finding?.reason ?? '', /stock.* It came before, and goes on here until it is deleted\.$/)
      assert.equal(finding?.command, 'latchkey client delete stock')
      await client(at, 'stock')
    }
    // As it is after the applications, with the people not read yet.
    const clients = [shop, { ...stock, enabled: false }]
    write(at, { clients, users: [] })
    const id = await importId('keycloak --sync', [join(at.folder, 'realm.json')])
    const counts = { read: 2, created: 0, updated: 0, skipped: 1, failed: 1 }
    const progress = { id, kind: 'keycloak', recordsRead: 100, counts, notKept: {}, startedAtMs: at.nowMs }
    const reason = 'The client stock is disabled.'
    const finding = { kind: 'client', source: 'stock', member: 'enabled', severity: 'lost', reason } as const
    const failures = [{ record: 2, line: 1, reason, findings: [finding] }]
    await at.withStorage(({ imports }) => imports.store({ before: undefined, progress, people: [], failures }))
    await at.run('import keycloak realm.json --sync --yes --delete-many')
    await client(at, 'stock')
  })

  it('takes no password, role or group from people of a file that does not list credentials', async (t) => {
    const at = await moved(t)
    const { credentials: _, federatedIdentities: __, realmRoles: ___, groups: ____, ...bare } = alice
    const found = await sync(at, { users: [{ ...bare, firstName: 'Alice' }] })
    const after = await find(at, 'alice')
    assert.deepEqual([after.passwordHash === null, after.roles, after.groupIds?.length], [false, ['sales'], 1])
    assert.equal(after.claims.given_name, 'Alice')
    assert.equal((await at.withStorage(({ externalLogins }) => externalLogins.list('id-alice'))).length, 1)
    assert.match(
      changesIn(found).join() + reasons(found).join(),
      /alice has no password there any more, and keeps it here/,
    )
  })

  it('takes from people the groups, links, passwords and roles that they lost there', async (t) => {
    const at = await moved(t)
    assert.equal((await find(at, 'alice')).groupIds?.length, 1)
    const bare = { ...alice, realmRoles: [], groups: [], federatedIdentities: [], credentials: [], clientConsents: [] }
    const found = await sync(at, { users: [bare] })
    assert.deepEqual(changesIn(found), [])
    const after = await find(at, 'alice')
    assert.deepEqual([after.passwordHash, after.groupIds, after.roles], [null, undefined, []])
    assert.equal(after.sessionsEndedAtMs, at.nowMs - day)
    assert.deepEqual(await at.withStorage(({ externalLogins }) => externalLogins.list('id-alice')), [])
    assert.match(reasons(found).join(), /alice has no consents\/shop there any more, and keeps it here/)
    // And gives them back with the source.
    await sync(at, {})
    const again = await find(at, 'alice')
    assert.deepEqual([again.passwordHash === null, again.groupIds?.length, again.roles], [false, 1, ['sales']])
  })

  it('brings groups and consents to people who were there, as --on-conflict update does', async (t) => {
    const bare = { ...alice, groups: [], clientConsents: [] }
    const consents = (at: Workplace) => at.withStorage(({ authorizations }) => authorizations.list('id-alice'))
    for (const options of ['--sync', '--on-conflict update']) {
      const at = placeWith(t, { 'realm.json': JSON.stringify({ ...realm, users: [bare] }) })
      await result(at, 'keycloak realm.json')
      at.nowMs += day
      assert.deepEqual([(await find(at, 'alice')).groupIds, await consents(at)], [undefined, []])
      await sync(at, {}, options)
      assert.equal((await find(at, 'alice')).groupIds?.length, 1, options)
      assert.deepEqual(
        (await consents(at)).map(({ clientId }) => clientId),
        ['shop'],
        options,
      )
    }
  })

  it('puts nobody into a group that gives rights over the service, unless administrators may come', async (t) => {
    const at = placeWith(t, { 'realm.json': JSON.stringify({ ...realm, groups: [] }) })
    const staff = aGroup({ name: 'Staff', roles: ['latchkey-admin'] })
    await at.run('user list')
    await at.withStorage(({ groups }) => groups.change(() => ({ changes: [{ id: staff.id, after: staff }] })))
    const found = await result(at, 'keycloak realm.json')
    assert.match(
      reasons(found).join('\n'),
      /The group \/Staff gives the role latchkey-admin, which comes in with --allow-admin only/,
    )
    assert.equal((await find(at, 'alice')).groupIds, undefined)
  })

  it('is refused for another realm', async (t) => {
    const at = await moved(t)
    write(at, { realm: 'other' })
    for (const option of ['--sync', '--compare']) {
      const { code, stderr } = await at.run(`import keycloak realm.json ${option}`)
      assert.deepEqual([code, /filled from the realm acme, and the file is of other/.test(stderr)], [2, true])
    }
  })

  it('finds nothing to change in a real realm that was imported before, and names no difference', async (t) => {
    const at = realmPlace(t)
    if (at === undefined) return
    const first = (await at.run('import keycloak realm.json --json')).stdout
    at.nowMs += day
    const { stdout } = await at.run('import keycloak realm.json --sync --json')
    const [created, synced] = [JSON.parse(first) as Result, JSON.parse(stdout) as Result]
    assert.deepEqual(countsOf(synced), [created.read, 0, 0, created.created + created.skipped, created.failed])
    assert.deepEqual(await differencesOf(at), [])
  })
})

/** Roles and groups with which people of a file come: no rights over the service, and nobody is lost for having many. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { find, lines, placeWith, type Result, result } from './import-place.ts'
import { wholeFolder } from './whole-tables.ts'

const named = (count: number) => Array.from({ length: count }, (_, at) => `role-${String(at).padStart(2, '0')}`)
const saidOf = ({ findings }: Result, member: string) =>
  findings.filter((one) => one.member === member).map(({ source, severity, reason }) => [source, severity, reason])

describe('groups of an import', () => {
  const realm = {
    ...{ realm: 'acme', groups: [{ name: 'staff', subGroups: [{ name: 'board' }, { name: 'east' }] }] },
    users: [
      { id: 'm1', username: 'mallory', groups: ['/staff/board', '/staff/east'] },
      { id: 'o1', username: 'olive', groups: ['/staff'] },
    ],
  }

  it('that give an administrator’s role, by themselves, from above or by an inclusion, have no members by a file', async (t) => {
    const at = placeWith(t, { 'realm.json': JSON.stringify(realm) })
    for (const command of [
      'group add /staff',
      'role add chief includes=latchkey-viewer --allow-admin',
      'group add /staff/board --role chief --allow-admin',
    ])
      assert.equal((await at.run(command)).code, 0, command)
    for (const dry of [' --dry-run', '']) {
      const found = await result(at, `keycloak realm.json --on-conflict skip${dry}`)
      const reason = 'mallory: The group /staff/board gives the role chief, which comes in with --allow-admin only.'
      assert.deepEqual(saidOf(found, 'groups'), [['mallory', 'lost', reason]])
    }
    const rolesOf = (name: string) =>
      at.withStorage(async ({ users, catalogue }) =>
        (await catalogue.now()).rolesOf((await users.findByName(name)) ?? assert.fail(name)),
      )
    assert.deepEqual(await rolesOf('mallory'), [])
    assert.equal((await find(at, 'mallory')).groupIds?.length, 1)
    assert.equal((await find(at, 'olive')).groupIds?.length, 1)

    const above = placeWith(t, { 'realm.json': JSON.stringify(realm) })
    await above.run('group add /staff --role latchkey-admin --allow-admin')
    await above.run('group add /staff/east --allow-admin')
    await above.run('group add /staff/board --allow-admin')
    await result(above, 'keycloak realm.json --on-conflict skip')
    for (const name of ['mallory', 'olive']) assert.equal((await find(above, name)).groupIds, undefined, name)
    const allowed = placeWith(t, { 'realm.json': JSON.stringify(realm) })
    await allowed.run('group add /staff --role latchkey-admin --allow-admin')
    await result(allowed, 'keycloak realm.json --on-conflict skip --allow-admin')
    assert.equal((await find(allowed, 'olive')).groupIds?.length, 1)
  })

  it('are members of a realm alone: a file of people with our own names has none, nor consents and pairwise subjects', async (t) => {
    const members = [
      { groups: ['/board'] },
      { consents: [{ clientId: 'shop', scopes: ['openid'] }] },
      { pairwise_subjects: { 'shop.example': 'somebody-else' } },
    ]
    const rows = members.map((more, at) => ({ username: `p${at}`, email: `p${at}@example.com`, ...more }))
    const at = placeWith(t, { 'people.jsonl': lines(...rows), 'people.csv': 'username,groups\nmallory,/board\n' })
    await at.run('group add /board --role latchkey-admin --allow-admin')
    const found = await result(at, 'users people.jsonl')
    assert.deepEqual(
      [found.created, found.rows.map(({ reason }) => reason)],
      [0, ['groups', 'consents', 'pairwise_subjects'].map((one, at) => `p${at}: ${one} is not a member of a person.`)],
    )
    assert.match((await result(at, 'users people.csv')).rows[0]?.reason ?? '', /groups is not a member of a person/)
  })
})

describe('somebody with more than 50 roles', () => {
  const beyond = 'has at most 50 roles here, and comes without role-50, role-51.'

  it('comes without the last of them, which a finding names, by a file of people and by tables', async (t) => {
    const roles = named(52)
    const many = roles.map((name, at) => `r${at},${name}`)
    const given = roles.map((_, at) => `u1,r${at}`)
    const at = placeWith(t, {
      'people.jsonl': lines({ username: 'ann', email: 'ann@example.com', roles: [...roles].reverse() }),
      ...wholeFolder('tables', {
        AspNetUsers: 'Id,UserName\nu1,ben\n',
        AspNetRoles: `Id,Name\n${many.join('\n')}\n`,
        AspNetUserRoles: `UserId,RoleId\n${given.join('\n')}\n`,
      }),
      'realm.json': JSON.stringify({ realm: 'acme', users: [{ id: 'k1', username: 'cleo', realmRoles: roles }] }),
    })
    for (const [source, name] of [
      ['users people.jsonl', 'ann'],
      ['aspnet-identity tables', 'ben'],
      ['keycloak realm.json', 'cleo'],
    ] as const) {
      const found = await result(at, source)
      assert.deepEqual([found.created, found.failed], [1, 0], JSON.stringify(found.rows))
      assert.deepEqual(saidOf(found, 'roles'), [[name, 'lost', `${name} ${beyond}`]])
      assert.deepEqual((await find(at, name)).roles, named(50))
    }
  })

  it('is changed by a later import in the same way', async (t) => {
    const ann = { username: 'ann', email: 'ann@example.com' }
    const at = placeWith(t, { 'one.jsonl': lines(ann), 'two.jsonl': lines({ ...ann, roles: named(52) }) })
    await result(at, 'users one.jsonl')
    const found = await result(at, 'users two.jsonl --on-conflict update')
    assert.deepEqual([found.updated, saidOf(found, 'roles').length], [1, 1])
    assert.deepEqual((await find(at, 'ann')).roles, named(50))
  })
})

describe('a role of a realm with a colon in its name', () => {
  it('is a risk that is named where an application has a role of that name, and a plain role where there is no such application', async (t) => {
    const shop = { clientId: 'shop', enabled: true, protocol: 'openid-connect', publicClient: true }
    const flows = { standardFlowEnabled: true, redirectUris: ['https://shop.example/cb'] }
    const realm = {
      ...{ realm: 'acme', clients: [{ ...shop, ...flows }] },
      roles: { realm: [{ name: 'shop:admin' }, { name: 'orders:read' }], client: { shop: [{ name: 'admin' }] } },
      users: [{ id: 'k1', username: 'cleo', realmRoles: ['shop:admin', 'orders:read'] }],
    }
    const at = placeWith(t, { 'realm.json': JSON.stringify(realm) })
    const { findings } = await result(at, 'keycloak realm.json')
    const said = findings.filter(({ kind }) => kind === 'role').map(({ source, severity }) => [source, severity])
    assert.deepEqual(said, [
      ['shop:admin', 'risk'],
      ['orders:read', 'lost'],
    ])
    assert.deepEqual((await find(at, 'cleo')).roles, ['orders:read', 'shop:admin'])
  })
})

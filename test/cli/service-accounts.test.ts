/** Service accounts of clients on the command line, in configuration files and in imports. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { checkRegistrations } from '../../src/server/doctor/registration-checks.ts'
import { testUser } from '../support/service.ts'
import { find, placeWith, result } from './import-place.ts'
import { expected, realmPlace } from './keycloak-data.ts'
import { placeAfter, type Workplace, workplace } from './run.ts'

const program = (id: string) => `client add ${id} --confidential --grant client_credentials`
type Account = { service_account_subject?: string; service_account_roles?: string[] }
const shown = async (place: Workplace, id: string) => {
  const { service_account_subject, service_account_roles = [] } = (await place.json(`client show ${id}`)) as Account
  return [service_account_subject, service_account_roles]
}
const write = (place: Workplace, text: string, name = 'site.yaml') => writeFileSync(join(place.folder, name), text)

describe('a service account on the command line', () => {
  it('has a subject that is nobody else’s, and roles', async (t) => {
    const place = await placeAfter(
      t,
      program('batch'),
      program('other'),
      'user add alice --email a@example.com --no-password',
    )
    await place.json('client set batch service_account_subject=batch-bot service_account_roles+=reporter')
    await place.json('client set batch service_account_roles+=auditor service_account_roles-=reporter')
    assert.deepEqual(await shown(place, 'batch'), ['batch-bot', ['auditor']])
    const { id } = await find(place, 'alice')
    for (const [value, message] of [
      [id, /belongs to a person/],
      ['batch', /belongs to another client/],
      ['batch-bot', /is the one of the client batch already/],
      ['a b', /must have 1 to 255 characters of ASCII/],
    ] as const) {
      await place.refuses(`client set other 'service_account_subject=${value}'`, message)
    }
    await place.refuses('client set other service_account_roles+=gone:clerk', /The client gone is not there/)
    assert.deepEqual(await shown(place, 'other'), [undefined, []])
    await place.json('client set batch service_account_subject= service_account_roles=')
    assert.deepEqual(await shown(place, 'batch'), [undefined, []])
  })

  it('has roles that give rights over the service with --allow-admin alone', async (t) => {
    const place = await placeAfter(t, program('batch'), 'role add boss includes=latchkey-viewer --allow-admin')
    for (const role of ['latchkey-admin', 'latchkey-viewer', 'boss']) {
      await place.refuses(`client set batch service_account_roles+=${role}`, /given with --allow-admin alone/)
      await place.refuses(`${program('fresh')} service_account_roles=${role}`, /given with --allow-admin alone/)
      const document = { client_id: 'file', grant_types: ['client_credentials'], service_account_roles: [role] }
      write(place, JSON.stringify({ ...document, token_endpoint_auth_method: 'client_secret_basic' }), 'c.json')
      await place.refuses('client import c.json', /given with --allow-admin alone/)
    }
    await place.json('client set batch service_account_roles+=latchkey-viewer --allow-admin')
    await place.json('client import c.json --allow-admin')
    await place.json(`${program('fresh')} service_account_roles=boss --allow-admin`)
    assert.deepEqual((await shown(place, 'batch'))[1], ['latchkey-viewer'])
    await place.json('client set batch client_name=Batch service_account_roles+=reporter')
    assert.deepEqual((await shown(place, 'batch'))[1], ['latchkey-viewer', 'reporter'])
  })

  it('loses a role that is deleted, which the command names', async (t) => {
    const place = await placeAfter(t, program('batch'), 'client set batch service_account_roles=["reporter","auditor"]')
    await place.json(`client set batch 'service_account_roles=["reporter","auditor"]'`)
    assert.ok(((await place.json('role list')) as { name: string }[]).some(({ name }) => name === 'reporter'))
    assert.match((await place.run('role delete reporter')).stderr, /takes it from the service account of batch/)
    await place.json('role delete reporter --yes')
    assert.deepEqual((await shown(place, 'batch'))[1], ['auditor'])
    await place.refuses('role show reporter', /There is no role called reporter/)
  })
})

describe('latchkey doctor', () => {
  it('names subjects that are the id of somebody else by now, and role clients that are not there', async (t) => {
    const place = await placeAfter(t, program('batch'), program('shop'), program('other'))
    await place.json('client set batch service_account_subject=late role_clients+=shop role_clients+=other')
    const findings = () => place.withStorage((storage) => checkRegistrations(storage))
    assert.deepEqual(await findings(), [])
    await place.withStorage(({ users }) => users.create(testUser({ id: 'late', name: 'late', email: 'l@example.com' })))
    await place.json('client delete shop --yes')
    assert.deepEqual(
      (await findings()).map(({ status, message, advice }) => [status, message, advice]),
      [
        [
          'warning',
          'batch: service_account_subject late is the id of somebody else, and it gets no tokens for itself.',
          'latchkey client set batch service_account_subject=SUBJECT',
        ],
        ['note', 'batch: role_clients names shop, which is not there.', 'latchkey client set batch role_clients-=shop'],
      ],
    )
  })
})

describe('service accounts in configuration files', () => {
  const declared = (id: string, more: Account) =>
    `  - ${JSON.stringify({ client_id: id, grant_types: ['client_credentials'], client_secret: `\${SECRET}`, token_endpoint_auth_method: 'client_secret_basic', ...more })}\n`
  const env = { SECRET: 'pJ6rOWx5kqFv0Zb1rL8mQhT3uYcD9eNs' }
  const apply = (place: Workplace, options = '') => place.run(`apply site.yaml ${options}`, { env })

  it('come and are changed together, and come back from an export', async (t) => {
    const place = workplace(t)
    write(
      place,
      `clients:\n${declared('one', { service_account_subject: 'a', service_account_roles: ['two:clerk'] })}${declared('two', { service_account_subject: 'b' })}`,
    )
    assert.equal((await apply(place)).code, 0)
    // They may exchange their subjects, and no two have one.
    write(
      place,
      `clients:\n${declared('one', { service_account_subject: 'b', service_account_roles: ['two:clerk'] })}${declared('two', { service_account_subject: 'a' })}`,
    )
    assert.deepEqual((await apply(place)).code, 0)
    assert.deepEqual(
      [await shown(place, 'one'), await shown(place, 'two')],
      [
        ['b', ['two:clerk']],
        ['a', []],
      ],
    )
    const { stdout } = await place.run('export --kind clients')
    assert.match(stdout, /service_account_subject: b/)
    write(place, `clients:\n${declared('three', { service_account_subject: 'b' })}`)
    assert.match((await apply(place)).stderr, /is the one of the client one already/)
    write(
      place,
      `clients:\n${declared('three', { service_account_subject: 'c' })}${declared('four', { service_account_subject: 'c' })}`,
    )
    assert.match((await apply(place)).stderr, /is the one of the client (?:three|four) already/)
    write(place, `clients:\n${declared('three', { service_account_subject: 'four' })}${declared('four', {})}`)
    assert.match((await apply(place)).stderr, /belongs to another client/)
    const person = 'users:\n  - {username: alice, email: a@example.com, id: alice-id}\n'
    write(place, `${person}clients:\n${declared('three', { service_account_subject: 'alice-id' })}`)
    assert.match((await apply(place)).stderr, /belongs to a person/)
    write(place, `clients:\n${declared('three', { service_account_roles: ['gone:clerk'] })}`)
    assert.match((await apply(place)).stderr, /The client gone is not there/)
  })

  it('have roles that give rights over the service with --allow-admin alone, included ones too', async (t) => {
    const place = await placeAfter(t, 'role add boss includes=latchkey-admin --allow-admin')
    for (const role of ['latchkey-admin', 'latchkey-viewer', 'boss']) {
      write(place, `clients:\n${declared('one', { service_account_roles: [role] })}`)
      const { code, stderr } = await apply(place)
      assert.deepEqual([code, /given with --allow-admin alone/.test(stderr)], [1, true], stderr)
    }
    const allowed = await apply(place, '--allow-admin')
    assert.equal(allowed.code, 0, allowed.stderr)
    assert.deepEqual((await shown(place, 'one'))[1], ['boss'])
    const again = await apply(place)
    assert.equal(again.code, 0, again.stderr)
  })

  it('lose roles that the files delete, and keep none that they declare', async (t) => {
    const place = workplace(t)
    write(
      place,
      `roles:\n  - {name: reporter}\n  - {name: auditor}\nclients:\n${declared('one', { service_account_roles: ['auditor', 'reporter'] })}`,
    )
    assert.equal((await apply(place)).code, 0)
    write(
      place,
      `roles:\n  - {name: auditor}\nclients:\n${declared('one', { service_account_roles: ['auditor', 'reporter'] })}`,
    )
    assert.match((await apply(place, '--prune')).stderr, /The role reporter would be deleted/)
    write(place, 'roles:\n  - {name: auditor}\n')
    const pruned = await apply(place, '--prune')
    assert.equal(pruned.code, 0, pruned.stderr)
    assert.deepEqual((await shown(place, 'one'))[1], ['auditor'])
  })
})

describe('service accounts of Keycloak', () => {
  const app = (clientId: string, more: object = {}) => ({
    ...{ clientId, secret: `${clientId}-secret-0123456789-abcdefghij`, serviceAccountsEnabled: true },
    ...{ standardFlowEnabled: false, fullScopeAllowed: true, ...more },
  })
  const account = (serviceAccountClientId: string, more: object = {}) => ({
    ...{ id: `id-of-${serviceAccountClientId}`, username: `service-account-${serviceAccountClientId}`, enabled: true },
    ...{ serviceAccountClientId, realmRoles: ['default-roles-acme'], ...more },
  })
  const realm = {
    realm: 'acme',
    defaultRole: { name: 'default-roles-acme' },
    roles: {
      realm: [
        { name: 'default-roles-acme', composites: { realm: ['employee', 'offline_access'] } },
        ...[{ name: 'employee' }, { name: 'reporter' }, { name: 'latchkey-admin' }],
        { name: 'manager', composites: { realm: ['reporter'], client: { shop: ['editor'] } } },
      ],
      client: { shop: [{ name: 'editor' }], narrow: [{ name: 'own' }] },
    },
    groups: [
      { name: 'staff', realmRoles: ['reporter'], subGroups: [{ name: 'jobs', clientRoles: { shop: ['editor'] } }] },
    ],
    clients: [
      app('shop', { standardFlowEnabled: false }),
      ...[app('batch'), app('member'), app('disabled'), app('evil'), app('clash')],
      app('narrow', { fullScopeAllowed: false }),
    ],
    scopeMappings: [{ client: 'narrow', roles: ['manager'] }],
    users: [
      { id: 'id-of-clash', username: 'clash', email: 'clash@acme.example' },
      account('batch', {
        clientRoles: { shop: ['editor'], account: ['view-profile'] },
        realmRoles: ['default-roles-acme', 'manager'],
      }),
      account('member', { groups: ['/staff/jobs'] }),
      account('disabled', { enabled: false }),
      account('evil', { realmRoles: ['latchkey-admin', 'reporter'] }),
      account('clash'),
      account('narrow', { realmRoles: ['default-roles-acme', 'reporter'], clientRoles: { narrow: ['own'] } }),
    ],
  }

  it('come with their sub and the roles that they had in tokens, by groups and defaults, and none gets rights', async (t) => {
    const place = placeWith(t, {
      'realm.json': JSON.stringify({ ...realm, clients: [...realm.clients, { clientId: 'account' }] }),
    })
    await place.json('user add clash --email other@example.com --no-password')
    const dry = await result(place, 'keycloak realm.json --dry-run')
    const found = await result(place, 'keycloak realm.json')
    assert.deepEqual(found.findings, dry.findings)
    for (const [id, roles] of [
      ['batch', ['employee', 'manager', 'shop:editor']],
      ['member', ['employee', 'reporter', 'shop:editor']],
      ['evil', ['reporter']],
      ['narrow', ['narrow:own', 'reporter']],
    ] as const) {
      assert.deepEqual(await shown(place, id), [`id-of-${id}`, roles], id)
    }
    const about = (source: string) =>
      found.findings
        .filter((one) => one.source === source)
        .map(({ severity, member, reason }) => [severity, member, reason])
    const admin = about('evil').find(([, , reason]) =>
      /latchkey-admin does not come: .*--allow-admin/.test(reason ?? ''),
    )
    assert.deepEqual(admin?.slice(0, 2), ['lost', 'serviceAccountsEnabled'])
    assert.deepEqual((await place.run('client show disabled')).code, 1)
    assert.match(JSON.stringify(found.findings) + JSON.stringify(found.rows), /Its service account is disabled there/)
  })

  it('come with roles that give rights with --allow-admin', async (t) => {
    const place = placeWith(t, { 'realm.json': JSON.stringify(realm) })
    await result(place, 'keycloak realm.json --allow-admin')
    assert.deepEqual((await shown(place, 'evil'))[1], ['latchkey-admin', 'reporter'])
  })

  it('have the sub of the real realm, and the roles that tokens had there', async (t) => {
    const at = realmPlace(t)
    if (at === undefined) return
    await result(at, 'keycloak realm.json')
    assert.deepEqual(await shown(at, 'batch'), [expected().batchServiceAccount, ['employee']])
    const { role_clients } = (await at.json('client show web')) as { role_clients: string[] }
    assert.deepEqual(role_clients, ['*'])
  })
})

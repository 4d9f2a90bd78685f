/** `role_clients` on the command line, in configuration files and in imports. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { placeWith, result } from './import-place.ts'
import { placeAfter, type Workplace, workplace } from './run.ts'

const client = (id: string) => `client add ${id} --redirect-uri https://${id}.example/cb`
const shown = async (place: Workplace, id: string) =>
  ((await place.json(`client show ${id}`)) as { role_clients?: string[] }).role_clients ?? []
const declared = (id: string, ...named: readonly string[]) =>
  `  - {client_id: ${id}, redirect_uris: ["https://${id}.example/cb"], role_clients: ${JSON.stringify(named)}}\n`

describe('role_clients', () => {
  it('are set, added to and taken from on the command line', async (t) => {
    const place = await placeAfter(t, client('shop'), client('billing'), client('portal'))
    await place.json(`client set portal 'role_clients=["shop"]'`)
    await place.json('client set portal role_clients+=billing')
    assert.deepEqual(await shown(place, 'portal'), ['shop', 'billing'])
    await place.json('client set portal role_clients-=shop')
    assert.deepEqual(await shown(place, 'portal'), ['billing'])
    await place.json(`client set portal 'role_clients=["*"]'`)
    assert.deepEqual(await shown(place, 'portal'), ['*'])
    await place.refuses('client set portal role_clients+=billing', /is \* alone/)
    await place.refuses(`client set portal 'role_clients=["nobody"]'`, /The client nobody is not there/)
    await place.refuses(`client set portal 'role_clients=["portal"]'`, /holds portal/)
    assert.deepEqual(await shown(place, 'portal'), ['*'])
    const audited = (await place.json('audit list --kind client_changed')) as { details: Record<string, unknown> }[]
    assert.deepEqual(audited.at(-1)?.details.members, ['role_clients'])
  })

  it('may name clients that the same files declare, in any order, and come back from an export', async (t) => {
    const place = workplace(t)
    const write = (text: string) => writeFileSync(join(place.folder, 'site.yaml'), text)
    write(`clients:\n${declared('portal', 'shop')}${declared('shop', '*')}`)
    await place.json('apply site.yaml')
    assert.deepEqual([await shown(place, 'portal'), await shown(place, 'shop')], [['shop'], ['*']])
    const { stdout } = await place.run('export --kind clients')
    write(stdout)
    assert.deepEqual(((await place.json('apply site.yaml')) as { changes: unknown[] }).changes, [])
    write(`clients:\n${declared('portal', 'shop', 'nobody')}`)
    assert.match((await place.run('apply site.yaml')).stderr, /The client nobody is not there/)
    write(`clients:\n${declared('other', 'shop')}`)
    assert.match((await place.run('apply site.yaml --prune')).stderr, /The client shop is not there/)
  })

  it('may name clients of the same file of client import', async (t) => {
    const place = workplace(t)
    const document = (client_id: string, role_clients: readonly string[]) => ({
      ...{ client_id, role_clients, redirect_uris: [`https://${client_id}.example/cb`] },
    })
    const write = (...documents: unknown[]) => writeFileSync(join(place.folder, 'c.json'), JSON.stringify(documents))
    write(document('portal', ['shop', 'nobody']), document('shop', []))
    assert.match((await place.run('client import c.json')).stderr, /portal: The client nobody is not there/)
    write(document('portal', ['shop']), document('shop', []))
    await place.json('client import c.json')
    assert.deepEqual(await shown(place, 'portal'), ['shop'])
  })
})

describe('an import from Keycloak', () => {
  it('sets * where the application had all roles, or those of the clients that were mapped to it', async (t) => {
    const app = (clientId: string, fullScopeAllowed?: boolean) => ({
      ...{ clientId, publicClient: true, redirectUris: [`https://${clientId}.example/cb`], fullScopeAllowed },
      attributes: { 'pkce.code.challenge.method': 'S256' },
    })
    const realm = {
      realm: 'acme',
      clients: [
        { clientId: 'account' },
        ...[app('mapped', false), app('none', false), app('all', true), app('silent'), app('shop', false)],
      ],
      clientScopeMappings: {
        account: [{ client: 'mapped', roles: ['view-profile'] }],
        shop: [
          { client: 'mapped', roles: ['viewer'] },
          { client: 'shop', roles: ['viewer'] },
        ],
      },
    }
    const place = placeWith(t, { 'realm.json': JSON.stringify(realm) })
    const { created, findings } = await result(place, 'keycloak realm.json')
    assert.equal(created, 5)
    for (const [id, expected] of [
      ['mapped', ['shop']],
      ['none', []],
      ['all', ['*']],
      ['silent', ['*']],
      ['shop', []],
    ] as const) {
      assert.deepEqual(await shown(place, id), expected, id)
    }
    const kept = ['mapped', 'none', 'all'].map((id) => shown(place, id))
    const back = await place.run('export keycloak')
    const other = placeWith(t, { 'realm.json': back.stdout })
    await result(other, 'keycloak realm.json')
    // Without a role of shop there is nothing to map.
    assert.deepEqual(await Promise.all(['mapped', 'none', 'all'].map((id) => shown(other, id))), [[], [], ['*']])
    await place.json('role add shop:viewer')
    const again = placeWith(t, { 'realm.json': (await place.run('export keycloak')).stdout })
    await result(again, 'keycloak realm.json')
    const came = await Promise.all(['mapped', 'none', 'all'].map((id) => shown(again, id)))
    assert.deepEqual(came, await Promise.all(kept))
    const lost = findings.filter(({ severity, member }) => severity === 'lost' && member === 'fullScopeAllowed')
    assert.deepEqual(lost, [])
  })

  it('leaves the own roles of that system behind: those of every realm, its default roles, and those of its account', async (t) => {
    const realm = {
      realm: 'acme',
      defaultRole: { name: 'default-roles-acme' },
      roles: {
        realm: [
          ...['offline_access', 'uma_authorization', 'editor', 'employee'].map((name) => ({ name })),
          {
            ...{ name: 'default-roles-acme', composite: true },
            composites: {
              realm: ['offline_access', 'uma_authorization', 'employee'],
              client: { account: ['view-profile'] },
            },
          },
        ],
        client: { account: [{ name: 'view-profile' }, { name: 'manage-account' }], shop: [{ name: 'viewer' }] },
      },
      clients: [
        { clientId: 'account' },
        {
          ...{ clientId: 'shop', publicClient: true, redirectUris: ['https://shop.example/cb'] },
          attributes: { 'pkce.code.challenge.method': 'S256' },
        },
      ],
      users: [
        {
          ...{ username: 'anna', email: 'anna@example.com', enabled: true },
          realmRoles: ['default-roles-acme', 'offline_access', 'uma_authorization', 'editor'],
          clientRoles: { account: ['view-profile', 'manage-account'], shop: ['viewer'] },
        },
      ],
    }
    const place = placeWith(t, { 'realm.json': JSON.stringify(realm) })
    assert.equal((await result(place, 'keycloak realm.json')).failed, 0)
    const { effective_roles } = (await place.json('user show anna')) as { effective_roles: { role: string }[] }
    assert.deepEqual(
      effective_roles.map(({ role }) => role),
      ['editor', 'employee', 'shop:viewer'],
    )
    const names = ((await place.json('role list')) as { name: string }[]).map(({ name }) => name)
    assert.deepEqual(names, ['editor', 'employee', 'latchkey-admin', 'latchkey-viewer', 'shop:viewer'])
  })
})

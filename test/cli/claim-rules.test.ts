/** `latchkey scope claim …`, `client claim …`, `resource claim …` and `explain token`. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import type { Preview } from '../../src/protocol/claims/preview.ts'
import { aUser } from '../storage/records.ts'
import { declareAttributes } from '../support/attributes.ts'
import { settingsFrom } from '../support/settings.ts'
import { workplace } from './run.ts'

type Finding = { readonly check: string; readonly message: string }

const api = 'https://api.example/'

async function place(t: TestContext) {
  const at = workplace(t)
  await at.withStorage(async (storage) => {
    await declareAttributes(storage, { name: 'department' }, { name: 'customer' })
    await storage.users.create(aUser({ name: 'alice', attributes: { department: 'Sales' }, roles: ['clerk'] }))
  })
  await at.json(`scope add orders --resource ${api}`)
  await at.json('scope add billing')
  await at.json('client add shop --redirect-uri https://shop.example/cb --scope orders')
  return at
}

describe('latchkey attribute delete', () => {
  it('names the rules that use the attribute and deletes nothing without --with-rules (claims and groups, section 1)', async (t) => {
    const at = await place(t)
    await at.json('scope claim add orders department --from attribute:department')
    await at.json('client claim add shop unit --from attribute:department --in access_token')
    await at.json(`resource claim add ${api} depts --from attribute:department`)
    await at.json('scope claim add billing customer --from attribute:customer')
    const named =
      /used by rules of claims: department of the scope orders, unit of the client shop, depts of the resource .* add --with-rules/
    await at.refuses('attribute delete department --yes', named)
    await at.refuses(
      'attribute delete department --with-rules',
      /and the rules department of the scope orders, .*--yes/,
    )
    assert.equal(((await at.json('attribute list')) as unknown[]).length, 2)
    assert.equal(((await at.json('scope claim list orders')) as unknown[]).length, 1)
    await at.json('attribute delete department --with-rules --yes')
    assert.equal(((await at.json('attribute list')) as unknown[]).length, 1)
    for (const owner of ['scope claim list orders', 'client claim list shop', `resource claim list ${api}`]) {
      assert.deepEqual(await at.json(owner), [])
    }
    assert.equal(((await at.json('scope claim list billing')) as unknown[]).length, 1)
    const entries = await at.withStorage(({ audit }) => audit.list({}, undefined, 50))
    const removed = entries.filter(({ kind }) => kind === 'claim_rule_removed')
    assert.deepEqual(removed.map(({ details }) => details.claim).sort(), ['department', 'depts', 'unit'])
    assert.equal(removed.find(({ details }) => details.claim === 'unit')?.clientId, 'shop')
    assert.equal(entries.filter(({ kind }) => kind === 'attribute_deleted').length, 1)
  })
})

describe('rules for which an access token has no room', () => {
  const wide = 'x'.repeat(9000)
  const large =
    /The access token of shop for alice would have 1\d{4} characters with these rules, of at most 8192, .* without note of the scope orders\. Put/

  async function placeWithNote(t: TestContext) {
    const at = await place(t)
    await at.withStorage(async (storage) => {
      await declareAttributes(storage, { name: 'note', max: 10_000 })
      const alice = await storage.users.findByName('alice')
      await storage.users.update(alice?.id ?? '', (user) => ({ ...user, attributes: { note: wide } }))
      for (let at = 0; at < 3; at += 1)
        await storage.users.create(aUser({ name: `b${at}`, attributes: { note: 'short' } }))
    })
    return at
  }

  it('are refused with the person, the size and what to do, of scopes, clients and resources (claims and groups, section 3)', async (t) => {
    const at = await placeWithNote(t)
    await at.refuses('scope claim add orders note --from attribute:note --in access_token', large)
    const named = (owner: string) => new RegExp(`shop for alice would have .* without note of the ${owner}`)
    await at.refuses('client claim add shop note --from attribute:note --in access_token', named('client shop'))
    await at.refuses(`resource claim add ${api} note --from attribute:note`, named(`resource ${api}`))
    const claims = JSON.stringify([{ claim: 'note', from: 'attribute:note', in: ['access_token'] }])
    await at.refuses(`client set shop 'claims=${claims}'`, named('client shop'))
    await at.refuses(
      `client add other --redirect-uri https://other.example/cb 'claims=${claims}'`,
      /The access token of other for alice would have/,
    )
    for (const owner of ['scope claim list orders', 'client claim list shop', `resource claim list ${api}`]) {
      assert.deepEqual(await at.json(owner), [])
    }
    await at.json('scope claim add orders note --from attribute:note --in userinfo')
    await at.json('client set shop access_token_format=opaque')
    await at.json('client claim add shop note --from attribute:note --in access_token')
  })

  it('are refused in files, which change nothing', async (t) => {
    const at = await placeWithNote(t)
    const claims = [{ claim: 'note', from: 'attribute:note', in: ['access_token'] }]
    writeFileSync(
      join(at.folder, 'site.json'),
      JSON.stringify({ scopes: [{ name: 'orders', resources: [api], claims }] }),
    )
    await at.refuses('apply site.json', large)
    assert.deepEqual(await at.json('scope claim list orders'), [])
  })

  it('do not stand in the way of rules that add nothing, or of people who have grown', async (t) => {
    const at = await placeWithNote(t)
    await at.json('user set alice note=short')
    await at.json('scope claim add orders note --from attribute:note --in access_token')
    await at.json(`user set alice note=${wide}`)
    await at.json('scope claim add billing unit --from attribute:department --in access_token')
    await at.refuses('client claim add shop login --from username --in access_token', /would have .* without note of/)
    await at.json('scope claim add orders login --from username --in userinfo')
    const preview = (await at.json('explain token --user alice --client shop')) as Preview
    assert.deepEqual(preview.access_token.left_out, [{ claim: 'note', why: 'the token would be too long' }])
  })

  it('are named by doctor where tokens are issued without them, of scopes and of clients alone', async (t) => {
    const at = await placeWithNote(t)
    const warnings = async () =>
      ((await at.json('doctor')) as Finding[]).filter(({ check }) => check === 'claims').map(({ message }) => message)
    await at.json('user set alice note=short')
    await at.json('client claim add shop note --from attribute:note --in access_token')
    assert.deepEqual(await warnings(), [])
    await at.json(`user set alice note=${wide}`)
    const message =
      /^Access tokens of shop for alice would have 1\d{4} characters, of at most 8192, and are issued without note of the client shop\.$/
    assert.match((await warnings()).join(), message)
    await at.json('user set alice note=short')
    await at.json('client claim remove shop note')
    await at.json('scope claim add orders note --from attribute:note --in access_token')
    await at.json('client add other --redirect-uri https://other.example/cb --scope orders')
    assert.deepEqual(await warnings(), [])
    await at.json(`user set alice note=${wide}`)
    // Clients with the same tokens are named once.
    assert.match(
      (await warnings()).join(),
      /^[^,]*, of at most 8192, and are issued without note of the scope orders\.$/,
    )
  })
})

describe('latchkey scope claim', () => {
  it('adds, lists and removes rules, each in the trail', async (t) => {
    const at = await place(t)
    const rule = { claim: 'department', from: 'attribute:department', in: null, as: 'auto' }
    assert.deepEqual(await at.json('scope claim add orders department --from attribute:department'), {
      scope: 'orders',
      ...rule,
    })
    await at.json('scope claim add orders department --from attribute:department --in access_token --in introspection')
    const second = { ...rule, in: ['access_token', 'introspection'] }
    assert.deepEqual(await at.json('scope claim list orders'), [rule, second])
    const [, shown] = (await at.json('scope list')) as { claims: unknown }[]
    assert.deepEqual(shown?.claims, [rule, second])
    await at.json('scope claim remove orders department --in introspection')
    assert.deepEqual(await at.json('scope claim list orders'), [rule])
    await at.json('scope claim remove orders department')
    assert.deepEqual(await at.json('scope claim list orders'), [])
    await at.refuses('scope claim remove orders department', /A rule for department is not there/)
    const entries = await at.withStorage(({ audit }) => audit.list({}, undefined, 50))
    const kinds = entries.map(({ kind }) => kind).filter((kind) => kind.startsWith('claim_rule'))
    assert.equal(kinds.filter((kind) => kind === 'claim_rule_added').length, 2)
    assert.equal(kinds.filter((kind) => kind === 'claim_rule_removed').length, 2)
  })

  it('removes rules of the places that are named: any of them, and those of rules that name none', async (t) => {
    const at = await place(t)
    const left = async () =>
      ((await at.json('scope claim list orders')) as { in: string[] | null }[]).map(({ in: places }) => places)
    await at.json('scope claim add orders one --from id')
    await at.refuses('scope claim remove orders one --in access_token', /A rule for one is not there/)
    await at.json('scope claim add orders one --from id --in access_token')
    await at.json('scope claim add orders one --from id --in introspection')
    const { stdout } = await at.run('scope claim remove orders one --in userinfo')
    assert.match(stdout, /no longer sets one in userinfo, and id_token where/)
    assert.deepEqual(await left(), [['access_token'], ['introspection']])
    await at.json('scope claim remove orders one --in access_token --in introspection')
    assert.deepEqual(await left(), [])
    await at.json(`resource claim add ${api} one --from id`)
    await at.json(`resource claim remove ${api} one --in access_token`)
    assert.deepEqual(await at.json(`resource claim list ${api}`), [])
  })

  it('refuses what introspection says itself there, and nowhere else', async (t) => {
    const at = await place(t)
    for (const claim of ['active', 'token_type', 'active.since']) {
      await at.refuses(
        `scope claim add orders ${claim} --from constant:false --in introspection`,
        new RegExp(`The claim ${claim} is set by introspection`),
      )
    }
    await at.json('scope claim add orders active --from constant:false')
  })

  it('refuses claims that the protocol sets, attributes that are not declared, and what is no rule', async (t) => {
    const at = await place(t)
    await at.refuses('scope claim add orders sub --from username', /The claim sub is set by the protocol/)
    await at.refuses('scope claim add orders cnf.jkt --from username', /The claim cnf is set by the protocol/)
    await at.refuses('scope claim add orders x --from attribute:tenant', /The attribute tenant is not declared/)
    await at.refuses('scope claim add orders x --from nothing', /from is one of roles, groups/)
    await at.refuses('scope claim add unknown x --from id', /There is no scope called unknown/)
    await at.misuses('scope claim add orders x --from id --as other', /Allowed choices are auto/)
    await at.misuses('scope claim add orders x', /--from/)
  })

  it('refuses two rules for one claim of one token when one is stored, and when a scope is permitted; both are named', async (t) => {
    const at = await place(t)
    await at.json('scope claim add orders department --from attribute:department')
    await at.refuses(
      'scope claim add orders department --from username',
      /department from attribute:department and department from username would both be set in id_token, userinfo\.$/m,
    )
    const both =
      /department of the scope orders and department of the client shop would both be set in id_token, userinfo/
    await at.refuses('client claim add shop department --from username', both)
    await at.json('scope claim add billing department.name --from attribute:department')
    const parent = /department of the scope orders and department.name of the scope billing would both be set/
    await at.refuses('client set shop scope+=billing', parent)
    await at.json('scope claim remove billing department.name')
    await at.json('client set shop scope+=billing')
    await at.refuses(
      'scope claim add billing department --from id',
      /of the scope orders and department of the scope billing/,
    )
    // The same rule sets the same value.
    await at.json('scope claim add billing department --from attribute:department')
  })
})

describe('latchkey resource claim', () => {
  it('is for access tokens unless it says otherwise, and meets the rules of the scopes that lead there', async (t) => {
    const at = await place(t)
    await at.json(`resource claim add ${api} roles --from roles`)
    assert.deepEqual(await at.json(`resource claim list ${api}`), [
      { claim: 'roles', from: 'roles', in: null, as: 'auto' },
    ])
    await at.refuses(
      'scope claim add orders roles --from groups --in access_token',
      /roles of the scope orders and roles of the resource/,
    )
    await at.refuses(
      `resource claim add ${api} roles --from groups --in access_token`,
      /roles from roles and roles from groups would both be set in access_token/,
    )
    await at.json(`resource claim add ${api} roles --from groups --in introspection`)
    await at.json(`resource claim remove ${api} roles --in introspection`)
    await at.refuses('resource claim add here/there roles --from roles', /must be an absolute URI/)
    await at.json(`resource claim remove ${api} roles`)
    assert.deepEqual(await at.json(`resource claim list ${api}`), [])
  })
})

describe('a resource that no scope names', () => {
  it('gets its rules with a warning, which doctor has until a scope leads there', async (t) => {
    const at = await place(t)
    const typo = 'https://api.example/v2'
    const warned = new RegExp(`^warning: No scope names the resource ${typo}, so no access token is for it`)
    const add = (resource: string, claim: string) => at.run(`resource claim add ${resource} ${claim} --from roles`)
    const added = await add(typo, 'roles')
    assert.equal(added.code, 0)
    assert.match(added.stderr, warned)
    assert.equal(((await at.json(`resource claim list ${typo}`)) as unknown[]).length, 1)
    assert.equal((await add(api, 'roles')).stderr, '')
    // Tokens of programs of operators are for it, whatever scopes there are.
    const { issuer } = settingsFrom({}, at.folder).oauth
    assert.equal((await add(`${issuer}admin/api`, 'roles')).stderr, '')
    const found = async () =>
      ((await at.json('doctor')) as Finding[]).filter(({ check }) => check === 'claims').map(({ message }) => message)
    assert.deepEqual(await found(), [`No scope names the resource ${typo}: its claims are in no token.`])
    await at.json(`scope add later --resource ${typo}`)
    assert.deepEqual(await found(), [])
    assert.equal((await add(typo, 'more')).stderr, '')
    await at.json('scope delete later --yes')
    assert.match((await at.run(`resource claim remove ${typo} more`)).stderr, warned)
    assert.equal((await at.run(`resource claim remove ${typo} roles`)).stderr, '')
    assert.deepEqual(await found(), [])
  })
})

describe('latchkey explain token', () => {
  it('shows each token as it would be, what set each claim, and what was left out and why', async (t) => {
    const at = await place(t)
    await at.json('scope claim add orders department --from attribute:department')
    await at.json('scope claim add orders customer --from attribute:customer')
    await at.json('client claim add shop tenant --from constant:7 --in access_token')
    await at.json('client claim add shop org\\.unit --from constant:8 --in access_token')
    await at.json(`resource claim add ${api} realm_access.roles --from roles`)
    const preview = (await at.json('explain token --user alice --client shop')) as Preview
    assert.equal(preview.id_token?.claims.department, 'Sales')
    assert.deepEqual(preview.id_token?.rules, [{ claim: 'department', from: 'attribute:department', scope: 'orders' }])
    assert.deepEqual(preview.id_token?.left_out, [{ claim: 'customer', why: 'no value' }])
    assert.equal(preview.userinfo?.claims.department, 'Sales')
    const { claims, rules } = preview.access_token
    assert.deepEqual([claims.tenant, claims.realm_access, claims.aud], [7, { roles: ['clerk'] }, api])
    assert.deepEqual(rules, [
      { claim: 'tenant', from: 'constant:7', client: 'shop' },
      { claim: 'org\\.unit', from: 'constant:8', client: 'shop' },
      { claim: 'realm_access.roles', from: 'roles', resource: api },
    ])
    assert.deepEqual([preview.introspection.claims.active, preview.introspection.claims.username], [true, 'alice'])
    const { stdout } = await at.run('explain token --user alice --client shop --scope openid')
    assert.match(stdout, /tenant +7 {2}\(constant:7 by the client shop\)/)
    assert.match(stdout, /org\.unit +8 {2}\(constant:8 by the client shop\)/)
    assert.doesNotMatch(stdout, /department/)
    const other = 'https://other.example/'
    await at.json(`scope add reports --resource ${other}`)
    await at.json('client set shop scope+=reports')
    const narrowed = (await at.json(`explain token --user alice --client shop --resource ${other}`)) as Preview
    assert.deepEqual([narrowed.access_token.claims.aud, narrowed.access_token.claims.realm_access], [other, undefined])
    await at.refuses('explain token --user bob --client shop', /There is no user called bob/)
    await at.refuses('explain token --user alice --client shop --scope billing', /scope/)
  })
})

describe('latchkey apply', () => {
  it('takes rules of scopes, clients and resources, judges them together, and exports what it takes again', async (t) => {
    const at = await place(t)
    const file = (content: object) => writeFileSync(join(at.folder, 'rules.json'), JSON.stringify(content))
    const department = { claim: 'department', from: 'attribute:department' }
    const shop = { client_id: 'shop', redirect_uris: ['https://shop.example/cb'], scope: 'orders' }
    const tenant = { claim: 'tenant', from: 'constant:{"id":7}', in: ['access_token'], as: 'auto' }
    const scopes = [{ name: 'orders', resources: [api], claims: [department], purpose: 'Why', 'purpose#de': 'Wozu' }]
    file({ scopes, resources: [{ identifier: api, claims: [tenant] }], clients: [shop] })
    const { changes } = (await at.json('apply rules.json')) as { changes: { kind: string; action: string }[] }
    assert.deepEqual(
      changes.map(({ kind, action }) => `${kind} ${action}`),
      ['scope update', 'resource create'],
    )
    assert.deepEqual(await at.json(`resource claim list ${api}`), [tenant])
    const exported = (await at.json('export --kind scopes --kind resources --kind clients')) as Record<string, object[]>
    assert.deepEqual(exported.resources, [{ identifier: api, claims: [tenant] }])
    file(exported)
    assert.deepEqual(((await at.json('apply rules.json')) as { changes: object[] }).changes, [])
    file({
      scopes,
      resources: [{ identifier: api, claims: [{ claim: 'tenant.id', from: 'id' }] }],
      clients: [{ ...shop, claims: [tenant] }],
    })
    await at.refuses(
      'apply rules.json',
      /tenant of the client shop and tenant\.id of the resource .* would both be set/,
    )
    file({ resources: [{ identifier: api, claims: [{ claim: 'act', from: 'id' }] }] })
    await at.refuses('apply rules.json', /The claim act is set by the protocol/)
    file({ resources: [] })
    await at.json('apply rules.json --prune')
    assert.deepEqual(await at.json(`resource claim list ${api}`), [])
  })
})

describe('claim_shape of a client', () => {
  const roles = { claim: 'realm_access.roles', from: 'shape:keycloak', in: ['id_token', 'access_token', 'userinfo'] }

  it('is a set of rules that are listed, and that the preview names (claims and groups, section 4)', async (t) => {
    const at = await place(t)
    await at.json('client set shop claim_shape=keycloak')
    await at.json('client claim add shop tenant --from constant:7 --in access_token')
    const listed = (await at.json('client claim list shop')) as { claim: string; from: string }[]
    assert.deepEqual(listed[1], { ...roles, as: 'list' })
    assert.deepEqual([...new Set(listed.map(({ from }) => from))], ['constant:7', 'shape:keycloak'])
    const shown = (await at.json('client show shop')) as { claims: unknown[]; claim_shape: string }
    assert.deepEqual([shown.claims.length, shown.claim_shape], [1, 'keycloak'])
    const preview = (await at.json('explain token --user alice --client shop')) as Preview
    assert.deepEqual(preview.access_token.claims.realm_access, { roles: ['clerk'] })
    assert.equal(preview.access_token.claims.typ, 'Bearer')
    assert.equal(preview.id_token?.claims.typ, 'ID')
    const origin = preview.access_token.rules.find(({ claim }) => claim === 'realm_access.roles')
    assert.deepEqual(origin, { claim: 'realm_access.roles', from: 'shape:keycloak', client: 'shop' })
    const why = (claim: string) => preview.access_token.left_out.find((left) => left.claim === claim)?.why
    assert.deepEqual([why('given_name'), why('resource_access')], ['the scope profile is missing', 'no value'])
    await at.refuses('client claim remove shop typ', /A rule for typ is not there/)
    await at.json('client set shop claim_shape=')
    assert.equal(((await at.json('client claim list shop')) as unknown[]).length, 1)
  })

  it('is refused together with a rule for a claim that it sets, whichever comes second, with both named', async (t) => {
    const at = await place(t)
    const both = (owner: string) =>
      new RegExp(
        `realm_access\\.roles of the ${owner} and realm_access\\.roles of the shape keycloak would both be set in`,
      )
    await at.json('scope claim add orders realm_access.roles --from roles --in access_token')
    await at.refuses('client set shop claim_shape=keycloak', both('scope orders'))
    await at.refuses(
      'client add other --redirect-uri https://o.example/cb --scope orders --claim-shape keycloak',
      both('scope orders'),
    )
    await at.json('scope claim remove orders realm_access.roles')
    await at.json('client set shop --claim-shape keycloak')
    for (const [owner, command] of [
      ['scope orders', 'scope claim add orders'],
      ['client shop', 'client claim add shop'],
      [`resource ${api}`, `resource claim add ${api}`],
    ]) {
      await at.refuses(`${command} realm_access.roles --from roles --in access_token`, both(owner as string))
    }
    await at.refuses(
      'client claim add shop resource_access.x --from roles --in userinfo',
      /resource_access of the shape/,
    )
    await at.json('client claim add shop realm_access.more --from roles --in access_token')
    await at.json('client claim add shop realm_access.roles --from roles --in introspection')
    await at.refuses('client set shop claim_shape=spring', /claim_shape must be plain or keycloak or aspnet/)
  })

  it('is in files and in exports, and judged with their rules', async (t) => {
    const at = await place(t)
    const file = (content: object) => writeFileSync(join(at.folder, 'shapes.json'), JSON.stringify(content))
    const client = { client_id: 'shop', redirect_uris: ['https://shop.example/cb'], scope: 'orders' }
    const clients = [{ ...client, claim_shape: 'aspnet' }]
    const long = 'http://schemas.microsoft.com/ws/2008/06/identity/claims/role'
    const orders = { name: 'orders', resources: [api], claims: [{ claim: long, from: 'roles', in: ['access_token'] }] }
    file({ scopes: [orders], clients })
    await at.refuses('apply shapes.json', /of the scope orders and http.* of the shape aspnet would both be set in/)
    file({ clients })
    await at.json('apply shapes.json')
    const exported = (await at.json('export --kind clients')) as { clients: Record<string, unknown>[] }
    assert.equal(exported.clients[0]?.claim_shape, 'aspnet')
    file({ clients: [client] })
    await at.json('apply shapes.json')
    assert.equal(((await at.json('client claim list shop')) as unknown[]).length, 0)
  })
})

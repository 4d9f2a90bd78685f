import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { Value } from 'typebox/value'
import { parse } from 'yaml'
import { clientSecretMatches } from '../../src/secrets/opaque.ts'
import { verifyPassword } from '../../src/secrets/password.ts'
import { aUser } from '../storage/records.ts'
import { secretOf } from '../support/clients.ts'
import { serviceFor } from '../support/lifetime.ts'
import { assertNone, valuesOf } from '../support/values.ts'
import { placeAfter, type Workplace, workplace } from './run.ts'

const secret = 'mVHk2pJ8w6Qd4sT1xZ9cB5nL7fR3gY0a'
const write = (place: Workplace, name: string, text: string) => writeFileSync(join(place.folder, name), text)

const site = `
scopes:
  - name: orders
    display_name: Orders
    resources: [https://orders.example/]
clients:
  - client_id: shop
    client_name: The shop
    redirect_uris: [https://shop.example/cb]
    scope: openid offline_access orders
  - client_id: worker
    grant_types: [client_credentials]
    token_endpoint_auth_method: client_secret_post
    client_secret: \${WORKER_SECRET}
    scope: orders
`
const env = { WORKER_SECRET: secret }

type Losing = { readonly taken_from?: readonly string[]; readonly taken_from_count?: number }

type Applied = {
  readonly changes: readonly {
    readonly action: string
    readonly kind: string
    readonly id: string
    readonly before: Readonly<Record<string, unknown>> | null
    readonly after: Readonly<Record<string, unknown>> | null
  }[]
  readonly impact: Readonly<Record<string, unknown>>
}
const summary = ({ changes }: Applied) => changes.map(({ action, kind, id }) => `${action} ${kind} ${id}`)

describe('latchkey apply', () => {
  it('makes what is stored what the files say, and changes nothing the second time', async (t) => {
    const place = workplace(t)
    write(place, 'site.yaml', site)
    const first = (await place.json('apply site.yaml', { env })) as Applied
    assert.deepEqual(summary(first), ['create scope orders', 'create client shop', 'create client worker'])
    assert.deepEqual(valuesOf(first.changes, 'before'), [null, null, null])
    const second = (await place.json('apply site.yaml', { env })) as Applied
    assert.deepEqual(second.changes, [])
    const { stdout } = await place.run('apply site.yaml', { env })
    assert.equal(stdout, 'Nothing to change: everything is as the files say.\n')
    await place.withStorage(async ({ clients }) => {
      assert.equal(clientSecretMatches(secret, secretOf(await clients.find('worker')).secretHash), true)
    })
    const kinds = ((await place.json('audit list')) as { kind: string }[]).map(({ kind }) => kind)
    assert.deepEqual(kinds, ['scope_added', 'client_added', 'client_added'])
  })

  it('warns of a key that some libraries refuse in the plan already, while nothing is made', async (t) => {
    const place = await placeAfter(t, 'keys rotate')
    write(
      place,
      'curve.yaml',
      `${site.split('clients:')[0]}clients:
  - client_id: curve
    redirect_uris: [https://curve.example/cb]
    id_token_signed_response_alg: EdDSA
`,
    )
    const warning = /^warning: curve: EdDSA puts a key of the type OKP .*OpenIddict 6\.0 \(\.NET\) and ruby-jwt/
    const algorithms = async () =>
      ((await place.json('keys list')) as { algorithm: string }[]).map(({ algorithm }) => algorithm)
    assert.match((await place.run('apply curve.yaml --plan')).stderr, warning)
    assert.ok(!(await algorithms()).includes('EdDSA'))
    const applied = await place.run('apply curve.yaml')
    assert.match(applied.stderr, warning)
    assert.equal(applied.stderr.match(/warning:/g)?.length, 1)
    assert.ok((await algorithms()).includes('EdDSA'))
    assert.equal((await place.run('apply curve.yaml')).stderr, '')
  })

  it('plans without changing anything, and says with --detailed-exitcode whether there is something to change', async (t) => {
    const place = workplace(t)
    write(place, 'site.yaml', site)
    const planned = await place.run('apply site.yaml --plan', { env })
    assert.equal(planned.code, 0)
    assert.match(
      planned.stdout,
      /^Plan: 3 to create, 0 to change, 0 to delete\. Nothing was changed\.\n\n\+ scope orders\n/,
    )
    assert.match(planned.stdout, /\n {4}redirect_uris: \["https:\/\/shop\.example\/cb"\]\n/)
    assert.ok(!planned.stdout.includes(secret))
    assert.deepEqual(await place.json('client list'), [])
    assert.equal((await place.run('apply site.yaml --plan --detailed-exitcode', { env })).code, 2)
    await place.json('apply site.yaml --detailed-exitcode', { env })
    const again = await place.run('apply site.yaml --plan --detailed-exitcode', { env })
    assert.deepEqual([again.code, again.stderr], [0, ''])
  })

  it('gives members that a file leaves out their defaults, but keeps the secret', async (t) => {
    const place = workplace(t)
    write(place, 'site.yaml', site)
    await place.json('apply site.yaml', { env })
    await place.json('client set shop consent=implicit access_token_lifetime=60')
    await place.run('scope add profile')
    write(place, 'less.yaml', site.replace(/ {4}client_secret: .*\n/, '').replace('    display_name: Orders\n', ''))
    const { changes } = (await place.json('apply less.yaml')) as Applied
    assert.deepEqual(
      changes.map(({ id, before, after }) => [
        id,
        before?.display_name ?? before?.consent,
        after?.display_name ?? after?.consent,
      ]),
      [
        ['orders', 'Orders', undefined],
        ['shop', 'implicit', 'explicit'],
      ],
    )
    const [shop] = changes.slice(1)
    assert.equal(shop?.before?.access_token_lifetime, 60)
    assert.equal('access_token_lifetime' in (shop?.after ?? {}), false)
    await place.withStorage(async ({ clients, scopes }) => {
      assert.equal(clientSecretMatches(secret, secretOf(await clients.find('worker')).secretHash), true)
      assert.equal((await scopes.list()).length, 2, 'without --prune nothing is deleted')
    })
  })

  it('deletes with --prune what the files leave out, of their kinds, but not clients that registered themselves', async (t) => {
    const place = workplace(t)
    write(place, 'site.yaml', site)
    await place.json('apply site.yaml', { env })
    await place.run('user add ann --email ann@example.com --no-password')
    await place.withStorage(async ({ clients }) => {
      const shop = await clients.find('shop')
      assert.ok(shop)
      await clients.create({ ...shop, id: 'self', metadata: { ...shop.metadata, registration: 'open' } })
    })
    write(place, 'clients.yaml', 'clients:\n  - client_id: shop\n    redirect_uris: [https://shop.example/cb]\n')
    assert.deepEqual(summary((await place.json('apply clients.yaml --prune --plan')) as Applied), [
      'update client shop',
      'delete client worker',
    ])
    await place.json('apply clients.yaml --prune')
    const left = ((await place.json('client list')) as { client_id: string }[]).map((one) => one.client_id)
    assert.deepEqual(left, ['self', 'shop'])
    assert.equal(((await place.json('scope list')) as unknown[]).length, 1)
    assert.equal(((await place.json('user list')) as unknown[]).length, 1)
    write(place, 'none.yaml', 'scopes: []\n')
    assert.deepEqual(summary((await place.json('apply none.yaml --prune')) as Applied), ['delete scope orders'])
  })

  it('never prunes the client of the console, which export leaves out', async (t) => {
    const place = await placeAfter(t, 'scope add orders')
    const env = {
      Database__Url: `sqlite:${join(place.folder, 'data/latchkey.db')}`,
      Keys__MasterKey: `${'A'.repeat(43)}=`,
    }
    const service = await serviceFor(t, env)
    // Registers it, as the first visit does.
    assert.equal((await fetch(new URL('admin/', service.address))).status, 200)
    const console = () => service.storage.clients.find('latchkey-console')
    const registered = await console()
    assert.ok(registered)
    const { stdout } = await place.run('export --kind clients')
    assert.doesNotMatch(stdout, /latchkey-console/)
    assert.match(stdout, /client_id: demo/, 'it does not leave out everything')
    write(place, 'none.yaml', 'clients: []\nscopes: []\nroles: []\n')
    const planned = summary((await place.json('apply none.yaml --prune --plan')) as Applied)
    assert.ok(planned.includes('delete client demo') && planned.includes('delete scope orders'))
    assertNone(planned.filter((change) => change.includes('console')))
    await place.json('apply none.yaml --prune')
    assert.deepEqual(await console(), registered)
    const signIn = new URL('connect/authorize', service.address)
    signIn.search = String(
      new URLSearchParams({
        client_id: 'latchkey-console',
        response_type: 'code',
        redirect_uri: registered.redirectUris[1] ?? '',
        scope: 'openid admin:read',
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
      }),
    )
    const answer = await fetch(signIn, { redirect: 'manual' })
    assert.match(answer.headers.get('location') ?? '', /\/Account\/Login\?/, 'people still sign in at it')
  })

  it('takes back what export writes, without a change, whatever is stored', async (t) => {
    const place = await placeAfter(t, 'scope add --standard', 'scope add odd')
    const add = 'client add'
    await place.run(
      `${add} spa --redirect-uri https://spa.example/ --scope offline_access --scope odd --name 'Co $\{X}'`,
    )
    await place.run(`${add} worker --confidential --grant client_credentials --scope profile`)
    await place.json(`client set spa client_name#de=Eins contacts=a@example.com default_max_age=60 profile=default`)
    await place.run('client rotate-secret worker --overlap 60')
    // A scope that a client still names.
    await place.run('scope delete odd --yes')
    await place.run('user add ann --email ann@example.com --no-password --role editor --email-confirmed')
    await place.run(`user set ann name='Ann Lee' locale=de`)
    await place.run('user lock ann')
    const { stdout } = await place.run('export --kind scopes --kind client --kind users')
    assert.ok(!/client_secret:|password/.test(stdout))
    write(place, 'all.yaml', stdout)
    assert.deepEqual(summary((await place.json('apply all.yaml --prune')) as Applied), [])
    write(place, 'all.json', JSON.stringify(await place.json('export --kind users --kind clients --kind scopes')))
    assert.deepEqual(summary((await place.json('apply all.json --prune')) as Applied), [])
    const { stdout: byDefault } = await place.run('export')
    assert.ok(byDefault.startsWith('attributes: []\nscopes:\n') && !byDefault.includes('users:'))

    // On another installation, but for the secrets, which are not in it.
    const other = workplace(t)
    write(other, 'all.yaml', stdout)
    const { stderr } = await other.run('apply all.yaml')
    assert.match(
      stderr,
      /client spa: The scope odd is not registered.*\n.*client worker: The client worker needs a secret/,
    )
  })

  it('declares people: claims, roles, password; their id when they move', async (t) => {
    const place = workplace(t)
    const id = '01a2048c-0e28-7428-9f20-439ee93be597'
    const file = `
users:
  - username: ann
    id: ${id}
    email: ann@example.com
    email_verified: true
    roles: [writer, editor]
    given_name: Ann
    password: \${file:password.txt}
`
    write(place, 'people.yaml', file)
    write(place, 'password.txt', 'a long enough pass phrase\n')
    assert.deepEqual(summary((await place.json('apply people.yaml')) as Applied), ['create user ann'])
    const shown = (await place.json('user show ann')) as Record<string, unknown>
    assert.deepEqual([shown.id, shown.roles, shown.given_name], [id, ['editor', 'writer'], 'Ann'])
    await place.run('user lock ann')
    assert.deepEqual(((await place.json('apply people.yaml')) as Applied).changes, [])
    await place.withStorage(async ({ users }) => {
      const ann = await users.findByName('ann')
      assert.equal(ann?.disabled, true, 'a lock is no configuration')
      assert.equal(await verifyPassword(ann?.passwordHash ?? null, 'a long enough pass phrase'), true)
    })
    await place.run('user add ben --email ben@example.com --no-password')
    write(place, 'ben.yaml', `${file}  - username: ben\n    password: \${file:password.txt}\n`)
    const changed = await place.run('apply ben.yaml')
    assert.match(changed.stdout, /~ user ben\n {4}password: another one\n/)
    assert.ok(!changed.stdout.includes('pass phrase'))
  })

  it('reports every problem with file, line and member, and then changes nothing at all', async (t) => {
    const place = workplace(t)
    write(
      place,
      'bad.yaml',
      `
scopes:
  - name: good
  - name: 'a b'
  - name: odd
    display_name: [1]
    colour: red
clients:
  - client_id: web
    redirect_uris: [http://web.example/#x]
    scope: openid missing
    require_pkce: maybe
  - client_id: worker
    grant_types: [client_credentials]
    token_endpoint_auth_method: client_secret_basic
  - client_id: weak
    grant_types: [client_credentials]
    token_endpoint_auth_method: client_secret_basic
    client_secret: \${WEAK}
users:
  - username: ann
    password: \${WEAK}
  - username: ben
    email: ben@example.com
    locked_until: 2030-01-01T00:00:00Z
    id: 7
`,
    )
    const { code, stdout, stderr } = await place.run('apply bad.yaml --json', { env: { WEAK: 'short' } })
    assert.deepEqual([code, stdout], [1, ''])
    const { errors } = JSON.parse(stderr) as { errors: { path: string; message: string }[] }
    const paths = errors.map(({ path }) => path)
    for (const path of [
      '/scopes/1/name',
      '/scopes/2/colour',
      '/scopes/2/display_name',
      '/clients/0/redirect_uris',
      '/clients/0/scope',
      '/clients/0/require_pkce',
      '/clients/1/client_secret',
      '/clients/2/client_secret',
      '/users/0/email',
      '/users/0/password',
      '/users/1/locked_until',
      '/users/1/id',
    ]) {
      assert.ok(paths.includes(path), `${path} in ${paths}`)
    }
    const scope = errors.find(({ path }) => path === '/clients/0/scope')
    assert.match(scope?.message ?? '', /^bad\.yaml, line 9, client web: The scope missing is not registered\./)
    assert.ok(!stderr.includes('short'))
    for (const kind of ['scope', 'client', 'user']) assert.deepEqual(await place.json(`${kind} list`), [])
    await place.refuses('apply missing.yaml', /There is no file .*missing\.yaml/)
    await place.misuses('apply', /missing required argument 'file'/)
    await place.misuses('export --kind keys', /These are: attributes, scopes, /)
  })

  it('refuses names and addresses that other people have, before anything is stored', async (t) => {
    const place = await placeAfter(
      t,
      'user add ann --email ann@example.com --no-password',
      'user add ben --email ben@example.com --no-password',
    )
    const file = (text: string) => write(place, 'people.yaml', `scopes:\n  - name: never\nusers:\n${text}`)
    file('  - username: cleo\n    email: ANN@example.com\n')
    await place.refuses('apply people.yaml', /line 4, user cleo: Another user has the e-mail address/)
    file('  - username: ben\n    email: ann@example.com\n')
    await place.refuses('apply people.yaml', /user ben: Another user has the e-mail address/)
    file('  - username: ben\n    id: 01a2048c-0e28-7428-9f20-439ee93be597\n    email: ben@example.com\n')
    await place.refuses('apply people.yaml', /id never changes/)
    file('  - username: dan\n    email: dan@example.com\n  - username: DAN\n    email: other@example.com\n')
    await place.refuses('apply people.yaml', /line 6, user DAN: It is declared already: people.yaml, line 4/)
    file('  - username: dan\n    email: same@example.com\n  - username: eve\n    email: Same@example.com\n')
    const { stderr } = await place.run('apply people.yaml')
    assert.match(stderr, /user dan: Another user has the e-mail address.*\n.*user eve: Another user has/)
    assert.deepEqual(await place.json('scope list'), [])
    file('  - username: BEN\n    email: ben@new.example\n')
    await place.json('apply people.yaml')
    const ben = (await place.json('user show ben')) as Record<string, unknown>
    assert.deepEqual([ben.username, ben.email, ben.email_verified], ['BEN', 'ben@new.example', false])
  })

  it('passes addresses on between people: two swap them, a new one has that of one who is deleted', async (t) => {
    const place = workplace(t)
    for (const name of ['ann', 'ben', 'cleo']) {
      await place.run(`user add ${name} --email ${name}@example.com --no-password`)
    }
    const file = (people: readonly (readonly [string, string])[]) => {
      const users = people.map(([name, email]) => `  - username: ${name}\n    email: ${email}@example.com\n`)
      write(place, 'people.yaml', `users:\n${users.join('')}`)
    }
    const emails = async () => {
      const people = (await place.json('user list')) as { username: string; email: string }[]
      return people.map(({ username, email }) => `${username} ${email.replace('@example.com', '')}`).sort()
    }
    file([
      ['ann', 'BEN'],
      ['ben', 'ann'],
    ])
    const planned = summary((await place.json('apply people.yaml --plan')) as Applied)
    assert.deepEqual(planned, ['update user ann', 'update user ben'])
    assert.deepEqual(await emails(), ['ann ann', 'ben ben', 'cleo cleo'])
    assert.deepEqual(summary((await place.json('apply people.yaml')) as Applied), planned)
    assert.deepEqual(await emails(), ['ann BEN', 'ben ann', 'cleo cleo'])
    assert.deepEqual(summary((await place.json('apply people.yaml')) as Applied), [])
    file([
      ['ann', 'cleo'],
      ['ben', 'new'],
      ['cleo', 'ann'],
      ['dan', 'ben'],
    ])
    await place.json('apply people.yaml')
    assert.deepEqual(await emails(), ['ann cleo', 'ben new', 'cleo ann', 'dan ben'])
    file([
      ['dan', 'new'],
      ['eve', 'cleo'],
    ])
    await place.json('apply people.yaml --prune')
    assert.deepEqual(await emails(), ['dan new', 'eve cleo'])
    file([
      ['dan', 'cleo'],
      ['eve', 'cleo'],
    ])
    await place.refuses('apply people.yaml', /Another user has the e-mail address/)
    file([['dan', 'cleo']])
    await place.refuses('apply people.yaml', /Another user has the e-mail address/)
  })

  it('describes roles, and takes one that is pruned from everybody who has it', async (t) => {
    const place = await placeAfter(t, 'user add ann --email ann@example.com --no-password --role editor --role writer')
    write(place, 'roles.yaml', 'roles:\n  - name: editor\n    description: Edits\n  - name: writer\n')
    assert.deepEqual(summary((await place.json('apply roles.yaml')) as Applied), [
      'create role editor',
      'create role writer',
    ])
    write(place, 'fewer.yaml', 'roles:\n  - name: editor\n    description: Edits texts\n')
    const planned = (await place.json('apply fewer.yaml --prune --plan')) as Applied
    assert.deepEqual(summary(planned), ['update role editor', 'delete role writer'])
    assert.deepEqual(planned.impact.people, { names: ['ann'], count: 1 })
    await place.json('apply fewer.yaml --prune')
    assert.deepEqual(((await place.json('user show ann')) as { roles: string[] }).roles, ['editor'])
  })

  it('never prunes a built-in role, of which only the description is stored', async (t) => {
    const place = await placeAfter(t, 'user add ann --email ann@example.com --no-password --role latchkey-admin')
    write(place, 'all.yaml', 'roles:\n  - name: latchkey-admin\n    description: May do all\n  - name: editor\n')
    await place.json('apply all.yaml')
    write(place, 'none.yaml', 'roles: []\n')
    assert.deepEqual(summary((await place.json('apply none.yaml --prune')) as Applied), ['delete role editor'])
    assert.deepEqual(((await place.json('user show ann')) as { roles: string[] }).roles, ['latchkey-admin'])
  })

  it('refuses to prune a scope or role that the same files still name, and says from whom else it is taken', async (t) => {
    const place = workplace(t)
    write(place, 'site.yaml', site)
    await place.json('apply site.yaml', { env })
    const shop = site.slice(site.indexOf('clients:'), site.indexOf('  - client_id: worker'))
    write(place, 'less.yaml', `scopes: []\n${shop}`)
    await place.refuses(
      'apply less.yaml --prune',
      /client shop: The scope orders would be deleted, because no file declares it/,
      {
        env,
      },
    )
    write(place, 'scopes.yaml', 'scopes: []\n')
    const { stdout } = await place.run('apply scopes.yaml --prune --plan')
    assert.match(stdout, /- scope orders\n {4}taken from: shop, worker\n/)
    const planned = (await place.json('apply scopes.yaml --prune --plan')) as { changes: Losing[] }
    const [scope] = planned.changes
    assert.deepEqual([scope?.taken_from, scope?.taken_from_count], [['shop', 'worker'], 2])

    await place.run('user add ann --email ann@example.com --no-password --role editor')
    write(place, 'roles.yaml', 'roles:\n  - name: editor\n')
    await place.json('apply roles.yaml')
    const ann = 'users:\n  - username: ann\n    email: ann@example.com\n    roles: [editor]\n'
    write(place, 'people.yaml', `roles: []\n${ann}`)
    await place.refuses('apply people.yaml --prune', /user ann: The role editor would be deleted/)
    write(place, 'none.yaml', 'roles: []\n')
    const roles = await place.run('apply none.yaml --prune --plan')
    assert.match(roles.stdout, /- role editor\n {4}taken from: ann\n/)
    assert.match(roles.stdout, /Would change what ann may do\./)
    const [role] = ((await place.json('apply none.yaml --prune --plan')) as { changes: Losing[] }).changes
    assert.deepEqual([role?.taken_from, role?.taken_from_count], [['ann'], 1])
    for (let at = 0; at < 21; at += 1) {
      await place.withStorage(({ users }) => users.create(aUser({ name: `p${at}`, roles: ['editor'] })))
    }
    assert.match((await place.run('apply none.yaml --prune --plan')).stdout, /\n {4}taken from: ann, .*, and 2 more\n/)
    const [many] = ((await place.json('apply none.yaml --prune --plan')) as { changes: Losing[] }).changes
    assert.deepEqual([many?.taken_from?.length, many?.taken_from_count], [20, 22])
  })

  it('reports each fault of a file once: a scope or role with a fault of its own is not as good as deleted', async (t) => {
    const place = workplace(t)
    write(place, 'site.yaml', site)
    await place.json('apply site.yaml', { env })
    write(place, 'faulty.yaml', site.replace('resources: [https://orders.example/]', 'resources: [no address]'))
    for (const options of ['', ' --prune']) {
      const { code, stderr } = await place.run(`apply faulty.yaml${options}`, { env })
      assert.equal(code, 1)
      assert.match(stderr, /^error: faulty\.yaml, line \d+, scope orders: The resource "no address" must be .*\n$/)
    }
  })

  it('does not make somebody anew who has another name in the file, and says how to rename them', async (t) => {
    const place = await placeAfter(t, 'user add ada --email ada@example.com --no-password')
    const { id } = (await place.json('user show ada')) as { id: string }
    write(place, 'people.yaml', `users:\n  - username: ada.l\n    id: ${id}\n    email: ada@example.com\n`)
    for (const options of ['', ' --prune']) {
      await place.refuses(
        `apply people.yaml${options}`,
        /user ada\.l: The id .* belongs to ada\. Rename the account first: latchkey user set ada username=ada\.l/,
      )
    }
    await place.json('user set ada username=ada.l')
    assert.deepEqual(summary((await place.json('apply people.yaml --prune')) as Applied), [])
    assert.equal(((await place.json('user show ada.l')) as { id: string }).id, id)
  })

  it('keeps an administrator', async (t) => {
    const place = workplace(t)
    for (const name of ['ann', 'ben']) {
      await place.run(`user add ${name} --email ${name}@example.com --no-password --role latchkey-admin`)
    }
    const people = (roles: string) =>
      `users:\n${['ann', 'ben'].map((name) => `  - username: ${name}\n    email: ${name}@example.com\n    roles: [${roles}]\n`).join('')}`
    write(place, 'none.yaml', people('editor'))
    await place.refuses('apply none.yaml', /Nobody who can sign in would have the role latchkey-admin any more/)
    write(place, 'gone.yaml', 'users: []\n')
    await place.refuses('apply gone.yaml --prune', /Nobody who can sign in/)
    write(place, 'one.yaml', people('editor').replace('editor', 'latchkey-admin'))
    assert.deepEqual(summary((await place.json('apply one.yaml')) as Applied), ['update user ben'])
  })

  it('has a JSON schema for its files, which knows every member that is exported', async (t) => {
    const place = workplace(t)
    write(place, 'site.yaml', site)
    await place.json('apply site.yaml', { env })
    await place.run('user add ann --email ann@example.com --no-password')
    await place.json('user set ann given_name=Ann phone_number=+49301234')
    const schema = JSON.parse(readFileSync(new URL('../../docs/latchkey.schema.json', import.meta.url), 'utf8'))
    const kinds = ['scopes', 'roles', 'clients', 'users'].map((kind) => `--kind ${kind}`).join(' ')
    const exported = (await place.json(`export ${kinds}`)) as { clients: object[] }
    assert.deepEqual(Value.Errors(schema, exported), [])
    assert.equal(Value.Check(schema, { ...exported, clients: [{ client_id: 'x', colour: 'red' }] }), false)
    assert.equal(Value.Check(schema, { clients: [{ client_id: 'x', client_secret: 'written out' }] }), false)
    assert.equal(Value.Check(schema, parse(site)), true)
  })
})

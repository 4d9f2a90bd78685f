/** What files of `latchkey apply` speak of, and what they leave to people; what in them is refused, and what is never printed. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { cheapPasswordHash } from '../support/service.ts'
import { placeAfter, type Workplace, workplace } from './run.ts'

const write = (place: Workplace, name: string, text: string) => writeFileSync(join(place.folder, name), text)

type Shown = Readonly<Record<string, unknown>>

type Applied = {
  readonly changes: readonly {
    readonly action: string
    readonly kind: string
    readonly id: string
    readonly before: Shown | null
    readonly after: Shown | null
  }[]
}
const summary = ({ changes }: Applied) => changes.map(({ action, kind, id }) => `${action} ${kind} ${id}`)
const shown = async (place: Workplace, line: string) => (await place.json(line)) as Shown

describe('a file for latchkey apply', () => {
  it('speaks of what operators own: what people chose themselves stays, and is named', async (t) => {
    const place = workplace(t)
    const file = `
users:
  - username: ann
    email: ann@example.com
    roles: [editor]
    name: Ann
    locale: en
    phone_number: '+4930123'
    phone_number_verified: true
    preferred_username: ann.s
    password: \${PASSWORD}
`
    const password = { env: { PASSWORD: 'a long enough pass phrase' } }
    write(place, 'people.yaml', file)
    await place.json('apply people.yaml', password)
    await place.json('user set ann name=Anna locale=de nickname=An phone_number=+4930999 email_verified=true')
    await place.withStorage(async ({ users }) => {
      const { id } = (await users.findByName('ann')) ?? assert.fail()
      await users.update(id, (user) => ({ ...user, passwordHash: cheapPasswordHash }))
    })
    const before = await shown(place, 'user show ann')
    const again = (await place.json('apply people.yaml', password)) as Applied & { left_to_people: unknown }
    assert.deepEqual(again.changes, [])
    assert.deepEqual(again.left_to_people, [
      { username: 'ann', members: ['name', 'locale', 'phone_number', 'phone_number_verified', 'password'] },
    ])
    write(place, 'unproved.yaml', `${file}    email_verified: false\n`)
    const { stdout } = await place.run('apply unproved.yaml', password)
    assert.match(
      stdout,
      /^Nothing to change.*\nLeft as people have it themselves: ann \(name, .*email_verified, password\)\.\n$/,
    )
    assert.deepEqual(await shown(place, 'user show ann'), before)
    await place.withStorage(async ({ users }) => {
      assert.equal((await users.findByName('ann'))?.passwordHash, cheapPasswordHash)
    })
    // What operators own follows the file, left out or not.
    write(place, 'less.yaml', 'users:\n  - username: ann\n')
    const { changes } = (await place.json('apply less.yaml')) as Applied
    assert.deepEqual([changes[0]?.before?.roles, changes[0]?.before?.preferred_username], [['editor'], 'ann.s'])
    const { preferred_username: _, ...rest } = before
    assert.deepEqual(await shown(place, 'user show ann'), { ...rest, roles: [], effective_roles: [] })
    write(place, 'moved.yaml', 'users:\n  - username: ann\n    email: new@example.com\n    name: 7\n')
    await place.refuses('apply moved.yaml', /user ann: name must be a text/)
    write(place, 'moved.yaml', 'users:\n  - username: ann\n    email: new@example.com\n')
    await place.json('apply moved.yaml')
    const moved = await shown(place, 'user show ann')
    assert.deepEqual([moved.email, moved.email_verified, moved.name], ['new@example.com', false, 'Anna'])
    write(place, 'moved.yaml', 'users:\n  - username: ann\n    email_verified: true\n')
    await place.json('apply moved.yaml')
    assert.equal((await shown(place, 'user show ann')).email_verified, true)
  })

  it('takes an export on another installation, with the ids that people have from wherever they came', async (t) => {
    const [place, other] = [workplace(t), workplace(t)]
    const ids = ['auth0|5f7c1a', 'b3J1bnM-', '01A2048C-0E28-7428-9F20-439EE93BE597', 'x'.repeat(255)]
    const people = ids.map((id, at) => `${JSON.stringify({ id, username: `u${at}`, email: `u${at}@example.com` })}\n`)
    write(place, 'people.jsonl', people.join(''))
    await place.json('import users people.jsonl')
    const { stdout } = await place.run('export --kind users')
    write(other, 'people.yaml', stdout)
    await other.json('apply people.yaml')
    assert.deepEqual((await other.run('export --kind users')).stdout, stdout)
    for (const id of ["'a b'", "''", "'\u00e9'", 'x'.repeat(256)]) {
      write(other, 'bad.yaml', `users:\n  - username: new\n    id: ${id}\n    email: new@example.com\n`)
      await other.refuses('apply bad.yaml', /user new: id must have 1 to 255 characters of ASCII/)
    }
  })

  it('refuses a read-only member with another value, although nothing else differs', async (t) => {
    const place = await placeAfter(
      t,
      'scope add orders',
      'user add ann --email ann@example.com --no-password --role editor',
      'client add web --redirect-uri https://web.example/',
    )
    write(place, 'role.yaml', 'roles:\n  - name: editor\n')
    await place.json('apply role.yaml')
    const show = (line: string) => shown(place, line)
    const [scope = {}] = (await place.json('scope list')) as Shown[]
    const records: readonly (readonly [string, Shown, string, unknown])[] = [
      ['scopes', scope, 'created_at', '2020-01-01T00:00:00.000Z'],
      ['clients', await show('client show web'), 'client_id_issued_at', 7],
      ['clients', await show('client show web'), 'registration', 'open'],
      ['users', await show('user show ann'), 'created_at', '2020-01-01T00:00:00.000Z'],
      ['users', await show('user show ann'), 'disabled', true],
      ['users', await show('user show ann'), 'id', '01a2048c-0e28-7428-9f20-439ee93be597'],
    ]
    for (const [kind, record, member, value] of records) {
      write(place, 'same.json', JSON.stringify({ [kind]: [record] }))
      assert.deepEqual(summary((await place.json('apply same.json')) as Applied), [], `${kind} ${member}`)
      write(place, 'other.json', JSON.stringify({ [kind]: [{ ...record, [member]: value }] }))
      await place.refuses('apply other.json', new RegExp(`${member} (cannot be set|never changes)`))
    }
    write(place, 'role.yaml', 'roles:\n  - name: editor\n    created_at: 2020-01-01T00:00:00.000Z\n')
    await place.refuses('apply role.yaml', /created_at cannot be set/)
  })

  it('refuses an alias inside of what it stands for, which has no end (YAML 1.2 §3.2.2.2)', async (t) => {
    const place = await workplace(t)
    for (const text of [
      'scopes: &a [*a]\n',
      'scopes:\n  - &a\n    name: a\n    display_name: *a\n',
      'clients: &a\n  - client_id: app\n    jwks: {keys: *a}\n',
    ]) {
      write(place, 'endless.yaml', text)
      await place.refuses('apply endless.yaml', /endless\.yaml, line \d+: \*a is inside of what it stands for\./)
    }
  })

  it('refuses __proto__ as a key, wherever it stands', async (t) => {
    const place = workplace(t)
    for (const text of [
      '__proto__: 1\n',
      'scopes:\n  - name: a\n    __proto__: {display_name: x}\n',
      'scopes:\n  - name: a\n    "__proto__": x\n',
      '{"clients": [{"client_id": "a", "jwks": {"keys": [{"__proto__": {"kty": "EC"}}]}}]}',
      'scopes:\n  - &a {name: a, __proto__: {resources: []}}\n  - <<: *a\n    name: b\n',
      'scopes:\n  - name: &k __proto__\n    *k : x\n',
    ]) {
      write(place, 'proto.yaml', text)
      await place.refuses('apply proto.yaml', /proto\.yaml, line \d+: __proto__ cannot be the name of a member/)
    }
    write(place, 'lookup.yaml', `scopes:\n  - name: a\n    display_name: \${__proto__} \${constructor}\n`)
    const { stderr } = await place.run('apply lookup.yaml')
    assert.match(stderr, /The environment has no __proto__\.\n.*The environment has no constructor\./)
    assert.deepEqual(await place.json('scope list'), [])
  })
})

describe('what came from the environment or from a file', () => {
  const env = {
    HOST: 'Internal-7.Example',
    ODD: 'Käse "x"',
    AGE: 'age-4711',
    ID: 'hidden-client',
    PERSON: 'hidden.person',
    CLIENT_SECRET: 'mVHk2pJ8w6Qd4sT1xZ9cB5nL7fR3gY0a',
  }
  const secrets = ['internal-7', 'Käse', '4711', 'hidden', 'mVHk2p', 'from a file', 'older-host']
  const assertHidden = (output: string) => {
    for (const one of secrets) assert.ok(!output.toLowerCase().includes(one.toLowerCase()), `${one} in ${output}`)
  }
  const file = `
scopes:
  - name: orders
    display_name: \${ODD}
    resources: ["https://\${HOST}/"]
clients:
  - client_id: \${ID}
    client_name: shop of \${file:name.txt}
    redirect_uris: ["https://\${HOST}/cb", "https://other.example/cb"]
    default_max_age: 60
    scope: openid orders
    client_secret: \${CLIENT_SECRET}
    token_endpoint_auth_method: client_secret_basic
users:
  - username: \${PERSON}
    email: \${PERSON}@example.com
    nickname: \${ODD}
`

  it('is in no plan and no result, new or in place of an older value, in text and JSON: the reference is', async (t) => {
    const place = workplace(t)
    write(place, 'site.yaml', file)
    write(place, 'name.txt', 'words from a file\n')
    for (const line of ['apply site.yaml --plan', 'apply site.yaml --plan --json']) {
      const { code, stdout, stderr } = await place.run(line, { env })
      assert.equal(code, 0, stderr)
      assertHidden(stdout + stderr)
      for (const name of [`\${HOST}`, `\${ODD}`, `\${ID}`, `\${PERSON}`, `\${file:name.txt}`])
        assert.ok(stdout.includes(name))
    }
    // Values of other references, which came from the environment then.
    const older = { ...env, HOST: 'older-host.example', ODD: 'Käse' }
    const first = await place.run('apply site.yaml', { env: older })
    assert.equal(first.code, 0, first.stderr)
    assertHidden(first.stdout + first.stderr)
    const planned = (await place.json('apply site.yaml --plan', { env })) as Applied
    assertHidden(JSON.stringify(planned))
    const client = planned.changes.find(({ kind }) => kind === 'client')
    assert.equal(client?.id, `\${ID}`)
    assert.equal(client?.before?.redirect_uris, '(not shown)')
    assert.deepEqual(client?.after?.redirect_uris, [`https://\${HOST}/cb`, 'https://other.example/cb'])
    assert.equal(client?.after?.client_name, `shop of \${file:name.txt}`)
    assert.equal(client?.after?.default_max_age, 60)
    const second = await place.run('apply site.yaml', { env })
    assert.match(second.stdout, /redirect_uris: "\(not shown\)" → \["https:\/\/\$\{HOST\}\/cb"/)
    assertHidden(second.stdout + second.stderr)
    // What was applied has the values.
    const stored = await shown(place, 'client show hidden-client')
    assert.deepEqual(stored.redirect_uris, ['https://Internal-7.Example/cb', 'https://other.example/cb'])
    const gone = (await place.run('apply site.yaml', { env })).stdout
    assert.match(gone, /^Nothing to change: [^\n]*\nLeft as people have it themselves: \$\{PERSON\} \(nickname\)\.\n$/)
  })

  it('is in no refusal and no warning', async (t) => {
    const place = workplace(t)
    write(place, 'name.txt', 'words from a file')
    for (const [written, pattern] of [
      [`    redirect_uris: ["https://\${HOST}/#x"]\n`, /redirect/],
      [`    scope: openid \${ODD}\n`, /scope/],
      [`    scope: openid \${file:name.txt}\n`, /scope/],
      [`    default_max_age: \${AGE}x\n`, /default_max_age/],
      [`    logo_uri: \${ODD}\n`, /logo_uri/],
      [`    \${ODD}: 1\n`, /\$\{ODD\}/],
      [`    token_endpoint_auth_method: \${HOST}\n`, /token_endpoint_auth_method/],
      [`  - client_id: \${ID}\n    redirect_uris: [https://x.example/]\n`, /declared already/],
    ] as const) {
      write(place, 'bad.yaml', `clients:\n  - client_id: \${ID}\n${written}`)
      for (const option of ['', ' --plan --json']) {
        const { code, stdout, stderr } = await place.run(`apply bad.yaml${option}`, { env })
        assert.equal(code, 1, written)
        assert.match(stderr, pattern)
        assertHidden(stdout + stderr)
      }
    }
    write(
      place,
      'front.yaml',
      `clients:\n  - client_id: \${ID}\n    redirect_uris: ["https://\${HOST}/cb"]\n    frontchannel_logout_uri: https://elsewhere.example/\n`,
    )
    const { stderr } = await place.run('apply front.yaml', { env })
    assertHidden(stderr)
  })
})

/** The way back: everybody as a file that an import of the same kind takes (connections, section 7). */
import assert from 'node:assert/strict'
import { pbkdf2Sync } from 'node:crypto'
import { readFileSync, readlinkSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { openKeyRing } from '../../src/keys/ring.ts'
import { isWeakHash, verifyPassword, wrapHash } from '../../src/secrets/password.ts'
import { unsealTotpSecret } from '../../src/secrets/totp.ts'
import type { User } from '../../src/users/user.ts'
import { settingsFrom } from '../support/settings.ts'
import { find, lines, placeWith, result } from './import-place.ts'
import { type Workplace, workplace } from './run.ts'

const salt = Buffer.from('salt of sixteen!')
const pbkdf2 = (password: string, rounds: number) =>
  `$pbkdf2-sha256$i=${rounds}$${salt.toString('base64').replaceAll('=', '')}$${pbkdf2Sync(password, salt, rounds, 32, 'sha256').toString('base64').replaceAll('=', '')}`

const alice = {
  ...{
    id: '6a3f1df9-f03a-43c0-9bd9-7e57731f64c1',
    username: 'alice',
    email: 'alice@example.com',
    email_verified: true,
  },
  ...{ given_name: 'Alice', family_name: 'Liddell', name: 'Alice Liddell', nickname: 'Ali', zoneinfo: 'Europe/Berlin' },
  ...{ phone_number: '+49 30 123456', phone_number_verified: true, created_at: '2021-01-01T00:00:00Z' },
  ...{ address: { street_address: 'Hauptstr. 1', locality: 'Berlin' }, roles: ['sales', 'shop:viewer'] },
  ...{ password_hash: pbkdf2('password of alice', 1000), totp_secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' },
  ...{ recovery_codes: ['2V7XK-9QWRT'], external_logins: [{ provider: 'GitHub', subject: '583231' }] },
  attributes: { cost_centre: ['100', '200'] },
}
const bcrypt = '$2b$04$abcdefghijklmnopqrstuuvJuvEYnKk3AfKCkCIVuGiNmoLlvYgS6'
const people = [
  alice,
  { username: 'bob', email: 'bob@example.com', password_hash: pbkdf2('password of bob', 700_000) },
  { username: 'carol', email: 'carol@example.com', disabled: true },
  { username: 'dave', email: 'dave@example.com', locked_until: '2031-01-01T00:00:00Z' },
  { username: 'erin', email: 'erin@example.com', password_hash: bcrypt },
]

const commands = ['attribute add cost_centre --many', 'client add shop --redirect-uri https://shop.example/cb']

async function filled(t: TestContext): Promise<Workplace> {
  const at = placeWith(t, { 'people.jsonl': lines(...people) })
  for (const command of commands) await at.run(command)
  assert.equal((await result(at, 'users people.jsonl')).created, people.length)
  // As the next sign-in would leave it, and as a service wraps it.
  await at.withStorage(async ({ users }) => {
    const user = await users.findByName('alice')
    const hash = user?.passwordHash ?? ''
    assert.ok(isWeakHash(hash))
    const wrapped = await wrapHash(hash)
    await users.update(user?.id ?? '', (one) => ({ ...one, passwordHash: wrapped ?? null }))
  })
  await at.run('group add /staff --role worker')
  await at.run('group member add /staff alice')
  await at.run('user set-password bob --password-stdin', { stdin: 'another password of bob' })
  return at
}

const emptied = ({ version: _, sessionsEndedAtMs: __, grantsEndedAtMs: ___, updatedAtMs: ____, ...user }: User) => user

describe('latchkey export users', () => {
  it('writes what latchkey import users takes: everybody signs in there as here', async (t) => {
    const at = await filled(t)
    const { code, stderr } = await at.run('export users all.jsonl')
    assert.equal(code, 0, stderr)
    assert.equal(statSync(join(at.folder, 'all.jsonl')).mode & 0o777, 0o600)
    assert.match(stderr, /5 people exported/)
    assert.match(stderr, /not exported, for 1 person: recovery codes/)
    const there = placeWith(t, { 'all.jsonl': readFileSync(join(at.folder, 'all.jsonl'), 'utf8') })
    await there.run('attribute add cost_centre --many')
    assert.equal((await result(there, 'users all.jsonl')).created, people.length)
    for (const { username } of people) {
      const {
        groupIds: _,
        claims: { updated_at: __, ...claims },
        ...before
      } = emptied(await find(at, username))
      const {
        claims: { updated_at: ___, ...claimsAfter },
        ...after
      } = emptied(await find(there, username))
      assert.deepEqual({ ...after, claims: claimsAfter }, { ...before, claims })
    }
    const hashOf = async (name: string) => (await find(there, name)).passwordHash
    assert.ok(await verifyPassword(await hashOf('alice'), 'password of alice'))
    assert.ok(await verifyPassword(await hashOf('bob'), 'another password of bob'))
  })

  it('goes to standard output without a file, where each line is a person', async (t) => {
    const at = await filled(t)
    const { stdout } = await at.run('export users')
    const names = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).username)
    assert.deepEqual(names, ['alice', 'bob', 'carol', 'dave', 'erin'])
  })

  it('is in the audit trail, writes over nothing, and knows two systems', async (t) => {
    const at = placeWith(t, { taken: 'mine' })
    await at.refuses('export users taken', /taken is there already/)
    assert.equal(readFileSync(join(at.folder, 'taken'), 'utf8'), 'mine')
    await at.refuses('export users nowhere/file', /nowhere\/file cannot be written \(ENOENT\)/)
    await at.misuses('export ldap', /There is no system "ldap"\. These are: users, keycloak\./)
    await at.misuses('export users --realm acme', /--realm is for keycloak alone/)
    await at.misuses('export users --kind users', /--kind is for configuration alone/)
    // Somebody else makes a file of the name while it is opened.
    symlinkSync('nowhere-else', join(at.folder, 'made'))
    await at.refuses('export users made', /^error: made cannot be written \(EEXIST\)\.$/m)
    assert.equal(readlinkSync(join(at.folder, 'made')), 'nowhere-else')
    assert.equal((await at.run('export users')).stdout, '')
    const entries = (await at.json('audit list --kind data_exported')) as { readonly kind: string }[]
    assert.equal(entries.length, 3)
  })
})

describe('latchkey export keycloak', () => {
  it('writes a realm that latchkey import keycloak takes: with passwords, authenticator apps, roles and providers', async (t) => {
    const at = await filled(t)
    const { code, stderr } = await at.run('export keycloak realm.json --realm acme')
    assert.equal(code, 0, stderr)
    assert.match(stderr, /not exported, for 2 people: password hashes of a kind that Keycloak does not check/)
    assert.match(stderr, /not exported, for 1 person: locks with an end/)
    const text = readFileSync(join(at.folder, 'realm.json'), 'utf8')
    const realm = JSON.parse(text)
    assert.equal(realm.realm, 'acme')
    assert.deepEqual(realm.groups[0].realmRoles, ['worker'])
    const [first] = realm.users
    assert.deepEqual(first.groups, ['/staff'])
    assert.deepEqual(first.clientRoles, { shop: ['viewer'] })
    assert.deepEqual(first.attributes.cost_centre, ['100', '200'])
    assert.deepEqual(first.attributes.street, ['Hauptstr. 1'])
    // Keycloak checks neither bcrypt nor what is wrapped.
    const asked = realm.users.filter((user: { requiredActions: string[] }) => user.requiredActions.length > 0)
    assert.deepEqual(
      asked.map((user: { username: string }) => user.username),
      ['alice', 'erin'],
    )
    assert.deepEqual(realm.users.filter((user: { enabled: boolean }) => !user.enabled).length, 2)

    const there = placeWith(t, { 'realm.json': text })
    await there.run('attribute add cost_centre --many')
    const { failed, rows } = await result(there, 'keycloak realm.json')
    assert.equal(failed, 0, JSON.stringify(rows))
    const bob = await find(there, 'bob')
    assert.ok(await verifyPassword(bob.passwordHash, 'another password of bob'))
    const moved = await find(there, 'alice')
    assert.equal(moved.id, alice.id)
    assert.deepEqual(moved.claims.name, 'Alice Liddell')
    assert.deepEqual(moved.attributes, { cost_centre: ['100', '200'] })
    await there.withStorage(async (storage) => {
      const factors = await storage.secondFactors.find(alice.id)
      const settings = settingsFrom({}, there.folder)
      const keys = await openKeyRing({ storage, settings, clock: () => there.nowMs })
      assert.equal(unsealTotpSecret(keys, factors?.totp?.sealedSecret ?? ''), alice.totp_secret)
      assert.deepEqual(
        (await storage.externalLogins.list(alice.id)).map(({ provider, subject }) => `${provider} ${subject}`),
        ['github 583231'],
      )
    })
  })

  it('writes a realm without people as whole JSON, in which each address is one person’s', async (t) => {
    const { stdout } = await workplace(t).run('export keycloak')
    const { users, duplicateEmailsAllowed, loginWithEmailAllowed } = JSON.parse(stdout)
    assert.deepEqual([users, duplicateEmailsAllowed, loginWithEmailAllowed], [[], false, true])
  })

  it('writes shared addresses as Keycloak takes them, and says so for our own names', async (t) => {
    const shared = ['one', 'two'].map((username) => ({ username, email: 'office@example.com', email_verified: true }))
    const at = placeWith(t, { 'people.jsonl': lines(...shared, { username: 'alone' }) })
    await result(at, 'users people.jsonl --shared-emails')
    const realm = JSON.parse((await at.run('export keycloak')).stdout)
    assert.deepEqual([realm.duplicateEmailsAllowed, realm.loginWithEmailAllowed], [true, false])
    const of = ({ email = null, emailVerified }: { email?: string | null; emailVerified: boolean }) => [
      email,
      emailVerified,
    ]
    assert.deepEqual(realm.users.map(of), [
      [null, false],
      ['office@example.com', false],
      ['office@example.com', false],
    ])
    assert.match((await at.run('export users')).stderr, /import the file with --shared-emails/)
  })

  it('names applications that know people by another identifier', async (t) => {
    const at = workplace(t)
    await at.run('client add pair --redirect-uri https://pair.example/cb')
    await at.run('client set pair subject_type=pairwise')
    for (const kind of ['users', 'keycloak']) {
      const { stderr } = await at.run(`export ${kind}`)
      assert.match(stderr, /not exported: pairwise identifiers of people for 1 application/, kind)
    }
  })

  it('disables whom an operator locked for a time, and not somebody who typed wrong passwords', async (t) => {
    const at = placeWith(t, { 'people.jsonl': lines({ username: 'locked' }, { username: 'out' }) })
    await result(at, 'users people.jsonl')
    await at.withStorage(async ({ users }) => {
      for (const name of ['locked', 'out']) {
        const lockoutBeganAtMs = name === 'out' ? at.nowMs : null
        const { id } = (await users.findByName(name)) ?? assert.fail(name)
        await users.update(id, (one) => ({ ...one, lockedUntilMs: at.nowMs + 600_000, lockoutBeganAtMs }))
      }
    })
    const { users } = JSON.parse((await at.run('export keycloak')).stdout)
    const enabled = users.map((one: { username: string; enabled: boolean }) => [one.username, one.enabled])
    assert.deepEqual(enabled, [
      ['locked', false],
      ['out', true],
    ])
  })
})

/** `latchkey import … --sync` and `--compare`: people (connections, section 7, Again). */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { importId } from '../../src/import/files.ts'
import { hashPassword, verifyPassword } from '../../src/secrets/password.ts'
import type { UserRecord } from '../../src/users/user-record.ts'
import { countsOf, find, lines, placeWith, type Result, result } from './import-place.ts'
import type { Workplace } from './run.ts'
import { day, moved, person, type Synced, sync, write } from './sync-place.ts'

type Compared = {
  readonly differences: readonly { readonly source: string; readonly member: string }[]
  readonly rows: readonly unknown[]
}

async function compare(place: Workplace, people: readonly object[]): Promise<{ code: number } & Compared> {
  write(place, ...people)
  const { code, stdout, stderr } = await place.run('import users people.jsonl --compare --json')
  assert.equal(stderr, '')
  return { code, ...(JSON.parse(stdout) as Compared) }
}

const shown = async (place: Workplace, name: string) => (await place.json(`user show ${name}`)) as UserRecord
const reasons = ({ findings }: Result) => findings.map(({ reason }) => reason)

describe('import --sync of people (connections, section 7)', () => {
  it('creates, changes, disables and enables as the source did since the last run', async (t) => {
    const place = await moved(
      t,
      person('alice', { name: 'Alice', roles: ['sales'] }),
      person('bob', { disabled: true }),
    )
    const next = [
      person('alice', { name: 'Alice Liddell', roles: ['board'], disabled: true }),
      ...[person('bob', { email: 'bob@new.example', disabled: false }), person('carol')],
    ]
    assert.deepEqual(countsOf(await sync(place, next)), [3, 1, 2, 0, 0])
    const [alice, bob] = [await shown(place, 'alice'), await shown(place, 'bob')]
    assert.deepEqual([alice.name, alice.roles, alice.disabled], ['Alice Liddell', ['board'], true])
    assert.deepEqual([bob.email, bob.email_verified, bob.disabled], ['bob@new.example', true, false])
    assert.equal((await find(place, 'alice')).grantsEndedAtMs, place.nowMs - day)
    assert.deepEqual(countsOf(await sync(place, next)), [3, 0, 0, 3, 0])
  })

  it('leaves what was changed here, and says so where the source changed it, too', async (t) => {
    const place = await moved(t, person('alice', { name: 'Alice', nickname: 'al', roles: ['sales'] }))
    await place.json('user set alice name=Alison')
    await place.json('user add-role alice board')
    const found = await sync(place, [person('alice', { name: 'Alice L.', nickname: 'ali', roles: ['sales', 'shop'] })])
    assert.deepEqual(reasons(found), ['name of alice was changed here as well, and stays as it is here.'])
    const alice = await shown(place, 'alice')
    assert.deepEqual([alice.name, alice.nickname, alice.roles], ['Alison', 'ali', ['board', 'sales', 'shop']])
    // It stays with later runs, too.
    await sync(place, [person('alice', { name: 'A.', nickname: 'ali', roles: ['sales'] })])
    const later = await shown(place, 'alice')
    assert.deepEqual([later.name, later.roles], ['Alison', ['board', 'sales']])
  })

  it('takes a new password of the source, after a sign-in that hashed the old one anew, too; one that was chosen here stays', async (t) => {
    const hash = (password: string) => hashPassword(password, randomBytes)
    const old = await hash('old password')
    const names = ['alice', 'bob', 'carol']
    const place = await moved(t, ...names.map((name) => person(name, { password_hash: old })))
    const anew = await hash('old password')
    await place.withStorage(({ users }) => users.update('id-alice', (user) => ({ ...user, passwordHash: anew })))
    await place.run('user set-password bob --password-stdin', { stdin: 'chosen here 12345' })
    await place.run('user end-sessions carol --yes')
    const next = await hash('another password')
    const found = await sync(
      place,
      names.map((name) => person(name, { password_hash: next })),
    )
    assert.deepEqual(countsOf(found), [3, 0, 2, 1, 0])
    assert.deepEqual(reasons(found), ['password of bob was changed here as well, and stays as it is here.'])
    const verifies = async (name: string, password: string) =>
      verifyPassword((await find(place, name)).passwordHash, password)
    assert.equal(await verifies('alice', 'another password'), true)
    assert.equal(await verifies('bob', 'chosen here 12345'), true)
    assert.equal(await verifies('carol', 'another password'), true)
    const { sessionsEndedAtMs } = await find(place, 'alice')
    assert.equal(sessionsEndedAtMs, place.nowMs - day)
    const last = await sync(
      place,
      names.map((name) => person(name, { password_hash: old })),
    )
    assert.deepEqual(countsOf(last), [3, 0, 2, 1, 0])
    assert.equal(await verifies('bob', 'chosen here 12345'), true)
  })

  it('leaves an authenticator app that was set up or removed here, and links of here', async (t) => {
    const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
    const other = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
    const linked = (subject: string) => ({ external_logins: [{ provider: 'GitHub', subject }] })
    const env = { Keys__MasterKey: Buffer.alloc(32, 7).toString('base64') }
    const both = (totp: string, more: object = {}) => [
      ...[person('alice', { totp_secret: totp, ...more }), person('bob', { totp_secret: totp })],
    ]
    const place = placeWith(t, { 'people.jsonl': lines(...both(secret)) })
    await place.json('import users people.jsonl', { env })
    place.nowMs += day
    await place.json('user reset-second-factor bob', { env })
    place.nowMs += day
    write(place, ...both(other, linked('1')))
    const found = (await place.json('import users people.jsonl --sync', { env })) as Synced
    assert.deepEqual(reasons(found), ['totp_secret of bob was changed here as well, and stays as it is here.'])
    await place.withStorage(async ({ secondFactors, externalLogins }) => {
      assert.equal((await secondFactors.find('id-alice'))?.totp?.sinceMs, place.nowMs)
      assert.equal((await secondFactors.find('id-bob'))?.totp ?? null, null)
      assert.equal((await externalLogins.list('id-alice')).length, 1)
    })
  })

  it('never lifts a lock that an operator set here, nor does --on-conflict update; one that came with an import ends with it', async (t) => {
    const until = '2027-06-01T00:00:00Z'
    const place = await moved(t, person('alice', { disabled: false }), person('bob', { locked_until: until }))
    await place.json('user lock alice')
    const next = [
      person('alice', { disabled: false, name: 'Alice' }),
      person('bob', { locked_until: until, disabled: true }),
    ]
    await sync(place, next)
    assert.equal((await find(place, 'alice')).disabled, true)
    assert.equal((await find(place, 'bob')).disabled, true)
    const last = [person('alice', { disabled: false, name: 'A.' }), person('bob', { disabled: false })]
    write(place, ...last)
    const found = await result(place, 'users people.jsonl --on-conflict update')
    assert.deepEqual(reasons(found), ['alice was locked here, and stays so.'])
    assert.equal((await find(place, 'alice')).disabled, true)
    assert.equal((await find(place, 'bob')).disabled, false)
    // A shorter lock of the source does not end it earlier either.
    await sync(place, [person('alice', { locked_until: until }), last[1] ?? {}])
    assert.equal((await find(place, 'alice')).disabled, true)
  })

  it('names who is gone from the source, deletes them with --yes, and lists apart who never came from it', async (t) => {
    const place = await moved(t, person('alice'), person('bob'), person('carol'))
    await place.json('user add zoe --email zoe@acme.example --no-password')
    const rest = [person('alice'), person('bob')]
    const dry = (await result(place, 'users people.jsonl --sync --dry-run')) as Synced
    assert.deepEqual(dry.gone, [])
    const named = await sync(place, rest)
    assert.deepEqual(
      named.gone.map(({ username, deleted }) => [username, deleted]),
      [['carol', false]],
    )
    assert.deepEqual(named.others, { people: 1, usernames: ['zoe'] })
    assert.equal((await find(place, 'carol')).name, 'carol')
    const tried = (await result(place, 'users people.jsonl --sync --yes --dry-run')) as Synced
    const deleted = await sync(place, rest, '--yes')
    assert.deepEqual(deleted, tried)
    assert.deepEqual(
      deleted.gone.map((one) => [one.username, one.deleted]),
      [['carol', true]],
    )
    assert.match((await place.run('user show carol')).stderr, /carol/)
    assert.equal((await find(place, 'zoe')).name, 'zoe')
    // Whom the source has again comes back with it.
    assert.deepEqual(countsOf(await sync(place, [...rest, person('carol')])), [3, 1, 0, 2, 0])
  })

  it('does not bring back who was deleted here, with an id or without, and names them', async (t) => {
    const { id: _, ...bob } = person('bob')
    const place = await moved(t, person('alice'), bob, person('carol'))
    for (const name of ['alice', 'bob']) await place.json(`user delete ${name} --yes`)
    const found = await sync(place, [person('alice', { name: 'Alice' }), { ...bob, name: 'Bob' }, person('carol')])
    assert.deepEqual(countsOf(found), [3, 0, 0, 3, 0])
    assert.deepEqual(reasons(found), [
      'alice was deleted here, and stays so. An import without --sync brings them back.',
      'bob was deleted here, and stays so. An import without --sync brings them back.',
    ])
    assert.deepEqual(found.gone, [])
  })

  it('deletes nobody where a row was left out, where all are gone, or more than a tenth of many, unless it is meant', async (t) => {
    const people = Array.from({ length: 30 }, (_, at) => person(`user${at}`))
    const place = await moved(t, ...people)
    const broken = await sync(
      place,
      [...people.slice(1), { id: 'broken', username: 'x', email: 'not an address' }],
      '--yes',
    )
    assert.deepEqual([broken.failed, broken.gone.map((one) => one.deleted)], [1, [false]])
    const many = await place.run('import users people.jsonl --sync --yes', {})
    assert.match(many.stdout, /Not deleted: A row of the source was left out/)
    write(place, ...people.slice(11))
    place.nowMs += day
    const text = await place.run('import users people.jsonl --sync --yes')
    assert.match(text.stdout, /Not deleted: 11 of the 30 people .* say so with --delete-many/)
    write(place)
    place.nowMs += day
    const empty = (await result(place, 'users people.jsonl --sync --yes')) as Synced
    assert.deepEqual([empty.gone.length, empty.gone.some((one) => one.deleted)], [30, false])
    const meant = await sync(place, people.slice(11), '--yes --delete-many')
    assert.equal(meant.gone.filter((one) => one.deleted).length, 11)
  })

  it('changes and deletes no administrator', async (t) => {
    const place = await moved(t, person('alice', { name: 'Alice' }), person('bob'), person('carol'))
    await place.json('user add-role alice latchkey-admin')
    const found = await sync(place, [
      person('alice', { name: 'Mallory', disabled: true }),
      person('bob'),
      person('carol'),
    ])
    assert.match(reasons(found).join(), /alice has the role latchkey-admin and is changed with --allow-admin only/)
    const gone = await sync(place, [person('bob'), person('carol')], '--yes')
    assert.deepEqual(
      gone.gone.map((one) => one.deleted),
      [false],
    )
    const alice = await shown(place, 'alice')
    assert.deepEqual([alice.name, alice.disabled], ['Alice', false])
  })

  it('takes nothing at its first run over people who came before it was remembered what a source had', async (t) => {
    const place = await moved(t, person('alice', { name: 'Alice' }), person('bob'))
    await place.withStorage(async ({ imports }) => {
      const all = await imports.origins('person', 'users', ['id-alice', 'id-bob'])
      for (const origin of all.values()) await imports.forgetOrigin(origin)
    })
    const found = await sync(place, [person('alice', { name: 'Other' }), person('bob')])
    assert.equal(found.skipped, 2)
    assert.match(reasons(found).join(), /alice came before .*: name stays as it is here/)
    assert.equal((await shown(place, 'alice')).name, 'Alice')
    await sync(place, [person('alice', { name: 'Other', nickname: 'al' }), person('bob')])
    const alice = await shown(place, 'alice')
    assert.deepEqual([alice.name, alice.nickname], ['Alice', 'al'])
  })

  it('goes on where it was killed, and takes nobody for gone whom it read before', async (t) => {
    const people = Array.from({ length: 30 }, (_, at) => person(`user${at}`))
    const place = await moved(t, ...people)
    write(place, ...people.slice(0, 29).map((one) => ({ ...one, nickname: 'next' })))
    await result(place, 'users people.jsonl --sync')
    // As it is after a batch of 20, with the rest of the source not read yet.
    const id = await importId('users --sync', [join(place.folder, 'people.jsonl')])
    const counts = { read: 20, created: 0, updated: 20, skipped: 0, failed: 0 }
    const progress = { id, kind: 'users', recordsRead: 20, counts, notKept: {}, startedAtMs: place.nowMs }
    await place.withStorage(({ imports }) => imports.store({ before: undefined, progress, people: [], failures: [] }))
    place.nowMs += day
    const found = (await result(place, 'users people.jsonl --sync --yes')) as Synced
    assert.deepEqual(countsOf(found), [29, 0, 20, 9, 0])
    assert.deepEqual(
      found.gone.map((one) => [one.username, one.deleted]),
      [['user29', true]],
    )
  })

  it('is refused with options that contradict it', async (t) => {
    const place = placeWith(t, { 'people.jsonl': lines(person('alice')) })
    for (const [options, pattern] of [
      ['--sync --on-conflict update', /--sync.*cannot be used with.*--on-conflict/],
      ['--compare --on-conflict skip', /cannot be used with/],
      ['--compare --sync', /cannot be used with/],
      ['--compare --yes', /cannot be used with/],
      ['--compare --dry-run', /cannot be used with/],
      ['--yes', /--yes goes with --sync/],
      ['--sync --delete-many', /--delete-many goes with --sync and --yes/],
    ] as const) {
      await place.misuses(`import users people.jsonl ${options}`, pattern)
    }
    assert.match((await place.run('user list')).stdout, /There are no users/)
  })
})

describe('import --compare of people (connections, section 7)', () => {
  it('ends with 0 when all is equal and with 2 when not, names what differs, and changes nothing', async (t) => {
    const people = [person('alice', { name: 'Alice', roles: ['sales'] }), person('bob')]
    const place = await moved(t, ...people)
    await place.json('user add zoe --email zoe@acme.example --no-password')
    const equal = await compare(place, people)
    assert.deepEqual([equal.code, equal.differences], [0, []])
    const before = await find(place, 'alice')
    const { code, differences } = await compare(place, [
      person('alice', { name: 'Al', roles: ['board'] }),
      person('carol'),
    ])
    assert.equal(code, 2)
    assert.deepEqual(differences, [
      { kind: 'person', source: 'alice', member: 'name', there: 'Al', here: 'Alice' },
      { kind: 'person', source: 'alice', member: 'roles/board', there: true },
      { kind: 'person', source: 'alice', member: 'roles/sales', here: true },
      { kind: 'person', source: 'carol', member: '', there: true },
      { kind: 'person', source: 'bob', member: '', here: true },
    ])
    assert.deepEqual(await find(place, 'alice'), before)
    const text = await place.run('import users people.jsonl --compare')
    assert.match(text.stdout, /person alice: name: there "Al", here "Alice"\n/)
    assert.match(text.stdout, /5 differences\.\nNot from this source, and left alone: 1 \(zoe\)\.\n$/)
  })

  it('sees another password without saying it, and is not equal where a row cannot be read', async (t) => {
    const [one, two] = await Promise.all(['one', 'two'].map((text) => hashPassword(text, randomBytes)))
    const place = await moved(t, person('alice', { password_hash: one }))
    const { code, differences } = await compare(place, [person('alice', { password_hash: two })])
    assert.deepEqual([code, differences], [2, [{ kind: 'person', source: 'alice', member: 'password' }]])
    const unread = await compare(place, [person('alice', { password_hash: one }), { username: '' }])
    assert.deepEqual([unread.code, unread.rows.length, unread.differences], [2, 1, []])
    rmSync(join(place.folder, 'people.jsonl'))
    await place.refuses('import users people.jsonl --compare', /There is no file/)
  })
})

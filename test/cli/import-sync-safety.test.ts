/** What `latchkey import … --sync` never takes: people and applications by mistake, locks and passwords of here (connections, section 7, Again). */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { importId } from '../../src/import/files.ts'
import { hashPassword, verifyPassword } from '../../src/secrets/password.ts'
import { find, placeWith, type Result, result } from './import-place.ts'
import type { Workplace } from './run.ts'
import { day, moved, person, type Synced, sync, write } from './sync-place.ts'

const some = (name: string, number: number) => Array.from({ length: number }, (_, at) => person(`${name}${at}`))

const reasons = ({ findings }: Result) => findings.map(({ reason }) => reason)
const deletedOf = ({ gone }: Synced) => gone.filter((one) => one.deleted).length

describe('import --sync deletes nobody by mistake (connections, section 7)', () => {
  it('counts who was there before the run alone, where all of them are gone and others came, with --dry-run as without', async (t) => {
    const place = await moved(t, ...some('old', 3))
    const next = [person('new')]
    write(place, ...next)
    const tried = (await result(place, 'users people.jsonl --sync --yes --dry-run')) as Synced
    assert.deepEqual([tried.gone.length, deletedOf(tried)], [3, 0])
    assert.match(tried.barred?.join() ?? '', /^3 of the 3 people that came from the source are gone there/)
    const { code, stdout, stderr } = await place.run('import users people.jsonl --sync --yes')
    const reason = 'Not deleted: 3 of the 3 people that came from the source are gone there'
    assert.deepEqual([code, stdout.includes(reason), stderr.startsWith(`error: ${reason}`)], [1, true, true])
    // Nor does the next run, for which the new one was there before.
    for (const [options, deleted] of [
      ['--yes', 0],
      ['--yes --delete-many', 3],
    ] as const) {
      const found = await sync(place, next, options)
      assert.deepEqual([found.gone.length, deletedOf(found)], [3, deleted])
    }
  })

  it('does not count whom a run brought before it was killed', async (t) => {
    const place = await moved(t, ...some('old', 3))
    const next = some('new', 20)
    write(place, ...next)
    await result(place, 'users people.jsonl --sync')
    // As it is after a batch of 20, with the rest of the source not read yet.
    write(place, ...next, person('last'))
    const id = await importId('users --sync', [join(place.folder, 'people.jsonl')])
    const counts = { read: 20, created: 20, updated: 0, skipped: 0, failed: 0 }
    const progress = { id, kind: 'users', recordsRead: 20, counts, notKept: {}, startedAtMs: place.nowMs }
    await place.withStorage(({ imports }) => imports.store({ before: undefined, progress, people: [], failures: [] }))
    place.nowMs += day
    const found = (await result(place, 'users people.jsonl --sync --yes')) as Synced
    assert.deepEqual([found.created, found.gone.length, deletedOf(found)], [21, 3, 0])
  })

  it('takes a file of other people of the same kind for no end of those before', async (t) => {
    const place = await moved(t, ...some('old', 12))
    write(place, ...some('new', 12))
    await result(place, 'users people.jsonl')
    place.nowMs += day
    const found = await sync(place, some('new', 12), '--yes')
    assert.deepEqual([found.gone.length, deletedOf(found)], [12, 0])
  })
})

describe('import --sync and locks of operators (connections, section 7)', () => {
  const isLocked = async (place: Workplace) => (await find(place, 'alice')).disabled

  it('does not lift one that the source had, too, for a while', async (t) => {
    const place = await moved(t, person('alice', { disabled: false }))
    await place.json('user lock alice')
    for (const disabled of [true, true, false]) await sync(place, [person('alice', { disabled })])
    assert.equal(await isLocked(place), true)
    // Nor does an update, which finds what the runs before remember.
    await sync(place, [person('alice', { disabled: true })])
    await result(place, 'users people.jsonl --on-conflict update')
    write(place, person('alice', { disabled: false }))
    await result(place, 'users people.jsonl --on-conflict update')
    assert.equal(await isLocked(place), true)
  })

  it('does not lift one that was there when a longer one of the source came', async (t) => {
    const place = await moved(t, person('alice', { disabled: false }))
    await place.json('user lock alice --until 2027-06-01T00:00:00Z')
    for (const disabled of [true, false]) await sync(place, [person('alice', { disabled })])
    assert.equal(await isLocked(place), true)
  })

  it('does not lift one of somebody whom the source had locked before, or whom a first run recognises', async (t) => {
    const place = await moved(t, person('alice', { disabled: true }))
    write(place, person('alice', { disabled: false }))
    await result(place, 'users people.jsonl --on-conflict update')
    assert.equal(await isLocked(place), false)
    await place.json('user lock alice')
    for (const options of ['--on-conflict update', '--sync']) {
      await result(place, `users people.jsonl ${options}`)
      assert.equal(await isLocked(place), true, options)
      place.nowMs += day
    }
    await sync(place, [person('alice', { disabled: true })])
    await sync(place, [person('alice', { disabled: false })])
    assert.equal(await isLocked(place), true)
    await place.withStorage(async ({ imports }) => {
      for (const one of (await imports.origins('person', 'users', ['id-alice'])).values())
        await imports.forgetOrigin(one)
    })
    for (const disabled of [true, false]) await sync(place, [person('alice', { disabled })])
    assert.equal(await isLocked(place), true)
  })

  it('leaves somebody unlocked here whom the source still has locked', async (t) => {
    const place = await moved(t, person('alice', { disabled: true }))
    await place.json('user unlock alice')
    await sync(place, [person('alice', { disabled: true, nickname: 'al' })])
    await sync(place, [person('alice', { disabled: true, nickname: 'ali' })])
    assert.equal(await isLocked(place), false)
  })
})

describe('import --sync and passwords that were chosen here (connections, section 7)', () => {
  const hash = (password: string) => hashPassword(password, randomBytes)
  const chosen = 'chosen here 12345'
  const isChosen = async (place: Workplace) => verifyPassword((await find(place, 'alice')).passwordHash, chosen)

  it('leaves one of somebody who came without any', async (t) => {
    const place = await moved(t, person('alice'))
    await place.run('user set-password alice --password-stdin', { stdin: chosen })
    for (const there of ['one there', 'another there']) {
      const found = await sync(place, [person('alice', { password_hash: await hash(there) })])
      assert.deepEqual(reasons(found), ['password of alice was changed here as well, and stays as it is here.'])
      assert.equal(await isChosen(place), true)
    }
  })

  it('takes nobody of the same name for one of a source without ids', async (t) => {
    const { id: _, ...alice } = person('alice')
    const place = placeWith(t, {})
    await place.json('user add alice --email alice@acme.example --no-password')
    await place.run('user set-password alice --password-stdin', { stdin: chosen })
    for (const [there, nickname] of [
      ['one there', 'al'],
      ['another there', 'ali'],
    ] as const) {
      const found = await sync(place, [{ ...alice, nickname, password_hash: await hash(there) }])
      assert.match(reasons(found).join(), /alice is here, and did not come from this source/)
      assert.equal(await isChosen(place), true)
      assert.equal((await find(place, 'alice')).claims.nickname, undefined)
    }
  })
})

describe('import --sync and addresses (connections, section 7)', () => {
  it('takes a proof with its address alone, and lowers none of somebody who shares one', async (t) => {
    const unproven = { email_verified: false }
    const place = await moved(t, person('alice', unproven), person('bob', unproven))
    await place.json('user set alice email=alice@here.example')
    await sync(place, [person('alice'), person('bob')])
    const [alice, bob] = [await find(place, 'alice'), await find(place, 'bob')]
    assert.deepEqual([alice.email, alice.emailConfirmed], ['alice@here.example', false])
    assert.deepEqual([bob.email, bob.emailConfirmed], ['bob@acme.example', true])
    const shared = person('carol', { email: 'bob@acme.example' })
    await sync(place, [shared, person('alice'), person('bob')], '--shared-emails')
    assert.equal((await find(place, 'bob')).emailConfirmed, true)
    // Another address comes as it is proved there.
    const next = person('bob', { email: 'bob@new.example', email_verified: false })
    await sync(place, [person('alice'), next], '--shared-emails')
    const after = await find(place, 'bob')
    assert.deepEqual([after.email, after.emailConfirmed], ['bob@new.example', false])
  })
})

describe('import --sync of a source that may be silent (connections, section 7)', () => {
  it('leaves what has no column any more, names it, and goes on with the column', async (t) => {
    const given = { roles: ['sales'], disabled: true, nickname: 'al' }
    const place = await moved(t, person('alice', given))
    const bare = { id: 'id-alice', username: 'alice' }
    for (const _ of [1, 2]) {
      const found = await sync(place, [bare])
      const members = ['email', 'email_verified', 'lock', 'nickname', 'roles/sales']
      const expected = members.map((name) => `alice has no ${name} there any more, and keeps it here.`)
      assert.deepEqual(reasons(found), expected)
      const { email, emailConfirmed, disabled, roles, claims } = await find(place, 'alice')
      assert.deepEqual([email, emailConfirmed, disabled], ['alice@acme.example', true, true])
      assert.deepEqual([roles, claims.nickname], [['sales'], 'al'])
    }
    await sync(place, [person('alice', { roles: [], disabled: false, nickname: 'ali' })])
    const { disabled, roles, claims } = await find(place, 'alice')
    assert.deepEqual([disabled, roles, claims.nickname], [false, [], 'ali'])
  })
})

describe('import --compare (connections, section 7)', () => {
  it('finds no file equal that was cut off', async (t) => {
    const table = 'id,username,email\nid-alice,alice,alice@acme.example\n'
    const place = placeWith(t, { 'people.csv': table })
    await result(place, 'users people.csv')
    assert.equal((await place.run('import users people.csv --compare')).code, 0)
    writeFileSync(join(place.folder, 'people.csv'), `${table}id-bob,"bo`)
    await place.refuses('import users people.csv --compare', /Line 3 has a field without an end/)
  })
})

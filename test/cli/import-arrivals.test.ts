/** People who come with less than everybody has, and what their first sign-in asks (connections, section 7). */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { UserRecord } from '../../src/users/user-record.ts'
import { testUser } from '../support/service.ts'
import { countsOf, find, lines, placeWith, result } from './import-place.ts'
import type { Workplace } from './run.ts'

const record = async (place: Workplace, command: string) => (await place.json(command)) as UserRecord

describe('people who come with less (connections, section 7)', () => {
  it('have what the first sign-in asks of them, from JSON and CSV', async (t) => {
    const place = placeWith(t, {
      'people.jsonl': lines({
        ...{ username: 'alice', email: 'alice@acme.example' },
        ...{ required_actions: ['verify_email', 'update_password'], had_second_factor: true },
      }),
      'people.csv': 'username,email,required_actions,had_second_factor\nbob,bob@acme.example,set_up_second_factor,no\n',
    })
    assert.deepEqual(countsOf(await result(place, 'users people.jsonl')), [1, 1, 0, 0, 0])
    assert.deepEqual(countsOf(await result(place, 'users people.csv')), [1, 1, 0, 0, 0])
    const [alice, bob] = [await record(place, 'user show alice'), await record(place, 'user show bob')]
    assert.deepEqual(alice.required_actions, ['update_password', 'verify_email'])
    assert.equal(alice.had_second_factor, true)
    assert.deepEqual([bob.required_actions, bob.had_second_factor], [['set_up_second_factor'], false])
  })

  it('are left out for an action that does not exist', async (t) => {
    const place = placeWith(t, {
      'people.jsonl': lines({ username: 'alice', email: 'a@acme.example', required_actions: ['sing'] }),
    })
    const { rows } = await result(place, 'users people.jsonl')
    assert.match(JSON.stringify(rows), /required_actions must be a list of: update_password, verify_email/)
  })

  it('may have no e-mail address, several of them, in records and in the list', async (t) => {
    const place = placeWith(t, {
      'people.jsonl': lines({ username: 'alice' }, { username: 'bob', email: null, email_verified: true }),
      'people.csv': 'username,email\ncarol,\n',
    })
    assert.deepEqual(countsOf(await result(place, 'users people.jsonl')), [2, 2, 0, 0, 0])
    assert.deepEqual(countsOf(await result(place, 'users people.csv')), [1, 1, 0, 0, 0])
    const bob = await record(place, 'user show bob')
    assert.deepEqual([bob.email, bob.email_verified], [null, false])
    assert.equal((await find(place, 'carol')).email, '')
    const shown = await place.run('user show bob')
    assert.match(shown.stdout, /e-mail +none/)
  })

  it('get an address from an operator, and lose it to one', async (t) => {
    const place = placeWith(t, { 'people.jsonl': lines({ username: 'alice' }) })
    await result(place, 'users people.jsonl')
    const changed = await record(place, 'user set alice email=alice@acme.example email_verified=true')
    assert.deepEqual([changed.email, changed.email_verified], ['alice@acme.example', true])
    assert.equal((await record(place, 'user set alice email=')).email, null)
    const refused = await place.run('user set alice email_verified=true')
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /needs an e-mail address/)
  })

  it('are asked by an operator, which ends their sessions, and no more', async (t) => {
    const place = placeWith(t, { 'people.jsonl': lines({ username: 'alice', email: 'alice@acme.example' }) })
    await result(place, 'users people.jsonl')
    const asked = await record(place, 'user set alice required_actions=set_up_second_factor,update_password')
    assert.deepEqual(asked.required_actions, ['update_password', 'set_up_second_factor'])
    assert.equal((await find(place, 'alice')).sessionsEndedAtMs, place.nowMs)
    assert.deepEqual((await record(place, 'user set alice required_actions=')).required_actions, [])
    const refused = await place.run('user set alice required_actions=sing')
    assert.match(refused.stderr, /required_actions must be a list of/)
  })

  it('may have one address together, unconfirmed for all of them until one proves it, with findings that name them', async (t) => {
    const family = (username: string) => ({ username, email: 'family@acme.example', email_verified: true })
    const place = placeWith(t, {
      'people.jsonl': lines(
        family('ann'),
        { username: 'zoe', email: 'zoe@acme.example' },
        family('ben'),
        family('cat'),
      ),
      'later.jsonl': lines(family('dan')),
    })
    const refused = await result(place, 'users people.jsonl --dry-run')
    assert.deepEqual(countsOf(refused), [4, 2, 0, 0, 2])
    const dry = await result(place, 'users people.jsonl --shared-emails --dry-run')
    const found = await result(place, 'users people.jsonl --shared-emails')
    assert.deepEqual(
      [countsOf(dry), countsOf(found)],
      [
        [4, 4, 0, 0, 0],
        [4, 4, 0, 0, 0],
      ],
    )
    const reasons = (one: object) => (one as { findings: { severity: string; reason: string }[] }).findings
    for (const one of [dry, found]) {
      assert.deepEqual(
        reasons(one).map(({ severity, reason }) => [severity, reason.slice(0, 50)]),
        [
          ['held', 'ben and ann have the same e-mail address, family@a'],
          ['held', 'cat and ann have the same e-mail address, family@a'],
        ],
      )
    }
    assert.deepEqual(countsOf(await result(place, 'users later.jsonl --shared-emails')), [1, 1, 0, 0, 0])
    for (const name of ['ann', 'ben', 'cat', 'dan']) {
      const { sharesEmail, emailConfirmed, email } = await find(place, name)
      assert.deepEqual([sharesEmail, emailConfirmed, email], [true, false, 'family@acme.example'], name)
    }
    await place.withStorage(async ({ users }) => {
      assert.equal(await users.findForSignIn({ name: 'family@acme.example' }, []), undefined)
    })
    // Who is there already is skipped, and nobody proves the address by it.
    assert.deepEqual(
      countsOf(await result(place, 'users people.jsonl --shared-emails --on-conflict update --restart')),
      [...[4, 0, 4, 0, 0]],
    )
    assert.equal((await find(place, 'ben')).sharesEmail, true)
    const proved = await record(place, 'user set ben email_verified=true')
    assert.equal(proved.email_verified, true)
    const second = await place.run('user set ann email_verified=true')
    assert.match(second.stderr, /e-mail address family@acme.example already/)
  })

  it('keep an address that somebody proved here, whoever comes with it', async (t) => {
    const place = placeWith(t, {
      'people.jsonl': lines({ username: 'new', email: 'a@acme.example', email_verified: true }),
    })
    await place.withStorage(async ({ users }) => {
      await users.create(testUser({ name: 'alice', email: 'a@acme.example' }))
    })
    assert.deepEqual(countsOf(await result(place, 'users people.jsonl --shared-emails')), [1, 1, 0, 0, 0])
    assert.equal((await find(place, 'alice')).emailConfirmed, true)
    const { sharesEmail, emailConfirmed } = await find(place, 'new')
    assert.deepEqual([sharesEmail, emailConfirmed], [true, false])
  })

  it('come without a password that is too dear to check, and are held for a new one', async (t) => {
    const dear = `$argon2id$v=19$m=262144,t=40,p=1$${'A'.repeat(22)}$${'B'.repeat(43)}`
    const place = placeWith(t, {
      'people.jsonl': lines(
        { username: 'alice', email: 'alice@acme.example', password_hash: dear },
        { username: 'bob', password_hash: dear },
      ),
    })
    const found = await result(place, 'users people.jsonl')
    assert.deepEqual(countsOf(found), [2, 2, 0, 0, 0])
    const { findings } = found as unknown as {
      findings: { source: string; severity: string; reason: string; command?: string }[]
    }
    const held = findings.filter(({ severity }) => severity === 'held')
    assert.deepEqual(
      held.map(({ source }) => source),
      ['bob'],
    )
    assert.match(held[0]?.command ?? '', /latchkey user recover bob/)
    for (const name of ['alice', 'bob']) {
      const { passwordHash, requiredActions } = await find(place, name)
      assert.deepEqual([passwordHash, requiredActions], [null, ['update_password']])
    }
  })

  it('keep a user name that they can still type, without blanks at its ends: emoji, several scripts, 256 characters', async (t) => {
    const names = ['🦊 fox', 'bob ', 'пaул', 'x'.repeat(256), 'MÜLLER']
    const unfit = ['tab\there', 'x'.repeat(257), '   ']
    const place = placeWith(t, {
      'people.jsonl': lines(...[...names, ...unfit].map((username) => ({ username }))),
      'same.jsonl': lines({ username: 'bob' }),
    })
    const found = await result(place, 'users people.jsonl')
    assert.deepEqual(countsOf(found), [8, 5, 0, 0, 3])
    assert.match(JSON.stringify(found.rows), /Rename the person there/)
    for (const name of names) assert.equal((await find(place, name.trim())).name, name.trim())
    assert.match(JSON.stringify(found.findings), /bob: The user name has blanks at its ends/)
    // What looks the same stays one person.
    assert.deepEqual(countsOf(await result(place, 'users same.jsonl')), [1, 0, 0, 0, 1])
    const locked = await record(place, "user set 'пaул' nickname=paul")
    assert.equal(locked.nickname, 'paul')
  })
})

/** People who come with less than everybody has, and what their first sign-in asks (connections, section 7). */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { UserRecord } from '../../src/users/user-record.ts'
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
})

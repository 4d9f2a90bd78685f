import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { placeAfter, type Workplace, workplace } from './run.ts'

const alice = 'user add alice --email alice@example.com --no-password --email-confirmed'
type Printed = { username: string; email: string; email_verified: boolean; id: string }
const set = async (place: Workplace, words: string, name = 'alice') =>
  (await place.json(`user set ${name} ${words}`)) as Printed

describe('latchkey user set', () => {
  it('confirms an address, and changes address and name [C2.26]', async (t) => {
    const place = workplace(t)
    const { id } = (await place.json(alice)) as Printed
    assert.equal((await set(place, 'email_verified=false')).email_verified, false)
    assert.equal((await set(place, 'email_verified=true')).email_verified, true)
    const moved = await set(place, 'email=ally@example.com')
    assert.deepEqual([moved.email, moved.email_verified], ['ally@example.com', false])
    const renamed = await set(place, 'username=Ally email=a@example.com email_verified=true')
    assert.deepEqual([renamed.id, renamed.username, renamed.email_verified], [id, 'Ally', true])
    await place.refuses('user show alice', /There is no user called alice/)
    const { stdout } = await place.run('user set ally email=other@example.com', {
      env: { Accounts__RequireConfirmedEmail: 'true' },
    })
    assert.match(stdout, /^Ally \(other@example\.com, not confirmed\)\. The account cannot sign in until/)
  })

  it('refuses names and addresses that others have or that look like theirs, and changes nothing then', async (t) => {
    const place = await placeAfter(t, alice)
    await place.json('user add bob --email bob@example.com --no-password')
    const bob = await place.json('user show bob')
    await place.refuses('user set bob username=ALICE', /There is a user called ALICE already/)
    await place.refuses('user set bob username=a1ice', /The user name a1ice looks like another user's/)
    await place.refuses('user set bob email=Alice@example.com', /has the e-mail address Alice@example\.com already/)
    await place.refuses('user set bob username=alice@example.com', /is another user's e-mail address/)
    await place.refuses('user set bob email_verified=true email=nonsense', /must look like name@host/)
    await place.refuses('user set bob email= email_verified=true', /needs an e-mail address/)
    assert.deepEqual(await place.json('user show bob'), bob)
    assert.deepEqual((await set(place, 'username=B0B', 'bob')).username, 'B0B')
  })

  it('names members that it does not set, and what sets them [C2.26]', async (t) => {
    const place = await placeAfter(t, alice)
    await place.refuses('user set alice sub=x', /sub never changes/)
    await place.refuses('user set alice roles=admin', /roles is changed with: latchkey user add-role/)
    await place.refuses('user set alice updated_at=1', /updated_at follows from other changes/)
    await place.refuses('user set alice shoe_size=44', /These can be set: username, email, email_verified/)
    await place.refuses('user set alice email_verified=yes', /email_verified must be true or false/)
    await place.misuses('user set alice email', /is not MEMBER=VALUE/)
    await place.misuses('user set alice email+=x', /email is not a list/)
    await place.misuses('user set alice email=a@b email=c@d', /each member once/)
    await place.refuses('user set bob email_verified=true', /There is no user called bob/)
  })

  it('is one entry of the audit trail with the names of the members, and none when nothing changed', async (t) => {
    const place = await placeAfter(t, alice)
    for (let time = 0; time < 2; time += 1) await set(place, 'email=new@example.com email_verified=true')
    const entries = (await place.json('audit list --kind user_changed')) as { details: Record<string, unknown> }[]
    assert.equal(entries.length, 1)
    const { actor: _somebody, ...details } = entries[0]?.details ?? {}
    assert.deepEqual(details, { change: 'set', members: ['email', 'email_verified'] })
  })
})

describe('a user name that is given', () => {
  it('follows the profile, and looks like no other (UTS 39)', async (t) => {
    const place = workplace(t)
    const add = (name: string) => `user add '${name}' --email ${encodeURIComponent(name).length}@x --no-password`
    await place.run(alice)
    await place.refuses(add('аlice'), /The user name must not mix Cyrillic and Latin letters/)
    await place.refuses(add('ali\u200bce'), /The user name must not contain U\+200B/)
    await place.refuses(add('AIice'), /The user name AIice looks like another user's \(UTS 39\)/)
    assert.equal((await place.run(add('Алиса'))).code, 0)
  })
})

describe('a refusal after --json', () => {
  it('is a JSON object on standard error, with the members at fault (contract 2) [C2.25]', async (t) => {
    const place = await placeAfter(t, alice)
    const refusal = async (line: string) => {
      const { code, stdout, stderr } = await place.run(`${line} --json`)
      assert.equal(stdout, '')
      assert.match(stderr, /^\{[^\n]*\}\n$/)
      return { code, ...JSON.parse(stderr) }
    }
    assert.deepEqual(await refusal('user show bob'), {
      code: 1,
      error: 'refused',
      message: 'There is no user called bob. See: latchkey user list',
    })
    const both = await refusal("user add '' --email x --no-password")
    assert.deepEqual(both.errors, [
      { path: '/username', message: 'The user name must not be empty.' },
      { path: '/email', message: 'The e-mail address must look like name@host.' },
    ])
    assert.equal(both.message, both.errors.map(({ message }: { message: string }) => message).join('\n'))
    const misused = await refusal('user add alice')
    assert.deepEqual([misused.code, misused.error], [2, 'misused'])
    assert.match(misused.message, /^required option '--email/)
    assert.equal((await refusal('user list --config nowhere.json')).error, 'refused')
  })
})

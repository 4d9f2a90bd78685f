/** `latchkey user invite --link`, `latchkey user recover`: links without a mail server. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseOpaque } from '../../src/secrets/opaque.ts'
import { strangersSubject } from '../../src/users/confirmation.ts'
import { aConfirmation } from '../storage/records.ts'
import { workplace } from './run.ts'

describe('latchkey user invite --link', () => {
  it('prints a link that is good for seven days, and stores no more than its hash', async (t) => {
    const place = workplace(t)
    await place.refuses('user invite ann@example.com', /Mail:Url is not set.*--link prints the link/)
    const { stdout } = await place.run('user invite ann@example.com --role staff --link')
    assert.match(
      stdout,
      /Give it to the owner of ann@example\.com alone.*It works once, until 2027-01-08T00:00:00\.000Z:\n/,
    )
    const made = (await place.json('user invite ann@example.com --role staff --link')) as { readonly link: string }
    assert.match(made.link, /^http:\/\/localhost:5080\/Account\/Confirm\?purpose=invite#token=[\w-]{64}$/)
    const listed = (await place.json('user invitations')) as readonly object[]
    assert.equal(listed.length, 1)
    assert.partialDeepStrictEqual(listed[0], { email: 'ann@example.com', roles: ['staff'], in_force: true })
    const token = made.link.split('#token=')[1] ?? ''
    await place.withStorage(async ({ confirmations, audit }) => {
      const found = (await confirmations.find(parseOpaque(token)?.id ?? ''))?.confirmation
      assert.equal(found?.details.vouched, true)
      assert.ok(!JSON.stringify(found).includes(token.slice(-40)))
      const [entry] = await audit.newest({ kind: 'confirmation_asked' }, 1)
      assert.partialDeepStrictEqual(entry?.details, { purpose: 'invite', mailed: false, roles: ['staff'] })
    })
    await place.refuses('user invite nonsense --link', /e-mail address/)
  })
})

describe('latchkey user recover', () => {
  it('prints a link that is good for a day, stands without anybody who made it, and ends what was mailed', async (t) => {
    const place = workplace(t)
    await place.json('user add ann --email ann@example.com --no-password')
    const { id, mailed } = await place.withStorage(async ({ confirmations, users }) => {
      const { id = '' } = (await users.findByName('ann')) ?? {}
      const mailed = aConfirmation({ purpose: 'reset', subject: strangersSubject(id), userId: id })
      await confirmations.put(mailed)
      return { id, mailed }
    })
    const made = (await place.json('user recover ann')) as { readonly link: string }
    const token = made.link.split('#token=')[1] ?? ''
    await place.withStorage(async ({ confirmations }) => {
      const found = (await confirmations.find(parseOpaque(token)?.id ?? ''))?.confirmation
      assert.deepEqual([found?.userId, found?.begunBy, found?.details], [id, undefined, { vouched: true }])
      assert.equal(await confirmations.find(mailed.id), undefined)
    })
  })
})

/** `latchkey setup`. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseOpaque } from '../../src/secrets/opaque.ts'
import { workplace } from './run.ts'

const link = /^http:\/\/localhost:5080\/Account\/Confirm\?purpose=setup#token=([\w.-]{64})$/m

describe('latchkey setup', () => {
  it('prints a link for half an hour, and ends the one before', async (t) => {
    const place = workplace(t)
    const first = await place.run('setup')
    assert.deepEqual([first.code, first.stderr], [0, ''])
    assert.match(first.stdout, link)
    assert.match(first.stdout, /works once, until 2027-01-01T00:30:00\.000Z/)
    const second = (await place.json('setup')) as { readonly link: string; readonly expires_at: string }
    assert.match(second.link, link)
    assert.equal(second.expires_at, '2027-01-01T00:30:00.000Z')
    const idOf = (text: string) => parseOpaque(link.exec(text)?.[1] ?? '')?.id ?? ''
    await place.withStorage(async ({ confirmations, audit }) => {
      assert.equal(await confirmations.find(idOf(first.stdout)), undefined)
      const found = (await confirmations.find(idOf(second.link)))?.confirmation
      assert.deepEqual([found?.purpose, found?.userId], ['setup', null])
      assert.ok(!JSON.stringify(found).includes(second.link.slice(-40)))
      const entries = await audit.newest({ kind: 'confirmation_asked' }, 9)
      assert.equal(entries.length, 2)
      assert.partialDeepStrictEqual(entries[0]?.details, { purpose: 'setup', mailed: false })
    })
  })

  it('is refused once anybody has an account, by the command as well, and without a console', async (t) => {
    const place = workplace(t)
    await place.refuses('setup', /Admin:Enabled is false/, { env: { Admin__Enabled: 'false' } })
    await place.run('user add ada --email ada@example.com --no-password --role latchkey-admin')
    await place.refuses('setup', /nobody sets this installation up in a browser.*latchkey user add NAME/)
    await place.run('user delete ada --yes --force')
    await place.refuses('setup', /There is an account, or was one/)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseOpaque } from '../../src/secrets/opaque.ts'
import { placeAfter, workplace } from './run.ts'

type Printed = { readonly initial_access_token: string; readonly uses: number; readonly expires_at: string }

describe('latchkey client registration-token (RFC 7591 §3)', () => {
  it('prints a token once, for one application and a day; only its hash is stored', async (t) => {
    const place = workplace(t)
    const { initial_access_token: token, ...rest } = (await place.json('client registration-token')) as Printed
    assert.deepEqual(rest, { uses: 1, expires_at: '2027-01-02T00:00:00.000Z' })
    const parts = parseOpaque(token)
    assert.ok(parts)
    const stored = await place.withStorage(({ registrations }) => registrations.findToken(parts.id))
    assert.equal(stored?.secretHash, parts.secretHash)
    assert.ok(!JSON.stringify(stored).includes(token))
    const { stdout } = await place.run('audit list --json')
    assert.match(stdout, /registration_token_added/)
    assert.ok(!stdout.includes(token))
  })

  it('takes a time and a number of uses, and says what to set', async (t) => {
    const place = workplace(t)
    const line = 'client registration-token --expires 60 --uses 5'
    const { uses, expires_at } = (await place.json(line)) as Printed
    assert.deepEqual([uses, expires_at], [5, '2027-01-01T00:01:00.000Z'])
    assert.match(
      (await place.run(line)).stdout,
      /^The initial access token, shown only once: [\w-]{64}\nIt registers 5 /,
    )
    assert.match((await place.run(line)).stdout, /Set OAuth:DynamicRegistration to token/)
    const env = { OAuth__DynamicRegistration: 'token' }
    assert.doesNotMatch((await place.run(line, { env })).stdout, /Set OAuth/)
    for (const words of ['--uses 0', '--uses -1', '--uses x', '--expires 0', '--expires 31536001', '--uses 1.5']) {
      await place.misuses(`client registration-token ${words}`, /whole number|argument missing/)
    }
  })
  it('gives the scopes and grant types that an operator names, which the trail and the answer show', async (t) => {
    const place = await placeAfter(t, 'scope add ledger')
    const line = 'client registration-token --scope ledger --grant client_credentials'
    const { initial_access_token: token, ...rest } = (await place.json(line)) as Printed
    assert.deepEqual(rest, {
      uses: 1,
      expires_at: '2027-01-02T00:00:00.000Z',
      scopes: ['ledger'],
      grant_types: ['client_credentials'],
    })
    const id = parseOpaque(token)?.id ?? ''
    const stored = await place.withStorage(({ registrations }) => registrations.findToken(id))
    assert.deepEqual(stored?.permits, { scopes: ['ledger'], grantTypes: ['client_credentials'] })
    assert.match((await place.run('audit list --json')).stdout, /client_credentials/)
    for (const [words, message] of [
      ['--scope nowhere', /nowhere is not registered/],
      ['--scope admin:clients', /admin:clients is not registered, or is for operators/],
      ['--grant implicit', /implicit is not supported/],
    ] as const) {
      const { code, stderr } = await place.run(`client registration-token ${words}`)
      assert.equal(code, 1)
      assert.match(stderr, message)
    }
  })
})

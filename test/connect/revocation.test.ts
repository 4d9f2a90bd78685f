import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Browser, codeFields, fetchWithToken, obtainCode, postToken, refreshFields } from '../support/browser.ts'
import { addClient, serviceForFile } from '../support/service.ts'

const service = await serviceForFile()
await addClient(service, { id: 'other' })

const revoke = (fields: Record<string, string>) =>
  postToken(service, { client_id: 'demo', ...fields }, {}, 'connect/revocation')
const tokens = async () => (await postToken(service, codeFields(await obtainCode(new Browser(service))))).body
const weather = async (accessToken: string): Promise<number> =>
  (await fetchWithToken(service, 'weatherforecast', accessToken)).status

describe('POST /connect/revocation (RFC 7009)', () => {
  it('ends the whole chain of a refresh token, its access tokens at our own API included [S4.3.1, C4.7]', async () => {
    const { refresh_token, access_token } = await tokens()
    const next = (await postToken(service, refreshFields(refresh_token))).body
    const answer = await revoke({ token: refresh_token, token_type_hint: 'refresh_token' })
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, {})
    assert.equal((await postToken(service, refreshFields(next.refresh_token))).body.error, 'invalid_grant')
    assert.equal(await weather(access_token), 401)
    assert.equal(await weather(next.access_token), 401)
  })

  it('ends one access token, and leaves the chain', async () => {
    const { refresh_token, access_token } = await tokens()
    assert.equal(await weather(access_token), 200)
    assert.equal((await revoke({ token: access_token })).status, 200)
    assert.equal(await weather(access_token), 401)
    const next = await postToken(service, refreshFields(refresh_token))
    assert.equal(next.status, 200)
    assert.equal(await weather(next.body.access_token), 200)
  })

  it('answers 200 {} for unknown, tampered and foreign tokens, and does nothing (§2.2) [C4.7]', async () => {
    const { refresh_token, access_token } = await tokens()
    for (const token of ['unknown', `${access_token}x`, `${refresh_token.slice(0, -2)}AA`]) {
      const answer = await revoke({ token })
      assert.equal(answer.status, 200)
      assert.deepEqual(answer.body, {})
    }
    for (const token of [refresh_token, access_token]) {
      assert.equal((await revoke({ token, client_id: 'other' })).status, 200)
    }
    assert.equal(await weather(access_token), 200)
    assert.equal((await postToken(service, refreshFields(refresh_token))).status, 200)
  })

  it('refuses what is neither an access nor a refresh token (ID2079, §2.2.1)', async () => {
    const { id_token } = await tokens()
    const code = await obtainCode(new Browser(service))
    for (const token of [id_token, code]) {
      const answer = await revoke({ token })
      assert.equal(answer.status, 400)
      assert.equal(answer.body.error, 'unsupported_token_type')
      assert.match(answer.body.error_uri, /#ID2079$/)
    }
  })

  for (const [what, fields, status, id] of [
    ['no token', {}, 400, 'ID2029'],
    ['no client', { token: 'x', client_id: '' }, 401, 'ID2029'],
    ['an unknown client', { token: 'x', client_id: 'nobody' }, 401, 'ID2052'],
    ['a secret of a public client', { token: 'x', client_secret: 'x' }, 401, 'ID2053'],
  ] as const) {
    it(`refuses ${what} (${id}) [C4.9]`, async () => {
      const answer = await revoke(fields)
      assert.equal(answer.status, status)
      assert.match(answer.body.error_uri, new RegExp(`#${id}$`))
    })
  }
})

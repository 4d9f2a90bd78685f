/** What a code carries, also between versions that run side by side. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it, type TestContext } from 'node:test'
import { methodsToText, textToMethods } from '../../src/protocol/claims/authentication-methods.ts'
import { parseOpaque } from '../../src/secrets/opaque.ts'
import { sealText, unsealText } from '../../src/secrets/sealed.ts'
import { openCode, sealCode } from '../../src/tokens/code.ts'
import { sampleCode } from '../protocol/samples.ts'
import { Browser, claimsOf, codeFields, obtainCode, postToken } from '../support/browser.ts'
import { startService } from '../support/service.ts'

const label = 'latchkey authorization code v1'

async function scene(t: TestContext) {
  const service = await startService()
  t.after(() => service.stop())
  const grantOf = async ({ body }: Awaited<ReturnType<typeof postToken>>) =>
    (await service.storage.grants.findForRefresh(body.refresh_token.split('.')[0] ?? '', 'demo')).grant
  return { service, grantOf }
}

describe('an authorization code', () => {
  it('gives back what it was sealed with', async (t) => {
    const { service } = await scene(t)
    for (const content of [
      sampleCode(),
      sampleCode({ sessionId: null, methods: ['pwd', 'otp'], nonce: 'n', dpopKey: 'k' }),
    ]) {
      assert.deepEqual(openCode(sealCode(content, service.keys, randomBytes), service.keys), content)
    }
  })

  it('gives its grant the session and the methods of the sign-in', async (t) => {
    const { service, grantOf } = await scene(t)
    const browser = new Browser(service)
    const grant = await grantOf(await postToken(service, codeFields(await obtainCode(browser))))
    const cookies = [...browser.cookies.values()].map((value) => parseOpaque(value)?.id)
    assert.ok(grant?.sessionId && cookies.includes(grant.sessionId))
    assert.equal((await service.storage.sessions.find(grant.sessionId))?.session.userId, grant.userId)
    assert.deepEqual(grant.methods, ['pwd'])
  })

  it('of an earlier version is redeemed, and one of this version has what an earlier one reads', async (t) => {
    const { service, grantOf } = await scene(t)
    const code = await obtainCode(new Browser(service))
    const members = JSON.parse(unsealText(service.keys, 'code', label, code) ?? '') as unknown[]
    assert.equal(members[10], 'pwd')
    // The earlier version sealed the first thirteen members.
    const earlier = sealText(service.keys, 'code', label, JSON.stringify(members.slice(0, 13)), randomBytes)
    const answer = await postToken(service, codeFields(earlier))
    assert.deepEqual(claimsOf(answer.body.id_token).amr, ['pwd'])
    const grant = await grantOf(answer)
    assert.deepEqual([grant?.sessionId, grant?.methods], [null, ['pwd']])
  })
})

describe('the stored form of the methods of a sign-in', () => {
  it('is the name of a single one, as earlier versions stored it', () => {
    for (const [methods, text] of [
      [['pwd'], 'pwd'],
      [['GitHub'], 'GitHub'],
      [['pwd', 'otp'], '["pwd","otp"]'],
      [['[odd'], '["[odd"]'],
      [[], '[]'],
    ] as const) {
      assert.equal(methodsToText(methods), text)
      assert.deepEqual(textToMethods(text), methods)
    }
  })
})

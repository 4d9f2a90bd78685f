/** What a journey without a fault leaves in the log and in the numbers: nothing that an operator would look into. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { builtPagesFolder } from '../../src/package.ts'
import { type Metrics, noMetrics } from '../../src/telemetry/metrics.ts'
import { Browser, codeFields, obtainCode, postToken, refreshFields } from '../support/browser.ts'
import { startService, type TestService } from '../support/service.ts'

describe('a whole sign-in, with its pages and their assets', () => {
  const answered: { readonly route: string; readonly status: number }[] = []
  const refused: string[] = []
  const metrics: Metrics = {
    ...noMetrics,
    request: (_method, route, status) => answered.push({ route, status }),
    refusal: (id) => refused.push(id),
  }
  let service: TestService
  before(async () => {
    service = await startService({}, { metrics })
  })
  after(() => service.stop())

  it('writes no warning, counts no 404 and no refusal', async () => {
    const assets = readdirSync(`${builtPagesFolder()}/assets`)
    assert.ok(assets.length >= 3, `only ${assets.length} assets`)
    const browser = new Browser(service)
    for (const path of ['/', '/Account/Login', '/Account/Consent', '/Account/Logout', '/errors']) {
      assert.equal((await browser.get(path, { accept: 'text/html' })).status, 200)
    }
    for (const name of assets) {
      for (const encoding of ['br', 'gzip', 'identity']) {
        const answer = await browser.get(`/assets/${name}`, { 'accept-encoding': encoding })
        assert.equal(answer.status, 200)
        assert.notEqual((await answer.arrayBuffer()).byteLength, 0)
      }
    }
    const { body } = await postToken(service, codeFields(await obtainCode(browser)))
    assert.equal((await postToken(service, refreshFields(body.refresh_token))).status, 200)
    assert.equal((await browser.submit('/connect/logout', { Confirm: 'Yes' })).status, 302)

    // 20: debug, 30: info. What is above is for an operator to look into.
    assert.deepEqual(
      service.log.filter(({ level }) => Number(level) > 30),
      [],
    )
    assert.ok(answered.length >= assets.length * 3 + 10, `only ${answered.length} requests were counted`)
    assert.deepEqual(
      answered.filter(({ status }) => status >= 400),
      [],
    )
    assert.deepEqual(refused, [])
  })
})

/** A provider of the settings that becomes another one, whose subjects may be those of other people (OpenID Connect Core §5.7). */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { explain } from '../../src/protocol/refusals/explanation.ts'
import { Browser } from '../support/browser.ts'
import { openidForFile, throughProvider } from '../support/fake-openid.ts'
import { startService, type TestService } from '../support/service.ts'

const [former, other] = [await openidForFile(), await openidForFile()]
const folder = mkdtempSync(join(tmpdir(), 'latchkey-sources-'))
after(() => rmSync(folder, { recursive: true }))

/** A service on the database of all of them. */
function serviceWith(env: Readonly<Record<string, string>>, before?: TestService) {
  const database = { Database__Url: `sqlite:${join(folder, 'latchkey.db')}` }
  return startService({ ...env, ...database }, before === undefined ? {} : { after: before })
}

async function arrive(service: TestService, email?: string) {
  const browser = new Browser(service)
  const called = await throughProvider(browser, 'Contoso', '/after')
  if (called.status !== 302) return { status: called.status, text: await called.text(), browser }
  const arrived = await browser.get(called.headers.get('location') ?? '')
  if (email !== undefined) await browser.submit('/Account/ExternalLoginRegister', { email, ReturnUrl: '/after' })
  return { status: called.status, text: arrived.headers.get('location') ?? '', browser }
}

const ruleIn = ({ log }: TestService) =>
  (log.findLast((line) => 'refusal' in line)?.refusal as Record<string, string> | undefined)?.check

it('is trusted with no link of the one before, until an operator accepts it, and is told (OpenID Connect Core §5.7)', async () => {
  const first = await serviceWith(former.env('Contoso'))
  await arrive(first, 'somebody@example.com')
  assert.equal((await arrive(first)).text, '/after', 'the subject is linked')
  await first.stop()

  const moved = [other.env('Contoso'), former.env('Contoso', { SubjectClaim: 'email' })]
  former.does.claims = (claims) => ({ ...claims, email: 'somebody' })
  let last = first
  for (const env of moved) {
    const second = await serviceWith(env, last)
    const { status, text, browser } = await arrive(second)
    assert.equal(status, 502)
    assert.match(text, /ID9504/)
    assert.equal(ruleIn(second), 'the source of linked accounts')
    assert.equal((await browser.get('/Account/Self')).status, 401, 'nobody is signed in')
    await second.stop()
    last = second
  }
  assert.match(explain('provider_untrusted')?.fix ?? '', /latchkey provider accept/)

  const third = await serviceWith(other.env('Contoso'), last)
  await third.storage.providerSources.accept('Contoso', other.origin, third.now())
  assert.equal((await arrive(third)).text, '/after')
  await third.stop()
})

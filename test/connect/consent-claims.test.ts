/** What rules of a scope hand over is named on the consent page, and asked for again when it grows. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ClaimRule } from '../../src/protocol/claims/claim-rules.ts'
import { declareAttributes } from '../support/attributes.ts'
import { authorizePath, Browser, locationOf } from '../support/browser.ts'
import { addClient, addUser, serviceForFile, testScope } from '../support/service.ts'

const service = await serviceForFile()
const { storage } = service
await declareAttributes(
  storage,
  { name: 'department', labels: { '': 'Department', de: 'Abteilung' } },
  { name: 'salary', labels: { '': 'Salary' }, seenBy: 'operator' },
)
const rule = (claim: string, from: string): ClaimRule => ({ claim, from, in: null, as: 'auto' })
const purposes = { '': 'To route your orders', de: 'Um Bestellungen zuzuordnen' }
await storage.scopes.create(testScope('orders', { claims: [rule('dept', 'attribute:department')], purposes }))
await addClient(service, { id: 'shop', scopes: ['orders'] })
await addUser(service, 'carol')
const asked = { client_id: 'shop', scope: 'openid orders' }

const next = async (browser: Browser) => locationOf(await browser.get(authorizePath(asked))).pathname
async function scopesShown(browser: Browser, language: string): Promise<unknown> {
  const path = authorizePath(asked).replace('/connect/authorize', '/Account/ConsentContext')
  const response = await browser.get(path, { 'accept-language': language })
  return ((await response.json()) as { scopes: { name: string }[] }).scopes.find(({ name }) => name === 'orders')
}

describe('the consent to a scope with rules', () => {
  it('names attributes by their labels and its purpose, in the language of the person', async () => {
    const browser = await Browser.signedIn(service, { username: 'carol' })
    const named = { name: 'orders', displayName: null, description: null }
    const english = { ...named, claims: ['Department'], purpose: 'To route your orders' }
    assert.deepEqual(await scopesShown(browser, 'en'), english)
    const german = { ...named, claims: ['Abteilung'], purpose: 'Um Bestellungen zuzuordnen' }
    assert.deepEqual(await scopesShown(browser, 'de-AT'), german)
  })

  it('names what else a scope hands over of a person, each once, and nothing that is about nobody', async () => {
    const sources = [
      'claim:birthdate',
      'claim:email',
      'claim:email_verified',
      'claim:updated_at',
      'roles',
      'roles:shop',
    ]
    const others = ['groups', 'groups:names', 'username', 'created_at', 'id', 'client_id', 'constant:1']
    const claims = [...sources, ...others].map((from, at) => rule(`c${at}`, from))
    await storage.scopes.create(testScope('much', { claims }))
    await addClient(service, { id: 'much', scopes: ['much'] })
    const browser = await Browser.signedIn(service, { username: 'carol' })
    const path = authorizePath({ client_id: 'much', scope: 'openid much' })
    const response = await browser.get(path.replace('/connect/authorize', '/Account/ConsentContext'))
    const { scopes } = (await response.json()) as { scopes: { name: string; standardClaims?: string[] }[] }
    const named = scopes.find(({ name }) => name === 'much')?.standardClaims
    assert.deepEqual(named, ['birthdate', 'email', 'role', 'groups', 'preferred_username', 'created_at'])
  })

  it('is asked for again when the scope hands over more, that of operators too, and not when it hands over less', async () => {
    const browser = await Browser.signedIn(service, { username: 'carol' })
    await browser.allow(asked)
    assert.equal(await next(browser), '/callback')
    await storage.scopes.update('orders', (scope) => ({
      ...scope,
      claims: [rule('dept', 'attribute:department'), rule('pay', 'attribute:salary')],
    }))
    assert.equal(await next(browser), '/Account/Consent')
    const { claims } = (await scopesShown(browser, 'en')) as { claims: string[] }
    assert.deepEqual(claims, ['Department', 'Salary'])
    await browser.allow(asked)
    assert.equal(await next(browser), '/callback')
    const [consent, ...others] = await storage.authorizations.list((await storage.users.findByName('carol'))?.id ?? '')
    assert.deepEqual(consent?.claims, ['dept attribute:department', 'pay attribute:salary'])
    assert.equal(others.length, 0)
    await storage.scopes.update('orders', (scope) => ({ ...scope, claims: [rule('tenant', 'constant:1')] }))
    assert.equal(await next(browser), '/callback')
  })
})

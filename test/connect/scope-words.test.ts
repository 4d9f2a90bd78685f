/** What people read about scopes, in their language: on the consent page, the page for devices and in their account. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { standardScopes } from '../../src/protocol/scope/scope-registration.ts'
import { AdminCaller, adminProgram } from '../support/admin.ts'
import { authorizePath, Browser } from '../support/browser.ts'
import { addClient, addUser, serviceForFile, testScope } from '../support/service.ts'

const service = await serviceForFile()
const admin = new AdminCaller(service, (await adminProgram(service)).token)
const profile = standardScopes.find(({ name }) => name === 'profile')
await service.storage.scopes.create(testScope('profile', profile))
const roles = { displayName: 'Ihre Rechte', description: 'What you may do in this organisation' }
await service.storage.scopes.create(testScope('roles', roles))
const localized = { 'display_name#de': 'Bestellungen', 'display_name#pt-br': 'Pedidos', 'description#de': 'Lesen' }
await service.storage.scopes.create(
  testScope('orders', { displayName: 'Your orders', description: 'Reads them', localized }),
)
const names = ['openid', 'profile', 'roles', 'orders']
await addClient(service, { id: 'shop', scopes: names.slice(1) })
await addUser(service, 'carol')
const asked = { client_id: 'shop', scope: names.join(' ') }

async function wordsIn(language: string): Promise<Record<string, readonly [string | null, string | null]>> {
  const browser = await Browser.signedIn(service, { username: 'carol' })
  const path = authorizePath(asked).replace('/connect/authorize', '/Account/ConsentContext')
  const { scopes } = (await (await browser.get(path, { 'accept-language': language })).json()) as {
    scopes: { name: string; displayName: string | null; description: string | null }[]
  }
  return Object.fromEntries(scopes.map((one) => [one.name, [one.displayName, one.description]]))
}

describe('the words of scopes', () => {
  it('are those of the language, of the language without its region, or those without a language', async () => {
    assert.deepEqual((await wordsIn('de-AT')).orders, ['Bestellungen', 'Lesen'])
    assert.deepEqual((await wordsIn('pt-BR')).orders, ['Pedidos', 'Reads them'])
    assert.deepEqual((await wordsIn('fr')).orders, ['Your orders', 'Reads them'])
  })

  it('are left to the pages for standard scopes as they are registered here, and kept where an operator changed them', async () => {
    for (const language of ['en', 'de']) {
      const words = await wordsIn(language)
      assert.deepEqual(
        [words.openid, words.profile],
        [
          [null, null],
          [null, null],
        ],
        language,
      )
      assert.deepEqual(words.roles, [roles.displayName, roles.description])
    }
  })

  it('are listed with the applications of the account', async () => {
    const browser = await Browser.signedIn(service, { username: 'carol' })
    await browser.allow(asked)
    const response = await browser.get('/Account/Self/applications', { 'accept-language': 'de' })
    const { items } = (await response.json()) as { items: { scope_descriptions: Record<string, unknown>[] }[] }
    const orders = items[0]?.scope_descriptions.find(({ name }) => name === 'orders')
    assert.deepEqual(orders, { name: 'orders', display_name: 'Bestellungen', description: 'Lesen' })
  })
})

describe('the admin API', () => {
  it('sets, shows and takes away words in languages', async () => {
    const made = await admin.post('/scopes', {
      name: 'plans',
      'display_name#pt-BR': 'Planos',
      'description#de': 'Pläne',
    })
    assert.equal(made.status, 201)
    assert.deepEqual([made.body['display_name#pt-br'], made.body['description#de']], ['Planos', 'Pläne'])
    const changed = await admin.patch('/scopes/plans', { 'description#de': null, 'display_name#de': 'Pläne' })
    assert.equal(changed.status, 200)
    const [stored] = await service.storage.scopes.findMany(['plans'])
    assert.deepEqual(stored?.localized, { 'display_name#pt-br': 'Planos', 'display_name#de': 'Pläne' })
  })

  it('refuses words that are too long, no language, and texts that a scope does not have', async () => {
    for (const [member, text] of [
      ['display_name#de', 'x'.repeat(201)],
      ['description#de', 'a\nb'],
      ['resources#de', 'x'],
    ] as const) {
      const answer = await admin.patch('/scopes/plans', { [member]: text })
      assert.equal(answer.status, 400, member)
      assert.ok(JSON.stringify(answer.body).includes(member), JSON.stringify(answer.body))
    }
    const many = Object.fromEntries(
      Array.from({ length: 51 }, (_, at) => [
        `display_name#x${String.fromCharCode(97 + (at % 26))}${at < 26 ? 'a' : 'b'}`,
        'x',
      ]),
    )
    const answer = await admin.patch('/scopes/plans', many)
    assert.equal(answer.status, 400)
    assert.match(JSON.stringify(answer.body), /at most 50 languages/)
  })
})

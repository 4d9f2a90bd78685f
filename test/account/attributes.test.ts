/** Fields that an operator declared, in the account area, at registration, and before a code. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Attribute } from '../../src/users/attributes.ts'
import { authorizePath, Browser, locationOf, obtainCode } from '../support/browser.ts'
import { mailTo } from '../support/mails.ts'
import { addUser, serviceForFile } from '../support/service.ts'
import { textAttribute } from '../support/text-attribute.ts'

const service = await serviceForFile({
  Accounts__Registration: 'open',
  Mail__Url: 'file:/nowhere',
  RateLimit__LoginPerMinute: '1000',
})

let declarations = 0

/** Each is younger than the one before: fields are shown in that order. */
async function declare(name: string, change: Partial<Attribute> = {}): Promise<void> {
  declarations += 1
  const after = textAttribute(name, { createdAtMs: declarations, ...change })
  await service.storage.attributes.change(() => ({ changes: [{ name, after }] }))
}

async function undeclare(...names: string[]): Promise<void> {
  for (const name of names) await service.storage.attributes.change(() => ({ changes: [{ name, after: undefined }] }))
}

const signedIn = (username: string) => Browser.signedIn(service, { username })

const self = (browser: Browser) => browser.self('GET', '')
const patch = (browser: Browser, attributes: unknown) => browser.self('PATCH', '', { attributes })

describe('declared fields in the account area', () => {
  it('are shown with labels in the language, and changed as far as they are the own ones', async () => {
    await declare('nick', { labels: { '': 'Call me', de: 'Rufname' } })
    await declare('department', { editedBy: 'operator' })
    await declare('score', { editedBy: 'operator', seenBy: 'operator', type: 'integer' })
    await declare('badge', { unique: true })
    const user = await addUser(service, 'ann')
    await service.storage.users.update(user.id, (stored) => ({
      ...stored,
      attributes: { department: 'sales', score: 3 },
    }))
    const browser = await signedIn('ann')
    const { body } = await self(browser)
    assert.deepEqual(body.attributes, { department: 'sales' })
    assert.deepEqual(
      body.attribute_fields.map((field: { name: string; editable: boolean }) => [field.name, field.editable]),
      [
        ['nick', true],
        ['department', false],
        ['badge', true],
      ],
    )
    const changed = await patch(browser, { nick: 'Annie', badge: 'A-1' })
    assert.equal(changed.status, 200, JSON.stringify(changed.body))
    assert.deepEqual(changed.body.attributes, { department: 'sales', nick: 'Annie', badge: 'A-1' })
    const removed = await patch(browser, { nick: null })
    assert.deepEqual(removed.body.attributes, { department: 'sales', badge: 'A-1' })
    const stored = await service.storage.users.find(user.id)
    assert.equal(stored?.attributes.score, 3)

    for (const refused of [{ department: 'board' }, { score: 4 }, { none: 'x' }, { nick: 5 }, [], 'x']) {
      assert.equal((await patch(browser, refused)).status, 400, JSON.stringify(refused))
    }
    await addUser(service, 'ben')
    const other = await patch(await signedIn('ben'), { badge: 'a-1' })
    assert.equal(other.status, 400)
    assert.deepEqual(
      other.body.errors.map((one: { path: string }) => one.path),
      ['/attributes/badge'],
    )
    const [entry] = await service.storage.audit.newest({ kind: 'user_changed', userId: user.id }, 1)
    assert.ok(!JSON.stringify(entry).includes('Annie'), 'the trail names fields, never values')
    await undeclare('nick', 'department', 'score', 'badge')
  })
})

describe('a required field that people fill in themselves', () => {
  it('is asked for before any code, and only until it has a value', async () => {
    await addUser(service, 'cleo')
    const browser = await signedIn('cleo')
    await obtainCode(browser)
    await declare('team', { required: true })
    const asked = locationOf(await browser.get(authorizePath()))
    assert.equal(asked.pathname, '/Account/Complete')
    assert.match(asked.searchParams.get('ReturnUrl') ?? '', /^\/connect\/authorize\?/)
    assert.deepEqual(
      (await self(browser)).body.missing_attributes.map(({ name }: { name: string }) => name),
      ['team'],
    )
    const silent = locationOf(await browser.get(authorizePath({ prompt: 'none' })))
    assert.equal(silent.searchParams.get('error'), 'interaction_required')
    assert.match(silent.searchParams.get('error_uri') ?? '', /#ID9123$/)
    assert.equal((await patch(browser, { team: '' })).body.missing_attributes.length, 1)
    assert.equal((await patch(browser, { team: 'blue' })).status, 200)
    assert.equal((await patch(browser, { team: '' })).status, 400)
    assert.ok(locationOf(await browser.get(authorizePath())).searchParams.get('code'))
    await undeclare('team')
  })

  it('is asked for by registration, which keeps what was typed and refuses what does not fit', async () => {
    await declare('employee', { required: true, type: 'integer', min: 100, labels: { '': 'Employee number' } })
    await declare('optional')
    const browser = new Browser(service)
    const context = (await (await browser.get('/Account/RegisterContext')).json()) as {
      attributes: { name: string; label: string }[]
    }
    assert.deepEqual(
      context.attributes.map(({ name, label }) => [name, label]),
      [['employee', 'Employee number']],
    )
    const fields = { email: 'dora@example.com', username: 'dora', password: 'kT7-vw2q-new' }
    for (const employee of ['', 'abc', '7']) {
      const again = locationOf(await browser.submit('/Account/Register', { ...fields, employee }))
      assert.equal(again.searchParams.get('error'), 'details_invalid')
      assert.equal(again.searchParams.get('faulty'), 'employee')
      assert.equal(again.searchParams.get('username'), 'dora')
      assert.deepEqual(JSON.parse(again.searchParams.get('details') ?? ''), { employee })
    }
    const long = locationOf(await browser.submit('/Account/Register', { ...fields, employee: '7'.repeat(5000) }))
    assert.equal(long.searchParams.get('error'), 'details_invalid')
    assert.ok(long.href.length < 2048, 'the address of the page is bounded')
    await browser.submit('/Account/Register', { ...fields, employee: '123', optional: 'not asked for' })
    const { code } = await mailTo(service, 'dora@example.com')
    await browser.submit('/Account/Confirm', { purpose: 'register', code })
    assert.deepEqual((await service.storage.users.findByName('dora'))?.attributes, { employee: 123 })
    await undeclare('employee', 'optional')
  })

  it('is left to be asked for again where somebody else took its value before the address was confirmed', async () => {
    await declare('plate', { required: true, unique: true })
    const browser = new Browser(service)
    const fields = { email: 'emil@example.com', username: 'emil', password: 'kT7-vw2q-new', plate: 'B-XY 1' }
    await browser.submit('/Account/Register', fields)
    const fay = await addUser(service, 'fay')
    await service.storage.users.update(fay.id, (stored) => ({ ...stored, attributes: { plate: 'b-xy 1' } }))
    const { code } = await mailTo(service, 'emil@example.com')
    await browser.submit('/Account/Confirm', { purpose: 'register', code })
    const emil = await service.storage.users.findByName('emil')
    assert.deepEqual(emil?.attributes, {})
    assert.equal(locationOf(await browser.get(authorizePath())).pathname, '/Account/Complete')
    await undeclare('plate')
  })
})

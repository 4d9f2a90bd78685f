/** What is known about people, and what applications get of it: each task once, in Chromium, against the real service. */
import { uuidv7 } from '../../src/secrets/opaque.ts'
import { newAttribute } from '../../src/users/attribute-record.ts'
import type { Attribute } from '../../src/users/attributes.ts'
import type { Group } from '../../src/users/groups.ts'
import type { User } from '../../src/users/user.ts'
import { addClient, addUser, type TestService, testScope } from '../support/service.ts'
import { button, looksWell, looksWellNow, open, settled, test } from './console.ts'
import { expect } from './fixtures.ts'

test.use({ ownPage: true, expectedErrors: /status of 4/ })

test('a department gets into the access token by two forms', async ({ page }) => {
  await open(page, 'root', '/attributes')
  await page.getByRole('link', { name: 'Add attribute' }).click()
  await page.getByLabel('Name', { exact: true }).fill('email')
  await page.getByLabel('Label').fill('Department')
  await button(page, 'Save').click()
  await expect(page.getByRole('alert').first()).toBeVisible()
  await expect(page.getByLabel('Label')).toHaveValue('Department')
  await page.getByLabel('Name', { exact: true }).fill('department')
  await button(page, 'Save').click()
  await page.waitForURL('**/admin/attributes/department')
  await settled(page)
  await expect(page.getByRole('status').filter({ hasText: 'department is saved' })).toBeVisible()
  await page.getByText('Show as command').click()
  await looksWellNow(page, '/attributes/department, added')

  // The page says where it goes on.
  await page.locator('main .lead').getByRole('link', { name: 'Scopes' }).click()
  await page.waitForURL('**/admin/scopes')
  await page.getByRole('link', { name: 'demo_api' }).click()
  await settled(page)
  await page.getByLabel('Value', { exact: true }).selectOption({ label: 'Department' })
  // The name of the attribute, unless another one is typed.
  await expect(page.getByLabel('Claim', { exact: true })).toHaveValue('department')
  // Where claims of a scope are by default.
  for (const place of ['ID token', 'Userinfo']) await expect(page.getByRole('checkbox', { name: place })).toBeChecked()
  await page.getByRole('checkbox', { name: 'Access token' }).check()
  await button(page, 'Add claim').click()
  await expect(page.getByRole('status').filter({ hasText: 'demo_api is saved' })).toBeVisible()

  await page.goto('/admin/people')
  await page.getByRole('link', { name: 'nobody' }).click()
  await settled(page)
  await page.getByLabel('Department').fill('Sales')
  await page.locator('#attributes').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible()

  await page.goto('/admin/applications/demo/tokens')
  await settled(page)
  await page.getByLabel('Username of the person').fill('nobody')
  await button(page, 'Show preview').click()
  await expect(page.locator('#preview')).toContainText('"department": "Sales"')
  await expect(page.locator('#preview')).toContainText('attribute:department')
  await page.getByLabel('Username of the person').fill('nobdy')
  await button(page, 'Show preview').click()
  await expect(page.locator('#preview')).toContainText('Nobody has this username.')
  await expect(page.locator('#preview')).not.toContainText('Sales')
})

test('standard claims and roles of one application are put into tokens by the form, in the format that it says', async ({
  page,
  service,
}) => {
  await service.storage.scopes.create(testScope('sources'))
  await open(page, 'root', '/scopes/sources')
  const add = async (claim: string, source: string) => {
    await page.getByLabel('Claim', { exact: true }).fill(claim)
    await page.getByLabel('Value', { exact: true }).selectOption({ label: source })
  }
  await expect(page.getByLabel('Format')).toHaveValue('auto')
  await add('first', 'Standard claim')
  await page.getByLabel('Standard claim').selectOption('given_name')
  await button(page, 'Add claim').click()
  await expect(page.locator('#claims')).toContainText('claim:given_name · ID token, Userinfo')
  await add('duties', 'Roles in one application')
  await page.getByLabel('Client ID').fill('demo')
  await page.getByRole('checkbox', { name: 'ID token' }).uncheck()
  await page.getByLabel('Format').selectOption('Joined with spaces')
  await button(page, 'Add claim').click()
  await expect(page.locator('#claims')).toContainText('roles:demo · Userinfo · Joined with spaces')
  expect((await service.storage.scopes.findMany(['sources']))[0]?.claims).toEqual([
    { claim: 'first', from: 'claim:given_name', in: null, as: 'auto' },
    { claim: 'duties', from: 'roles:demo', in: ['userinfo'], as: 'joined' },
  ])
})

test('the shape of tokens is chosen in the form of an application, and the preview names what it puts into them', async ({
  page,
  service,
}) => {
  const metadata = {
    claims: [{ claim: 'realm_access.roles', from: 'roles', in: ['access_token'], as: 'list' }],
  } as const
  await addClient(service, { id: 'moved', metadata })
  await open(page, 'root', '/applications/moved/tokens')
  const shape = page.getByLabel('Shape of tokens')
  await expect(shape).toHaveValue('plain')
  await shape.selectOption('keycloak')
  await page.locator('#tokens').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('alert').first()).toContainText('realm_access.roles of the shape keycloak')
  await expect(shape).toHaveValue('keycloak')
  await page.locator('#claims').getByRole('button', { name: 'Remove' }).click()
  await expect(page.locator('#claims').getByRole('button', { name: 'Remove' })).toHaveCount(0)
  await expect(shape).toHaveValue('keycloak')
  await page.locator('#tokens').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'saved' })).toBeVisible()
  await page.getByLabel('Username of the person').fill('root')
  await button(page, 'Show preview').click()
  await expect(page.locator('#preview')).toContainText('"typ": "Bearer"')
  await expect(page.locator('#preview')).toContainText('realm_access.roles ← shape:keycloak (moved)')
})

test('an attribute that a claim uses is deleted with it, once both are named', async ({ page, service }) => {
  await open(page, 'root', '/attributes')
  await page.getByRole('link', { name: 'Add attribute' }).click()
  await page.getByLabel('Name', { exact: true }).fill('team')
  await button(page, 'Save').click()
  await page.waitForURL('**/admin/attributes/team')
  await page.goto('/admin/scopes/demo_api')
  await settled(page)
  await page.getByLabel('Claim', { exact: true }).fill('team')
  await page.getByLabel('Value', { exact: true }).selectOption({ label: 'team' })
  await button(page, 'Add claim').click()
  await expect(page.getByRole('status').filter({ hasText: 'demo_api is saved' })).toBeVisible()

  await page.goto('/admin/attributes/team')
  await settled(page)
  await button(page, 'Delete').click()
  await page.getByLabel('Type team to confirm').fill('team')
  await button(page, 'Delete').click()
  await expect(page.getByText('demo_api')).toBeVisible()
  await button(page, 'Delete with these claims').click()
  await page.getByLabel('Type team to confirm').fill('team')
  await button(page, 'Delete with these claims').click()
  await page.waitForURL('**/admin/attributes')
  const [scope] = await service.storage.scopes.findMany(['demo_api'])
  expect(JSON.stringify(scope)).not.toContain('attribute:team')
})

test('an invitation offers the roles that exist, with what each is for, and leads back to people', async ({
  page,
  service,
}) => {
  await service.storage.roles.create({ name: 'painter', description: 'Paints the walls', createdAtMs: 1 })
  await open(page, 'root', '/people/invite')
  const roles = page.getByRole('combobox', { name: 'Roles' })
  await roles.fill('editor pai')
  await expect(page.getByRole('listbox').getByRole('option')).toHaveText(['painterPaints the walls'])
  await roles.press('ArrowDown')
  await roles.press('Enter')
  await expect(roles).toHaveValue('editor painter ')
  await page.getByLabel('Email address').fill('walls@example.com')
  await button(page, 'Create a link').click()
  await expect(page.getByText('walls@example.com').first()).toBeVisible()
  const [asked] = await service.storage.audit.newest({ kind: 'confirmation_asked' }, 1)
  expect(asked?.details).toMatchObject({ purpose: 'invite', roles: ['editor', 'painter'] })
  await page.locator('main').getByRole('link', { name: 'People', exact: true }).click()
  await expect(page).toHaveURL(/\/admin\/people$/)
})

test('a group gives its members a role, and their page says where it comes from', async ({ page }) => {
  await open(page, 'root', '/groups')
  await page.getByRole('link', { name: 'Add group' }).click()
  await page.getByLabel('Name', { exact: true }).fill('staff')
  await page.getByRole('combobox', { name: 'Roles' }).fill('employee')
  await button(page, 'Save').click()
  await expect(page.getByRole('heading', { level: 1, name: 'staff', exact: true })).toBeVisible()
  await page.goto('/admin/groups/new')
  await settled(page)
  await page.getByLabel('Name', { exact: true }).fill('berlin')
  await page.getByLabel('Parent group').selectOption({ label: '/staff' })
  await button(page, 'Save').click()
  await expect(page.getByRole('heading', { level: 1, name: 'berlin', exact: true })).toBeVisible()
  await expect(page.locator('main .lead')).toHaveText('/staff/berlin')

  await page.getByLabel('Find people to add').fill('somebody else')
  await expect(page.getByText('Nobody matches.')).toBeVisible()
  await page.getByLabel('Find people to add').fill('nobo')
  await button(page, 'Add nobody').click()
  await expect(page.getByRole('status').filter({ hasText: 'nobody is now in the group' })).toBeVisible()
  await page.getByRole('link', { name: 'nobody' }).click()
  await settled(page)
  await page.getByRole('navigation', { name: 'This person' }).getByRole('link', { name: 'Roles' }).click()
  await expect(page.locator('#effective-roles li').filter({ hasText: 'employee' })).toContainText('from /staff')
  await page.goBack()

  await page.goBack()
  await settled(page)
  await button(page, 'Remove').click()
  await button(page, 'Remove').click()
  await expect(page.getByRole('status').filter({ hasText: 'nobody is no longer in the group' })).toBeVisible()

  await page.goto('/admin/groups')
  await page.getByRole('link', { name: '/staff', exact: false }).first().click()
  await settled(page)
  await button(page, 'Delete').click()
  await page.getByLabel('Type staff to confirm').fill('staff')
  await button(page, 'Delete').click()
  await page.waitForURL('**/admin/groups')
  await expect(page.getByRole('link', { name: /staff/ })).toHaveCount(0)
})

test('a role of an application that is not there is refused beside its field, and a role is not given', async ({
  page,
  service,
}) => {
  await open(page, 'root', '/groups/new')
  await page.getByLabel('Name', { exact: true }).fill('ownerless')
  const field = page.getByRole('combobox', { name: 'Roles' })
  await field.fill('shpo:admin')
  await button(page, 'Save').click()
  const refusal = 'The client shpo is not there, and the role shpo:admin would belong to it.'
  await expect(field).toHaveAccessibleDescription(new RegExp(refusal))
  await expect(field).toHaveValue('shpo:admin')
  await looksWellNow(page, 'group-ownerless-role')

  const { id } = await addUser(service, 'olaf', { roles: [] })
  await page.goto(`/admin/people/${id}/roles`)
  await settled(page)
  await page.getByRole('combobox', { name: 'Add a role' }).fill('shpo:admin')
  await page.getByRole('option', { name: 'shpo:admin' }).click()
  await expect(page.getByRole('alert')).toContainText(refusal)
  await looksWellNow(page, 'person-ownerless-role')
  expect((await service.storage.users.find(id))?.roles).toEqual([])
})

test('people are found for a group by pages, however many match', async ({ page, service }) => {
  const { group } = await prepare(service)
  for (let number = 10; number < 35; number += 1) await addUser(service, `mason-${number}`)
  await open(page, 'root', `/groups/${group.id}`)
  await page.getByLabel('Find people to add').fill('mason')
  await expect(page.locator('#members').getByRole('button', { name: /^Add mason/ })).toHaveCount(10)
  await button(page, 'Show more').click()
  await button(page, 'Show more').click()
  await button(page, 'Add mason-34').click()
  await expect(page.getByRole('status').filter({ hasText: 'mason-34 is now in the group' })).toBeVisible()
  const mason = await service.storage.users.findByName('mason-34')
  const members = await service.storage.groups.members(group.id, '')
  expect(members.map(({ id }) => id)).toContain(mason?.id)
})

test('name, description and purpose of a scope are edited in each language, as are labels of attributes', async ({
  page,
  service,
}) => {
  await open(page, 'root', '/scopes/new')
  await page.getByLabel('Name', { exact: true }).fill('orders')
  await page.getByLabel('Purpose', { exact: true }).fill('To show your orders.')
  await page.getByLabel('Add a language').selectOption({ label: 'German' })
  await expect(page.getByLabel('Display name (German)')).toBeFocused()
  await page.keyboard.type('Ihre Bestellungen')
  await page.getByLabel('Description (German)').fill('Bestellungen lesen')
  await page.getByLabel('Purpose (German)').fill('Um Ihre Bestellungen zu zeigen.')
  await page.getByLabel('Add a language').selectOption({ label: 'French' })
  await button(page, 'Save').click()
  await page.waitForURL('**/admin/scopes/orders')
  const purposes = async () => (await service.storage.scopes.findMany(['orders']))[0]?.purposes
  expect(await purposes()).toEqual({ '': 'To show your orders.', de: 'Um Ihre Bestellungen zu zeigen.' })
  const [orders] = await service.storage.scopes.findMany(['orders'])
  expect(orders?.localized).toEqual({ 'display_name#de': 'Ihre Bestellungen', 'description#de': 'Bestellungen lesen' })
  await settled(page)
  await expect(page.getByLabel('Purpose (German)')).toHaveValue('Um Ihre Bestellungen zu zeigen.')
  await expect(page.getByLabel('Purpose (French)')).toHaveCount(0)
  await page.getByLabel('Purpose (German)').fill('')
  await page.getByLabel('Purpose', { exact: true }).fill('x'.repeat(1001))
  await button(page, 'Save').click()
  await expect(page.getByLabel('Purpose', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Purpose', { exact: true }).fill('To show orders.')
  await button(page, 'Save').click()
  await expect(page.getByRole('status').filter({ hasText: 'orders is saved' })).toBeVisible()
  await expect.poll(purposes).toEqual({ '': 'To show orders.' })

  await prepare(service)
  await page.goto('/admin/attributes/tools')
  await settled(page)
  await page.getByLabel('Add a language').selectOption({ label: 'German' })
  await page.getByLabel('Label (German)').fill('Werkzeuge')
  await button(page, 'Save').click()
  await expect(page.getByRole('status').filter({ hasText: 'tools is saved' })).toBeVisible()
  const stored = (await service.storage.attributes.all()).known.get('tools')
  expect(stored?.labels).toEqual({ '': 'Tools', de: 'Werkzeuge' })
})

test('a value that imports and provisioning write is shown, and says where it comes from', async ({
  page,
  service,
}) => {
  const { person } = await prepare(service)
  await open(page, 'root', `/people/${person.id}`)
  const payroll = page.getByLabel('Payroll number')
  await expect(payroll).toHaveValue('P 7')
  await expect(payroll).toBeDisabled()
  await expect(payroll).toHaveAccessibleDescription(/Comes from imports and provisioning/)
  await expect(page.getByLabel('Floor')).toBeEnabled()
  await page.getByLabel('Floor').fill('8')
  await page.locator('#attributes').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible()
  expect((await service.storage.users.find(person.id))?.attributes).toMatchObject({ floor: 8, payroll: 'P 7' })
})

/** Somebody who has a value of each type and roles of each origin, and an application that gets some of it. */
async function prepare(service: TestService): Promise<{ person: User; group: Group }> {
  const { storage } = service
  const declared: readonly Partial<Attribute>[] = [
    { name: 'floor', type: 'integer', labels: { '': 'Floor' }, helps: { '': 'From the ground floor up.' } },
    { name: 'on_call', type: 'boolean', labels: { '': 'On call' } },
    { name: 'started', type: 'date', labels: { '': 'Started' } },
    { name: 'tools', many: true, labels: { '': 'Tools' } },
    { name: 'payroll', editedBy: 'source', labels: { '': 'Payroll number' } },
  ]
  const changes = declared.map(({ name = '', ...change }) => ({ name, after: { ...newAttribute(name, 0), ...change } }))
  await storage.attributes.change(() => ({ changes }))
  const id = uuidv7(service.now())
  const group: Group = {
    id,
    name: `office ${id.slice(-6)}`,
    parentId: null,
    description: 'Everybody upstairs',
    roles: ['employee', 'reader'],
    createdAtMs: 0,
    version: 1,
  }
  await storage.groups.change(() => ({ changes: [{ id, after: group }] }))
  const attributes = { floor: 4, on_call: true, started: '2024-02-29', tools: ['Saw', 'Lathe'], payroll: 'P 7' }
  const person = await addUser(service, `carpenter-${id.slice(-6)}`, { attributes, roles: ['builder'] })
  await storage.groups.addMembers(id, [person.id])
  return { person, group }
}

for (const scheme of ['light', 'dark'] as const) {
  test(`the pages of attributes and groups look well on a phone and wide (${scheme})`, async ({ page, service }) => {
    const { group, person } = await prepare(service)
    await page.emulateMedia({ colorScheme: scheme })
    await open(page, 'root', '/attributes')
    for (const below of [
      '/attributes',
      '/attributes/new',
      '/attributes/tools',
      '/groups',
      '/groups/new',
      `/groups/${group.id}`,
      `/people/${person.id}`,
      '/roles/new',
      '/scopes/demo_api',
      '/applications/demo/tokens',
    ]) {
      await looksWell(page, below, scheme)
    }
    await page.getByLabel('Username of the person').fill(person.name)
    await button(page, 'Show preview').click()
    await expect(page.locator('#preview')).toContainText('"sub"')
    await looksWellNow(page, '/applications/preview', scheme)
  })
}

test('what is wrong with the value of an attribute stands beside its field, and roles that follow are shown at once', async ({
  page,
  service,
}) => {
  const { group, person } = await prepare(service)
  await open(page, 'root', `/people/${person.id}`)
  await page.getByLabel('Floor').fill('upstairs')
  const details = page.locator('#attributes')
  await details.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByLabel('Floor')).toHaveAccessibleDescription(/floor must be/)
  await page.getByLabel('Floor').fill('7')
  await page.getByLabel('On call').selectOption({ label: 'No' })
  await details.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible()
  expect((await service.storage.users.find(person.id))?.attributes).toMatchObject({ floor: 7, on_call: false })
  await page.getByRole('navigation', { name: 'This person' }).getByRole('link', { name: 'Roles' }).click()
  await page.getByRole('combobox', { name: 'Add a role' }).fill('painter')
  await page.keyboard.press('Enter')
  const effective = (role: string) => page.locator('#effective-roles li').filter({ hasText: role })
  await expect(effective('painter')).toContainText('given to the person')
  await expect(effective('reader')).toContainText(`from /${group.name}`)
})

test('the page of a person asks for what is required, unless a source writes it', async ({ page, service }) => {
  const { person } = await prepare(service)
  const { storage } = service
  const required: readonly Partial<Attribute>[] = [
    { name: 'badge', labels: { '': 'Badge' }, required: true },
    { name: 'shift', type: 'choice', choices: [{ value: 'day', labels: {} }], labels: { '': 'Shift' }, required: true },
    { name: 'ledger', editedBy: 'source', labels: { '': 'Ledger' }, required: true },
  ]
  const changes = required.map(({ name = '', ...change }) => ({ name, after: { ...newAttribute(name, 0), ...change } }))
  await storage.attributes.change(() => ({ changes }))
  await open(page, 'root', `/people/${person.id}`)
  await expect(page.getByLabel('Ledger')).not.toHaveAttribute('required')
  const save = page.locator('#attributes').getByRole('button', { name: 'Save' })
  await page.getByLabel('Floor').fill('5')
  await save.click()
  await expect(page.getByLabel('Badge')).toBeFocused()
  await page.getByLabel('Badge').fill('B 1')
  await save.click()
  await expect(page.getByLabel('Shift')).toBeFocused()
  expect((await storage.users.find(person.id))?.attributes.floor).toBe(4)
  await page.getByLabel('Shift').selectOption('day')
  await save.click()
  await expect(page.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible()
  expect((await storage.users.find(person.id))?.attributes).toMatchObject({ floor: 5, badge: 'B 1', shift: 'day' })
  const declared = required.map(({ name = '' }) => ({ name, after: undefined }))
  await storage.attributes.change(() => ({ changes: declared }))
})

test('the page of a group names the group that it is in, and moves it', async ({ page, service }) => {
  const { group } = await prepare(service)
  await open(page, 'root', '/groups/new')
  await page.getByLabel('Name', { exact: true }).fill('workshop')
  await page.getByLabel('Parent group').selectOption({ label: `/${group.name}` })
  await button(page, 'Save').click()
  await expect(page.getByRole('heading', { level: 1, name: 'workshop', exact: true })).toBeVisible()
  await expect(page.locator('main .lead')).toHaveText(`/${group.name}/workshop`)
  await expect(page.getByLabel('Parent group')).toHaveValue(`/${group.name}`)
  await page.getByLabel('Parent group').selectOption({ label: 'None (top level)' })
  await button(page, 'Save').click()
  await expect(page.getByRole('heading', { level: 1, name: 'workshop', exact: true })).toBeVisible()
  await expect(page.locator('main .lead')).toHaveCount(0)
})

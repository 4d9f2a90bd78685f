/** Tasks in the console that fewer people have, and what goes wrong on the way. */
import { readFileSync } from 'node:fs'
import { auditKinds } from '../../src/audit/kinds.ts'
import { aConfirmation } from '../storage/records.ts'
import { addUser, changeUser, testClient, testUser } from '../support/service.ts'
import { button, looksWellNow, open, settled, test } from './console.ts'
import { expect, leave, signIn } from './fixtures.ts'

test.use({ ownPage: true, expectedErrors: /status of (?:4|503)|ERR_FAILED/ })

test('a blocked or closed window is told, and the way on the same page keeps what was typed but for passwords', async ({
  page,
  service,
}) => {
  await open(page, 'root', '/people/new')
  await page.getByLabel('Username').fill('typed')
  await page.getByRole('combobox', { name: 'Roles' }).fill('editor')
  await page.getByLabel('Password').fill('never stored anywhere')
  await page.context().clearCookies()
  const endedAtMs = service.now()
  await changeUser(service, 'root', { grantsEndedAtMs: endedAtMs })
  await page.getByLabel('Email address').fill('typed@example.com')
  await button(page, 'Add person').click()
  const beside = page.waitForEvent('popup')
  await button(page, 'Sign in again').click()
  await (await beside).close()
  await expect(page.getByText('The window was closed before anybody signed in.')).toBeVisible()
  await page.evaluate('window.open = () => null')
  await button(page, 'Sign in again').click()
  await expect(page.getByText('The browser did not open a window.')).toBeVisible()
  await button(page, 'Sign in on this page').click()
  await page.waitForURL('**/Account/Login?**')
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('never stored')
  await signIn(page, 'root')
  await page.waitForURL('**/admin/people/new')
  await expect(page.getByLabel('Username')).toHaveValue('typed')
  await expect(page.getByLabel('Email address')).toHaveValue('typed@example.com')
  await expect(page.getByRole('combobox', { name: 'Roles' })).toHaveValue('editor')
  await expect(page.getByLabel('Password')).toHaveValue('')
})

test('a fault of the service is told with its reason and trace ID, and only a network failure is called one', async ({
  page,
}) => {
  const problem = { title: 'Service unavailable', detail: 'The database does not answer.', trace_id: 'ab'.repeat(16) }
  await open(page, 'root', '/scopes/demo_api')
  const answer = (status: number, json: object) =>
    page.route('**/admin/api/v1/**', (route) => route.fulfill({ status, json }))
  await answer(503, problem)
  await page.getByLabel('Display name').fill('Typed')
  await button(page, 'Save').click()
  await expect(page.getByText(problem.detail)).toBeVisible()
  await expect(page.getByText(`Trace ID: ${problem.trace_id}`)).toBeVisible()
  await expect(page.getByLabel('Display name')).toHaveValue('Typed')
  await page.getByRole('link', { name: 'People' }).click()
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Leave' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'People' })).toBeVisible()
  await expect(page.getByText(problem.detail)).toBeVisible()
  await expect(button(page, 'Try again')).toBeVisible()
  await page.unrouteAll()
  await page.route(/api.v1.users/, (route) => route.abort())
  await button(page, 'Try again').click()
  await expect(page.getByText('did not answer. Check your connection')).toBeVisible()
  await page.unrouteAll()
  await button(page, 'Try again').click()
  await expect(page.locator('.records tbody tr').filter({ hasText: 'viewer' })).toBeVisible()
})

test('a sign-in that does not succeed says why, and leads on', async ({ page }) => {
  const authorization = '**/connect/authorize?*'
  await page.route(authorization, (route) => route.abort())
  await page.goto('/admin/keys')
  await expect(page.getByText('did not answer. Check your connection')).toBeVisible()
  await page.unroute(authorization)
  await page.route(authorization, (route) => route.fulfill({ status: 503, json: {} }))
  await leave(page, () => button(page, 'Try again').click())
  await expect(page.getByText('503')).toBeVisible()
  await page.unroute(authorization)
  await button(page, 'Try again').click()
  await page.waitForURL('**/Account/Login?**')
  const { state } = JSON.parse(await page.evaluate(() => sessionStorage.getItem('latchkey.console.pending') ?? ''))
  const iss = new URL('/', page.url()).href
  const answer = { error: 'access_denied', error_description: 'Not today.', state, iss }
  await page.goto(`/admin/?${new URLSearchParams(answer)}`)
  await expect(page.getByRole('heading', { name: 'Signing in did not succeed' })).toBeVisible()
  await expect(page.getByText('access_denied: Not today.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sign in as somebody else' })).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/admin/keys')
  await button(page, 'Try again').click()
  await page.waitForURL('**/Account/Login?**')
  await signIn(page, 'root')
  await page.waitForURL('**/admin/keys')
  await settled(page)
})

test('an invitation is listed until it is withdrawn, which is asked once more', async ({ page, service }) => {
  const about = { purpose: 'invite', details: { email: 'ina@example.com', roles: ['editor'] } } as const
  const times = { createdAtMs: service.now(), expiresAtMs: service.now() + 86_400_000 }
  await service.storage.confirmations.put(aConfirmation({ ...about, ...times, userId: null }))
  await open(page, 'root', '/people/invite')
  const item = page.getByRole('listitem').filter({ hasText: 'ina@example.com' })
  await expect(item).toContainText('editor · Until')
  await button(page, 'Withdraw').click()
  await expect(page.getByText('Withdraw the invitation to ina@example.com?')).toBeVisible()
  await button(page, 'Withdraw').last().click()
  await expect(page.getByRole('status').filter({ hasText: 'is withdrawn' })).toBeVisible()
  await expect(page.getByText('Nobody has an open invitation.')).toBeVisible()
  expect(await service.storage.invitations.open(service.now())).toEqual([])
})

test('people are found while typing, and filters are in the address', async ({ page, service }) => {
  await service.storage.users.create(testUser({ name: 'locked-one', email: 'locked@example.com', disabled: true }))
  await open(page, 'root', '/people')
  const rows = page.locator('.records tbody tr')
  await expect(rows.filter({ hasText: 'viewer' })).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type('view')
  await expect(rows).toHaveCount(1)
  await page.waitForURL('**/admin/people?search=view')
  await page.getByLabel('Search people').fill('')
  await page.waitForURL('**/admin/people')
  await page.getByLabel('Locked').press('Space')
  await page.waitForURL('**/admin/people?locked=true')
  await expect(rows).toHaveCount(1)
  await page.reload()
  await settled(page)
  await expect(rows).toHaveText(/locked-one/)
  await page.getByLabel('Search people').fill('nobody like this')
  await expect(page.getByText('Nobody matches.')).toBeVisible()
})

test('several people are locked and get a role at once, by keyboard, and each refusal is told by name', async ({
  page,
  service,
}) => {
  const { users } = service.storage
  const xss = '<img src=x onerror=document.title=1>'
  for (const [name, full] of [
    ['bulk-1', 'Zora Neale Bulkley'],
    ['bulk-2', xss],
    ['bulk-3', 'Ольга Bulkley'],
  ] as const) {
    await users.create(testUser({ name, email: `${name}@example.com`, claims: { name: full }, roles: ['old'] }))
  }
  await open(page, 'root', '/people')
  const rows = page.locator('.records tbody tr')
  await page.keyboard.press('/')
  await page.keyboard.type('neale bul')
  await expect(rows).toHaveCount(1)
  await expect(rows).toHaveText(/Zora Neale Bulkley/)
  await page.getByLabel('Search people').fill('bulk')
  await expect(rows).toHaveCount(3)
  await expect(rows.nth(1)).toContainText(xss)
  await page.getByLabel('Select all shown').press('Space')
  await page.getByLabel('Select bulk-3').press('Space')
  await expect(page.getByText('2 people selected.')).toBeVisible()
  await button(page, 'Give a role').press('Enter')
  await page.keyboard.press('Escape')
  await button(page, 'Give a role').press('Enter')
  const panel = page.getByRole('group', { name: 'Give these people a role?' })
  await expect(panel).toContainText('bulk-1')
  await panel.getByLabel('Role to give').fill('fresh')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Now have the role fresh: 2.')).toBeVisible()
  const rolesOf = async (name: string) => (await users.findByName(name))?.roles
  expect([await rolesOf('bulk-1'), await rolesOf('bulk-3')]).toEqual([['fresh', 'old'], ['old']])

  // The last administrator keeps the role, the others change, and all of it is told.
  await page.getByLabel('Search people').fill('')
  await page.waitForURL(/people$/)
  await settled(page)
  for (const name of ['root', 'bulk-1', 'viewer']) await page.getByLabel(`Select ${name}`).check()
  await button(page, 'Take a role').click()
  await page.getByLabel('Role to take').selectOption('latchkey-admin')
  await button(page, 'Take a role').click()
  await expect(page.getByText('Did not have it: 2.')).toBeVisible()
  await expect(page.getByText(/root: .*Nobody else could administer this service any more/)).toBeVisible()
  expect(await rolesOf('root')).toEqual(['latchkey-admin'])
  await page.getByLabel('Select bulk-1').check()
  await page.getByLabel('Select bulk-2').check()
  const gone = await users.findByName('bulk-2')
  await users.delete(gone?.id ?? '')
  await button(page, 'Lock').click()
  await button(page, 'Lock').click()
  await expect(page.getByText('Locked: 1.')).toBeVisible()
  await expect(page.getByText('bulk-2: This no longer exists.')).toBeVisible()
  expect((await users.findByName('bulk-1'))?.disabled).toBe(true)
  const refusedAgain = page.waitForResponse('**/users/*/lock')
  await button(page, 'Try the others again').click()
  expect((await refusedAgain).status()).toBe(404)
  await expect(page.getByText('bulk-2: This no longer exists.')).toBeVisible()

  await page.goto('/admin/roles/fresh')
  await settled(page)
  await page.getByRole('link', { name: 'bulk-1' }).click()
  await page.waitForURL(/people\/./)
  await service.storage.audit.flush()
  await page.getByRole('navigation', { name: 'This person' }).getByRole('link', { name: 'Activity' }).click()
  await expect(page.locator('#activity')).toContainText('root changed')
  await expect(page.locator('#activity').getByRole('link', { name: 'root' }).first()).toBeVisible()
  await page.getByRole('link', { name: 'Show all activity' }).click()
  await page.waitForURL(/activity\?user_id=/)
})

test('a role that somebody has is deleted only after the console says how many people lose it', async ({
  page,
  service,
}) => {
  await open(page, 'root', '/roles')
  await page.getByRole('link', { name: 'Add role' }).click()
  await page.getByLabel('Name', { exact: true }).fill('editor')
  await page.getByLabel('Description').fill('Writes articles')
  await button(page, 'Save').click()
  await page.waitForURL('**/admin/roles/editor')
  await settled(page)
  await page.getByLabel('Description').fill('Writes and checks articles')
  await button(page, 'Save').click()
  await expect(page.getByRole('status').filter({ hasText: 'editor is saved' })).toBeVisible()
  expect(await service.storage.roles.find('editor')).toMatchObject({ description: 'Writes and checks articles' })
  await addUser(service, 'ed', { roles: ['editor'] })

  await button(page, 'Delete').click()
  await page.getByLabel('Type editor to confirm').fill('editor')
  await button(page, 'Delete').click()
  await expect(page.getByText('Nothing was deleted. 1 person has this role.')).toBeVisible()
  expect(await service.storage.roles.find('editor')).toBeDefined()
  await button(page, 'Take it from everybody and delete it').click()
  await page.getByLabel('Type editor to confirm').fill('editor')
  await button(page, 'Take it from everybody and delete it').click()
  await page.waitForURL('**/admin/roles')
  await expect(page.getByRole('link', { name: /latchkey-viewer/ })).toBeVisible()
  await expect(page.getByRole('link', { name: /editor/ })).toHaveCount(0)
  expect((await service.storage.users.findByName('ed'))?.roles).toEqual([])

  await page.getByRole('link', { name: /latchkey-admin/ }).click()
  await expect(page.getByText('This role is built in and stays.')).toBeVisible()
  await expect(button(page, 'Delete')).toHaveCount(0)
})

test('keys are replaced after a question, and the page says which come next', async ({ page, service }) => {
  await open(page, 'root', '/keys')
  await expect(page.getByText('The service replaces its keys automatically every 90 days.')).toBeVisible()
  const before = (await service.storage.keys.list()).length
  await button(page, 'Rotate keys').click()
  await button(page, 'Cancel').click()
  expect(await service.storage.keys.list()).toHaveLength(before)
  await button(page, 'Rotate keys').click()
  await button(page, 'Rotate keys').click()
  await expect(page.getByText('New keys are published.')).toBeVisible()
  await expect(page.locator('#signing').getByText('Next', { exact: true })).not.toHaveCount(0)
  expect((await service.storage.keys.list()).length).toBeGreaterThan(before)
  await page.getByText('Show as command').click()
  await expect(page.getByText('latchkey keys rotate')).toBeVisible()
})

test('a refusal is explained by its trace id, its code or the address of its error, and the explanation has an address', async ({
  page,
  service,
}) => {
  const refused = await fetch(`${service.issuer}connect/authorize?client_id=unheard-of&response_type=code`)
  const traceId = refused.headers.get('x-trace-id') ?? ''
  await service.storage.audit.flush()
  await open(page, 'root', '/explain')
  const field = page.getByLabel('Trace ID, code or address of an error')
  await field.fill('nothing of the kind')
  await button(page, 'Explain').click()
  await expect(page.getByText('There is no trace ID (32 hexadecimal digits)')).toBeVisible()
  await expect(field).toHaveValue('nothing of the kind')
  await field.fill(`Trace ID: ${traceId.toUpperCase()}`)
  await button(page, 'Explain').click()
  await page.waitForURL(`**/admin/explain/${traceId}`)
  await expect(page.getByText('unheard-of')).toBeVisible()
  for (const pasted of [
    'https://app.example/cb?error=invalid_scope&error_uri=https%3A%2F%2Fid.example%2Ferrors%23ID2052&state=1234',
    'id2052',
    '2052',
  ]) {
    await page.goto('/admin/explain')
    await settled(page)
    await field.fill(pasted)
    await field.press('Enter')
    await page.waitForURL('**/admin/explain/ID2052')
    await expect(page.getByText('What to do', { exact: true }).first()).toBeVisible()
    await expect(page.getByText('What to do', { exact: true }).nth(1)).toBeHidden()
  }
  await page.goto('/admin/explain/ID0001')
  await expect(page.getByText('There is no error with this code.')).toBeVisible()
})

test('settings say where they come from, hide secrets, and are found by words that the address keeps', async ({
  page,
}) => {
  await open(page, 'viewer', '/settings')
  await page.getByLabel('Search settings').fill('ratelimit login')
  const rows = page.locator('.setting')
  await expect(rows.filter({ hasText: 'RateLimit:LoginPerMinute' })).toContainText('1000')
  await expect(rows.filter({ hasText: 'RateLimit:LoginPerMinute' })).toContainText('Environment')
  await page.getByLabel('Search settings').fill('MasterKey')
  const named = rows.filter({ has: page.getByText('Keys:MasterKey', { exact: true }) })
  await expect(named.first()).toContainText(/Not set|Set, and hidden/)
  await page.getByLabel('Set by').selectOption('file')
  await expect(page.getByText('No setting matches.')).toBeVisible()
  await page.reload()
  await settled(page)
  await expect(page.getByLabel('Search settings')).toHaveValue('MasterKey')
  await expect(page.getByLabel('Set by')).toHaveValue('file')
})

test('a viewer sees no form for what a viewer may not add', async ({ page }) => {
  await open(page, 'viewer', '/people/new')
  for (const path of ['/people/new', '/people/invite', '/applications/new', '/scopes/new', '/roles/new']) {
    await page.goto(`/admin${path}`)
    await expect(page.getByText('Your roles do not permit this.')).toBeVisible()
    await expect(page.locator('main form')).toHaveCount(0)
  }
  await page.locator('main').getByRole('link', { name: 'Roles' }).click()
  await expect(page.getByRole('link', { name: /latchkey-viewer/ })).toBeVisible()
})

test('home says what to do first to those who may do it, and to nobody else', async ({ page }) => {
  await open(page, 'root', '')
  const list = page.locator('#first')
  await expect(list.getByRole('link', { name: 'Open security settings' })).toBeVisible()
  await expect(list.getByRole('button', { name: 'Mark as done: Backup' })).toBeVisible()
  await page.context().clearCookies()
  await open(page, 'viewer', '')
  await expect(page.locator('main').getByRole('link', { name: 'People' })).toBeVisible()
  await expect(list).toHaveCount(0)
})

test('who may only read is told so on every page, and offered nothing to add', async ({ page, service }) => {
  const readOnly = page.getByRole('banner').getByText('Read only')
  await open(page, 'root', '')
  await expect(readOnly).toHaveCount(0)
  await page.context().clearCookies()
  await open(page, 'viewer', `/people/${(await service.storage.users.findByName('root'))?.id}`)
  await expect(readOnly).toBeVisible()
  await expect(page.locator('#attributes')).toContainText('No attributes are declared.')
  await expect(page.locator('#attributes').getByRole('link')).toHaveCount(0)
  // What is empty below the words takes no room.
  const room = await page.locator('#attributes').evaluate((panel) => {
    const words = panel.querySelector('p')?.getBoundingClientRect().bottom ?? 0
    return panel.getBoundingClientRect().bottom - words - Number.parseFloat(getComputedStyle(panel).paddingBottom)
  })
  expect(room).toBeLessThanOrEqual(1)
  await looksWellNow(page, '/people/root, read only')
  await page.emulateMedia({ colorScheme: 'dark' })
  await looksWellNow(page, '/people/root, read only', 'dark')
  // The header of a phone has no room for the name, which is in the menu.
  await page.setViewportSize({ width: 390, height: 900 })
  await button(page, 'Menu').click()
  await expect(page.getByRole('navigation').getByText('Read only')).toBeVisible()
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 720 })
})

test('the audit trail is exported as CSV without formulas, and as JSON lines', async ({ page, service }) => {
  const client = testClient({ id: 'evil', name: '=HYPERLINK("https://evil.example")' })
  await service.storage.clients.create(client)
  const event = { kind: 'data_exported', userId: '@SUM(1)', clientId: 'evil', traceId: null, address: '-1' } as const
  await service.storage.audit.append(
    Array.from({ length: 501 }, () => ({ ...event, atMs: service.now(), details: { actor: 'a "quoted", name' } })),
  )
  // Ids that strangers send do not keep the names of others away.
  const strange = ['z'.repeat(400), ...Array.from({ length: 40 }, (_, at) => `${at}${'%'.repeat(250)}`)]
  await service.storage.audit.append(
    strange.map((clientId) => ({ ...event, clientId, atMs: service.now(), details: {} })),
  )
  // The page still reads names, in several calls, when the export needs them.
  const names = Promise.withResolvers<void>()
  await page.route('**/admin/api/v1/clients?client_id=*', async (route) => {
    await names.promise
    await route.continue()
  })
  page.on('response', (response) => {
    if (response.url().includes('/admin/api/v1/audit?') && response.url().includes('limit=500')) names.resolve()
  })
  await open(page, 'root', '/activity?kind=data_exported')
  const exported = async (name: string) => {
    const coming = page.waitForEvent('download')
    await button(page, name).click()
    return readFileSync(await (await coming).path(), 'utf8')
  }
  const csv = (await exported('Export as CSV')).split('\r\n')
  expect(csv.length).toBe(544)
  expect(csv[42]).toContain(`Data exported,'@SUM(1),"'=HYPERLINK(""https://evil.example"")",'-1,"{""actor""`)
  expect(csv.slice(1).join('\n')).not.toMatch(/(?:^|,)"?[=+\-@]/m)
  const lines = (await exported('Export as JSON lines')).trimEnd().split('\n')
  expect(lines.length).toBe(542)
  expect(JSON.parse(lines[541] ?? '')).toMatchObject({ kind: 'data_exported', client_id: 'evil' })
  await expect(page.getByText('542 entries exported.')).toBeVisible()
})

test('who may only read the trail does not verify it, and every kind can be chosen', async ({ page }) => {
  await open(page, 'viewer', '/activity')
  await expect(button(page, 'Pause')).toBeVisible()
  await page.getByText('More filters').click()
  await expect(button(page, 'Verify')).toHaveCount(0)
  const offered = page.getByRole('combobox', { name: 'Event' }).getByRole('option')
  expect(await offered.evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value))).toEqual([
    '',
    ...Object.keys(auditKinds),
  ])
})

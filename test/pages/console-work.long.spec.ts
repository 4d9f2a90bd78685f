/** The console of operators, each task once: in Chromium, against the real service. */
import { aMail, anEvent, someFactors } from '../storage/records.ts'
import { addClient, userNamed } from '../support/service.ts'
import { applicationTab, button, endSession, looksWell, looksWellNow, open, settled, test } from './console.ts'
import { comeBackToKept, expect, signIn } from './fixtures.ts'

test.use({ ownPage: true, expectedErrors: /status of (?:4|503)|ERR_FAILED/ })

test('a scope is added, changed and deleted, and each call is there as a command', async ({ page, service }) => {
  await open(page, 'root', '/scopes')
  await page.getByRole('link', { name: 'Add scope' }).click()
  await page.getByLabel('Name', { exact: true }).fill('a b')
  await page.getByLabel('Display name').fill('Your orders')
  await button(page, 'Save').click()
  await expect(page.getByText('must have 1 to 100 characters of ASCII')).toBeVisible()
  await expect(page.getByLabel('Display name')).toHaveValue('Your orders')
  await page.getByLabel('Name', { exact: true }).fill('orders.read')
  await page.getByLabel('APIs').fill('https://orders.example/\nhttps://more.example/')
  await button(page, 'Save').click()
  await page.waitForURL('**/admin/scopes/orders.read')
  await settled(page)
  await page.getByLabel('Description').fill('See what you ordered')
  await button(page, 'Save').click()
  await expect(page.getByRole('status').filter({ hasText: 'orders.read is saved' })).toBeVisible()
  const [stored] = await service.storage.scopes.findMany(['orders.read'])
  expect(stored).toMatchObject({
    displayName: 'Your orders',
    description: 'See what you ordered',
    resources: ['https://orders.example/', 'https://more.example/'],
  })
  await page.getByText('Show as command').click()
  await expect(page.getByText('curl -X PATCH')).toContainText('If-Match')

  await button(page, 'Delete').click()
  await expect(button(page, 'Delete')).toBeDisabled()
  await page.getByLabel('Type orders.read to confirm').fill('orders.read')
  await button(page, 'Delete').click()
  await page.waitForURL('**/admin/scopes')
  await expect(page.getByRole('link', { name: /orders\.read/ })).toHaveCount(0)
})

test('a change that somebody else made meanwhile is not overwritten, and nothing typed is lost', async ({
  page,
  service,
}) => {
  await open(page, 'root', '/scopes/demo_api')
  await service.storage.scopes.update('demo_api', (scope) => ({ ...scope, description: 'changed meanwhile' }))
  await page.getByLabel('Display name').fill('Typed')
  await button(page, 'Save').click()
  await expect(page.getByText('Somebody else has changed this in the meantime')).toBeVisible()
  await expect(page.getByLabel('Display name')).toHaveValue('Typed')
})

test('a session that ended takes nothing that was typed: sign in beside, and go on', async ({ page, service }) => {
  await open(page, 'root', '/scopes/new')
  await page.getByLabel('Name', { exact: true }).fill('kept')
  await endSession(page, service, 'root')
  await button(page, 'Save').click()
  await expect(page.getByRole('button', { name: 'Sign in again' })).toBeVisible()
  // Another try does not leave the page either.
  await button(page, 'Save').click()
  await expect(page.getByRole('button', { name: 'Sign in again' })).toBeVisible()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('kept')
  const beside = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Sign in again' }).click()
  const login = await beside
  await login.waitForURL('**/Account/Login?**')
  await signIn(login, 'root')
  await expect(page.getByText('You are signed in again')).toBeVisible()
  await button(page, 'Save').click()
  await page.waitForURL('**/admin/scopes/kept')
})

test('after a sign-out elsewhere nothing of the console comes back, and its token is of no use', async ({ page }) => {
  await open(page, 'root', '/people')
  await expect(page.getByRole('link', { name: 'viewer' })).toBeVisible()
  const beside = await page.context().newPage()
  await beside.goto('/Account/Logout')
  await beside.getByRole('button', { name: 'Sign out' }).click()
  await beside.waitForURL('**/Account/Login')
  await beside.close()
  // The page that is still open has a token for an hour, and may show what it loaded; it learns nothing new.
  const answer = page.waitForResponse(/\/admin\/api\/v1\/users/)
  await page.getByRole('searchbox', { name: 'Search people' }).fill('nobody')
  expect((await answer).status()).toBe(401)
  await page.goto('/healthz')
  await page.goBack()
  await page.waitForURL('**/Account/Login?**')

  await signIn(page, 'root')
  await page.waitForURL('**/admin/people?search=nobody')
  await expect(page.getByRole('link', { name: 'nobody' })).toBeVisible()
  await page.context().clearCookies()
  await comeBackToKept(page)
  await page.waitForURL('**/Account/Login?**')
})

test('the help desk adds a person, locks, unlocks and takes off a second factor, and deletes by name', async ({
  page,
  service,
}) => {
  await open(page, 'root', '/people/new')
  await page.getByLabel('Username').fill('dora')
  await page.getByLabel('Email address').fill('no address')
  await button(page, 'Add person').click()
  await expect(page.locator('.fault').first()).toBeVisible()
  await page.getByLabel('Email address').fill('dora@example.com')
  await page.getByRole('combobox', { name: 'Roles' }).fill('editor')
  await button(page, 'Add person').click()
  await expect(page.getByRole('heading', { level: 1, name: 'dora' })).toBeVisible()
  await settled(page)
  const stored = () => service.storage.users.findByName('dora')
  // What is typed in one form stays when another is saved, on another tab as well.
  await page.getByLabel('Full name').fill('Dora Example')
  const tab = (name: string) =>
    page.getByRole('navigation', { name: 'This person' }).getByRole('link', { name }).click()
  await tab('Roles')
  await page.getByRole('combobox', { name: 'Add a role' }).fill('writer')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Role given: writer.')).toBeVisible()
  await tab('Overview')
  await expect(page.getByLabel('Full name')).toHaveValue('Dora Example')
  await button(page, 'Save').click()
  await expect(page.getByText('Saved.', { exact: true })).toBeVisible()
  expect(await stored()).toMatchObject({ roles: ['editor', 'writer'], claims: { name: 'Dora Example' } })
  await button(page, 'Lock').click()
  await button(page, 'Lock').click()
  await expect(page.getByText('dora is locked.')).toBeVisible()
  expect((await stored())?.disabled).toBe(true)
  await button(page, 'Unlock').click()
  await expect(page.getByText('dora is unlocked.')).toBeVisible()
  await page.getByText('Show as command').click()
  await expect(page.getByText('latchkey user unlock dora')).toBeVisible()
  await expect(page.getByText("latchkey user set dora 'name=Dora Example'")).toBeVisible()
  expect((await stored())?.disabled).toBe(false)
  await expect(button(page, 'Remove second factor')).toHaveCount(0)
  const dora = await userNamed(service, 'dora')
  await service.storage.secondFactors.change(dora.id, () => ({ factors: someFactors(dora), events: [] }))
  await page.reload()
  await button(page, 'Remove second factor').click()
  await button(page, 'Remove second factor').click()
  await expect(page.getByText('dora no longer has a second factor.')).toBeVisible()
  await button(page, 'Delete').click()
  await page.getByLabel('Type dora to confirm').fill('dora')
  await button(page, 'Delete').click()
  await page.waitForURL('**/admin/people')
  expect(await stored()).toBeUndefined()
})

test('an address that the service will not request says so beside its field, with the setting that is missing', async ({
  page,
  service,
}) => {
  await addClient(service, { id: 'inside' })
  await open(page, 'root', '/applications/inside/addresses')
  const field = page.getByLabel('Address for notices of sign-out')
  await field.fill('http://10.1.2.3/out')
  await button(page, 'Save').click()
  await expect(page.locator('.fault')).toContainText('needs Outbound:AllowHttp')
  await field.fill('https://10.1.2.3/out')
  await button(page, 'Save').click()
  await expect(page.getByRole('status').filter({ hasText: 'is saved' })).toBeVisible()
  const beside = 'will not be requested: 10.1.2.3 is not a public address, and no entry of Outbound:Networks allows it.'
  await expect(page.locator('.fault')).toHaveText(`backchannel_logout_uri ${beside}`)
  await expect(field).toHaveAttribute('aria-describedby', /fault/)
  await field.fill('')
  await expect(page.locator('.fault')).toHaveCount(0)
  await button(page, 'Save').click()
  // The notice of the change before is still on the page, thus storage is asked until it has this one.
  const stored = async () => (await service.storage.clients.find('inside'))?.metadata.backchannel_logout_uri
  await expect.poll(stored).toBe(null)
})

test('an application is registered, mended from its refusal, given another secret and deleted', async ({
  page,
  service,
}) => {
  await open(page, 'root', '/applications/new')
  await page.getByRole('link', { name: 'Anything else' }).click()
  await page.getByLabel('Kind').selectOption({ label: 'Server' })
  await page.getByLabel('Name', { exact: true }).fill('Planner')
  await page.getByLabel('Redirect address').fill('javascript:alert(1)')
  await expect(page.getByText('must not have this scheme')).toBeVisible()
  await page.getByLabel('Redirect address').fill('https://planner.example/callback?ISS=1')
  await expect(page.getByText('must not carry an iss parameter')).toBeVisible()
  await page.getByLabel('Redirect address').fill('https://planner.example/ñ')
  await expect(page.locator('.fault')).toBeVisible()
  await page.getByLabel('Redirect address').fill('https://planner.example/callback')
  await button(page, 'Register application').click()
  await expect(page.getByText('is shown this once')).toBeVisible()
  await page.getByRole('link', { name: 'Settings', exact: true }).last().click()
  await page.waitForURL(/applications\/app-[0-9a-f]+$/)
  await settled(page)
  const id = page.url().split('/').at(-1) ?? ''
  expect(await service.storage.clients.find(id)).toMatchObject({
    name: 'Planner',
    requirePkce: true,
    redirectUris: ['https://planner.example/callback'],
  })
  await page.getByLabel('Name', { exact: true }).fill('Planner typed')
  await applicationTab(page, 'Secrets and keys')
  await button(page, 'Rotate secret').click()
  await expect(page.getByText('is shown this once')).toBeVisible()
  await expect(page.getByText('The secret before this one is valid until')).toBeVisible()
  await applicationTab(page, 'Settings')
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Planner typed')
  await applicationTab(page, 'Secrets and keys')
  await expect(page.getByText('is shown this once')).toBeVisible()
  // Another rotation ends a secret that is valid still, so it is asked for.
  const authentication = async () => (await service.storage.clients.find(id))?.authentication
  const once = await authentication()
  const question = page.getByRole('group', { name: 'Rotate the secret?' })
  await button(page, 'Rotate secret').click()
  await expect(question).toBeFocused()
  await expect(question).toContainText(/The secret that is valid until .* ends at once/)
  await expect(question).not.toContainText('The secret in use')
  await page.keyboard.press('Escape')
  await expect(button(page, 'Rotate secret')).toBeFocused()
  await page.getByLabel('Old secret').selectOption('Ends at once')
  await page.getByRole('button', { name: 'Rotate secret' }).click()
  await expect(question).toContainText('The secret in use ends at once')
  await looksWellNow(page, '/applications/planner/secrets, asked')
  await page.emulateMedia({ colorScheme: 'dark' })
  await looksWellNow(page, '/applications/planner/secrets, asked', 'dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 390, height: 900 })
  const hidden = await page.locator('#secret pre').evaluate((box) => box.scrollWidth - box.clientWidth)
  expect(hidden, 'pixels of the secret that a phone does not show').toBe(0)
  await page.setViewportSize({ width: 1280, height: 720 })
  expect(await authentication()).toEqual(once)
  await question.getByRole('button', { name: 'Rotate secret' }).click()
  await expect(question).toHaveCount(0)
  await expect(button(page, 'Rotate secret')).toBeFocused()
  await expect(page.getByText('The secret before this one is valid until')).toHaveCount(0)
  expect(await authentication()).toMatchObject({ previousSecret: null })
  await applicationTab(page, 'Settings')

  const query = new URLSearchParams({
    client_id: id,
    redirect_uri: 'https://planner.example/other',
    response_type: 'code',
    scope: 'openid',
  })
  await page.request.get(`/connect/authorize?${query}`)
  const offline = { redirect_uri: 'https://planner.example/callback', scope: 'openid offline_access' }
  await service.storage.clients.update(id, (client) => ({ ...client, grantTypes: ['authorization_code'] }))
  for (const [name, value] of Object.entries(offline)) query.set(name, value)
  await page.request.get(`/connect/authorize?${query}`, { maxRedirects: 0 })
  await service.storage.audit.flush()
  await page.reload()
  await settled(page)
  // What is typed stays when a mend changes the same field, and joins what the mend adds.
  await page.getByLabel('Name', { exact: true }).fill('Planner typed')
  await applicationTab(page, 'Addresses')
  await page.getByLabel('Redirect address').fill('https://planner.example/typed')
  await applicationTab(page, 'Who uses it')
  await button(page, 'Add this redirect address').click()
  await page.locator('.mend').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Planner is saved' })).toBeVisible()
  expect((await service.storage.clients.find(id))?.redirectUris).toContain('https://planner.example/other')
  await applicationTab(page, 'Addresses')
  await expect(page.getByLabel('Redirect address')).toHaveValue(
    'https://planner.example/typed\nhttps://planner.example/other',
  )
  await button(page, 'Save').click()
  await expect(page.getByRole('status').filter({ hasText: 'Planner is saved' })).toBeVisible()
  await applicationTab(page, 'Who uses it')
  await button(page, 'Permit this scope').click()
  await expect(page.locator('.mend li')).toHaveText(['offline_access', 'refresh_token'])
  await page.locator('.mend').getByRole('button', { name: 'Save' }).click()
  await applicationTab(page, 'Settings')
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Planner typed')
  await expect(page.getByRole('group', { name: 'Scopes', exact: true }).getByLabel('offline_access')).toBeChecked()
  await page.locator('#application').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Planner typed is saved' })).toBeVisible()
  expect(await service.storage.clients.find(id)).toMatchObject({
    name: 'Planner typed',
    redirectUris: ['https://planner.example/typed', 'https://planner.example/other'],
    grantTypes: ['authorization_code', 'refresh_token'],
  })

  await button(page, 'Delete').click()
  await page.getByLabel(`Type ${id} to confirm`).fill(id)
  await button(page, 'Delete').click()
  await page.waitForURL('**/admin/applications')
  expect(await service.storage.clients.find(id)).toBeUndefined()
})

test('the console speaks the language that is chosen below the page, and commands stay from left to right', async ({
  page,
}) => {
  await open(page, 'root', '/scopes/demo_api')
  const chooser = page.locator('footer select')
  await chooser.selectOption('de')
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await settled(page)
  await expect(page.getByRole('link', { name: 'Anwendungen' })).toBeVisible()
  await expect(button(page, 'Speichern')).toBeVisible()
  await page.goto('/admin/keys')
  await expect(page.getByText('Der Dienst ersetzt seine Schlüssel alle 90 Tage automatisch.')).toBeVisible()
  await chooser.selectOption('ar')
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  await settled(page)
  await page.goto('/admin/explain/ID2052')
  await settled(page)
  await expect(page.locator('#answer-0 h2 [lang=en][dir=ltr]')).toBeVisible()
  await page.locator('.command summary').click()
  await expect(page.locator('.command pre').first()).toHaveCSS('direction', 'ltr')
})

test('home shows what happens as pictures and as a table, what is well, and what needs attention with its mend', async ({
  page,
  service,
}) => {
  const hour = Math.floor(service.now() / 3_600_000) * 3_600_000
  const counts = { sign_in: 1200, sign_in_failed: 3, tokens_issued: 40, refusal: 2, error: 1 }
  await service.storage.statistics.add([{ startsAtMs: hour - 3 * 3_600_000, ...counts }])
  const mail = aMail({ to: 'lost@example.com', createdAtMs: service.now(), endsAtMs: service.now() + 900_000 })
  await service.storage.audit.append([{ ...anEvent({ atMs: service.now() }), mails: [mail] }])
  await service.storage.mails.fail(mail.id, service.now(), 'mailbox unavailable')
  await page.request.get('/connect/authorize?client_id=demo&redirect_uri=https://other.example/&response_type=code')
  await service.storage.audit.flush()
  await open(page, 'root', '')
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()
  await expect(page.getByRole('img', { name: /^Sign-ins in the last 24 hours: 1,2\d\d\./ })).toBeVisible()
  await expect(page.getByRole('img', { name: /^Failed sign-ins .* Most in an hour: 3\.$/ })).toBeVisible()
  await page.getByText('Show as table').click()
  await expect(page.getByRole('row', { name: /1,2\d\d 3 \d+ 2 1$/ })).toBeVisible()
  await page.getByRole('link', { name: 'Last 30 days' }).click()
  await page.waitForURL('**/admin?step=day')
  await expect(page.getByRole('img', { name: /^Sign-ins in the last 30 days: 1,2\d\d\./ })).toBeVisible()
  await expect(page.locator('#health')).toContainText('Mail:Url is not set')
  await expect(page.locator('#health')).toContainText(/\d checks found nothing to fix\./)
  const attention = page.locator('#attention')
  await expect(attention).toContainText('An email to lost@example.com could not be delivered (reset).')
  await button(page, 'Send again').click()
  await expect(page.getByRole('status', { name: 'Messages' })).toContainText(
    'The email to lost@example.com is sent again.',
  )
  await expect(button(page, 'Send again')).toHaveCount(0)
  expect(await service.storage.mails.find(mail.id)).toMatchObject({ state: 'queued' })
  await page.getByText('Show as command').click()
  await expect(page.getByText('latchkey doctor')).toBeVisible()
  await page.getByRole('link', { name: 'See why: Demo client' }).click()
  await page.waitForURL('**/admin/applications/demo/usage')
})

test('a page with a list and a form has no violation that axe finds, on a phone and wide', async ({ page }) => {
  await open(page, 'root', '/people?role=latchkey-admin')
  await looksWell(page, '/people?role=latchkey-admin')
})

test('the audit trail is read with names, filtered, followed live and verified, and each call is there as a command', async ({
  page,
  service,
}) => {
  await open(page, 'root', '/activity?kind=sign_in&console=true&follow=false')
  const root = (await service.storage.users.findByName('root'))?.id ?? ''
  const rows = page.locator('li.entry')
  await expect(rows.first()).toContainText('root signed in')
  await expect(rows.first().getByRole('link', { name: 'root' })).toHaveAttribute('href', `/admin/people/${root}`)
  await page.getByLabel('Person').fill('no such person')
  await button(page, 'Show').click()
  await expect(page.getByText('Nobody has this username.')).toBeVisible()
  await page.getByLabel('Person').fill('ROOT')
  await page.getByLabel('Event').selectOption({ label: 'Consent denied' })
  await button(page, 'Show').click()
  await expect(page.getByText('No entry matches.')).toBeVisible()
  expect(new URL(page.url()).searchParams.get('user_id')).toBe(root)
  await expect(page.getByLabel('Person')).toHaveValue('root')

  await button(page, 'Follow live').click()
  await expect(page.getByText('New entries appear at the top.')).toBeVisible()
  const traceId = 'ab'.repeat(16)
  const event = { kind: 'consent_denied', userId: root, clientId: 'demo', traceId, address: '::1' } as const
  const append = (number: number) =>
    service.storage.audit.append([{ ...event, atMs: service.now(), details: { number, actor: 'an operator' } }])
  await append(1)
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('an operator did not allow Demo client to use their data')
  await expect(rows.getByRole('link', { name: 'Demo client' })).toHaveAttribute('href', '/admin/applications/demo')
  await expect(page.getByText('1 new entry.')).toBeVisible()
  // The token ends: the page goes on with another, where it was.
  const endedAtMs = service.now()
  await service.storage.users.update(root, (user) => ({ ...user, grantsEndedAtMs: endedAtMs }))
  await append(2)
  await expect(rows).toContainText('2 times')
  await rows
    .first()
    .getByRole('button', { name: /^Details of: an operator .* 2 times$/ })
    .click()
  await rows.first().locator('.singles').getByRole('button', { name: 'Details of' }).first().click()
  await expect(rows.first()).toContainText('Number')
  await button(page, 'Verify').click()
  await expect(page.getByText(/The audit trail is (?:not )?intact\./)).toHaveText('The audit trail is intact.')
  await page.getByText('Show as command').click()
  const commands = page.locator('.command')
  await expect(commands).toContainText(`latchkey audit list --kind consent_denied --user ${root} --follow`)
  await expect(commands).toContainText('latchkey audit verify')
  await expect(commands).toContainText('curl -N')
  await expect(commands).not.toContainText('/users/')
  await page.setViewportSize({ width: 390, height: 900 })
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
  await button(page, 'Pause').click()
  await rows
    .first()
    .getByRole('link', { name: `Explain ${traceId}` })
    .click()
  await page.waitForURL(`**/admin/explain/${traceId}`)
})

test('an application is registered for its library, and the settings of the library are there to be copied', async ({
  page,
}) => {
  await open(page, 'root', '/applications/new')
  await page.getByRole('link', { name: 'django-allauth' }).click()
  await expect(page.getByLabel('Kind')).toHaveCount(0)
  await page.getByLabel('Name', { exact: true }).fill('Planner')
  const address = page.getByLabel('Address of the application')
  await expect(page.getByText('Default: http://localhost:8000, where it runs in development.')).toBeVisible()
  await address.fill('planner.example')
  await button(page, 'Register application').click()
  await expect(page.getByText('must be an http or https address')).toBeVisible()
  await address.fill('https://planner.example')
  await button(page, 'Register application').click()
  await expect(page.getByRole('heading', { name: 'Settings of the library' })).toBeVisible()
  await expect(page.getByText('"OAUTH_PKCE_ENABLED": True')).toBeVisible()
  await expect(page.getByText('settings.py')).toBeVisible()
  await expect(page.getByText('Keep the secret out of version control.')).toBeVisible()
})

test('an application that has roles is deleted with them, once these were named', async ({ page, service }) => {
  await addClient(service, { id: 'ledger', name: 'Ledger' })
  await service.storage.roles.create({ name: 'ledger:clerk', description: null, createdAtMs: 0 })
  await open(page, 'root', '/applications/ledger')
  const remove = async () => {
    await button(page, 'Delete').click()
    await page.getByLabel('Type ledger to confirm').fill('ledger')
    await button(page, 'Delete').click()
  }
  await remove()
  await expect(
    page.getByRole('status').filter({ hasText: '1 role belongs to it and is deleted with it' }),
  ).toBeVisible()
  expect(await service.storage.clients.find('ledger')).toBeDefined()
  await remove()
  await page.waitForURL('**/admin/applications')
  expect(await service.storage.clients.find('ledger')).toBeUndefined()
  expect(await service.storage.roles.find('ledger:clerk')).toBeUndefined()
})

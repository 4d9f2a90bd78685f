/** Names and descriptions that are written from right to left, and others that try to turn what stands beside them. */

import { addClient, testScope, testUser } from '../support/service.ts'
import { authorizeAt, type ClientSite, expect, type Page, signInQuietly, test } from './fixtures.ts'

const words = {
  // A name that ends in what has no direction of its own: it wanders to the wrong end unless the name stands by itself.
  person: '\u05dc\u05d9\u05d0\u05ea (9)',
  client: '\u05d1\u05d5\u05e1\u05ea\u05df 2.0!',
  scope: '\u05d9\u05d5\u05de\u05df',
  description:
    '\u05db\u05dc \u05d4\u05e4\u05d2\u05d9\u05e9\u05d5\u05ea (\u05d2\u05dd \u05e4\u05e8\u05d8\u05d9\u05d5\u05ea)!',
}

let made = false
test.beforeEach(async ({ service, site, page }) => {
  if (!made) {
    const { scopes, users } = service.storage
    const registered = { redirectUris: [site.callback], postLogoutRedirectUris: [site.signedOut] }
    await scopes.create(testScope('diary', { displayName: words.scope, description: words.description }))
    await addClient(service, { id: 'bustan', name: words.client, scopes: ['diary'], ...registered })
    await users.create(testUser({ name: words.person, email: 'right-to-left@example.com' }))
    made = true
  }
  await signInQuietly(page, words.person)
})

const consent = (site: ClientSite) => authorizeAt(site, { client_id: 'bustan', scope: 'openid diary' })

/** Where the characters of a text stand, in pixels from the left. */
async function positions(page: Page, text: string): Promise<Record<string, number>> {
  return (await page.evaluate(`(() => {
    const wanted = ${JSON.stringify(text)}
    const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const start = node.textContent.indexOf(wanted)
      if (start < 0) continue
      const found = {}
      for (let at = 0; at < wanted.length; at += 1) {
        const range = document.createRange()
        range.setStart(node, start + at)
        range.setEnd(node, start + at + 1)
        found[wanted[at]] ??= range.getBoundingClientRect().left
      }
      return found
    }
    throw new Error('no text ' + wanted)
  })()`)) as Record<string, number>
}

const left = async (page: Page, text: string): Promise<number> =>
  Math.min(...Object.values(await positions(page, text)))

test('the consent page keeps each of them together, in its own direction, where a name begins', async ({
  page,
  site,
}, testInfo) => {
  await page.goto(consent(site))
  await expect(page.getByRole('button', { name: 'Allow' })).toBeVisible()
  for (const [width, height] of [
    [390, 844],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height })
    await testInfo.attach(`consent ${width}`, { body: await page.screenshot(), contentType: 'image/png' })
    // What comes last in the text stands furthest to the left, as who reads it expects.
    for (const [text, first, last] of [
      [words.person, '\u05dc', '9'],
      [words.client, '\u05d1', '!'],
      [words.description, '\u05db', '!'],
    ] as const) {
      const at = await positions(page, text)
      expect(at[last], text).toBeLessThan(at[first] ?? 0)
    }
    // And all of it stands under the words above it, not at the other end of the line.
    expect(Math.abs((await left(page, words.person)) - (await left(page, 'Signed in as')))).toBeLessThan(3)
    const above = await left(page, 'Confirm who you are')
    for (const text of [words.scope, words.description]) {
      expect(Math.abs((await left(page, text)) - above), text).toBeLessThan(3)
    }
    // The sentence goes on after the client's name.
    expect(await left(page, 'would like')).toBeGreaterThan(await left(page, words.client))
  }
  await expect(page).toHaveTitle(`\u2068${words.client}\u2069 would like to use your account · Latchkey`)
})

test('the sign-out page does so, too', async ({ page }, testInfo) => {
  await page.goto('/connect/logout?client_id=bustan')
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible()
  await testInfo.attach('sign-out', { body: await page.screenshot(), contentType: 'image/png' })
  for (const [text, first, last] of [
    [words.person, '\u05dc', '9'],
    [words.client, '\u05d1', '!'],
  ] as const) {
    const at = await positions(page, text)
    expect(at[last], text).toBeLessThan(at[first] ?? 0)
  }
  expect(Math.abs((await left(page, words.person)) - (await left(page, 'Signed in as')))).toBeLessThan(3)
})

test('a name is typed in its own direction', async ({ page, context }) => {
  await context.clearCookies()
  await page.goto('/Account/Login?ReturnUrl=%2FAccount%2FSession')
  const username = page.getByRole('textbox', { name: 'Username' })
  await username.fill('alice')
  await expect(username).toHaveCSS('direction', 'ltr')
  await username.fill(words.person)
  await expect(username).toHaveCSS('direction', 'rtl')
})

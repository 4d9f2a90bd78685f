import type { Browser } from '@playwright/test'
import { budget, meter, namedBy } from './budget.ts'
import { antiforgeryField, expect, loginForm, type Page, signInQuietly, test } from './fixtures.ts'

/** A cheap phone far from an antenna: a round trip of 300 ms, 50 kB/s, and a processor that is six times as slow. */
const phone = { roundTripMs: 300, bytesPerMs: 50, slowdown: 6 }

test.use({ ownPage: true })

type Load = {
  readonly browser: Browser
  readonly issuer: string
  readonly path: string
  /** The calls without whose answers the page is of no use. */
  readonly calls: readonly string[]
  untilUsable(page: Page): Promise<void>
}

/**
 * Loads a page in the fewest round trips that it can be loaded in, and returns how long that takes on the phone. An answer
 * is kept back until everything was asked for that belongs to its round trip, so that a page which asks one thing after
 * another never gets there. Nothing is measured by a clock: the machine may be busy with other work.
 */
async function usableMs(page: Page, load: Load, processorBudgetMs: number): Promise<number> {
  const { path, calls, untilUsable } = load
  const named = await namedBy(page, path)
  const later = await loadedLater(page, load, named)
  const asked = new Set<string>()
  page.on('request', (request) => void asked.add(new URL(request.url()).pathname))
  const wait = {
    later: Promise.withResolvers<void>(),
    calls: Promise.withResolvers<void>(),
    rest: Promise.withResolvers<void>(),
  }
  await page.route('**/*', async (route) => {
    const { pathname } = new URL(route.request().url())
    if (later.includes(pathname)) await wait.later.promise
    else if (calls.includes(pathname)) await wait.calls.promise
    else if (![path, ...named].includes(pathname)) await wait.rest.promise
    await route.continue()
  })
  // A page goes on without an answer that is late.
  await page.addInitScript('AbortSignal.timeout = () => new AbortController().signal')
  const { bytes, processorMs } = await meter(page)
  await page.goto(path, { waitUntil: 'commit' })
  const allAsked = (names: readonly string[]) =>
    expect.poll(() => names.filter((name) => !asked.has(name)), 'not asked for at once').toEqual([])
  await allAsked(later)
  wait.later.resolve()
  await allAsked(calls)
  wait.calls.resolve()
  await untilUsable(page)
  const cost = { bytes: bytes(), processorMs: await processorMs() }
  wait.rest.resolve()

  // The connection, the document, what it names, what that loads, the calls.
  const roundTrips = later.length > 0 ? 5 : 4
  const ms = roundTrips * phone.roundTripMs + cost.bytes / phone.bytesPerMs + cost.processorMs * phone.slowdown
  test.info().annotations.push({ type: 'usable', description: `${Math.round(ms)} ms ${JSON.stringify(cost)}` })
  expect(cost.bytes).toBeGreaterThan(10_000)
  expect(cost.processorMs).toBeGreaterThan(0)
  expect(cost.processorMs).toBeLessThan(processorBudgetMs)
  return ms
}

/** Returns what scripts load besides what the document names, read off a load that nothing holds up, in a browser of its own. */
async function loadedLater(
  page: Page,
  { browser, issuer, path, untilUsable }: Load,
  named: readonly string[],
): Promise<string[]> {
  const storageState = await page.context().storageState()
  const context = await browser.newContext({ storageState })
  const other = await context.newPage()
  const asked = new Set<string>()
  other.on('request', (request) => void asked.add(new URL(request.url()).pathname))
  await other.goto(new URL(path, issuer).href)
  await untilUsable(other)
  await context.close()
  return [...asked].filter((name) => name.startsWith('/assets/') && !named.includes(name))
}

test('the form of the login page can be used within its budget on a slow phone, with nothing cached', async ({
  page,
  browser,
  issuer,
}) => {
  const untilUsable = async (page: Page) => {
    await expect(antiforgeryField(page)).not.toHaveValue('')
    await expect(loginForm(page).username).toBeFocused()
  }
  const calls = ['/Account/Antiforgery', '/Account/LoginContext']
  const load = { browser, issuer, path: '/Account/Login', calls, untilUsable }
  expect(await usableMs(page, load, budget.processorMs)).toBeLessThan(budget.slowPhoneUsableMs)
})

test('a page of the account area can be used within its budget on a slow phone, with nothing cached', async ({
  page,
  browser,
  issuer,
  person,
}) => {
  await signInQuietly(page, person)
  const untilUsable = (page: Page) => expect(page.getByLabel('Current password')).toBeVisible()
  const load = { browser, issuer, path: '/Account/Security', calls: ['/Account/Self'], untilUsable }
  expect(await usableMs(page, load, budget.accountProcessorMs)).toBeLessThan(budget.slowPhoneAccountMs)
})

/** What several attacks begin with. */
import { Browser, locationOf } from '../support/browser.ts'

/** The name of the person that the service takes this browser for; undefined: nobody. */
export async function whoIs(browser: Browser): Promise<string | undefined> {
  const { user } = (await (await browser.get('/Account/Session')).json()) as { user: { name: string } | null }
  return user?.name
}

/** A browser of somebody else with the cookies that this one has now. */
export function copyOf(browser: Browser): Browser {
  const copy = new Browser(browser)
  for (const [name, value] of browser.cookies) copy.cookies.set(name, value)
  return copy
}

/** Goes to the provider and agrees there: the address of its answer, not yet delivered. */
export async function answerOfProvider(browser: Browser, query = ''): Promise<URL> {
  const started = await browser.submit(`/Account/ExternalLogin${query}`, { provider: 'GitHub' })
  return locationOf(await fetch(locationOf(started), { redirect: 'manual' }))
}

/** The whole way, up to the external identity in the browser. */
export async function arriveFromProvider(browser: Browser, query = ''): Promise<Response> {
  return browser.fetch((await answerOfProvider(browser, query)).href)
}

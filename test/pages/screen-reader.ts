/**
 * A screen reader in the page. It computes names, roles and states from the elements as ARIA and its name computation say, and speaks as
 * text: of what gets the focus, and of live regions.
 */
import { fileURLToPath } from 'node:url'
import { expect, type Page, test } from './fixtures.ts'

const script = fileURLToPath(import.meta.resolve('@guidepup/virtual-screen-reader/browser.js'))
/** On the origin of the page: its content security policy stays in force. */
const path = '/assets/screen-reader.js'

/** Listens to the page from now on, until it is loaded anew. */
export async function startReader(page: Page): Promise<void> {
  await page.route(`**${path}`, (route) => route.fulfill({ path: script, contentType: 'text/javascript' }))
  await page.evaluate(`(async () => {
    const { virtual } = await import('${path}')
    await virtual.start({ container: document.body })
    globalThis.reader = virtual
  })()`)
}

/** What was spoken since the page was loaded, the first phrase first. */
const spokenIn = (page: Page): Promise<readonly string[]> => page.evaluate('globalThis.reader?.spokenPhraseLog() ?? []')

/** Keeps what was spoken with the results of the test. */
export async function attachSpoken(page: Page): Promise<void> {
  await test.info().attach('spoken.txt', { body: (await spokenIn(page)).join('\n'), contentType: 'text/plain' })
}

/** Waits until these phrases were spoken in this order, whatever was spoken before, between and after them. */
export async function heard(page: Page, ...phrases: readonly string[]): Promise<void> {
  await expect(async () => {
    const spoken = await spokenIn(page)
    let from = 0
    for (const phrase of phrases) {
      const at = spoken.slice(from).findIndex((one) => one.includes(phrase))
      expect(at, `"${phrase}" is not among\n${spoken.join('\n')}`).not.toBe(-1)
      from += at + 1
    }
  }).toPass({ timeout: 20_000 })
}

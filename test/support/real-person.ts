/** Somebody at a browser that Playwright does not drive: finds controls by what they are called, and presses and types. */
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { RealBrowser } from './real-browsers.ts'

/** What a person does with a browser, and sees in it. `origin`: what paths are below. */
export function personAt(browser: RealBrowser, origin: string) {
  async function until<T>(what: string, expression: string, isThere: (found: unknown) => found is T): Promise<T>
  async function until(what: string, expression: string, isThere: (found: unknown) => boolean): Promise<unknown>
  async function until(what: string, expression: string, isThere: (found: unknown) => boolean): Promise<unknown> {
    const latest = performance.now() + 120_000
    for (;;) {
      // A page that makes room for another answers nothing.
      const found = await browser.evaluate(expression).catch(() => undefined)
      if (isThere(found)) return found
      if (performance.now() > latest) {
        const seen = await browser.evaluate('location.href + "\\n" + document.body.innerText').catch(String)
        assert.fail(`${what} is not there; what is there:\n${seen}`)
      }
      await pause(50)
    }
  }
  const isPoint = (found: unknown): found is readonly [number, number] => Array.isArray(found)

  /** The middle of what is called so: a control by its label, a button or a link by its first line. `within`: a selector. */
  const find = (name: string, within = ':root') =>
    until(
      name,
      `(() => {
        const called = (e) => (e.labels?.[0] ?? e).innerText.trim().split('\\n')[0] === ${JSON.stringify(name)}
        const found = [...document.querySelectorAll(${JSON.stringify(within)} + ' :is(button, a, summary, input)')].find((e) => e.checkVisibility() && called(e))
        if (found === undefined) return null
        found.scrollIntoView({ block: 'center', behavior: 'instant' })
        const { x, y, width, height } = found.getBoundingClientRect()
        return [x + width / 2, y + height / 2]
      })()`,
      isPoint,
    )

  return {
    open: (path: string) => browser.open(new URL(path, origin).href),
    /** Waits until the page shows these words, and finds that nothing is wider than the window. */
    async sees(words: string): Promise<void> {
      const shown = (found: unknown): boolean => String(found).includes(words)
      await until(words, 'document.readyState === "complete" ? document.body.innerText : ""', shown)
      const [content, viewport] = (await browser.evaluate(
        '[document.documentElement.scrollWidth, innerWidth]',
      )) as number[]
      assert.ok(Number(content) <= Number(viewport), `${words}: ${content} pixels in ${viewport}`)
    },
    async press(name: string, within?: string): Promise<void> {
      await browser.click(...(await find(name, within)))
    },
    async fills(name: string, text: string): Promise<void> {
      await browser.click(...(await find(name)))
      await browser.type(text)
    },
    /** Waits until every form of the page that is posted has its token. */
    async seesProtectedForm(): Promise<void> {
      const tokens = `[...document.querySelectorAll('form[method=post]')].map((e) => e.elements.__RequestVerificationToken?.value)`
      await until('a form with a token', tokens, (found) => {
        return Array.isArray(found) && found.length > 0 && found.every((token) => String(token).length > 100)
      })
    },
    /** Waits until the browser is at this address, and resolves to its query. */
    async arrives(address: string): Promise<URLSearchParams> {
      const isHere = (found: unknown): found is string => String(found).startsWith(address)
      return new URL(await until(address, 'location.href', isHere)).searchParams
    },
    shows: (expression: string) => browser.evaluate(expression),
    waitsFor: (what: string, expression: string) => until(what, expression, (found) => found === true),
  }
}

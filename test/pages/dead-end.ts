/**
 * What a dead end is, for every page alike. `walk` does what a person does who wants to go on: read the page, press the
 * button that continues, and read what follows. It ends where that person may stop, and throws a `DeadEnd` otherwise.
 */
import type { Page, Response } from '@playwright/test'
import { password } from '../support/service.ts'

/** `reason` is one of the few ways in which a page can leave a person standing. */
export class DeadEnd extends Error {
  override readonly name = 'DeadEnd'
  readonly reason: 'blank page' | 'empty 400' | 'error of the browser' | 'nothing to press' | 'no effect' | 'loop'

  constructor(reason: DeadEnd['reason'], seen: readonly string[]) {
    super(`${reason}, after: ${seen.join(' → ')}`)
    this.reason = reason
  }
}

export type Walk = {
  /** The client's origin: whoever is back there has arrived. */
  readonly client: string
  /** User names in the order in which they are tried when the login page refuses one. */
  readonly people: readonly string[]
  /** Happens once, when the first button was pressed and its effect is seen: what was broken works again. */
  readonly mend?: (() => Promise<unknown>) | undefined
  /** Happens once, right after the first button was pressed. */
  readonly pressed?: (() => Promise<unknown>) | undefined
  /** How often the first button is pressed at once. */
  readonly clicks?: number
  /**
   * Fills in a page as this person would, and returns what to press; undefined: what anybody would do; null: the page goes on
   * by itself.
   */
  readonly answer?: (look: Look) => Promise<string | null | undefined>
  /** Where this person may stop besides: the end, by what stands on the page. */
  readonly ends?: Readonly<Record<string, RegExp>>
  /** Whether this person gives a page up already, by what would be blamed now; otherwise after a minute. */
  readonly givesUp?: (reason: DeadEnd['reason']) => boolean
}

export type Arrival = {
  /** Every message that stood on a page on the way, in order. */
  readonly told: readonly string[]
  /**
   * `code`, an error code, `signed in`, `signed out`, one of the walk's own; `told`: a page has the last word, because the
   * request itself is wrong.
   */
  readonly end: string
  /** The `state` that the client got back. */
  readonly state: string | null
}

/** No journey is longer: provider, confirmation, sign-in, consent, and a message at each of them. */
const maxSteps = 12
const pollMs = 20
/** How long a person waits for a page. */
const patienceMs = 60_000

export type Look = {
  readonly address: string
  readonly marked: boolean
  readonly busy: boolean
  readonly heading: string
  readonly messages: readonly string[]
  /** The names of the boxes that can be filled in. */
  readonly boxes: readonly string[]
  /** The words on every link and button that can be pressed. */
  readonly controls: readonly string[]
  readonly text: string
}

const look = `(() => {
  const shown = (element) => element.checkVisibility({ visibilityProperty: true })
  const words = (element) => element.innerText.replace(/\\s+/g, ' ').trim()
  const all = (selector) => [...document.querySelectorAll(selector)].filter(shown)
  return {
    address: location.href,
    marked: globalThis.walked === true,
    busy: document.readyState !== 'complete' || document.querySelector('[aria-busy=true]') !== null,
    heading: all('h1').map(words).join(' '),
    messages: all('[role=alert], .notice').map(words).filter(Boolean),
    boxes: all('input').map((e) => e.name || e.id),
    controls: all('a[href], button:not([aria-controls], [disabled])').filter((e) => !e.closest('details')).map(words),
    text: document.body?.innerText.trim() ?? '',
  }
})()`

export async function walk(page: Page, options: Walk): Promise<Arrival> {
  const { client, people, pressed, clicks = 1, givesUp = () => false } = options
  let { mend } = options
  const statuses = watchStatuses(page)
  const told: string[] = []
  const seen: string[] = []
  let before: string | undefined
  let last: Look | undefined
  const next = (): Promise<Look> => settle(page, client, before, givesUp, statuses, seen)
  try {
    for (let step = 0; step < maxSteps; ) {
      let now = await next()
      const arrival = arrivalOf(now, client) ?? ownEnd(now, options.ends)
      if (arrival) return { ...arrival, told }
      // A page that is being left cannot be marked.
      if (!(await page.evaluate('globalThis.walked = true').catch(() => false))) continue
      const signature = describe(now)
      // The consent page may come back once, after a sign-in; nothing comes twice in a row.
      const visits = seen.filter((other) => other === signature).length
      if (visits === 2 || seen.at(-1) === signature) throw new DeadEnd('loop', [...seen, signature])
      seen.push(signature)
      // A page that only grew, by a button that came late, says nothing new.
      if (!isSamePage(now, last)) told.push(...now.messages.filter((message) => told.at(-1) !== message))
      if (step > 0 && mend !== undefined) {
        await mend()
        mend = undefined
        // It may have waited for what the first press led to.
        const shown = await settle(page, client, undefined, givesUp, statuses, seen)
        if (!isSamePage(shown, now)) told.push(...shown.messages.filter((message) => told.at(-1) !== message))
        now = shown
      }
      last = now
      before = describe(now)
      const chosen = await options.answer?.(now)
      // What was there a moment ago is gone by itself: to be looked at again.
      if (!(await press(page, now, people, step === 0 ? clicks : 1, chosen))) continue
      if (step === 0) await pressed?.()
      step += 1
      if (!isLastWord(now)) continue
      // The application is to blame, and this is where one is told so. The way out must be a sound page all the same.
      await next()
      return { told, end: 'told', state: null }
    }
    throw new DeadEnd('loop', seen)
  } finally {
    statuses.stop()
  }
}

/** Waits until the page shows what the last press led to. */
async function settle(
  page: Page,
  client: string,
  before: string | undefined,
  givesUp: (reason: DeadEnd['reason']) => boolean,
  statuses: Statuses,
  seen: readonly string[],
): Promise<Look> {
  const deadline = Date.now() + patienceMs
  let now: Look | undefined
  while (Date.now() < deadline) {
    // A document that is being replaced cannot be asked.
    now = ((await page.evaluate(look).catch(() => undefined)) as Look | undefined) ?? now
    if (now && isSettled(now, client, before)) return now
    if (now && givesUp(blame(now, statuses))) break
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
  throw new DeadEnd(blame(now, statuses), [...seen, now ? describe(now) : page.url()])
}

function isSettled(now: Look, client: string, before: string | undefined): boolean {
  if (now.address.startsWith(client)) return !now.marked
  // The browser's own page has a heading and a button, too.
  if (isErrorOfBrowser(now)) return false
  const moved = before === undefined || !now.marked || describe(now) !== before
  return moved && !now.busy && (now.heading !== '' || now.messages.length > 0) && now.controls.length > 0
}

function isSamePage(now: Look, last: Look | undefined): boolean {
  const said = ({ address, heading, messages }: Look): string => JSON.stringify([address, heading, messages])
  return last !== undefined && said(now) === said(last)
}

function blame(now: Look | undefined, statuses: Statuses): DeadEnd['reason'] {
  if (statuses.last === 400 && (!now?.heading || isErrorOfBrowser(now))) return 'empty 400'
  if (!now || isErrorOfBrowser(now)) return 'error of the browser'
  if (now.text === '') return 'blank page'
  if (now.marked) return 'no effect'
  return 'nothing to press'
}

function isErrorOfBrowser({ address }: Look): boolean {
  return address.startsWith('chrome-error:')
}

function describe({ address, heading, messages, boxes, controls }: Look): string {
  const parts = [new URL(address).pathname, heading, ...messages]
  return `${parts.join(' | ')} [${[...boxes, ...controls].join(', ')}]`
}

function arrivalOf({ address, heading }: Look, client: string): Omit<Arrival, 'told'> | undefined {
  const url = new URL(address)
  // Without a request there is nowhere else to go, and the page says so.
  if (heading === 'You are signed in') return { end: 'signed in', state: null }
  if (url.origin !== client || url.pathname === '/') return undefined
  const state = url.searchParams.get('state')
  if (url.pathname === '/signed-out') return { end: 'signed out', state }
  return { end: url.searchParams.has('code') ? 'code' : (url.searchParams.get('error') ?? 'neither'), state }
}

function ownEnd({ text }: Look, ends: Walk['ends'] = {}): Omit<Arrival, 'told'> | undefined {
  const [end] = Object.entries(ends).find(([, pattern]) => pattern.test(text)) ?? []
  return end === undefined ? undefined : { end, state: null }
}

/** The pages at which a person rightly stops: the mistake is the application's. */
function isLastWord({ text }: Look): boolean {
  return text.includes('go back to the application')
}

async function press(
  page: Page,
  now: Look,
  people: readonly string[],
  clickCount: number,
  chosen: string | null | undefined,
): Promise<boolean> {
  if (chosen === null) return true
  const refusedOnce = now.messages.some((message) => /not correct|locked/.test(message))
  if (chosen === undefined && now.controls.includes('Sign in') && !now.controls.includes('Try again')) {
    const name = people[refusedOnce ? 1 : 0]
    if (name && (await page.getByRole('textbox', { name: 'Username' }).isVisible())) {
      await page.getByRole('textbox', { name: 'Username' }).fill(name)
      await page.getByLabel('Password').fill(password)
    }
  }
  const favourite = favourites.find((name) => now.controls.includes(name)) ?? now.controls[0]
  const exactly = chosen && new RegExp(`^\\s*${RegExp.escape(chosen)}\\s*$`)
  const control = page.locator('a[href], button').filter({ hasText: exactly || favourite || '' })
  if ((await control.count()) === 0) return false
  // Not waiting for what follows: that is what `settle` is for.
  const pressing = control.first().click({ clickCount, noWaitAfter: true, timeout: 30_000 })
  return pressing.then(
    () => true,
    async (error) => {
      if ((await control.count()) > 0) throw error
      return false
    },
  )
}

/** What a person presses who wants to go on, the most urgent first. */
const favourites = [
  'Try again',
  'Start again',
  'Allow',
  'Create account',
  'Sign out',
  'Continue',
  'Sign in',
  'Back to sign in',
]

type Statuses = { readonly last: number; stop(): void }

/** The status of the last document that the page was given. */
function watchStatuses(page: Page): Statuses {
  let last = 0
  const onResponse = (response: Response): void => {
    const request = response.request()
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) last = response.status()
  }
  page.on('response', onResponse)
  return {
    get last() {
      return last
    },
    stop: () => void page.off('response', onResponse),
  }
}

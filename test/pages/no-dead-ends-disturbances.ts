/** The rows of the matrix: what can happen between a page that is opened and a button that is pressed. */
import { type Cell, signInElsewhere, signOutElsewhere } from './no-dead-ends-ground.ts'
import type { Feature, Step } from './no-dead-ends-steps.ts'

export type Disturbance = {
  readonly name: string
  /** The columns it makes sense for; absent: all. */
  readonly at?: (step: Step) => boolean
  readonly happens: (cell: Cell) => Promise<unknown>
  /** Once a person has seen what the first press led to, it is over. */
  readonly mend?: (cell: Cell) => Promise<unknown>
  /** It is over as soon as the first button is pressed. */
  readonly pressed?: (cell: Cell) => Promise<unknown>
  /** How often the first button is pressed at once. */
  readonly clicks?: number
  /** Ten tabs instead of one: the same request in all of them, or one each. */
  readonly tenTabs?: 'same' | 'different'
}

const hours = 3600
const days = 24 * hours

const needs =
  (what: Feature) =>
  ({ has }: Step): boolean =>
    has.has(what)

async function forget(cell: Cell, name: RegExp): Promise<void> {
  await cell.page.context().clearCookies({ name })
}

/** Typed into a new window: no history leads to it. */
async function reopen({ page }: Cell): Promise<void> {
  const address = page.url()
  await page.goto('about:blank')
  await page.goto(address)
}

async function changeUser(
  { ground, person }: Cell,
  change: { disabled: boolean; sessionsEndedAtMs: number },
): Promise<void> {
  const { users } = ground.service().storage
  const user = await users.findByName(person)
  await users.update(user?.id ?? '', (stored) => ({ ...stored, ...change }))
}

const nothing = async (): Promise<void> => {}
/** Lets an answer through that is being held back. */
let letThrough = nothing as () => unknown

const antiforgeryAddress = '**/Account/Antiforgery'
const scripts = '**/assets/*.js'

export const disturbances: readonly Disturbance[] = [
  { name: 'nothing', happens: nothing },
  { name: 'reloaded', at: needs('history'), happens: ({ page }) => page.reload() },
  {
    name: 'back, and on again',
    at: needs('history'),
    happens: ({ page }) => page.goBack(),
  },
  {
    name: 'back and forward',
    at: needs('history'),
    async happens({ page }) {
      await page.goBack()
      await page.goForward()
    },
  },
  { name: 'open for 13 hours', happens: async ({ ground }) => ground.service().advance(13 * hours) },
  { name: 'all cookies deleted', happens: ({ page }) => page.context().clearCookies() },
  { name: 'anti-forgery cookie deleted', at: needs('form'), happens: (cell) => forget(cell, /antiforgery/) },
  { name: 'session cookie deleted', at: needs('session'), happens: (cell) => forget(cell, /session/) },
  { name: 'challenge cookie deleted', at: needs('challenge'), happens: (cell) => forget(cell, /challenge/) },
  { name: 'external cookies deleted', at: needs('identity'), happens: (cell) => forget(cell, /state|external/) },
  {
    name: 'external cookies expired',
    at: needs('identity'),
    happens: async ({ ground }) => ground.service().advance(1000),
  },
  {
    name: 'service restarted',
    async happens({ ground }) {
      await ground.down()
      await ground.up()
    },
  },
  {
    name: 'service away when it is sent',
    at: needs('form'),
    happens: ({ ground }) => ground.down(),
    mend: ({ ground }) => ground.up(),
  },
  { name: 'all keys rotated', happens: ({ ground }) => ground.rotateKeys() },
  { name: 'same person signs in elsewhere', happens: ({ page, person }) => signInElsewhere(page, person) },
  { name: 'somebody else signs in', happens: ({ page, other }) => signInElsewhere(page, other) },
  { name: 'signed out elsewhere', at: needs('session'), happens: ({ page }) => signOutElsewhere(page) },
  {
    name: 'reopened the next day',
    at: needs('history'),
    async happens(cell) {
      cell.ground.service().advance(days)
      await reopen(cell)
    },
  },
  {
    name: 'reopened, session run out',
    at: needs('history'),
    async happens(cell) {
      cell.ground.service().advance(15 * days)
      await reopen(cell)
    },
  },
  {
    name: 'reopened by somebody else',
    at: needs('history'),
    async happens(cell) {
      cell.ground.service().advance(days)
      await signInElsewhere(cell.page, cell.other)
      await reopen(cell)
    },
  },
  { name: 'pressed twice', at: needs('form'), happens: nothing, clicks: 2 },
  {
    name: 'offline when it is sent',
    at: needs('form'),
    happens: ({ page }) => page.context().setOffline(true),
    mend: ({ page }) => page.context().setOffline(false),
  },
  {
    name: 'token answered with 503',
    at: needs('form'),
    happens: ({ page }) => page.route(antiforgeryAddress, (route) => route.fulfill({ status: 503 })),
    mend: ({ page }) => page.unroute(antiforgeryAddress),
  },
  {
    name: 'token never answered',
    at: needs('form'),
    happens: ({ page }) => page.route(antiforgeryAddress, (route) => route.abort()),
    mend: ({ page }) => page.unroute(antiforgeryAddress),
  },
  {
    name: 'token slow',
    at: needs('form'),
    async happens({ page }) {
      const { promise, resolve } = Promise.withResolvers<void>()
      letThrough = resolve
      await page.route(antiforgeryAddress, async (route) => {
        await promise
        await route.continue()
      })
    },
    pressed: async () => letThrough(),
  },
  {
    name: 'scripts not loaded',
    at: needs('pages'),
    async happens({ page }) {
      let away = true
      letThrough = () => {
        away = false
      }
      // Never taken back: a page that loads meanwhile would wait for ever for what had been held up.
      await page.route(scripts, (route) => (away ? route.fulfill({ status: 503 }) : route.continue()))
      await page.reload({ waitUntil: 'domcontentloaded' })
      // The way out shows itself after a while.
      await page.evaluate('for (const animation of document.getAnimations()) animation.finish()')
    },
    pressed: async () => letThrough(),
  },
  {
    name: 'consent taken back',
    at: ({ consented }) => consented === true,
    async happens({ ground, person }) {
      const { users, authorizations } = ground.service().storage
      const user = await users.findByName(person)
      for (const { id } of await authorizations.list(user?.id ?? '')) await authorizations.revoke(id)
    },
  },
  {
    name: 'client deleted',
    async happens({ ground, clientId }) {
      await ground.service().storage.clients.delete(clientId)
    },
  },
  {
    name: 'person locked',
    async happens(cell) {
      await changeUser(cell, { disabled: true, sessionsEndedAtMs: cell.ground.service().now() })
    },
  },
  {
    name: 'person deleted',
    async happens({ ground, person }) {
      const { users } = ground.service().storage
      const user = await users.findByName(person)
      await users.delete(user?.id ?? '')
    },
  },
  { name: 'ten tabs, one request', at: needs('pages'), tenTabs: 'same', happens: nothing },
  { name: 'ten tabs, ten requests', at: needs('pages'), tenTabs: 'different', happens: nothing },
]

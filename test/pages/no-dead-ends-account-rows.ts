/** The rows of the matrix of accounts: what can happen while one of their pages is open. */
import { walk } from './dead-end.ts'
import { expect, type Page, plugInAuthenticator } from './fixtures.ts'
import { type AccountStep, answer, type Known, type Trait } from './no-dead-ends-account.ts'
import { disturbances } from './no-dead-ends-disturbances.ts'
import type { Cell } from './no-dead-ends-ground.ts'

export type AccountRow = {
  readonly name: string
  /** The columns it makes sense for; absent: all. */
  readonly at?: (step: AccountStep) => boolean
  /** `address`: what another browser would open. */
  readonly happens: (cell: Cell, known: Known, address: string, step: AccountStep) => Promise<unknown>
  /** Once a person has seen what the first press led to, it is over. */
  readonly mend?: ((cell: Cell, known: Known) => Promise<unknown>) | undefined
  readonly pressed?: ((cell: Cell) => Promise<unknown>) | undefined
  readonly clicks?: number | undefined
}

const days = 86_400

const needs =
  (...traits: readonly Trait[]) =>
  ({ has }: AccountStep): boolean =>
    traits.some((trait) => has.has(trait))

const hasAccount = (step: AccountStep): boolean => !step.isNew && needs('own', 'session')(step)

/** A row that the other matrix has as well. */
function shared(name: string, at?: AccountRow['at']): AccountRow {
  const row = disturbances.find((one) => one.name === name)
  if (!row) throw new Error(`no such row: ${name}`)
  const { happens, mend, pressed, clicks } = row
  return { name, happens, mend, pressed, clicks, ...(at && { at }) }
}

async function reopen(page: Page, address: string): Promise<void> {
  await page.evaluate('sessionStorage.clear()')
  await page.goto('about:blank')
  await page.goto(address)
}

async function enterWrongCode({ page }: Cell): Promise<void> {
  const code = page.getByRole('textbox', { name: 'Code' })
  await expect(code).toBeVisible()
  await page.evaluate("document.body.dataset.former = ''")
  await code.fill('000000')
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await expect(page.locator('[role=alert]')).toBeVisible()
  await expect(page.locator('button[aria-busy=true]')).toHaveCount(0)
}

async function verify(passkeys: Known['passkeys'], isUserVerified: boolean): Promise<void> {
  const { session, authenticatorId = '' } = passkeys ?? {}
  await session?.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
}

type Authenticator = NonNullable<Known['passkeys']>

/** Moves passkeys, with their counters: a browser's tabs have the same ones. */
async function movePasskeys(from: Authenticator, to: Authenticator): Promise<void> {
  const { credentials } = await from.session.send('WebAuthn.getCredentials', { authenticatorId: from.authenticatorId })
  await from.session.send('WebAuthn.clearCredentials', { authenticatorId: from.authenticatorId })
  for (const credential of credentials)
    await to.session.send('WebAuthn.addCredential', { authenticatorId: to.authenticatorId, credential })
}

/** Walks to the end in another tab of the same browser. */
async function finishElsewhere(cell: Cell, known: Known, address: string, step: AccountStep): Promise<void> {
  const page = await cell.page.context().newPage()
  const authenticator = known.passkeys && (await plugInAuthenticator(page))
  if (known.passkeys && authenticator) await movePasskeys(known.passkeys, authenticator)
  await page.goto(address)
  const other = { ...cell, page }
  const ends = step.ends ?? {}
  await walk(page, { client: cell.ground.site, people: [], ends, answer: (look) => answer(other, known, look) })
  if (known.passkeys && authenticator) await movePasskeys(authenticator, known.passkeys)
  known.enrolled = true
  await page.close()
  // Browsers ask for passkeys in the tab that is looked at alone.
  await cell.page.bringToFront()
  // Two seconds after the other tab, the page says who is signed in: whether that is before the press is not left to chance.
  if (step.has.has('watches')) await expect(cell.page.getByText('You are signed in as')).toBeVisible()
}

export const accountRows: readonly AccountRow[] = [
  shared('nothing'),
  shared('reloaded'),
  shared('back, and on again'),
  shared('back and forward', needs('form')),
  shared('all cookies deleted'),
  {
    name: 'cookie of the step deleted',
    at: needs('own'),
    happens: ({ page }) => page.context().clearCookies({ name: /confirmation|half|chosen/ }),
  },
  shared('session cookie deleted', needs('session')),
  {
    name: 'opened on another device',
    at: needs('address'),
    async happens({ page }, _, address) {
      await page.context().clearCookies()
      await reopen(page, address)
    },
  },
  {
    name: 'link opened twice',
    at: needs('link'),
    async happens({ page }, _, address) {
      const other = await page.context().newPage()
      await other.goto(address)
      await expect(other.getByRole('heading', { level: 1 })).toBeVisible()
    },
  },
  { name: 'finished in another tab', happens: finishElsewhere },
  {
    name: 'a newer mail asked for',
    at: needs('mail'),
    async happens({ page, ground }) {
      const other = await page.context().newPage()
      await other.goto(new URL(page.url()).pathname + new URL(page.url()).search)
      ground.service().advance(1)
      await other.getByRole('button', { name: 'Send a new code' }).click()
      await expect(other.getByText('A new email is on its way')).toBeVisible()
    },
  },
  { name: 'a wrong code', at: needs('code'), happens: enterWrongCode },
  {
    name: 'six wrong codes',
    at: needs('code'),
    async happens(cell) {
      for (let attempt = 1; attempt <= 6; attempt += 1) await enterWrongCode(cell)
    },
  },
  {
    name: 'passkey dialog cancelled',
    at: needs('passkey'),
    happens: (_, { passkeys }) => verify(passkeys, false),
    async mend({ page }, { passkeys }) {
      await expect(page.getByText(/No passkey was (used|made)/)).toBeVisible()
      await verify(passkeys, true)
    },
  },
  { name: 'open for two days', happens: async ({ ground }) => ground.service().advance(2 * days) },
  {
    name: 'reopened after 15 days',
    async happens({ page, ground }, _, address) {
      ground.service().advance(15 * days)
      await reopen(page, address)
    },
  },
  shared('service restarted'),
  shared('service away when it is sent', needs('form', 'json')),
  shared('all keys rotated'),
  shared('somebody else signs in', (step) => !needs('enrols')(step)),
  shared('signed out elsewhere', needs('session')),
  shared('pressed twice', needs('form', 'json')),
  shared('client deleted', needs('application')),
  shared('person locked', hasAccount),
  shared('person deleted', hasAccount),
]

/** The columns of the matrix: the steps of a journey at which a person may be when something happens. */
import { expect } from './fixtures.ts'
import { type Cell, signInElsewhere, startAtClient } from './no-dead-ends-ground.ts'

export type Feature = 'form' | 'pages' | 'history' | 'session' | 'identity' | 'challenge'

export type Step = {
  readonly name: string
  /** Brings the page there. What follows is one button away, or the link of the client's site. */
  readonly open: (cell: Cell) => Promise<void>
  /** What the step has that something can happen to. */
  readonly has: ReadonlySet<Feature>
  /** Whether the person has allowed the client what it asks for, before. */
  readonly consented?: boolean
}

const fresh = { prompt: 'login' }
const recent = { max_age: '600' }
const silent = { prompt: 'none' }

/** The consent page as one gets there: over the login page, which is what 'back' leads to. */
async function openConsent(cell: Cell, change: Readonly<Record<string, string>> = {}): Promise<void> {
  await openLogin(cell, change)
  await signInElsewhere(cell.page, cell.person)
  await cell.page.goto(cell.request(change))
  await expectForm(cell, 'Allow')
}

/** The button is there, and its form rests on a token: nothing is under way that what happens next could cut off. */
async function expectForm({ page }: Cell, button: string): Promise<void> {
  await expect(page.getByRole('button', { name: button, exact: true })).toBeVisible()
  await expect(page.locator('input[name=__RequestVerificationToken]').first()).not.toHaveValue('')
}

async function openLogin(cell: Cell, change: Readonly<Record<string, string>> = {}): Promise<void> {
  await startAtClient(cell, cell.request(change))
  await cell.page.getByRole('link', { name: 'Begin' }).click()
  await expectForm(cell, 'Sign in')
}

async function openProvider(cell: Cell): Promise<void> {
  await openLogin(cell)
  await cell.page.getByRole('button', { name: 'Continue with GitHub' }).click()
}

export const steps: readonly Step[] = [
  {
    name: 'authorization endpoint',
    has: new Set(['session']),
    consented: true,
    async open(cell) {
      await signInElsewhere(cell.page, cell.person)
      await startAtClient(cell, cell.request())
    },
  },
  {
    name: 'login page',
    has: new Set(['form', 'pages', 'history']),
    open: (cell) => openLogin(cell),
  },
  {
    name: 'consent page',
    has: new Set(['form', 'pages', 'history', 'session']),
    open: (cell) => openConsent(cell),
  },
  {
    name: 'sign-out page',
    has: new Set(['form', 'pages', 'history', 'session']),
    async open(cell) {
      const query = {
        client_id: cell.clientId,
        post_logout_redirect_uri: `${cell.ground.site}/signed-out`,
        state: 'state-1',
      }
      await signInElsewhere(cell.page, cell.person)
      await startAtClient(cell, `/connect/logout?${new URLSearchParams(query)}`)
      await cell.page.getByRole('link', { name: 'Begin' }).click()
      await expectForm(cell, 'Sign out')
    },
  },
  {
    name: 'account confirmation',
    has: new Set(['form', 'pages', 'history', 'identity']),
    async open(cell) {
      await openProvider(cell)
      await expectForm(cell, 'Create account')
    },
  },
  {
    name: 'at the provider',
    has: new Set(['history', 'identity']),
    async open(cell) {
      cell.ground.github.behaviour = 'asks'
      await openProvider(cell)
      await expect(cell.page.getByRole('link', { name: 'Authorize' })).toBeVisible()
    },
  },
  {
    name: 'login page, prompt=login',
    has: new Set(['history', 'session', 'challenge']),
    async open(cell) {
      await signInElsewhere(cell.page, cell.person)
      await openLogin(cell, fresh)
    },
  },
  {
    name: 'consent page, prompt=login',
    has: new Set(['history', 'session', 'challenge']),
    open: (cell) => openConsent(cell, fresh),
  },
  {
    name: 'consent page, max_age',
    has: new Set(['history', 'session', 'challenge']),
    open: (cell) => openConsent(cell, recent),
  },
  {
    name: 'prompt=none',
    has: new Set(['session']),
    consented: true,
    async open(cell) {
      await signInElsewhere(cell.page, cell.person)
      await startAtClient(cell, cell.request(silent))
    },
  },
]

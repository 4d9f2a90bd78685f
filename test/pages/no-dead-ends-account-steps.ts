/** The columns of the way into an account, and of the way back in. */
import { randomBytes } from 'node:crypto'
import { mintConfirmation } from '../../src/secrets/confirmation-secrets.ts'
import { confirmationLink, linkConfirmation, subjectOf } from '../../src/users/confirmation.ts'
import { expect, plugInAuthenticator } from './fixtures.ts'
import { type AccountStep, fresh, type Known, lookForMail } from './no-dead-ends-account.ts'
import { type Cell, startAtClient } from './no-dead-ends-ground.ts'

export async function openLogin(cell: Cell, change: Readonly<Record<string, string>> = {}): Promise<void> {
  // The limits of mails are of an hour.
  cell.ground.service().advance(3601)
  await startAtClient(cell, cell.request(change))
  await cell.page.getByRole('link', { name: 'Begin' }).click()
  await expect(cell.page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
}

/** The tab may have walked to the same address before, for another person. */
export async function forgetFormer({ page }: Cell): Promise<void> {
  await page.evaluate('sessionStorage.clear()')
}

/** The page is there, and its form rests on a token. */
export async function expectForm({ page }: Cell, button: string): Promise<void> {
  await expect(page.getByRole('button', { name: button, exact: true })).toBeVisible()
  await expect(page.locator('input[name=__RequestVerificationToken]').first()).not.toHaveValue('')
}

async function openRegistration(cell: Cell): Promise<void> {
  await openLogin(cell)
  await cell.page.getByRole('link', { name: 'Create an account' }).click()
  await expectForm(cell, 'Create account')
}

async function register(cell: Cell, known: Known, secret = fresh): Promise<void> {
  const { page } = cell
  await openRegistration(cell)
  await page.getByRole('textbox', { name: 'Email' }).fill(known.email)
  await page.getByRole('textbox', { name: 'Username' }).fill(known.accounts[0]?.[0] ?? '')
  await page.getByRole('textbox', { name: 'New password' }).fill(secret)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expectForm(cell, 'Send a new code')
}

async function openForgotten(cell: Cell): Promise<void> {
  await openLogin(cell)
  await cell.page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(cell.page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
  await expect(cell.page.locator('input[name=__RequestVerificationToken]').first()).not.toHaveValue('')
}

async function askForReset(cell: Cell): Promise<void> {
  await openForgotten(cell)
  await cell.page.getByRole('textbox', { name: 'Email' }).fill(cell.person)
  await cell.page.getByRole('button', { name: 'Continue' }).click()
  await expectForm(cell, 'Send a new code')
}

async function openLink(cell: Cell, known: Known): Promise<string> {
  const { link } = await lookForMail(cell, known)
  // In another browser every link leads to the account.
  await forgetFormer(cell)
  await cell.page.goto(link)
  await expectForm(cell, 'Continue')
  return link
}

async function openInvitation(cell: Cell, { email }: Known): Promise<string> {
  const { storage, now } = cell.ground.service()
  const secrets = mintConfirmation(now(), randomBytes)
  const about = { purpose: 'invite', subject: subjectOf(email), userId: null, details: { email, roles: [] } } as const
  await storage.confirmations.put(linkConfirmation(secrets, about, now()), [])
  const link = confirmationLink('invite', secrets.token)
  await startAtClient(cell, '/Account/Login')
  await cell.page.goto(link)
  await expectForm(cell, 'Continue')
  return link
}

/** Where invitations end: no application asked. */
const atHome = { 'signed in': /nothing at this address/ }

/** Where a link ends in a browser that asked for nothing. */
const inAccount = { account: /All activity/ }

export const registrationSteps: readonly AccountStep[] = [
  {
    section: 'The way into an account',
    name: 'registration',
    isNew: true,
    has: new Set(['form', 'application']),
    open: async (cell) => void (await openRegistration(cell)),
  },
  {
    section: 'The way into an account',
    name: 'code of a registration',
    isNew: true,
    has: new Set(['form', 'own', 'code', 'mail', 'address']),
    async open(cell, known) {
      await register(cell, known)
      await lookForMail(cell, known)
      return undefined
    },
  },
  {
    section: 'The way into an account',
    name: 'link of a registration',
    isNew: true,
    has: new Set(['form', 'own', 'mail', 'address', 'link']),
    ends: inAccount,
    async open(cell, known) {
      await register(cell, known)
      return openLink(cell, known)
    },
  },
]

export const arrivalSteps: readonly AccountStep[] = [
  {
    section: 'The way into an account',
    name: 'first passkey',
    isNew: true,
    has: new Set(['json', 'session', 'passkey']),
    async open(cell, known) {
      const { page } = cell
      known.passkeys = await plugInAuthenticator(page)
      known.hasNoPassword = true
      await register(cell, known, '')
      await page.getByRole('textbox', { name: 'Code' }).fill((await lookForMail(cell, known)).code)
      await page.getByRole('button', { name: 'Continue', exact: true }).click()
      await expect(page.getByRole('button', { name: 'Add a passkey' })).toBeVisible()
      return undefined
    },
  },
  {
    section: 'The way into an account',
    name: 'invitation',
    isNew: true,
    has: new Set(['form', 'address', 'link']),
    ends: atHome,
    open: openInvitation,
  },
  {
    section: 'The way into an account',
    name: 'account by invitation',
    isNew: true,
    has: new Set(['form', 'own', 'address']),
    ends: atHome,
    async open(cell, known) {
      await openInvitation(cell, known)
      await cell.page.getByRole('button', { name: 'Continue' }).click()
      await expectForm(cell, 'Create account')
      return undefined
    },
  },
]

export const recoverySteps: readonly AccountStep[] = [
  {
    section: 'The way back in',
    name: 'forgotten password',
    has: new Set(['form', 'application']),
    open: async (cell) => void (await openForgotten(cell)),
  },
  {
    section: 'The way back in',
    name: 'code of a reset',
    has: new Set(['form', 'own', 'code', 'mail', 'address']),
    async open(cell, known) {
      await askForReset(cell)
      await lookForMail(cell, known)
      return undefined
    },
  },
  {
    section: 'The way back in',
    name: 'link of a reset',
    has: new Set(['form', 'own', 'mail', 'address', 'link']),
    ends: inAccount,
    async open(cell, known) {
      await askForReset(cell)
      return openLink(cell, known)
    },
  },
  {
    section: 'The way back in',
    name: 'new password',
    has: new Set(['form', 'own', 'address']),
    async open(cell, known) {
      await askForReset(cell)
      await openLink(cell, known)
      await cell.page.getByRole('button', { name: 'Continue' }).click()
      await expectForm(cell, 'Reset password')
      return undefined
    },
  },
]

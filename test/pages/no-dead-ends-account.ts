/** Who walks the pages of accounts in the matrix: what this person knows, and how each page is answered. */
import { TOTP } from 'otpauth'
import { openMail } from '../../src/mail/outgoing.ts'
import { password } from '../support/service.ts'
import type { Look } from './dead-end.ts'
import type { plugInAuthenticator } from './fixtures.ts'
import type { Cell } from './no-dead-ends-ground.ts'
import type { AccountSection } from './no-dead-ends-outcomes.ts'

/** What the person of a cell knows. */
export type Known = {
  /** Who signs in, with each password that may be the present one, in the order in which they are tried. */
  readonly accounts: (readonly [name: string, secret: string])[]
  /** Where mail arrives. */
  readonly email: string
  /** Of the newest mail that was looked at. */
  mail: { readonly code: string; readonly link: string }
  /** The code of the mail before another was asked for. */
  former?: string
  /** Of the authenticator app. */
  secret?: string
  /** What the device shows, and how it gets another code. */
  device?: { code: string; readonly askAgain: () => Promise<string> }
  /** The app was set up in another tab. */
  enrolled?: true
  /** The account has no password, and maybe no passkey either. */
  hasNoPassword?: true
  /** A new password was sent. */
  changed?: true
  /** What answers the browser's dialog for passkeys. */
  passkeys?: Awaited<ReturnType<typeof plugInAuthenticator>>
}

/**
 * `form`: it is sent by the browser. `json`: a script sends it. `own`: a cookie of its own. `passkey`: the browser asks.
 * `address`: another browser may open it. `enrols`: no sign-in without a second factor. `watches`: the page sees by itself
 * that another tab signed in.
 */
export type Trait =
  | 'form'
  | 'json'
  | 'own'
  | 'session'
  | 'code'
  | 'mail'
  | 'passkey'
  | 'address'
  | 'link'
  | 'application'
  | 'enrols'
  | 'watches'

export type AccountStep = {
  readonly section: AccountSection
  readonly name: string
  /** Brings the page there. Returns the address that another browser would open; undefined: that of the page. */
  readonly open: (cell: Cell, known: Known) => Promise<string | undefined>
  /** What the step has that something can happen to. */
  readonly has: ReadonlySet<Trait>
  /** Whether the account is new. */
  readonly isNew?: boolean
  /** Where a person may stop besides, by what stands on the page. */
  readonly ends?: Readonly<Record<string, RegExp>>
}

export const fresh = 'kT7-vw2q-new'

export function knownBy(cell: Cell, { isNew = false }: AccountStep): Known {
  const name = isNew ? `new-${cell.person}` : cell.person
  const own: Known['accounts'] = isNew
    ? [[name, fresh]]
    : [
        [name, password],
        [name, fresh],
      ]
  return { accounts: [...own, [cell.other, password]], email: `${name}@example.com`, mail: { code: '', link: '' } }
}

/** Delivers what waits in the outbox. Returns the newest mail, which stays in the mailbox while the service is away. */
export async function lookForMail({ ground }: Cell, known: Known): Promise<Known['mail']> {
  const { storage, keys, now } = ground.service()
  const due = await storage.mails.due(now()).catch(() => [])
  for (const { id, to, content } of due.sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const mail = to === known.email && openMail(keys, { id, to, content: content ?? '' })
    if (mail) known.mail = { code: mail.code ?? '', link: mail.link ?? '' }
    await storage.mails.sent(id)
  }
  return known.mail
}

/** The code that the app shows next: each counts once. */
function nextCode(cell: Cell, secret: string): string {
  const service = cell.ground.service()
  service.advance(30)
  return new TOTP({ secret }).generate({ timestamp: service.now() })
}

/** Fills in the page, and returns what to press; undefined: what anybody would; null: the page went on by itself. */
export async function answer(cell: Cell, known: Known, look: Look): Promise<string | null | undefined> {
  const { heading, controls, messages } = look
  const { page } = cell
  const says = (pattern: RegExp) => messages.some((message) => pattern.test(message))
  const box = (name: string) => page.getByRole('textbox', { name, exact: true })
  const fill = async (name: string, value: string) => {
    if (await box(name).isVisible()) await box(name).fill(value)
  }
  if (controls.includes('Try again')) return undefined
  const [name = ''] = known.accounts[0] ?? []
  switch (heading) {
    case 'Create an account':
      await fill('Email', known.email)
      await fill('Username', name)
      await fill('New password', fresh)
      return says(/username is taken/) ? 'Sign in with an existing account' : 'Create account'
    case 'Forgot your password?':
      await fill('Email', name)
      return 'Continue'
    case 'Choose a new password':
      await fill('New password', fresh)
      known.changed = true
      return 'Reset password'
    case 'Confirm your email address':
    case 'Check your email': {
      if (!(await box('Code').isVisible())) return controls.includes('Send a new code') ? 'Send a new code' : 'Continue'
      const { code } = await lookForMail(cell, known)
      if (says(/have a new one sent/i)) {
        known.former = code
        return 'Send a new code'
      }
      // No mail came, or it says that there is an account.
      if (code === '' || code === known.former) return 'Back to sign in'
      await fill('Code', code)
      return 'Continue'
    }
    case 'Confirm that it is you':
      if (controls.includes('Use a passkey')) return 'Use a passkey'
      if (says(/Wait five minutes/)) cell.ground.service().advance(301)
      await fill('Code', nextCode(cell, known.secret ?? ''))
      return 'Continue'
    case 'Protect your account':
      if (!(await box('Code').isVisible())) return 'Set up an authenticator app'
      if (says(/Wait five minutes/)) cell.ground.service().advance(301)
      if (!known.enrolled) known.secret = (await page.locator('code.key').innerText()).replaceAll(' ', '')
      await fill('Code', nextCode(cell, known.secret ?? ''))
      return 'Continue'
    case 'Keep these recovery codes':
      await page.getByRole('checkbox', { name: 'I have saved these codes' }).check()
      return 'Continue'
    case 'Connect a device': {
      if (known.device && says(/is not known/)) known.device.code = await known.device.askAgain()
      // The page goes on once all letters are typed.
      const typed = known.device?.code ?? ''
      if ((await box('Code').inputValue()) === typed) return 'Continue'
      await box('Code').fill(typed)
      return null
    }
    case 'A few more details':
      await fill('Department', 'Sales')
      return 'Continue'
    case 'Choose an account':
      return controls.find((control) => control.startsWith('Continue as'))
    case 'Overview':
      return 'Go to passkeys'
    case 'Security': {
      const present = says(/not your current password/) ? known.accounts[1] : known.accounts[0]
      if (await page.getByLabel('Current password').isVisible()) {
        await page.getByLabel('Current password').fill(present?.[1] ?? '')
        await fill('New password', fresh)
        known.changed = true
      }
      return 'Change password'
    }
    case 'Devices':
      return 'Sign out everywhere else'
    case 'Applications':
      return 'Remove access'
    case 'Profile':
      await fill('Full name', 'Ada Lovelace')
      return 'Save'
    case 'Sign in':
    case 'You are signed out': {
      if (!(await box('Username').isVisible())) return undefined
      if (known.hasNoPassword && says(/No passkey was used/)) return 'Forgot password?'
      if (known.passkeys && !says(/not correct|could not be used/)) return 'Sign in with a passkey'
      if (says(/not correct|is locked/)) {
        const isOver = !known.changed || says(/is locked/)
        const left = known.accounts.slice(1).filter(([one]) => one !== name || !isOver)
        known.accounts.splice(0, known.accounts.length, ...left)
      }
      const [account, secret] = known.accounts[0] ?? ['', '']
      await fill('Username', account)
      await page.getByLabel('Password').fill(secret)
      return 'Sign in'
    }
    default:
      return undefined
  }
}

/** The columns of the steps of a sign-in besides the password. */
import { TOTP } from 'otpauth'
import { newAttribute } from '../../src/users/attribute-record.ts'
import type { Attribute } from '../../src/users/attributes.ts'
import { postToken } from '../support/browser.ts'
import { password, testClient } from '../support/service.ts'
import { self as sendToSelf } from './account-entry.ts'
import { expect, plugInAuthenticator, signInQuietly } from './fixtures.ts'
import type { AccountStep, Known } from './no-dead-ends-account.ts'
import { expectForm, forgetFormer, openLogin } from './no-dead-ends-account-steps.ts'
import { type Cell, signInElsewhere, startAtClient } from './no-dead-ends-ground.ts'
import { addPasskey, withoutAutofill } from './passkeys.ts'

const section = 'Steps of a sign-in'

/** Sends JSON to the account area, as its pages do. */
export const self = <T>({ page }: Cell, path: string, data: object) => sendToSelf<T>(page, path, data)

/** Gives the person an authenticator app, and leaves nobody signed in. */
async function giveApp(cell: Cell, known: Known): Promise<void> {
  await signInQuietly(cell.page, cell.person)
  const { secret } = await self<{ secret: string }>(cell, '/totp', {})
  const code = new TOTP({ secret }).generate({ timestamp: cell.ground.service().now() })
  await self(cell, '/totp/confirm', { code })
  await cell.page.context().clearCookies()
  known.secret = secret
}

/** Gives the person a passkey that the browser uses when it is asked, and leaves nobody signed in. */
async function givePasskey(cell: Cell, known: Known): Promise<void> {
  const { page, person } = cell
  const { session, authenticatorId } = await plugInAuthenticator(page)
  await page.context().addInitScript(withoutAutofill)
  await addPasskey(page, person)
  await self(cell, '/recovery-codes', {})
  await page.context().clearCookies()
  known.passkeys = { session, authenticatorId }
}

async function enterPassword(cell: Cell): Promise<void> {
  await openLogin(cell)
  await cell.page.getByRole('textbox', { name: 'Username' }).fill(cell.person)
  await cell.page.getByLabel('Password').fill(password)
  await cell.page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

export const factorSteps: readonly AccountStep[] = [
  {
    section,
    name: 'passkey sign-in',
    has: new Set(['form', 'passkey', 'application', 'watches']),
    async open(cell, known) {
      await givePasskey(cell, known)
      await openLogin(cell)
      await expectForm(cell, 'Sign in with a passkey')
      return undefined
    },
  },
  {
    section,
    name: 'passkey as second factor',
    has: new Set(['form', 'passkey', 'own']),
    async open(cell, known) {
      await givePasskey(cell, known)
      await enterPassword(cell)
      await expectForm(cell, 'Use a passkey')
      return undefined
    },
  },
  {
    section,
    name: 'code of the app',
    has: new Set(['form', 'code', 'own', 'address']),
    async open(cell, known) {
      await giveApp(cell, known)
      await enterPassword(cell)
      await expectForm(cell, 'Continue')
      return undefined
    },
  },
]

export const enrolmentSteps: readonly AccountStep[] = [
  {
    section,
    name: 'enrolment',
    has: new Set(['json', 'own', 'enrols']),
    async open(cell) {
      await enterPassword(cell)
      await expect(cell.page.getByRole('button', { name: 'Set up an authenticator app' })).toBeVisible()
      return undefined
    },
  },
  {
    section,
    name: 'enrolment, code of the app',
    has: new Set(['json', 'own', 'code', 'enrols']),
    async open(cell) {
      await enterPassword(cell)
      await cell.page.getByRole('button', { name: 'Set up an authenticator app' }).click()
      await expect(cell.page.getByRole('textbox', { name: 'Code' })).toBeVisible()
      return undefined
    },
  },
]

export const missingDetailsSteps: readonly AccountStep[] = [
  {
    section,
    name: 'missing details',
    has: new Set(['json', 'session', 'application']),
    async open(cell) {
      const after: Attribute = {
        ...newAttribute('department', 0),
        labels: { '': 'Department' },
        required: true,
        editedBy: 'person',
      }
      const { attributes } = cell.ground.service().storage
      await attributes.change((known) => (known.has(after.name) ? {} : { changes: [{ name: after.name, after }] }))
      await signInElsewhere(cell.page, cell.person)
      await startAtClient(cell, cell.request())
      await cell.page.getByRole('link', { name: 'Begin' }).click()
      await expect(cell.page.getByRole('textbox', { name: 'Department' })).toBeVisible()
      await forgetFormer(cell)
      return undefined
    },
  },
]

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
const connected = { connected: /Your device is connected/ }

async function startDevice({ ground, clientId }: Cell): Promise<string> {
  const fields = { client_id: clientId, scope: 'openid' }
  const { body } = await postToken(ground.service(), fields, {}, 'connect/device')
  return (body as { user_code: string }).user_code
}

async function openDevice(cell: Cell, known: Known): Promise<void> {
  const { clients } = cell.ground.service().storage
  const id = `tv-${cell.clientId}`
  await clients.create(testClient({ id, name: 'Television', grantTypes: [deviceGrant], redirectUris: [] }))
  const tv = { ...cell, clientId: id }
  known.device = { code: await startDevice(tv), askAgain: () => startDevice(tv) }
  await signInElsewhere(cell.page, cell.person)
  await startAtClient(cell, '/Account/Device')
  await cell.page.getByRole('link', { name: 'Begin' }).click()
  await expect(cell.page.getByRole('textbox', { name: 'Code' })).toBeVisible()
  await forgetFormer(cell)
}

export const choiceSteps: readonly AccountStep[] = [
  {
    section,
    name: 'choice of an account',
    has: new Set(['form', 'session', 'application']),
    async open(cell) {
      await signInElsewhere(cell.page, cell.person)
      await startAtClient(cell, cell.request({ prompt: 'select_account' }))
      await cell.page.getByRole('link', { name: 'Begin' }).click()
      await expectForm(cell, 'Use another account')
      return undefined
    },
  },
  {
    section,
    name: 'code of a device',
    has: new Set(['session']),
    ends: connected,
    async open(cell, known) {
      await openDevice(cell, known)
      return undefined
    },
  },
  {
    section,
    name: 'access of a device',
    has: new Set(['form', 'session']),
    ends: connected,
    async open(cell, known) {
      await openDevice(cell, known)
      await cell.page.getByRole('textbox', { name: 'Code' }).fill(known.device?.code ?? '')
      await expectForm(cell, 'Allow')
      return undefined
    },
  },
]

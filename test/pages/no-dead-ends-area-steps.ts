/** The columns of the account area: a task on each of its pages. */
import { uuidv7 } from '../../src/secrets/opaque.ts'
import { Browser } from '../support/browser.ts'
import { password } from '../support/service.ts'
import { expect } from './fixtures.ts'
import type { AccountStep } from './no-dead-ends-account.ts'
import { forgetFormer } from './no-dead-ends-account-steps.ts'
import { type Cell, signInElsewhere, startAtClient } from './no-dead-ends-ground.ts'

const section = 'The account area'

async function openArea(cell: Cell, path: string, button: string): Promise<undefined> {
  await signInElsewhere(cell.page, cell.person)
  await startAtClient(cell, path)
  await cell.page.getByRole('link', { name: 'Begin' }).click()
  await expect(cell.page.getByRole('main').getByText(button, { exact: true }).first()).toBeVisible()
  await expect(cell.page.locator('.skeleton')).toHaveCount(0)
  await forgetFormer(cell)
}

/** The person has allowed an application what it asked for. */
async function allow({ ground, person, clientId }: Cell): Promise<void> {
  const { now, storage } = ground.service()
  const user = await storage.users.findByName(person)
  const parties = { userId: user?.id ?? '', clientId, scopes: ['openid'] }
  await storage.authorizations.store({ id: uuidv7(now()), ...parties, createdAtMs: now() })
}

const has = new Set(['json', 'session'] as const)

export const areaSteps: readonly AccountStep[] = [
  {
    section,
    name: 'overview',
    has: new Set(['session']),
    ends: { there: /How you sign in\./ },
    open: (cell) => openArea(cell, '/Account', 'Go to passkeys'),
  },
  {
    section,
    name: 'security',
    has,
    ends: { done: /Your password is changed/ },
    open: (cell) => openArea(cell, '/Account/Security', 'Change password'),
  },
  {
    section,
    name: 'devices',
    has,
    ends: { done: /You are signed out everywhere else|You are signed in nowhere else/ },
    async open(cell) {
      const elsewhere = new Browser(cell.ground.service())
      await elsewhere.signIn({ username: cell.person, password })
      return openArea(cell, '/Account/Devices', 'Sign out everywhere else')
    },
  },
  {
    section,
    name: 'applications',
    has,
    ends: { done: /The access is removed|No application uses your account/ },
    async open(cell) {
      await allow(cell)
      return openArea(cell, '/Account/Applications', 'Remove access')
    },
  },
  {
    section,
    name: 'profile',
    has,
    ends: { done: /Your profile is saved/ },
    open: (cell) => openArea(cell, '/Account/Profile', 'Save'),
  },
]

/** What the templates of a service print, and a person who uses what is made of it in Chromium. */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { type Browser as Chromium, expect } from '@playwright/test'
import type { Setup } from '../../src/protocol/templates/template.ts'
import { adminProgram } from '../support/admin.ts'
import { password, type TestService } from '../support/service.ts'
import { clientsFolder } from './programs.ts'

/** A folder for one test file, below the packages of the programs, where imports find them and nothing is versioned. */
export const printedFolder = (name: string): string => `${clientsFolder}node_modules/.latchkey-${name}/`

/** Templates that other files of this folder run; `templates.long.test.ts` runs the rest. */
export const ranElsewhere = {
  nextjs: 'nextjs-authjs',
  tools: 'mcp-server',
  flask: 'flask-authlib',
  rails: 'rails-omniauth',
} as const

export type Printed = { readonly secret: string; readonly code: string; readonly setup: Setup }

/** Registers a client of the template, with the template's name as its id. */
export async function printedFor(service: TestService, id: string, more: object = {}): Promise<Printed> {
  const { status, body } = await (await adminProgram(service)).post('/clients', {
    client_id: id,
    template: id,
    ...more,
  })
  assert.equal(status, 201, JSON.stringify(body))
  return { secret: String(body.client_secret), code: String(body.setup.code), setup: body.setup }
}

/** The variables of the file that is printed beside the code. */
export const variablesOf = ({ environment }: Setup): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (environment?.code ?? '').split('\n').map((line) => [line.split('=', 1)[0], line.slice(line.indexOf('=') + 1)]),
  )

/** Signs alice in and out at the application of a page: of the application, and of the service. */
export async function useInBrowser(
  t: TestContext,
  { browser, service, origin }: { readonly browser: Chromium; readonly service: TestService; readonly origin: string },
  whileSignedIn: (get: (address: string) => Promise<unknown>) => Promise<void> = async () => {},
): Promise<void> {
  const context = await browser.newContext()
  t.after(() => context.close())
  const tab = await context.newPage()
  const problems: string[] = []
  tab.on('pageerror', (error) => problems.push(String(error)))
  const get = async (address: string): Promise<unknown> => (await context.request.get(address)).json()
  await tab.goto(origin)
  await tab.getByRole('button', { name: 'Sign in', exact: true }).click()
  await tab.getByRole('textbox', { name: 'Username' }).fill('alice')
  await tab.getByLabel('Password').fill(password)
  await tab.getByRole('button', { name: 'Sign in', exact: true }).click()
  await tab.getByRole('button', { name: 'Allow' }).click()
  await expect(tab.getByText(/alice <?alice@example\.com/))
    .toBeVisible({ timeout: 60_000 })
    .catch((error) => assert.fail(`${error}\n${problems.join('\n')}`))
  await whileSignedIn(get)
  await tab.getByRole('button', { name: 'Sign out' }).click()
  await tab.waitForURL(`${service.issuer}**`)
  await tab.getByRole('button', { name: 'Sign out' }).click()
  await tab.waitForURL(`${origin}/**`)
  await expect(tab.getByText('Signed out')).toBeVisible({ timeout: 60_000 })
  assert.deepEqual(await get(`${service.issuer}Account/Session`), { user: null })
  assert.deepEqual(problems, [])
}

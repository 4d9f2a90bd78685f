/** Every kind of error page leads on: by its own button, after a reload, and when one went away and came back. */
import { walk } from './dead-end.ts'
import { expect, signIn } from './fixtures.ts'
import { isAccountCell } from './no-dead-ends-account-matrix.ts'
import { accountRows } from './no-dead-ends-account-rows.ts'
import { arrivalSteps, recoverySteps, registrationSteps } from './no-dead-ends-account-steps.ts'
import { areaSteps } from './no-dead-ends-area-steps.ts'
import { disturbances } from './no-dead-ends-disturbances.ts'
import { type Cell, startAtClient, test } from './no-dead-ends-ground.ts'
import { isCell, travellers } from './no-dead-ends-matrix.ts'
import { accountSections, expectations, expectedOutcome, outcomeOf, type Section } from './no-dead-ends-outcomes.ts'
import { choiceSteps, enrolmentSteps, factorSteps, missingDetailsSteps } from './no-dead-ends-sign-in-steps.ts'
import { steps } from './no-dead-ends-steps.ts'

test.use({ expectedErrors: /status of|ERR_/ })

/** Brings the page there; a heading tells that it is. */
type ErrorPage = { readonly name: string; readonly heading: string; readonly open: (cell: Cell) => Promise<void> }

const opened =
  (address: (cell: Cell) => string) =>
  async (cell: Cell): Promise<void> => {
    await startAtClient(cell, address(cell))
    await cell.page.getByRole('link', { name: 'Begin' }).click()
  }

const errorPages: readonly ErrorPage[] = [
  {
    name: 'unknown client',
    heading: 'This request is not known here',
    open: opened(({ request }) => request({ client_id: 'nobody' })),
  },
  {
    name: 'redirect address not registered',
    heading: 'We stopped for your safety',
    open: opened(({ request }) => request({ redirect_uri: 'https://elsewhere.example/' })),
  },
  {
    name: 'request without parameters',
    heading: 'Something is missing from this link',
    open: opened(() => '/connect/authorize'),
  },
  {
    name: 'sign-out address not registered',
    heading: 'This request is not known here',
    open: opened(
      ({ clientId }) =>
        `/connect/logout?client_id=${clientId}&post_logout_redirect_uri=https%3A%2F%2Felsewhere.example`,
    ),
  },
  { name: 'page not found', heading: 'Page not found', open: opened(() => '/nothing') },
  { name: 'endpoint not found', heading: 'Page not found', open: opened(() => '/connect/nothing') },
  {
    name: 'provider answers nonsense',
    heading: 'The other service did not answer',
    async open(cell) {
      await opened(({ request }) => request())(cell)
      cell.ground.github.behaviour = 'nonsense'
      await cell.page.getByRole('button', { name: 'Continue with GitHub' }).click()
    },
  },
  {
    name: "provider's answer comes twice",
    heading: 'Please start again',
    async open(cell) {
      await opened(({ request }) => request())(cell)
      cell.ground.github.behaviour = 'asks'
      await cell.page.getByRole('button', { name: 'Continue with GitHub' }).click()
      await cell.page.getByRole('link', { name: 'Authorize' }).click()
      await expect(cell.page.getByRole('button', { name: 'Create account' })).toBeVisible()
      await cell.page.goBack()
      await cell.page.getByRole('link', { name: 'Authorize' }).click()
    },
  },
  {
    name: 'posted form refused',
    heading: 'This request could not be completed',
    async open(cell) {
      await opened(() => `/Account/Login?ReturnUrl=/${'a'.repeat(16_384)}`)(cell)
      await signIn(cell.page, cell.person)
    },
  },
]

const ways: Readonly<Record<string, (cell: Cell) => Promise<unknown>>> = {
  'its button': async () => {},
  reloaded: ({ page }) => page.reload(),
  'back and forward': async ({ page }) => {
    await page.goBack()
    await page.goForward()
  },
}

for (const { name, heading, open } of errorPages) {
  for (const [way, go] of Object.entries(ways)) {
    test(`error page, ${name}, ${way}: no dead end`, async ({ cell }) => {
      await open(cell)
      await expect(cell.page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
      await go(cell)
      const outcome = outcomeOf(await walk(cell.page, travellers(cell)))
      expect(outcome).toBe(expectedOutcome('Error pages', name, way))
    })
  }
}

const cells = disturbances.flatMap((row) => steps.filter((step) => isCell(row, step))).length
const errorCells = errorPages.length * Object.keys(ways).length
const accountSteps = [
  registrationSteps,
  arrivalSteps,
  recoverySteps,
  factorSteps,
  choiceSteps,
  enrolmentSteps,
  missingDetailsSteps,
  areaSteps,
].flat()
const accountCells = accountRows.flatMap((row) => accountSteps.filter((step) => isAccountCell(row, step))).length
const all = cells + errorCells + accountCells

const outcomes = Object.values(expectations.cells)
  .flatMap((pages) => Object.values(pages))
  .flatMap((events) => Object.values(events))

/** Pages with what can happen there, in order. */
const cellsOf = (section: Section) =>
  Object.entries(expectations.cells[section]).map(([page, events]) => [page, Object.keys(events)])

test(`${all} cells, 0 dead ends: these have an outcome and no others`, () => {
  for (const section of accountSections) {
    expect(cellsOf(section)).toEqual(
      accountSteps
        .filter((step) => step.section === section)
        .map((step) => [step.name, accountRows.filter((row) => isAccountCell(row, step)).map(({ name }) => name)]),
    )
  }
  expect(cellsOf('What happens, and where')).toEqual(
    steps.map((step) => [step.name, disturbances.filter((row) => isCell(row, step)).map(({ name }) => name)]),
  )
  expect(cellsOf('Error pages')).toEqual(errorPages.map(({ name }) => [name, Object.keys(ways)]))
  expect(outcomes).toHaveLength(all)
})

test('every outcome, and every message on the way, is one that is explained', () => {
  const used = outcomes.map((outcome) => outcome.split(' → '))
  const told = used.flatMap((parts) => parts.slice(0, -1))
  const ends = used.map((parts) => parts.at(-1))
  expect([...new Set(told)].sort()).toEqual(Object.keys(expectations.messages).sort())
  expect([...new Set(ends)].sort()).toEqual(Object.keys(expectations.outcomes).sort())
})

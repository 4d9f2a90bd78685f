/** Runs cells of the matrix and compares each with no-dead-ends.yaml, so that what is written there stays true. */
import { uuidv7 } from '../../src/secrets/opaque.ts'
import { walk } from './dead-end.ts'
import { expect, type Page } from './fixtures.ts'
import { type Disturbance, disturbances } from './no-dead-ends-disturbances.ts'
import { type Cell, test } from './no-dead-ends-ground.ts'
import { expectedOutcome, outcomeOf } from './no-dead-ends-outcomes.ts'
import { type Step, steps } from './no-dead-ends-steps.ts'

/** Registers a test for every cell of the columns that begin with one of these words. */
export function testCells(...columns: readonly string[]): void {
  // What a browser writes to its console when it meets what these rows do to it.
  test.use({ expectedErrors: /status of|ERR_/ })
  for (const step of steps.filter(({ name }) => columns.some((column) => name.startsWith(column)))) {
    for (const disturbance of disturbances.filter((row) => isCell(row, step))) {
      test(`${step.name}, ${disturbance.name}: no dead end`, async ({ cell }) => {
        if (step.consented) await allow(cell)
        await step.open(cell)
        await disturbance.happens(cell)
        const outcome = await (disturbance.tenTabs ? walkTenTabs : walkOne)(cell, disturbance)
        expect(outcome).toBe(expectedOutcome('What happens, and where', step.name, disturbance.name))
      })
    }
  }
}

export const isCell = (row: Disturbance, step: Step): boolean => row.at?.(step) !== false

async function walkOne(cell: Cell, { mend, pressed, clicks }: Disturbance): Promise<string> {
  const arrival = await walk(cell.page, {
    ...travellers(cell),
    mend: mend && (() => mend(cell)),
    pressed: pressed && (() => pressed(cell)),
    clicks: clicks ?? 1,
  })
  if (arrival.state !== null) expect(arrival.state).toBe('state-1')
  return outcomeOf(arrival)
}

/** Opens the page in nine more tabs. One is used to its end, then the others; or all of them at once. */
async function walkTenTabs(cell: Cell, { tenTabs }: Disturbance): Promise<string> {
  const { page } = cell
  const address = page.url()
  const states = Array.from({ length: 9 }, (_, index) => (tenTabs === 'same' ? 'state-1' : `state-${index + 2}`))
  const others = await Promise.all(
    states.map(async (state) => {
      const other = await page.context().newPage()
      await other.goto(address.replaceAll('state-1', state))
      return { page: other, state }
    }),
  )
  const arrive = async (tab: { page: Page; state: string }): Promise<string> => {
    const arrival = await walk(tab.page, travellers(cell))
    if (arrival.state !== null) expect(arrival.state).toBe(tab.state)
    return outcomeOf(arrival)
  }
  const first = { page, state: 'state-1' }
  const outcomes =
    tenTabs === 'same'
      ? [await arrive(first), ...(await Promise.all(others.map(arrive)))]
      : await Promise.all([first, ...others].map(arrive))
  // How many had to be told something depends on which was fastest; where they end does not.
  return [...new Set(outcomes.map((outcome) => outcome.split(' → ').at(-1)))].sort().join(' or ')
}

/** Who walks: the person of the cell, and somebody else for when that account has gone. */
export function travellers({ ground, person, other }: Cell) {
  return { client: ground.site, people: [person, other] }
}

/** The person has allowed this client what it asks for before. */
async function allow({ ground, person, clientId }: Cell): Promise<void> {
  const { now, storage } = ground.service()
  const user = await storage.users.findByName(person)
  const createdAtMs = now()
  await storage.authorizations.store({
    id: uuidv7(createdAtMs),
    userId: user?.id ?? '',
    clientId,
    scopes: ['openid'],
    createdAtMs,
  })
}

/** Runs cells of the matrix of accounts and compares each with no-dead-ends.yaml. */
import { walk } from './dead-end.ts'
import { expect } from './fixtures.ts'
import { type AccountStep, answer, knownBy } from './no-dead-ends-account.ts'
import { type AccountRow, accountRows } from './no-dead-ends-account-rows.ts'
import { test } from './no-dead-ends-ground.ts'
import { expectedOutcome, outcomeOf } from './no-dead-ends-outcomes.ts'

export const isAccountCell = (row: AccountRow, step: AccountStep): boolean => row.at?.(step) !== false

/** Registers a test for every cell of these columns. */
export function testAccountCells(steps: readonly AccountStep[], env: Readonly<Record<string, string>> = {}): void {
  test.use({
    groundEnv: { Accounts__Registration: 'open', Mail__Url: 'file:/nowhere', ...env },
    // What a browser writes to its console when it meets what these rows do to it.
    expectedErrors: /status of|ERR_/,
  })
  for (const step of steps) {
    test.describe(() => {
      // An authenticator that was plugged in stays.
      test.use({ ownPage: step.has.has('passkey') })
      for (const row of accountRows.filter((one) => isAccountCell(one, step))) {
        test(`${step.name}, ${row.name}: no dead end`, async ({ cell }) => {
          const known = knownBy(cell, step)
          const address = (await step.open(cell, known)) ?? cell.page.url()
          await row.happens(cell, known, address, step)
          const { mend, pressed } = row
          const arrival = await walk(cell.page, {
            client: cell.ground.site,
            people: [],
            mend: mend && (() => mend(cell, known)),
            pressed: pressed && (() => pressed(cell)),
            clicks: row.clicks ?? 1,
            answer: (look) => answer(cell, known, look),
            ...(step.ends && { ends: step.ends }),
          })
          if (arrival.state !== null) expect(arrival.state).toBe('state-1')
          expect(outcomeOf(arrival)).toBe(expectedOutcome(step.section, step.name, row.name))
        })
      }
    })
  }
}

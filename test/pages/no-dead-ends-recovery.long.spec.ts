/** Whatever happens on the way back into an account, the next button leads on. */

import { testAccountCells } from './no-dead-ends-account-matrix.ts'
import { recoverySteps } from './no-dead-ends-account-steps.ts'

testAccountCells(recoverySteps)

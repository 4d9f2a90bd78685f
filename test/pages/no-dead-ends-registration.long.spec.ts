/** Whatever happens on the way into an account, the next button leads on. */

import { testAccountCells } from './no-dead-ends-account-matrix.ts'
import { registrationSteps } from './no-dead-ends-account-steps.ts'

testAccountCells(registrationSteps)

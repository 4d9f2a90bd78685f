/** Whatever happens to an invitation and to a first passkey, the next button leads on. */
import { testAccountCells } from './no-dead-ends-account-matrix.ts'
import { arrivalSteps } from './no-dead-ends-account-steps.ts'

testAccountCells(arrivalSteps)

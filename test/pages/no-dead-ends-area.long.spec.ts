/** Whatever happens in the account area, the next button leads on. */
import { testAccountCells } from './no-dead-ends-account-matrix.ts'
import { areaSteps } from './no-dead-ends-area-steps.ts'

testAccountCells(areaSteps)

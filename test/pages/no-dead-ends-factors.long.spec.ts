/** Whatever happens between the password and the session, or in its place, the next button leads on. */
import { testAccountCells } from './no-dead-ends-account-matrix.ts'
import { choiceSteps, factorSteps } from './no-dead-ends-sign-in-steps.ts'

testAccountCells([...factorSteps, ...choiceSteps])

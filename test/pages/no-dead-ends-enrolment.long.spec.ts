/** Whatever happens while a sign-in sets up a second factor, the next button leads on. */
import { testAccountCells } from './no-dead-ends-account-matrix.ts'
import { enrolmentSteps } from './no-dead-ends-sign-in-steps.ts'

testAccountCells(enrolmentSteps, { Accounts__SecondFactor: 'required' })

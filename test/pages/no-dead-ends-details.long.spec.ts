/** Whatever happens while a sign-in asks for what has become required, the next button leads on. */
import { testAccountCells } from './no-dead-ends-account-matrix.ts'
import { missingDetailsSteps } from './no-dead-ends-sign-in-steps.ts'

// A service of its own: everybody there has to fill in the field.
testAccountCells(missingDetailsSteps, { OAuth__AccessTokenLifetime: '301' })

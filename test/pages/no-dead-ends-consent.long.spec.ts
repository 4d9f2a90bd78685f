/** Whatever happens between the provider, the account and the consent, the next button leads on (specification 4.1, 4.7). */
import { testCells } from './no-dead-ends-matrix.ts'

testCells('consent page', 'account confirmation', 'at the provider')

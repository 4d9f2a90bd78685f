/** Whatever happens while a person signs in or out, the next button leads on (specification 4.9, 5.5). */
import { testCells } from './no-dead-ends-matrix.ts'

testCells('login page', 'sign-out page', 'authorization endpoint', 'prompt=none')

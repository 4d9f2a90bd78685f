/** `/doctor`: what is wrong with the installation, and how to fix it. */

import { type Operation, operation } from './operation.ts'
import { named, strictObject } from './schemas.ts'
import { Type } from './type.ts'

const findingSchema = named(
  'Finding',
  strictObject({
    check: Type.String({ description: 'What was checked, such as `database`.' }),
    status: Type.Enum(['ok', 'note', 'warning', 'failed']),
    message: Type.String({ description: 'One sentence.' }),
    advice: Type.String({ description: 'How to fix it; empty if nothing needs fixing.' }),
  }),
)

export const doctorOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/doctor',
    permission: 'admin:read',
    summary: 'Checks settings, database, keys, clock, mail and outgoing requests, as `latchkey doctor --json` does',
    status: 200,
    answer: Type.Array(findingSchema),
    async run({ service }) {
      return { body: await service.doctor() }
    },
  }),
]

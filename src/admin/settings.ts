/** `/settings`: what is in force. Read-only: settings live in files and the environment. */

import { settingSources } from '../settings/read.ts'
import { type Operation, operation } from './operation.ts'
import { named, strictObject } from './schemas.ts'
import { Type } from './type.ts'

const settingSchema = named(
  'Setting',
  strictObject({
    name: Type.String(),
    value: Type.Unknown({ description: 'As written; null: there is none, or it is a secret.' }),
    source: Type.Enum(['default', 'file', 'environment']),
    secret: Type.Boolean(),
    default: Type.Union([Type.String(), Type.Null()], { description: 'As written; null: there is none.' }),
    type: Type.String({ description: 'What a value is, such as `seconds`; in English.' }),
    unit: Type.Union([Type.String(), Type.Null()], { description: 'Of a number.' }),
    meaning: Type.String({ description: 'In English, with code and links as in Markdown.' }),
    needs_restart: Type.Boolean({ description: 'Whether a running service cannot take on another value.' }),
  }),
)

export const settingOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/settings',
    permission: 'admin:read',
    summary: 'Returns the settings in force and where each value came from; secrets are hidden',
    status: 200,
    answer: strictObject({ issuer: Type.String(), items: Type.Array(settingSchema), next: Type.Null() }),
    async run({ service }) {
      const { settings } = service
      return { body: { issuer: settings.oauth.issuer, items: settingSources(settings), next: null } }
    },
  }),
]

/** `GET /attention`: what an operator should see to. */
import { keyRecord } from '../keys/lifecycle.ts'
import { signingKeysWithoutSuccessor } from '../keys/without-successor.ts'
import { mailRecord } from '../mail/mail-record.ts'
import { consoleClientId } from '../protocol/client/client.ts'
import { largestAuditPage } from '../storage/port/audit.ts'
import { keySchema } from './keys.ts'
import { mailSchema } from './mails.ts'
import { type Call, type Operation, operation } from './operation.ts'
import { named, strictObject } from './schemas.ts'
import { Type } from './type.ts'

/** Of mails and of applications. */
const shownAtMost = 5
/** Failed mails. */
const countedAtMost = 500
/** Applications with refused requests that are looked up. */
const clientsAtMost = 100
const dayMs = 86_400_000

const count = Type.Integer({ minimum: 0, description: 'Of all, those in `items` included.' })

const failedMailsSchema = named(
  'FailedMails',
  strictObject({
    items: Type.Array(mailSchema, { description: `The newest ${shownAtMost}.` }),
    count,
    exact: Type.Boolean({ description: `False: there are more than ${countedAtMost}.` }),
  }),
)

const refusedClientsSchema = named(
  'RefusedClients',
  strictObject({
    items: Type.Array(
      strictObject({ client_id: Type.String(), client_name: Type.String(), refusals: Type.Integer({ minimum: 1 }) }),
      { description: `The ${shownAtMost} with the most refusals.` },
    ),
    count,
    exact: Type.Boolean({
      description: `False: there were more than ${largestAuditPage} refusals, of which the newest are counted, or more than ${clientsAtMost} applications.`,
    }),
  }),
)

const attentionSchema = named(
  'Attention',
  strictObject({
    mails: failedMailsSchema,
    keys: Type.Array(keySchema, {
      description:
        'Active signing keys without a successor that end within 14 days, or that `Keys:RotateEvery` should have replaced.',
    }),
    clients: refusedClientsSchema,
  }),
)

export const attentionOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/attention',
    permission: 'admin:read',
    summary:
      'Returns what needs attention: mails that could not be delivered, keys without a successor, and applications whose requests were refused in the last 24 hours, without the console',
    status: 200,
    answer: attentionSchema,
    async run(call) {
      const [mails, keys, clients] = await Promise.all([failedMails(call), endingKeys(call), refusedClients(call)])
      return { body: { mails, keys, clients } }
    },
  }),
]

async function failedMails({ service: { storage } }: Call) {
  const newest = { after: undefined, limit: countedAtMost + 1, order: 'newest' } as const
  const rows = await storage.mails.page(newest, 'failed')
  return {
    items: rows.slice(0, shownAtMost).map(mailRecord),
    count: Math.min(rows.length, countedAtMost),
    exact: rows.length <= countedAtMost,
  }
}

async function endingKeys({ service: { storage, settings }, nowMs }: Call) {
  const ring = await storage.keys.list()
  const everyMs = settings.keys.rotateEverySeconds * 1000
  return signingKeysWithoutSuccessor(ring, everyMs, nowMs).map((key) => keyRecord(key, ring, nowMs))
}

async function refusedClients({ service: { storage }, nowMs }: Call) {
  const filter = { kind: 'refusal', sinceMs: nowMs - dayMs }
  const { entries, next } = await storage.audit.page(filter, undefined, largestAuditPage)
  const refusals = new Map<string, number>()
  for (const { clientId } of entries) {
    if (clientId !== null && clientId !== consoleClientId) refusals.set(clientId, (refusals.get(clientId) ?? 0) + 1)
  }
  const most = [...refusals].sort(([, a], [, b]) => b - a).slice(0, clientsAtMost)
  const found = await Promise.all(
    most.map(async ([id, times]) => {
      const client = await storage.clients.find(id)
      return client && { client_id: id, client_name: client.name, refusals: times }
    }),
  )
  // One that was deleted since has nothing to mend.
  const registered = found.filter((one) => one !== undefined)
  return {
    items: registered.slice(0, shownAtMost),
    count: registered.length,
    exact: next === undefined && refusals.size <= clientsAtMost,
  }
}

/** `/mail`: what the service sends to people. */

import { mailRecord } from '../mail/mail-record.ts'
import { refuse } from '../protocol/refusals/index.ts'
import { listedFrom } from './list.ts'
import { type Call, type Operation, type Outcome, operation } from './operation.ts'
import { checkUser } from './permissions.ts'
import { listQuery, named, nullable, pageSchema, strictObject, time } from './schemas.ts'
import { Type } from './type.ts'
import { overMailLimit } from './user-facts.ts'

const mailSchema = named(
  'Mail',
  strictObject({
    id: Type.String(),
    to: Type.String(),
    purpose: Type.String(),
    state: Type.Enum(['queued', 'sent', 'failed']),
    attempts: Type.Integer(),
    next_at: nullable(time()),
    error: nullable(Type.String()),
    created_at: time(),
  }),
)

export const mailOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/mail',
    permission: 'admin:users:read',
    summary: 'Lists the newest 1,000 mails, oldest first',
    query: listQuery({}),
    status: 200,
    answer: pageSchema(mailSchema),
    async run(call) {
      const mails = (await call.service.storage.mails.list()).sort((a, b) => (a.id < b.id ? -1 : 1))
      return listedFrom(call, mails, ({ id }) => id, mailRecord)
    },
  }),
  operation({
    method: 'POST',
    path: '/mail/:id/retry',
    permission: 'admin:users',
    summary: 'Queues a failed mail again',
    status: 200,
    answer: mailSchema,
    refusals: [404, 409, 429],
    run: retry,
  }),
]

async function retry(call: Call): Promise<Outcome> {
  const { mails, users } = call.service.storage
  const id = call.params.id ?? ''
  const found = await mails.find(id)
  if (found === undefined) return refuse('admin_record_unknown', 'mail', { id })
  const { userId, purpose } = found
  const owner = userId === null ? undefined : await users.find(userId)
  const exceeding = owner && checkUser(call.caller, owner)
  if (exceeding !== undefined) return exceeding
  const limited = found.state === 'failed' ? await overMailLimit(call, found.to, 'link') : undefined
  if (limited !== undefined) return limited
  const event = call.event('mail_retried', { userId: userId ?? undefined }, { mail: id, purpose })
  if (!(await mails.retry(id, call.nowMs, [event]))) return refuse('admin_mail_settled')
  return { body: mailRecord((await mails.find(id)) ?? found) }
}

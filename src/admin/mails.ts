/** `/mail`: what the service sends to people. */

import { mailFailures } from '../mail/mail-failures.ts'
import { isNotice, mailRecord } from '../mail/mail-record.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import type { MailRecord } from '../storage/port/mails.ts'
import { subjectOf } from '../users/confirmation.ts'
import { listed, pageOf } from './list.ts'
import { type Call, type Operation, type Outcome, operation } from './operation.ts'
import { checkRoles, checkUser } from './permissions.ts'
import { listQuery, named, nullable, order, pageSchema, strictObject, time } from './schemas.ts'
import { Type } from './type.ts'
import { overMailLimit } from './user-facts.ts'

const states = ['queued', 'sent', 'failed'] as const

export const failureSchema = nullable(
  Type.Enum([...mailFailures], { description: 'Why the last attempt failed; null: it did not.' }),
)

export const mailSchema = named(
  'Mail',
  strictObject({
    id: Type.String(),
    to: Type.String(),
    user_id: nullable(
      Type.String({ description: 'The person it is about; null: it is about no one who has an account.' }),
    ),
    purpose: Type.String(),
    notice: Type.Boolean({
      description: 'Whether it tells the owner of an account what happened to it; it cannot be withdrawn.',
    }),
    state: Type.Enum([...states]),
    attempts: Type.Integer(),
    next_at: nullable(time()),
    failure: failureSchema,
    error: nullable(Type.String({ description: 'The same in the words of the mail server.' })),
    created_at: time(),
    ends_at: time('From when on it is not sent any more.'),
  }),
)

export const mailOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/mail',
    permission: 'admin:users:read',
    summary: 'Lists the mails of the last days, oldest first',
    query: listQuery({ state: Type.Optional(Type.Enum([...states])), order: Type.Optional(order) }),
    status: 200,
    answer: pageSchema(mailSchema),
    async run(call) {
      const page = pageOf(call)
      if ('faults' in page) return page
      const { state, order = 'oldest' } = call.query
      const { after, limit } = page
      const rows = await call.service.storage.mails.page({ after, limit: limit + 1, order }, state)
      return listed(call, page, rows, ({ id }) => id, mailRecord)
    },
  }),
  operation({
    method: 'POST',
    path: '/mail/:id/retry',
    permission: 'admin:users',
    summary: 'Sends a failed mail again, or one that waits for its next attempt, now',
    status: 200,
    answer: mailSchema,
    refusals: [404, 409, 429],
    run: retry,
  }),
  operation({
    method: 'DELETE',
    path: '/mail/:id',
    permission: 'admin:users',
    summary: 'Withdraws a mail with a link or a code that waits: it is not sent',
    status: 204,
    refusals: [404, 409],
    run: withdraw,
  }),
]

/** Finds the mail of the path, which is about nobody who has more permissions than the caller, or would have by an invitation. */
async function changeableMail({ service: { storage }, params, caller }: Call): Promise<MailRecord | Refusal> {
  const { id = '' } = params
  const found = await storage.mails.find(id)
  if (found === undefined) return refuse('admin_record_unknown', 'mail', { id })
  if (found.purpose === 'invite') {
    const details = (await storage.invitations.ofSubject(subjectOf(found.to)))?.details
    const exceeding = details?.mailId === id ? checkRoles(caller, [], details.roles ?? []) : undefined
    if (exceeding !== undefined) return exceeding
  }
  const owner = found.userId === null ? undefined : await storage.users.find(found.userId)
  return (owner && checkUser(caller, owner)) ?? found
}

async function retry(call: Call): Promise<Outcome> {
  const { mails } = call.service.storage
  const found = await changeableMail(call)
  if (isRefusal(found)) return found
  const { id, userId, purpose, state } = found
  const limited = state === 'sent' ? undefined : await overMailLimit(call, found.to, 'link')
  if (limited !== undefined) return limited
  const event = call.event('mail_retried', { userId: userId ?? undefined }, { mail: id, purpose })
  if (!(await mails.retry(id, call.nowMs, [event]))) return refuse('admin_mail_settled')
  return { body: mailRecord((await mails.find(id)) ?? found) }
}

async function withdraw(call: Call): Promise<Outcome> {
  const { mails } = call.service.storage
  const found = await changeableMail(call)
  if (isRefusal(found)) return found
  if (isNotice(found)) return refuse('admin_mail_kept')
  const { id, userId, purpose } = found
  const event = call.event('mail_withdrawn', { userId: userId ?? undefined }, { mail: id, purpose })
  return (await mails.withdraw(id, call.nowMs, [event])) ? {} : refuse('admin_mail_settled')
}

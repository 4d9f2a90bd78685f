/** `/mail` and `/invitations`: what the service sends to people. */
import Type from 'typebox'
import { mailRecord } from '../mail/mail-record.ts'
import { invitation } from '../mail/operator-mails.ts'
import { refuse } from '../protocol/refusals/index.ts'
import { invitationProblems } from '../users/registration.ts'
import { sortedSet } from '../users/roles.ts'
import { isoTime } from '../users/user-record.ts'
import { listedFrom } from './list.ts'
import { type Call, type Operation, type Outcome, operation } from './operation.ts'
import { checkRoles, checkUser } from './permissions.ts'
import { listQuery, named, nullable, pageSchema, strictObject, text, time } from './schemas.ts'
import { faultsOf, overMailLimit } from './user-facts.ts'

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

const roles = Type.Array(Type.String(), { maxItems: 1000 })

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
  operation({
    method: 'POST',
    path: '/invitations',
    permission: 'admin:users',
    summary: 'Sends a link with which a person creates an account that has the roles',
    body: named('NewInvitation', strictObject({ email: text(400), roles: Type.Optional(roles) })),
    status: 201,
    answer: named('Invitation', strictObject({ email: Type.String(), roles, expires_at: time() })),
    refusals: [409, 429],
    run: invite,
  }),
]

async function retry(call: Call): Promise<Outcome> {
  const { mails, users } = call.service.storage
  const id = call.params.id ?? ''
  const found = await mails.find(id)
  if (found === undefined) return refuse('admin_record_unknown', 'mail', { id })
  const { userId, purpose } = found
  const owner = userId === null ? undefined : await users.find(userId)
  const exceeding = owner && checkUser(call.caller.permissions, owner)
  if (exceeding !== undefined) return exceeding
  const limited = found.state === 'failed' ? await overMailLimit(call, found.to, 'link') : undefined
  if (limited !== undefined) return limited
  const event = call.event('mail_retried', { userId: userId ?? undefined }, { mail: id, purpose })
  if (!(await mails.retry(id, call.nowMs, [event]))) return refuse('admin_mail_settled')
  return { body: mailRecord((await mails.find(id)) ?? found) }
}

async function invite(
  call: Call<unknown, { readonly email: string; readonly roles?: readonly string[] }>,
): Promise<Outcome> {
  const { service, body, nowMs, caller } = call
  const { email } = body
  const given = sortedSet(body.roles ?? [])
  const conflicts = await service.storage.users.conflicts({ name: email, email })
  const problems = invitationProblems({ email, roles: given }, conflicts)
  if (problems.length > 0) return faultsOf(problems)
  const exceeding = checkRoles(caller.permissions, [], given)
  if (exceeding !== undefined) return exceeding
  if (!service.mail.enabled) return refuse('admin_mail_off')
  const limited = await overMailLimit(call, email, 'link')
  if (limited !== undefined) return limited
  const language = service.settings.pages.defaultLanguage
  const { confirmation, mail } = invitation({ email, roles: given }, nowMs, service.random, language)
  const asked = call.event('confirmation_asked', {}, { purpose: 'invite', mailed: true, roles: given })
  await service.storage.confirmations.put(confirmation, [service.mail.withMail(asked, mail)])
  return { body: { email, roles: given, expires_at: isoTime(confirmation.expiresAtMs) } }
}

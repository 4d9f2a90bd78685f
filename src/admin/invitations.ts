/** `/invitations`: links with which people create accounts, until they are used, withdrawn or at an end. */

import { standingOf } from '../mail/inviter.ts'
import { invitation, invitationLink } from '../mail/operator-mails.ts'
import { refuse } from '../protocol/refusals/index.ts'
import type { Confirmation } from '../users/confirmation.ts'
import { invitationProblems } from '../users/registration.ts'
import { sortedSet } from '../users/roles.ts'
import { isoTime } from '../users/user-record.ts'
import { senderIn } from './caller.ts'
import { listedFrom } from './list.ts'
import { type Call, type Operation, type Outcome, operation } from './operation.ts'
import { checkRoles } from './permissions.ts'
import { listQuery, named, nullable, pageSchema, strictObject, text, time } from './schemas.ts'
import { Type } from './type.ts'
import { faultsOf, overMailLimit } from './user-facts.ts'

const roles = Type.Array(Type.String(), { maxItems: 1000 })

const members = {
  id: Type.String(),
  email: Type.String(),
  roles,
  sent_by: nullable(Type.String({ description: 'The id of the person or of the client; null: the command line.' })),
  in_force: Type.Boolean({ description: 'Whether whoever sent it still has the rights to.' }),
  created_at: time(),
  expires_at: time(),
}
const invitationSchema = named('Invitation', strictObject(members))
const link = Type.String({ description: 'The link, shown once, if no mail was to be sent.' })
const madeInvitationSchema = named('MadeInvitation', strictObject({ ...members, link: Type.Optional(link) }))
const send = Type.Boolean({
  default: true,
  description: 'False: no mail is sent, and the answer has the link, which proves no address.',
})

export const invitationOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/invitations',
    permission: 'admin:users:read',
    summary: 'Lists the newest 1,000 invitations that nobody has used yet, oldest first',
    query: listQuery({}),
    status: 200,
    answer: pageSchema(invitationSchema),
    async run(call) {
      const open = await call.service.storage.confirmations.invitations(call.nowMs)
      const page = listedFrom(
        call,
        open,
        ({ id }) => id,
        (one) => one,
      )
      if ('faults' in page) return page
      const { items, next } = page.body as { readonly items: readonly Confirmation[]; readonly next: string | null }
      return { body: { items: await Promise.all(items.map((one) => shown(call, one))), next } }
    },
  }),
  operation({
    method: 'POST',
    path: '/invitations',
    permission: 'admin:users',
    summary: 'Sends or returns a link with which a person creates an account that has the roles',
    body: named(
      'NewInvitation',
      strictObject({ email: text(400), roles: Type.Optional(roles), send: Type.Optional(send) }),
    ),
    status: 201,
    answer: madeInvitationSchema,
    refusals: [409, 429],
    judge: async ({ body: { email, roles = [] } }) =>
      invitationProblems({ email: email ?? '', roles }, []).filter(
        ({ member }) => member !== 'email' || email !== undefined,
      ),
    run: invite,
  }),
  operation({
    method: 'DELETE',
    path: '/invitations/:id',
    permission: 'admin:users',
    summary: 'Withdraws an invitation: its link works no more',
    status: 204,
    refusals: [404],
    run: withdraw,
  }),
]

async function withdraw(call: Call): Promise<Outcome> {
  const { service, params, caller } = call
  const { id = '' } = params
  const found = (await service.storage.confirmations.find(id))?.confirmation
  if (found?.purpose !== 'invite') return refuse('admin_record_unknown', 'invitation', { id })
  const exceeding = checkRoles(caller, [], found.details.roles ?? [])
  if (exceeding !== undefined) return exceeding
  const event = call.event('invitation_withdrawn', {}, { roles: found.details.roles ?? [] })
  const isFirst = await service.storage.confirmations.remove(id, [event])
  return isFirst ? {} : refuse('admin_record_unknown', 'invitation', { id })
}

async function shown({ service }: Call, sent: Confirmation) {
  const { id, details, begunBy, createdAtMs, expiresAtMs } = sent
  return {
    id,
    email: details.email ?? '',
    roles: details.roles ?? [],
    sent_by: begunBy ?? details.sentBy ?? null,
    in_force: (await standingOf(service, sent)).stands,
    created_at: isoTime(createdAtMs),
    expires_at: isoTime(expiresAtMs),
  }
}

async function invite(
  call: Call<unknown, { readonly email: string; readonly roles?: readonly string[]; readonly send?: boolean }>,
): Promise<Outcome> {
  const { service, body, nowMs, caller } = call
  const { email, send: isMailed = true } = body
  const given = sortedSet(body.roles ?? [])
  const conflicts = await service.storage.users.conflicts({ name: email, email })
  const problems = invitationProblems({ email, roles: given }, conflicts)
  if (problems.length > 0) return faultsOf(problems)
  const exceeding = checkRoles(caller, [], given)
  if (exceeding !== undefined) return exceeding
  const about = { email, roles: given, ...senderIn(caller) }
  const asked = call.event('confirmation_asked', {}, { purpose: 'invite', mailed: isMailed, roles: given })
  if (!isMailed) {
    const { confirmation, path } = invitationLink({ ...about, vouched: true }, nowMs, service.random)
    await service.storage.confirmations.put(confirmation, [asked])
    const body = { ...(await shown(call, confirmation)), link: new URL(path, service.settings.oauth.issuer).href }
    return { body, secrets: ['link'] }
  }
  if (!service.mail.enabled) return refuse('admin_mail_off')
  const limited = await overMailLimit(call, email, 'link')
  if (limited !== undefined) return limited
  const language = service.settings.pages.defaultLanguage
  const { confirmation, mail } = invitation(about, nowMs, service.random, language)
  await service.storage.confirmations.put(confirmation, [service.mail.withMail(asked, mail)])
  return { body: await shown(call, confirmation) }
}

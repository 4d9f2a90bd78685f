/** `/invitations`: links with which people create accounts, until they are used, withdrawn or at an end. */

import type { AuditEvent, AuditEvents } from '../audit/entry.ts'
import { standingOf } from '../mail/inviter.ts'
import { mailRecord } from '../mail/mail-record.ts'
import { carriedBy, invitation, invitationLink } from '../mail/operator-mails.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import { type Confirmation, invitationState, subjectOf } from '../users/confirmation.ts'
import { invitationProblems } from '../users/registration.ts'
import { sortedSet } from '../users/roles.ts'
import { isoTime } from '../users/user-record.ts'
import { senderIn } from './caller.ts'
import { ownerlessProblems } from './changing.ts'
import { cursorAfter, pageOf } from './list.ts'
import { failureSchema } from './mails.ts'
import { type Call, type Operation, type Outcome, operation } from './operation.ts'
import { checkRoles } from './permissions.ts'
import { listQuery, named, nullable, order, pageSchema, strictObject, text, time } from './schemas.ts'
import { Type } from './type.ts'
import { faultsOf, overMailLimit } from './user-facts.ts'

const roles = Type.Array(Type.String(), { maxItems: 1000 })

const states = ['waiting', 'opened', 'expired'] as const

const members = {
  id: Type.String(),
  email: Type.String(),
  roles,
  state: Type.Enum([...states], {
    description: '`opened`: the link was used, and the account is not created yet. `expired`: kept for 30 days.',
  }),
  sent_by: nullable(Type.String({ description: 'The id of the person or of the client; null: the command line.' })),
  sent_by_name: nullable(
    Type.String({
      description:
        'The user name, or the id of the client; null: it was sent by a command, or the sender no longer exists.',
    }),
  ),
  in_force: Type.Boolean({ description: 'Whether whoever sent it still has the rights to.' }),
  mail: Type.Union(
    [
      strictObject({
        id: Type.String(),
        state: Type.Enum(['queued', 'sent', 'failed']),
        next_at: nullable(time()),
        failure: failureSchema,
        error: nullable(Type.String()),
      }),
      Type.Null(),
    ],
    {
      description:
        'How its mail fared, as in `/mail`; null: the link was handed over, or the mail is not kept any more.',
    },
  ),
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
    summary: 'Lists unused invitations, oldest first unless `order` says otherwise',
    query: listQuery({ state: Type.Optional(Type.Enum([...states])), order: Type.Optional(order) }),
    status: 200,
    answer: pageSchema(invitationSchema),
    async run(call) {
      const page = pageOf(call)
      if ('faults' in page) return page
      const { state, order = 'oldest' } = call.query
      const { after, limit } = page
      const { invitations } = call.service.storage
      const rows = await invitations.page({ after, limit: limit + 1, order }, call.nowMs, state)
      const items = await Promise.all(rows.slice(0, limit).map((one) => shown(call, one)))
      const last = rows.length > limit ? items.at(-1) : undefined
      return { body: { items, next: last === undefined ? null : cursorAfter(call, last.id) } }
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
    summary: 'Withdraws an invitation: its link no longer works',
    status: 204,
    refusals: [404],
    run: withdraw,
  }),
  operation({
    method: 'POST',
    path: '/invitations/:id/send-again',
    permission: 'admin:users',
    summary: 'Sends or returns another link of an invitation, for seven days from now: the one before no longer works',
    body: named('InvitationAgain', strictObject({ send: Type.Optional(send) })),
    isBodyOptional: true,
    status: 200,
    answer: madeInvitationSchema,
    refusals: [404, 409, 429],
    run: sendAgain,
  }),
]

/** Finds the invitation of the path, which gives nothing that the caller does not have. */
async function changeable({ service, params, caller }: Call): Promise<Confirmation | Refusal> {
  const { id = '' } = params
  const found = (await service.storage.confirmations.find(id))?.confirmation
  if (found?.purpose !== 'invite') return unknown(id)
  return checkRoles(caller, [], rolesIn(found)) ?? found
}

const rolesIn = ({ details }: Confirmation): readonly string[] => details.roles ?? []
const unknown = (id: string): Refusal => refuse('admin_record_unknown', 'invitation', { id })

async function withdraw(call: Call): Promise<Outcome> {
  const found = await changeable(call)
  if (isRefusal(found)) return found
  const event = call.event('invitation_withdrawn', {}, { roles: rolesIn(found) })
  const isFirst = await call.service.storage.invitations.withdraw(found, call.nowMs, [event])
  return isFirst ? {} : unknown(found.id)
}

async function sendAgain(call: Call<unknown, { readonly send?: boolean } | undefined>): Promise<Outcome> {
  const { storage } = call.service
  const found = await changeable(call)
  if (isRefusal(found)) return found
  const { send: isMailed = true } = call.body ?? {}
  // Those of a client that is gone went with it.
  const ownerless = await storage.clientReferences.ownerlessAmong(rolesIn(found))
  const roles = rolesIn(found).filter((role) => !ownerless.includes(role))
  const event = call.event('invitation_sent_again', {}, { mailed: isMailed, roles })
  const put: Put = (next, events) => storage.invitations.sendAgain(found, next, call.nowMs, events)
  return (await made(call, { email: found.details.email ?? '', roles }, isMailed, event, put)) ?? unknown(found.id)
}

async function shown({ service, nowMs }: Call, sent: Confirmation) {
  const { id, details, begunBy, createdAtMs, expiresAtMs } = sent
  const [{ stands, inviter }, mail] = await Promise.all([
    standingOf(service, sent),
    details.mailId === undefined ? undefined : service.storage.mails.find(details.mailId),
  ])
  return {
    id,
    email: details.email ?? '',
    roles: details.roles ?? [],
    state: invitationState(sent, nowMs),
    sent_by: begunBy ?? details.sentBy ?? null,
    sent_by_name: inviter?.name ?? details.sentBy ?? null,
    in_force: stands,
    mail: mail === undefined ? null : fared(mailRecord(mail)),
    created_at: isoTime(createdAtMs),
    expires_at: isoTime(expiresAtMs),
  }
}

const fared = ({ id, state, next_at, failure, error }: ReturnType<typeof mailRecord>) => ({
  ...{ id, state, next_at, failure, error },
})

async function invite(
  call: Call<unknown, { readonly email: string; readonly roles?: readonly string[]; readonly send?: boolean }>,
): Promise<Outcome> {
  const { email, send: isMailed = true } = call.body
  const roles = sortedSet(call.body.roles ?? [])
  const event = call.event('confirmation_asked', {}, { purpose: 'invite', mailed: isMailed, roles })
  const { confirmations, invitations } = call.service.storage
  const former = await invitations.ofSubject(subjectOf(email))
  // It would replace that one, whose link would no longer work.
  const exceeding = former && checkRoles(call.caller, [], rolesIn(former))
  if (exceeding !== undefined) return exceeding
  const put: Put = async (next, events) => {
    await confirmations.put(next, events)
    return true
  }
  // An invitation that replaces none always succeeds.
  return (await made(call, { email, roles }, isMailed, event, put)) ?? {}
}

/** Stores an invitation. False: the one that it was to replace is gone. */
type Put = (confirmation: Confirmation, events: AuditEvents) => Promise<boolean>

/** Undefined: it was not stored. */
async function made(
  call: Call,
  { email, roles }: { readonly email: string; readonly roles: readonly string[] },
  isMailed: boolean,
  event: AuditEvent,
  put: Put,
): Promise<Outcome | undefined> {
  const { service, nowMs, caller } = call
  const { random, settings, mail: outgoing } = service
  const conflicts = await service.storage.users.conflicts({ name: email, email })
  const ownerless = await ownerlessProblems(call, 'roles', roles)
  const problems = [...invitationProblems({ email, roles }, conflicts), ...ownerless]
  if (problems.length > 0) return faultsOf(problems)
  const exceeding = checkRoles(caller, [], roles)
  if (exceeding !== undefined) return exceeding
  const about = { email, roles, ...senderIn(caller) }
  if (!isMailed) {
    const { confirmation, path } = invitationLink({ ...about, vouched: true }, nowMs, random)
    if (!(await put(confirmation, [event]))) return undefined
    const link = new URL(path, settings.oauth.issuer).href
    return { body: { ...(await shown(call, confirmation)), link }, secrets: ['link'] }
  }
  if (!outgoing.enabled) return refuse('admin_mail_off')
  const limited = await overMailLimit(call, email, 'link')
  if (limited !== undefined) return limited
  const sent = invitation(about, nowMs, random, settings.pages.defaultLanguage)
  const { confirmation, carrying } = carriedBy(outgoing, event, sent)
  if (!(await put(confirmation, [carrying]))) return undefined
  return { body: await shown(call, confirmation) }
}

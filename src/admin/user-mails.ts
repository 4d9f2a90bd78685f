/** Links that a person is sent, or handed: for a new password, and to confirm the address. */
import { addressFault, addressLink, recoveryLink, resetLink } from '../mail/operator-mails.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import { strangersSubject } from '../users/confirmation.ts'
import type { User } from '../users/user.ts'
import { isoTime } from '../users/user-record.ts'
import { senderIn } from './caller.ts'
import { type Call, type Operation, type Outcome, operation } from './operation.ts'
import { strictObject, time } from './schemas.ts'
import { Type } from './type.ts'
import { changeablePerson, overMailLimit } from './user-facts.ts'

const act = { method: 'POST', permission: 'admin:users', status: 200, refusals: [404] } as const
const mailedLink = strictObject({ email: Type.String(), expires_at: time() })

export const userMailOperations: readonly Operation[] = [
  operation({
    ...act,
    path: '/users/:id/send-reset',
    summary: 'Sends a link with which the person sets a new password',
    answer: mailedLink,
    refusals: [404, 409, 429],
    run: sendReset,
  }),
  operation({
    ...act,
    path: '/users/:id/reset-link',
    summary: 'Returns a link, once, with which somebody whom you have recognised sets a new password; earlier ones end',
    answer: strictObject({ link: Type.String(), expires_at: time() }),
    run: makeResetLink,
  }),
  operation({
    ...act,
    path: '/users/:id/send-confirmation',
    summary: 'Sends a link with which the person confirms the present address; an earlier one ends',
    answer: mailedLink,
    refusals: [404, 409, 429],
    run: sendConfirmation,
  }),
]

function sendReset(call: Call): Promise<Outcome> {
  return send(call, resetLink)
}

function sendConfirmation(call: Call): Promise<Outcome> {
  return send(call, addressLink, ({ emailConfirmed }) =>
    emailConfirmed ? refuse('admin_mail_confirmed', 'email') : undefined,
  )
}

async function send(
  call: Call,
  linkFor: typeof resetLink,
  check: (user: User) => Refusal | undefined = () => undefined,
): Promise<Outcome> {
  const { service, nowMs } = call
  const user = await changeablePerson(call)
  if (isRefusal(user)) return user
  if (!service.mail.enabled) return refuse('admin_mail_off')
  const rule = addressFault(user)
  if (rule !== undefined) return refuse('admin_mail_nowhere', 'email', { rule })
  const refused = check(user)
  if (refused !== undefined) return refused
  const limited = await overMailLimit(call, user.email, 'link')
  if (limited !== undefined) return limited
  const { confirmation, mail } = linkFor(user, nowMs, service.random, service.settings.pages.defaultLanguage)
  const { purpose } = confirmation
  const asked = call.event('confirmation_asked', { userId: user.id }, { purpose, mailed: true })
  const events = [service.mail.withMail(asked, mail)]
  await service.storage.confirmations.put(confirmation, events, strangersSubject(user.id))
  return { body: { email: user.email, expires_at: isoTime(confirmation.expiresAtMs) } }
}

async function makeResetLink(call: Call): Promise<Outcome> {
  const { service, nowMs } = call
  const user = await changeablePerson(call)
  if (isRefusal(user)) return user
  const { confirmation, path } = recoveryLink(user, senderIn(call.caller), nowMs, service.random)
  const details = { purpose: 'reset', mailed: false, vouched: true }
  const asked = call.event('confirmation_asked', { userId: user.id }, details)
  await service.storage.confirmations.put(confirmation, [asked], strangersSubject(user.id))
  const link = new URL(path, service.settings.oauth.issuer).href
  return { body: { link, expires_at: isoTime(confirmation.expiresAtMs) }, secrets: ['link'] }
}

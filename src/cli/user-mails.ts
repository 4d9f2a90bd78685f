/** The commands about links that people are sent: `invite`, `invitations`, `withdraw-invitation`, `send-reset` and `send-confirmation`. */
import type { Command } from 'commander'
import type { AuditEvents } from '../audit/entry.ts'
import { standingOf } from '../mail/inviter.ts'
import { addressFault, addressLink, carriedBy, invitation, invitationLink, resetLink } from '../mail/operator-mails.ts'
import { Refused } from '../server/refused.ts'
import { isoTime } from '../text.ts'
import { strangersSubject, subjectOf } from '../users/confirmation.ts'
import { invitationProblems } from '../users/registration.ts'
import { sortedSet } from '../users/roles.ts'
import { userRecord } from '../users/user-record.ts'
import { type CommandContext, collect, type Workspace, withStorage } from './context.ts'
import { mailOf } from './notices.ts'
import { requireOwners } from './role.ts'
import { requireUser } from './user-lookup.ts'

export function registerMails(leaf: (signature: string, about: string) => Command, context: CommandContext): void {
  leaf('invite <email>', 'send a link with which a person creates an account')
    .option('--role <name>', 'a role of the new account; repeatable', collect)
    .option('--link', 'print the link and send no mail: you hand it over')
    .action((email: string, { role: roles = [], link = false }: InviteOptions, command: Command) =>
      withStorage(context, command, async (workspace) => {
        await requireOwners(workspace.storage, roles)
        await (link ? inviteByLink : invite)(context, workspace, email, sortedSet(roles))
      }),
    )

  leaf('invitations', 'list the invitations that nobody has used yet, oldest first').action(
    (_options: unknown, command: Command) =>
      withStorage(context, command, (workspace) => listInvitations(context, workspace)),
  )

  leaf(
    'withdraw-invitation <invitation>',
    'withdraw an invitation, by its address or id: its link no longer works',
  ).action((named: string, _options: unknown, command: Command) =>
    withStorage(context, command, (workspace) => withdraw(context, workspace, named)),
  )

  leaf('send-reset <name>', 'send a link with which a person sets a new password').action(
    (name: string, _options, command: Command) =>
      withStorage(context, command, (workspace) => sendReset(context, workspace, name)),
  )

  leaf('send-confirmation <name>', 'send a link with which a person confirms the address').action(
    (name: string, _options, command: Command) =>
      withStorage(context, command, (workspace) => sendConfirmation(context, workspace, name)),
  )
}

type InviteOptions = { readonly role?: readonly string[]; readonly link?: boolean }

async function inviteByLink(
  context: CommandContext,
  { settings, storage, event, print }: Workspace,
  email: string,
  roles: readonly string[],
): Promise<void> {
  const problems = invitationProblems({ email, roles }, await storage.users.conflicts({ name: email, email }))
  if (problems.length > 0) throw Refused.because(problems)
  const { confirmation, path } = invitationLink({ email, roles, vouched: true }, context.clock(), context.random)
  const asked = event('confirmation_asked', {}, { purpose: 'invite', mailed: false, roles })
  await storage.confirmations.put(confirmation, [asked])
  const link = new URL(path, settings.oauth.issuer).href
  const until = isoTime(confirmation.expiresAtMs)
  const advice = `Give it to the owner of ${email} alone, in a way that nobody else reads. It works once, until ${until}:`
  print({ email, roles, link, expires_at: until }, `${advice}\n${link}`)
}

async function invite(
  context: CommandContext,
  workspace: Workspace,
  email: string,
  roles: readonly string[],
): Promise<void> {
  const { settings, storage, event, print } = workspace
  const problems = invitationProblems({ email, roles }, await storage.users.conflicts({ name: email, email }))
  if (problems.length > 0) throw Refused.because(problems)
  requireMail(workspace, '--link prints the link, and you hand it over.')
  const mail = await mailOf(context, workspace)
  const nowMs = context.clock()
  const made = invitation({ email, roles }, nowMs, context.random, settings.pages.defaultLanguage)
  const asked = event('confirmation_asked', {}, { purpose: 'invite', mailed: true, roles })
  const { confirmation, carrying } = carriedBy(mail, asked, made)
  await storage.confirmations.put(confirmation, [carrying])
  const until = isoTime(confirmation.expiresAtMs)
  print({ email, roles, expires_at: until }, `Invited ${email}. The link works once, until ${until}.`)
}

async function listInvitations({ clock }: CommandContext, { storage, print }: Workspace): Promise<void> {
  const open = await storage.invitations.open(clock())
  const records = await Promise.all(
    open.map(async (sent) => ({
      id: sent.id,
      email: sent.details.email ?? '',
      roles: sent.details.roles ?? [],
      sent_by: sent.begunBy ?? sent.details.sentBy ?? null,
      in_force: (await standingOf({ storage, clock }, sent)).stands,
      created_at: isoTime(sent.createdAtMs),
      expires_at: isoTime(sent.expiresAtMs),
    })),
  )
  const lines = records.map(({ email, roles, expires_at: until, in_force: isInForce }) => {
    const given = roles.length === 0 ? '' : ` (${roles.join(', ')})`
    return `${email}${given}, until ${until}${isInForce ? '' : ', ended with the rights of whoever sent it'}`
  })
  print(records, lines.length === 0 ? 'There are no invitations.' : lines.join('\n'))
}

async function withdraw({ clock }: CommandContext, workspace: Workspace, named: string): Promise<void> {
  const { storage, event, print } = workspace
  const open = await storage.invitations.open(clock())
  const found = open.find(({ id, subject }) => id === named || subject === subjectOf(named))
  const roles = found?.details.roles ?? []
  const withdrawn = event('invitation_withdrawn', {}, { roles })
  if (found === undefined || !(await storage.invitations.withdraw(found, clock(), [withdrawn]))) {
    throw new Refused(`There is no invitation ${named}. latchkey user invitations lists them.`)
  }
  const { email = '' } = found.details
  print({ id: found.id, email, roles }, `The invitation to ${email} is withdrawn.`)
}

const sendReset = (context: CommandContext, workspace: Workspace, name: string) =>
  send(
    context,
    workspace,
    name,
    resetLink,
    'A link to set a new password',
    'latchkey user recover prints a link for somebody whom you have recognised.',
  )

async function sendConfirmation(context: CommandContext, workspace: Workspace, name: string): Promise<void> {
  const { name: called, email, emailConfirmed } = await requireUser(workspace.storage, name)
  if (emailConfirmed) throw new Refused(`${email} of ${called} is confirmed already.`)
  await send(
    context,
    workspace,
    name,
    addressLink,
    'A link to confirm the address',
    'latchkey user set NAME email_verified=true confirms an address that you have checked.',
  )
}

async function send(
  context: CommandContext,
  workspace: Workspace,
  name: string,
  linkFor: typeof resetLink,
  what: string,
  otherwise: string,
): Promise<void> {
  const { settings, storage, event, print } = workspace
  const user = await requireUser(storage, name)
  requireMail(workspace, otherwise)
  const fault = addressFault(user)
  if (fault !== undefined) throw new Refused(`${user.name} ${fault}.`)
  const mail = await mailOf(context, workspace)
  const nowMs = context.clock()
  const { confirmation, mail: carried } = linkFor(user, nowMs, context.random, settings.pages.defaultLanguage)
  const { purpose } = confirmation
  const asked = event('confirmation_asked', { userId: user.id }, { purpose, mailed: true })
  const carrying: AuditEvents[number] = mail.withMail(asked, carried)
  await storage.confirmations.put(confirmation, [carrying], strangersSubject(user.id))
  const until = isoTime(confirmation.expiresAtMs)
  const sent = `${what} goes to ${user.email}. It works once, until ${until}.`
  print({ ...userRecord(user, nowMs), expires_at: until }, sent)
}

/** A link that is not sent is of no use. */
function requireMail({ settings }: Workspace, otherwise: string): void {
  if (settings.mail.url !== null) return
  throw new Refused(
    `Mail:Url is not set, so no mail can be sent. Give the command the settings of the server. Without mail: ${otherwise}`,
  )
}

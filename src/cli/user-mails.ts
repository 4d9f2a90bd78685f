/** The commands that send people a link: `invite` and `send-reset`. */
import type { Command } from 'commander'
import type { AuditEvents } from '../audit/entry.ts'
import { lookUpLanguage } from '../protocol/language-tags.ts'
import { languageTags } from '../protocol/languages.ts'
import { mintConfirmation } from '../secrets/confirmation-secrets.ts'
import { Refused } from '../server/refused.ts'
import { isoTime } from '../text.ts'
import { confirmationLink, linkConfirmation, subjectOf } from '../users/confirmation.ts'
import { conflictProblem, emailProblems } from '../users/registration.ts'
import { roleProblems, sortedSet } from '../users/roles.ts'
import { userRecord } from '../users/user-record.ts'
import { type CommandContext, collect, type Workspace, withStorage } from './context.ts'
import { mailOf } from './notices.ts'
import { requireUser } from './user-lookup.ts'

export function registerMails(leaf: (signature: string, about: string) => Command, context: CommandContext): void {
  leaf('invite <email>', 'send a link with which a person creates an account')
    .option('--role <name>', 'a role of the new account; repeatable', collect)
    .action((email: string, { role: roles = [] }: { role?: readonly string[] }, command: Command) =>
      withStorage(context, command, (workspace) => invite(context, workspace, email, sortedSet(roles))),
    )

  leaf('send-reset <name>', 'send a link with which a person sets a new password').action(
    (name: string, _options, command: Command) =>
      withStorage(context, command, (workspace) => sendReset(context, workspace, name)),
  )
}

async function invite(
  context: CommandContext,
  workspace: Workspace,
  email: string,
  roles: readonly string[],
): Promise<void> {
  const { settings, storage, event, print } = workspace
  const problems = [...emailProblems(email), ...roleProblems(roles)]
  if (problems.length > 0) throw Refused.because(problems)
  const conflicts = await storage.users.conflicts({ name: email, email })
  if (conflicts.includes('email_taken') || conflicts.includes('name_taken')) {
    throw Refused.because([conflictProblem('email_taken', { name: email, email })])
  }
  requireMail(workspace)
  const mail = await mailOf(context, workspace)
  const nowMs = context.clock()
  const secrets = mintConfirmation(nowMs, context.random)
  const about = { purpose: 'invite', subject: subjectOf(email), userId: null, details: { email, roles } } as const
  const confirmation = linkConfirmation(secrets, about, nowMs)
  const asked = event('confirmation_asked', {}, { purpose: 'invite', mailed: true, roles })
  const carrying: AuditEvents[number] = mail.withMail(asked, {
    to: email,
    purpose: 'invite',
    language: settings.pages.defaultLanguage,
    link: confirmationLink('invite', secrets.token),
    validSeconds: (confirmation.expiresAtMs - nowMs) / 1000,
  })
  await storage.confirmations.put(confirmation, [carrying])
  const until = isoTime(confirmation.expiresAtMs)
  print({ email, roles, expires_at: until }, `Invited ${email}. The link works once, until ${until}.`)
}

async function sendReset(context: CommandContext, workspace: Workspace, name: string): Promise<void> {
  const { settings, storage, event, print } = workspace
  const user = await requireUser(storage, name)
  requireMail(workspace)
  const mail = await mailOf(context, workspace)
  const nowMs = context.clock()
  const secrets = mintConfirmation(nowMs, context.random)
  const about = { purpose: 'reset', subject: user.id, userId: user.id, details: {} } as const
  const confirmation = linkConfirmation(secrets, about, nowMs)
  const asked = event('confirmation_asked', { userId: user.id }, { purpose: 'reset', mailed: true })
  const carrying: AuditEvents[number] = mail.withMail(asked, {
    to: user.email,
    purpose: 'reset',
    language: lookUpLanguage([user.claims.locale ?? ''], languageTags) ?? settings.pages.defaultLanguage,
    data: { username: user.name },
    link: confirmationLink('reset', secrets.token),
    validSeconds: (confirmation.expiresAtMs - nowMs) / 1000,
  })
  await storage.confirmations.put(confirmation, [carrying])
  const until = isoTime(confirmation.expiresAtMs)
  const sent = `A link to set a new password goes to ${user.email}. It works once, until ${until}.`
  print({ ...userRecord(user, nowMs), expires_at: until }, sent)
}

/** A link that is not sent is of no use. */
function requireMail({ settings }: Workspace): void {
  if (settings.mail.url === null) throw new Refused('Mail:Url is not set, so no mail can be sent.')
}

/** Mails of commands, among them notices to the owner of an account. A running server sends them. */
import type { AuditEvents } from '../audit/entry.ts'
import type { Mail } from '../mail/mail.ts'
import { emailNotice, securityNotice } from '../mail/operator-mails.ts'
import { type OutgoingMail, outgoingMail } from '../mail/outgoing.ts'
import type { User } from '../users/user.ts'
import { type CommandContext, currentActor, type Workspace } from './context.ts'

/** Opens the key ring, with a secret of which mails are sealed. */
export async function mailOf(
  { clock, random, stderr }: CommandContext,
  { settings, storage }: Workspace,
): Promise<OutgoingMail> {
  const { openKeyRing } = await import('../keys/ring.ts')
  const warn = (message: string) => stderr.write(`warning: ${message}\n`)
  const keys = await openKeyRing({ storage, settings, clock, random, actor: currentActor(), warn })
  // Limits by network are for what requests ask for.
  return outgoingMail({ settings, keys, storage, clock, random })
}

/** Tells the owner that an operator changed how the account is signed in to, if mail is sent. */
export function withSecurityNotice(
  context: CommandContext,
  workspace: Workspace,
  event: AuditEvents[number],
  owner: User,
  purpose: 'password_changed' | 'second_factor_off' | 'app_removed',
): Promise<AuditEvents[number]> {
  const { defaultLanguage } = workspace.settings.pages
  return withNotice(context, workspace, event, securityNotice(owner, purpose, event.atMs, defaultLanguage))
}

/** Tells the former address of the new one, if it is another and mail is sent. */
export function withEmailNotice(
  context: CommandContext,
  workspace: Workspace,
  event: AuditEvents[number],
  owner: User,
  email: string,
): Promise<AuditEvents[number]> {
  const { defaultLanguage } = workspace.settings.pages
  return withNotice(context, workspace, event, emailNotice(owner, email, event.atMs, defaultLanguage))
}

async function withNotice(
  context: CommandContext,
  workspace: Workspace,
  event: AuditEvents[number],
  notice: Mail | undefined,
): Promise<AuditEvents[number]> {
  if (notice === undefined || workspace.settings.mail.url === null) return event
  return (await mailOf(context, workspace)).withMail(event, notice)
}

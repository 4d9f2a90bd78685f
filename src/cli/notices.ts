/** Mails of commands, among them notices to the owner of an account. A running server sends them. */
import type { AuditEvents } from '../audit/entry.ts'
import type { Mail } from '../mail/mail.ts'
import { type OutgoingMail, outgoingMail } from '../mail/outgoing.ts'
import { lookUpLanguage } from '../protocol/language-tags.ts'
import { languageTags } from '../protocol/languages.ts'
import { normalizeName, type User } from '../users/user.ts'
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
  return outgoingMail({ settings, keys, storage, clock, random, networkOf: () => '' })
}

/** Tells the owner that an operator changed how the account is signed in to, if mail is sent. */
export function withSecurityNotice(
  context: CommandContext,
  workspace: Workspace,
  event: AuditEvents[number],
  owner: User,
  purpose: 'password_changed' | 'second_factor_off',
): Promise<AuditEvents[number]> {
  const data = { username: owner.name }
  return withNotice(context, workspace, event, owner, { purpose, data, link: '/Account/Security' })
}

/** Tells the former address of the new one, if it is another and mail is sent. */
export async function withEmailNotice(
  context: CommandContext,
  workspace: Workspace,
  event: AuditEvents[number],
  owner: User,
  email: string,
): Promise<AuditEvents[number]> {
  if (normalizeName(email) === normalizeName(owner.email)) return event
  const data = { username: owner.name, email }
  return withNotice(context, workspace, event, owner, { purpose: 'email_changed', data })
}

type Told = Pick<Mail, 'purpose' | 'link'> & { readonly data: Readonly<Record<string, string>> }

async function withNotice(
  context: CommandContext,
  workspace: Workspace,
  event: AuditEvents[number],
  owner: User,
  told: Told,
): Promise<AuditEvents[number]> {
  const { mail: isSent, pages } = workspace.settings
  if (isSent.url === null) return event
  const language = lookUpLanguage([owner.claims.locale ?? ''], languageTags) ?? pages.defaultLanguage
  const notice = { to: owner.email, language, facts: { atMs: event.atMs }, ...told }
  // The callers give the members of `data` that the purpose needs.
  return (await mailOf(context, workspace)).withMail(event, notice as Mail)
}

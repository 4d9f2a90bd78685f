/** Deletes the accounts whose owners asked for it, when they are due. */
import type { Logger } from 'pino'
import { eventBy } from '../audit/entry.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import { outgoingMail } from '../mail/outgoing.ts'
import { languageTags, lookUpLanguage } from '../protocol/language-tags.ts'
import type { Settings } from '../settings/settings.ts'
import type { Storage } from '../storage/port/storage.ts'

export type DeletionContext = {
  readonly storage: Pick<Storage, 'deletions' | 'mails'>
  readonly keys: Pick<KeyRing, 'secret'>
  readonly settings: Pick<Settings, 'pages' | 'mail'>
  readonly clock: () => number
  readonly random: (bytes: number) => Uint8Array
  readonly log: Pick<Logger, 'info'>
}

/**
 * Deletes every account that is due. Clients that asked for it are told of the ends of its sessions. Of several processes
 * one deletes each account; an account whose owner signed in meanwhile stays.
 */
export async function deleteDueAccounts(context: DeletionContext): Promise<void> {
  const { storage, settings, clock, log } = context
  const mail = outgoingMail(context)
  for (;;) {
    const nowMs = clock()
    const due = await storage.deletions.due(nowMs)
    let deleted = 0
    for (const user of due) {
      const event = eventBy('service', nowMs, 'user_deleted', { userId: user.id }, { reason: 'asked_for' })
      const language = lookUpLanguage([user.claims.locale ?? ''], languageTags) ?? settings.pages.defaultLanguage
      const notice = {
        to: user.emailConfirmed ? user.email : '',
        purpose: 'deleted',
        language,
        data: { username: user.name },
      } as const
      if (await storage.deletions.delete(user.id, nowMs, [mail.withMail(event, notice)])) deleted += 1
    }
    if (deleted > 0) log.info({ deleted }, 'deleted accounts whose owners asked for it')
    if (deleted === 0) return
  }
}

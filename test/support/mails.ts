/** What waits in the outbox of a service, opened: for tests that follow the link or enter the code of a mail. */
import assert from 'node:assert/strict'
import type { MailContent } from '../../src/mail/mail.ts'
import { openMail } from '../../src/mail/outgoing.ts'
import type { TestService } from './service.ts'

export type WaitingMail = MailContent & { readonly id: string; readonly to: string }

/** Oldest first; with those that are due within `aheadMs`. Start the service with `Mail__Url`, for example `file:/nowhere`: nothing is sent. */
export async function waitingMails({ storage, keys, now }: TestService, aheadMs = 0): Promise<WaitingMail[]> {
  const due = await storage.mails.due(now() + aheadMs)
  return due
    .map(({ id, to, content }) => {
      const opened = openMail(keys, { id, to, content: content ?? '' })
      assert.ok(opened, `the mail ${id} cannot be opened`)
      return { ...opened, id, to }
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** The newest mail to the address, of this purpose where one is named. */
export async function mailTo(service: TestService, address: string, purpose?: string) {
  const mails = await waitingMails(service)
  const mail = mails.findLast((one) => one.to === address && (purpose === undefined || one.purpose === purpose))
  assert.ok(mail, `no mail to ${address}`)
  const { code = '', link = '' } = mail
  return { code, link, purpose: mail.purpose, token: link.split('#token=')[1] ?? '' }
}

/** The purposes of the mails to the address, oldest first. */
export async function purposesTo(service: TestService, address: string): Promise<string[]> {
  return (await waitingMails(service)).filter(({ to }) => to === address).map(({ purpose }) => purpose)
}

/** Refusals by the admin API of what sends mail, or holds one back. */
import type { RefusalEntry } from './entry.ts'

export const adminMailRefusals = {
  admin_mail_off: {
    error: 'mail_disabled',
    id: 'ID9650',
    description: 'This service sends no mail.',
    why: 'Mail:Url is not set, and a link that is not sent is of no use.',
    fix: 'Set Mail:Url, or set a password for the person.',
    source: 'a rule of this service',
  },
  admin_mail_nowhere: {
    error: 'no_own_address',
    id: 'ID9652',
    description: 'The person has no e-mail address of their own, so no link can be sent.',
    why: 'An import may bring people without an address, and several people with the same one. A link in a mailbox of several would let each of them into the account of the others.',
    fix: 'Set another address, or a password for the person.',
    source: 'a rule of this service',
  },
  admin_mail_confirmed: {
    error: 'already_confirmed',
    id: 'ID9654',
    description: 'The e-mail address of the person is confirmed already.',
    why: 'A mail that asks to confirm it would puzzle the person, and change nothing.',
    fix: 'Read the person again: there is nothing to do.',
    source: 'a rule of this service',
  },
  admin_mail_settled: {
    error: 'mail_not_failed',
    id: 'ID9651',
    description: 'The mail was sent, is being sent, or can never be sent any more.',
    why: 'A mail is sent again if it was given up or waits for its next attempt, and what it says is still of use. It is withdrawn while it waits.',
    fix: 'Read the mail again. If it is over, do again what sent it, such as the invitation.',
    source: 'a rule of this service',
  },
  admin_mail_kept: {
    error: 'mail_is_notice',
    id: 'ID9653',
    description: 'The mail tells the owner of an account what happened to it, so it cannot be withdrawn.',
    why: 'Anyone who took over the session of an operator could otherwise change an account and hide that from its owner.',
    fix: 'Leave the mail. Mails with a link or a code can be withdrawn.',
    source: 'a rule of this service',
  },
  admin_mail_limit: {
    error: 'too_many_requests',
    id: 'ID9690',
    description: 'Too many mails were sent to this address. Nothing was changed.',
    why: 'Within an hour an address gets five links and twenty notices that somebody who manages people causes, so that a stolen token cannot flood a mailbox.',
    fix: 'Wait for the number of seconds in the Retry-After header, or use the command line, which has no such limit.',
    source: 'a limit of this service',
  },
} as const satisfies Record<string, RefusalEntry>

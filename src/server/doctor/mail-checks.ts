/** Checks of `latchkey doctor` about mail. */

import { type Finding, failed, note, ok, warning } from '../../finding.ts'
import type { Settings } from '../../settings/settings.ts'
import { mailTransport } from '../mail-transport.ts'

/** Connects to the mail server and signs in; sends nothing. */
export async function checkMail(settings: Settings): Promise<Finding> {
  const transport = mailTransport(settings)
  if (transport === undefined) return checkWithoutMail(settings)
  try {
    await transport.check()
    return ok('mail', `Mail is sent through ${transport.place}.`)
  } catch (error) {
    const message = `Mail cannot be sent through ${transport.place}: ${(error as Error).message}`
    return failed('mail', message, 'Check Mail:Url. latchkey mail test sends a mail.')
  }
}

function checkWithoutMail({ accounts }: Settings): Finding {
  const message =
    'Mail:Url is not set: nobody can reset a forgotten password or confirm an address, and nobody hears of changes to an account.'
  if (accounts.registration === 'closed')
    return note('mail', message, 'Set Mail:Url (Mail__Url in the environment) where people shall get mail.')
  return warning('mail', message, 'Set Mail:Url, so that invitations can be sent.')
}

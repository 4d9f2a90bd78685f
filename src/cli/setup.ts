/** `latchkey setup`: a new link with which the first administrator sets an installation up. */
import type { Command } from 'commander'
import { Refused } from '../server/refused.ts'
import { offerSetUp, setUpDetails } from '../server/set-up.ts'
import { isoTime } from '../text.ts'
import { type CommandContext, withCommonOptions, withStorage } from './context.ts'

export function register(parent: Command, context: CommandContext): void {
  withCommonOptions(
    parent.command('setup').description('print a link that sets a new installation up; earlier ones end'),
  ).action((_options, command: Command) =>
    withStorage(context, command, async ({ settings, storage, event, print }) => {
      const { clock, random } = context
      const asked = event('confirmation_asked', {}, setUpDetails)
      const offer = await offerSetUp({ settings, storage, clock, random }, { replacing: true, asked })
      if (offer === undefined) {
        throw new Refused(
          settings.admin.enabled
            ? 'There is an account, or was one, so nobody sets this installation up in a browser. Make an administrator with: latchkey user add NAME --email ADDRESS --role latchkey-admin'
            : 'Admin:Enabled is false, so there is no console.',
        )
      }
      const until = isoTime(offer.expiresAtMs)
      const advice = `Open this address to become the administrator. It works once, until ${until}; earlier ones have ended:`
      print({ link: offer.address, expires_at: until }, `${advice}\n${offer.address}`)
    }),
  )
}

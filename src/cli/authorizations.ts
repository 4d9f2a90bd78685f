/** `latchkey authorizations …`: the consents of users. */
import type { Command } from 'commander'
import { authorizationRecord } from '../protocol/client/records.ts'
import { Refused } from '../server/refused.ts'
import { shortTime } from '../text.ts'
import { type CommandContext, withCommonOptions, withStorage } from './context.ts'
import { table } from './text.ts'
import { requireUser } from './user-lookup.ts'

export function register(parent: Command, context: CommandContext): void {
  const authorizations = withCommonOptions(parent.command('authorizations').description('consents that users gave'))
  const leaf = (signature: string, description: string) =>
    withCommonOptions(authorizations.command(signature).description(description))

  leaf('list', "list one user's consents")
    .requiredOption('--user <name>', 'whose')
    .action(({ user: name }: { user: string }, command: Command) =>
      withStorage(context, command, async ({ storage, print }) => {
        const user = await requireUser(storage, name)
        const found = await storage.authorizations.list(user.id)
        const rows = found.map(({ id, clientId, scopes, createdAtMs }) => [
          id,
          clientId,
          scopes.join(' '),
          shortTime(createdAtMs),
        ])
        const empty = `${user.name} has given no consents.`
        print(
          found.map(authorizationRecord),
          found.length === 0 ? empty : table(['ID', 'CLIENT', 'SCOPES', 'GIVEN'], rows),
        )
      }),
    )

  leaf('revoke <id>', 'revoke a consent and end the tokens that rest on it').action(
    (id: string, _options, command: Command) =>
      withStorage(context, command, async ({ storage, event, print }) => {
        if (!(await storage.authorizations.revoke(id, [event('consent_revoked', {}, { id })]))) {
          throw new Refused(`There is no consent ${id}. See: latchkey authorizations list --user NAME`)
        }
        print({ id, revoked: true }, `Revoked ${id}.`)
      }),
  )
}

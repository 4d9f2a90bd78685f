/** `latchkey authorizations …`: the consents of users. */
import type { Command } from 'commander'
import { authorizationRecord } from '../protocol/client/records.ts'
import { consentOfOperator } from '../protocol/grant/operator-consent.ts'
import { uuidv7 } from '../secrets/opaque.ts'
import { Refused } from '../server/refused.ts'
import { shortTime } from '../text.ts'
import { unknownClient } from './client-record.ts'
import { accepted, type CommandContext, collect, withCommonOptions, withStorage } from './context.ts'
import { table } from './text.ts'
import { requireUser } from './user-lookup.ts'

export function register(parent: Command, context: CommandContext): void {
  const authorizations = withCommonOptions(parent.command('authorizations').description('stored consents of users'))
  const leaf = (signature: string, description: string) =>
    withCommonOptions(authorizations.command(signature).description(description))

  leaf('list', "list one user's consents")
    .requiredOption('--user <name>', 'whose')
    .action(({ user: name }: { user: string }, command: Command) =>
      withStorage(context, command, async ({ storage, print }) => {
        const user = await requireUser(storage, name)
        const found = await storage.authorizations.list(user.id)
        const rows = found.map(({ id, clientId, scopes, createdAtMs, byOperator }) => [
          id,
          clientId,
          scopes.join(' '),
          shortTime(createdAtMs),
          byOperator === true ? 'operator' : 'person',
        ])
        const empty = `No consent of ${user.name} is stored.`
        print(
          found.map(authorizationRecord),
          found.length === 0 ? empty : table(['ID', 'CLIENT', 'SCOPES', 'GIVEN', 'BY'], rows),
        )
      }),
    )

  leaf(
    'add',
    'store a consent for a user, who is then not asked; for applications with consent=external the only way in',
  )
    .requiredOption('--user <name>', 'whose')
    .requiredOption('--client <id>', 'for which application')
    .requiredOption('--scope <name>', 'a scope that it covers; repeatable', collect)
    .action((options: { user: string; client: string; scope: string[] }, command: Command) =>
      withStorage(context, command, async ({ storage, event, print }) => {
        const user = await requireUser(storage, options.user)
        const client = await storage.clients.find(options.client)
        if (client === undefined) throw new Refused(unknownClient(options.client))
        const nowMs = context.clock()
        const made = { id: uuidv7(nowMs, context.random), userId: user.id, createdAtMs: nowMs }
        const registered = await storage.scopes.findMany(options.scope)
        const consent = accepted(consentOfOperator(made, client, options.scope, registered))
        const { id, scopes } = consent
        const given = event('consent_given', { userId: user.id, clientId: client.id }, { id, scopes })
        const stored = await storage.authorizations.store(consent, [given])
        if (typeof stored === 'string') throw new Refused(`${user.name} or ${client.id} was deleted meanwhile.`)
        print(authorizationRecord(stored), `Stored the consent ${stored.id} of ${user.name} for ${client.id}.`)
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

/** The commands for people who cannot go on by themselves: `recover`, and `require` for what the next sign-in asks. */
import { type Command, Option } from 'commander'
import { recoveryLink } from '../mail/operator-mails.ts'
import { requiredActions } from '../person-fields.ts'
import { Refused } from '../server/refused.ts'
import { isoTime } from '../text.ts'
import { changeUser } from '../users/changes.ts'
import { strangersSubject } from '../users/confirmation.ts'
import type { User } from '../users/user.ts'
import { userRecord } from '../users/user-record.ts'
import { type CommandContext, deciding, type Workspace, withStorage } from './context.ts'
import { requireUser, unknownUser } from './user-lookup.ts'

export function registerRecovery(leaf: (signature: string, about: string) => Command, context: CommandContext): void {
  leaf(
    'recover <name>',
    'print a link for somebody whom you have recognised: a new password, without a code by mail; an enrolled second factor stays',
  ).action((name: string, _options, command: Command) =>
    withStorage(context, command, (workspace) => recover(context, workspace, name)),
  )

  leaf('require <name> [action...]', `ask for ${requiredActions.join(', ')} at the next sign-in; sessions end`)
    .addOption(new Option('--none', 'ask for nothing any more'))
    .action((name: string, actions: readonly string[], { none = false }: { none?: boolean }, command: Command) => {
      if (none === actions.length > 0) command.error('error: name an action, or give --none')
      return withStorage(context, command, (workspace) => ask(context, workspace, name, actions))
    })
}

async function recover(context: CommandContext, { settings, storage, event, print }: Workspace, name: string) {
  const user = await requireUser(storage, name)
  const nowMs = context.clock()
  const { confirmation, path } = recoveryLink(user, {}, nowMs, context.random)
  const asked = event('confirmation_asked', { userId: user.id }, { purpose: 'reset', mailed: false, vouched: true })
  await storage.confirmations.put(confirmation, [asked], strangersSubject(user.id))
  const link = new URL(path, settings.oauth.issuer).href
  const until = isoTime(confirmation.expiresAtMs)
  const advice = `Give it to ${user.name} alone, in a way that nobody else reads. It works once, until ${until}:`
  print({ ...userRecord(user, nowMs), link, expires_at: until }, `${advice}\n${link}`)
}

async function ask(
  context: CommandContext,
  { storage, event, print }: Workspace,
  name: string,
  actions: readonly string[],
): Promise<void> {
  const { id } = await requireUser(storage, name)
  const { decide, check } = deciding((found: User) => {
    const before = found.requiredActions ?? []
    const next = actions.length === 0 ? [] : [...before, ...actions]
    return changeUser(found, { required_actions: next }, context.clock())
  })
  const changed = await storage.users.update(id, decide, [
    event('user_changed', { userId: id }, { change: 'set', members: ['required_actions'] }),
  ])
  check()
  if (changed === undefined) throw new Refused(unknownUser(name))
  const { requiredActions: asked = [] } = changed
  const done = `${changed.name} is asked for ${asked.length === 0 ? 'nothing' : asked.join(', ')} at the next sign-in.`
  print(userRecord(changed, context.clock()), done)
}

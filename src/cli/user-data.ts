/** The commands that show what is stored about a user: `sessions` and `export`. */
import type { Command } from 'commander'
import { shortTime, visibleJson } from '../text.ts'
import { personalDataRecord, sessionRecord } from '../users/personal-data.ts'
import { describeAgent } from '../users/user-agent.ts'
import { type CommandContext, withStorage } from './context.ts'
import { table } from './text.ts'
import { requireUser } from './user-lookup.ts'

export function registerData(leaf: (signature: string, about: string) => Command, context: CommandContext): void {
  leaf('sessions <name>', 'list where a user is signed in').action((name: string, _options, command: Command) =>
    withStorage(context, command, async ({ storage, print }) => {
      const user = await requireUser(storage, name)
      const endedAtMs = user.sessionsEndedAtMs ?? -1
      const sessions = (await storage.sessions.ofUser(user.id))
        .filter((session) => session.expiresAtMs > context.clock() && session.createdAtMs > endedAtMs)
        .sort((a, b) => b.lastSeenAtMs - a.lastSeenAtMs)
      const rows = sessions.map(({ id, clientAddress, methods, createdAtMs, lastSeenAtMs, userAgent }) => {
        const { browser, system } = describeAgent(userAgent)
        const agent = [browser, system].filter((one) => one !== null).join(', ')
        return [id, agent || '–', clientAddress, methods.join(' '), shortTime(createdAtMs), shortTime(lastSeenAtMs)]
      })
      const headings = ['ID', 'BROWSER', 'ADDRESS', 'METHODS', 'STARTED', 'LAST SEEN']
      const empty = `${user.name} is signed in nowhere.`
      print(sessions.map(sessionRecord), rows.length === 0 ? empty : table(headings, rows))
    }),
  )

  leaf('export <name>', 'print everything that is stored about a user, as JSON').action(
    (name: string, _options, command: Command) =>
      withStorage(context, command, async ({ settings, storage, event, print }) => {
        const user = await requireUser(storage, name)
        await storage.audit.append([event('data_exported', { userId: user.id })])
        const data = await storage.personalData.read(user)
        const record = personalDataRecord(data, settings.oauth.issuer, context.clock())
        print(record, visibleJson(JSON.stringify(record, null, 2)))
      }),
  )
}

/** `latchkey user authenticator-apps` and `user remove-authenticator-app`: one app of several. */
import type { Command } from 'commander'
import { shellWord } from '../protocol/shell-word.ts'
import { appId } from '../secrets/app-id.ts'
import { Refused } from '../server/refused.ts'
import { isoTime, shortTime } from '../text.ts'
import { removeApp } from '../users/app-removal.ts'
import { appsOf, lastUseMs } from '../users/second-factor.ts'
import { type CommandContext, withStorage } from './context.ts'
import { withSecurityNotice } from './notices.ts'
import { table } from './text.ts'
import { requireUser } from './user-lookup.ts'

export function registerApps(leaf: (signature: string, about: string) => Command, context: CommandContext): void {
  leaf('authenticator-apps <name>', 'list the authenticator apps of a user').action(
    (name: string, _options, command: Command) =>
      withStorage(context, command, async ({ storage, print }) => {
        const found = await requireUser(storage, name)
        const apps = appsOf(await storage.secondFactors.find(found.id)).map((app) => ({
          ...{ id: appId(app), name: app.name ?? null, createdAtMs: app.sinceMs, lastUsedAtMs: lastUseMs(app) },
        }))
        const json = apps.map(({ createdAtMs, lastUsedAtMs, ...one }) => ({
          ...one,
          created_at: isoTime(createdAtMs),
          last_used_at: lastUsedAtMs === null ? null : isoTime(lastUsedAtMs),
        }))
        const rows = apps.map(({ id, name: called, createdAtMs, lastUsedAtMs }) => [
          ...[id, called ?? '', shortTime(createdAtMs), lastUsedAtMs === null ? 'never' : shortTime(lastUsedAtMs)],
        ])
        const none = `${found.name} has no authenticator app.`
        print(json, rows.length === 0 ? none : table(['ID', 'NAME', 'SINCE', 'LAST USE'], rows))
      }),
  )

  leaf(
    'remove-authenticator-app <name> <app>',
    'remove one authenticator app, by its id; recovery codes end with the last factor that they stand in for',
  ).action((name: string, app: string, _options, command: Command) =>
    withStorage(context, command, async (workspace) => {
      const { settings, storage, event, print } = workspace
      const found = await requireUser(storage, name)
      const told = async (change: string, purpose: 'second_factor_off' | 'app_removed') => [
        await withSecurityNotice(
          context,
          workspace,
          event('user_changed', { userId: found.id }, { change }),
          found,
          purpose,
        ),
      ]
      const [last, another] = [await told('totp_off', 'second_factor_off'), await told('totp_removed', 'app_removed')]
      const decided = await storage.secondFactors.change(found.id, ({ factors, passkeys = 0 }) => {
        const hasPasskeys = passkeys > 0 && settings.accounts.passkeys === 'on'
        const removal = removeApp(factors, (one) => appId(one) === app, hasPasskeys)
        if (removal === undefined) return {}
        const { factors: next, isLast } = removal
        return { factors: next, forgetsRemembered: isLast && !hasPasskeys, events: isLast ? last : another }
      })
      if (decided?.factors === undefined) {
        throw new Refused(
          `${found.name} has no authenticator app ${app}. See: latchkey user authenticator-apps ${shellWord(name)}`,
        )
      }
      const left = appsOf(decided.factors).length
      const rest =
        left === 0 ? 'no authenticator app' : left === 1 ? '1 authenticator app' : `${left} authenticator apps`
      print({ id: app, left }, `${found.name} has ${rest} left.`)
    }),
  )
}

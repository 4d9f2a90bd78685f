/** `latchkey keys …`: the signing keys and secrets of the service. */
import type { Command } from 'commander'
import { keyRecord, keyState } from '../keys/lifecycle.ts'
import type { StoredKey } from '../storage/port/keys.ts'
import { isoTime, shortTime } from '../text.ts'
import { type CommandContext, currentActor, withCommonOptions, withStorage } from './context.ts'
import { table } from './text.ts'

export function register(parent: Command, context: CommandContext): void {
  const keys = withCommonOptions(parent.command('keys').description('signing keys and secrets'))
  const leaf = (signature: string, description: string) =>
    withCommonOptions(keys.command(signature).description(description))

  leaf('list', 'list the keys and their states').action((_options, command: Command) =>
    withStorage(context, command, async ({ storage, print }) => {
      const rows = await storage.keys.list()
      const empty = 'There are no keys yet. The first start creates them: latchkey serve'
      print(keysJson(rows, rows, context.clock()), rows.length === 0 ? empty : keysTable(rows, context.clock()))
    }),
  )

  leaf('rotate', 'replace every key; tokens and sessions stay valid')
    .option('--lost-master-key', 'discard keys that can no longer be decrypted, and use new ones at once')
    .action(({ lostMasterKey }: { lostMasterKey?: boolean }, command: Command) =>
      withStorage(context, command, async ({ settings, storage, print }) => {
        const { replaceLostKeys, rotateKeys } = await import('../keys/rotate.ts')
        const warn = (message: string) => context.stderr.write(`warning: ${message}\n`)
        const { clock, random } = context
        const rotate = lostMasterKey === true ? replaceLostKeys : rotateKeys
        const added = await rotate({ storage, settings, clock, random, actor: currentActor(), warn })
        const nowMs = clock()
        const json = keysJson(added, await storage.keys.list(), nowMs)
        const activeAtMs = added[0]?.activeAtMs ?? nowMs
        const gently =
          `${added.length} new keys are published, and used from ${isoTime(activeAtMs)}. ` +
          'The old ones are kept until nothing depends on them.'
        const atOnce = `${added.length} new keys are in use. Restart every server with the new master key.`
        print(json, lostMasterKey === true ? atOnce : gently)
      }),
    )
}

function keysJson(keys: readonly StoredKey[], ring: readonly StoredKey[], nowMs: number) {
  return keys.map((key) => keyRecord(key, ring, nowMs))
}

function keysTable(ring: readonly StoredKey[], nowMs: number): string {
  const rows = ring.map((key) => [
    key.id,
    key.use,
    key.algorithm,
    keyState(key, ring, nowMs),
    shortTime(key.activeAtMs),
    key.expiresAtMs === null ? '' : shortTime(key.expiresAtMs),
  ])
  return table(['ID', 'USE', 'ALGORITHM', 'STATE', 'ACTIVE FROM', 'KEPT UNTIL'], rows)
}

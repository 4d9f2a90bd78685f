/** `latchkey keys …`: the signing keys and secrets of the service. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { keyRecord, keyState, propagationMs } from '../keys/lifecycle.ts'
import { Refused } from '../server/refused.ts'
import type { StoredKey } from '../storage/port/keys.ts'
import { isoTime, shortTime, visible } from '../text.ts'
import { readText } from './bounded-file.ts'
import { type CommandContext, currentActor, withCommonOptions, withStorage } from './context.ts'
import { table } from './text.ts'
import { parseTime } from './time.ts'

/** In seconds. Every process of the service needs the least. */
const [least, most] = [propagationMs / 1000, 2_592_000]
const aheadBounds = `${least} to ${most}`

function secondsAhead(text: string): number {
  const seconds = /^\d{1,8}$/.test(text) ? Number(text) : Number.NaN
  if (seconds >= least && seconds <= most) return seconds
  throw new InvalidArgumentError(`It must be a whole number from ${aheadBounds}.`)
}

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

  leaf(
    'import <file>',
    'put public keys of a former system into the key set: a JWK Set or PEM; private parts are dropped',
  )
    .option('--until <time>', 'when they leave the key set; default: 30 days from now', parseTime)
    .option('--kid <kid>', 'the kid of the one key in the file; default: its own, or its thumbprint (RFC 7638)')
    .action((file: string, { until, kid }: { until?: number; kid?: string }, command: Command) =>
      withStorage(context, command, async ({ settings, storage, print }) => {
        const { readImportedKeys } = await import('../keys/imported.ts')
        const { importedForMs, importKeys } = await import('../keys/import-keys.ts')
        const read = readImportedKeys(readText(context, 'keys import', file), kid)
        if (typeof read === 'string') throw new Refused(`${file} was not imported. ${read}`)
        const { clock, random } = context
        const untilMs = until ?? clock() + importedForMs
        if (untilMs <= clock()) throw new Refused(`${file} was not imported: --until is in the past.`)
        const warn = (message: string) => context.stderr.write(`warning: ${message}\n`)
        const importing = { storage, settings, clock, random, actor: currentActor(), warn }
        const added = await importKeys(importing, read.keys, untilMs)
        if ('taken' in added) {
          throw new Refused(
            `${file} was not imported: the kid ${visible(added.taken)} is in use. See: latchkey keys list`,
          )
        }
        const names = added.map(({ id, algorithm }) => `${visible(id)} (${algorithm})`).join(', ')
        const left = read.leftOut === 0 ? '' : ` ${read.leftOut} that do not sign were left out.`
        print(
          keysJson(added, await storage.keys.list(), clock()),
          `In the key set until ${isoTime(untilMs)}: ${names}.${left} They verify id_token_hint, and sign nothing.`,
        )
      }),
    )

  leaf('rotate', 'replace every key; tokens and sessions stay valid')
    .option('--lost-master-key', 'discard keys that can no longer be decrypted, and use new ones at once')
    .addOption(
      new Option(
        '--ahead <seconds>',
        `publish a new key this long before it signs, for APIs that keep the key set: ${aheadBounds}; default ${least}`,
      )
        .argParser(secondsAhead)
        .conflicts('lostMasterKey'),
    )
    .action(({ lostMasterKey, ahead }: { lostMasterKey?: boolean; ahead?: number }, command: Command) =>
      withStorage(context, command, async ({ settings, storage, print }) => {
        const { replaceLostKeys, rotateKeys } = await import('../keys/rotate.ts')
        const warn = (message: string) => context.stderr.write(`warning: ${message}\n`)
        const { clock, random } = context
        const rotation = { storage, settings, clock, random, actor: currentActor(), warn }
        const aheadMs = ahead === undefined ? undefined : ahead * 1000
        const added = await (lostMasterKey === true ? replaceLostKeys(rotation) : rotateKeys(rotation, aheadMs))
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
    visible(key.id),
    key.use,
    key.algorithm,
    keyState(key, ring, nowMs),
    shortTime(key.activeAtMs),
    key.expiresAtMs === null ? '' : shortTime(key.expiresAtMs),
  ])
  return table(['ID', 'USE', 'ALGORITHM', 'STATE', 'ACTIVE FROM', 'KEPT UNTIL'], rows)
}

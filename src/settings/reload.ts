/** Which settings a running service can take on, and which it was started with for good. */
import { isDeepStrictEqual } from 'node:util'
import { placeOf, type Settings } from './settings.ts'
import type { SettingName } from './table.ts'

/** What the service has opened, or what is already out in browsers and tokens under the old value. */
const fixed: ReadonlySet<SettingName> = new Set([
  'Server:Host',
  'Server:Port',
  'Server:WorkerTimeout',
  'OAuth:Issuer',
  'OAuth:AccessTokenAlgorithm',
  'OAuth:IdentityTokenAlgorithm',
  'Database:Url',
  'Keys:MasterKey',
  'Keys:MasterKeyFile',
  'Metrics:Host',
  'Metrics:Port',
] as const)

export function isFixed(name: string): boolean {
  return fixed.has(name as SettingName)
}

/** The names of the settings that differ and need a restart. Empty: `next` can be taken on as it is. */
export function fixedDifferences(current: Settings, next: Settings): string[] {
  return [...fixed].filter((name) => !isDeepStrictEqual(settingIn(current, name), settingIn(next, name)))
}

function settingIn(settings: Settings, name: SettingName): unknown {
  return placeOf(name).reduce<unknown>((part, property) => (part as Record<string, unknown>)[property], settings)
}

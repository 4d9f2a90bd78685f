/** Distinguishes settings that a running service can change from those that need a restart. */
import { isDeepStrictEqual } from 'node:util'
import { placeOf, type Settings } from './settings.ts'
import type { SettingName } from './table.ts'

/** Opened at the start, or already present in browsers and tokens under the old value. */
const fixed: ReadonlySet<SettingName> = new Set([
  'Server:Host',
  'Server:Port',
  'Server:WorkerTimeout',
  'OAuth:Issuer',
  'OAuth:AccessTokenAlgorithm',
  'OAuth:IdentityTokenAlgorithm',
  'OAuth:PostQuantum',
  'Database:Url',
  'Keys:MasterKey',
  'Keys:MasterKeyFile',
  'Metrics:Host',
  'Metrics:Port',
] as const)

export function isFixed(name: string): boolean {
  return fixed.has(name as SettingName)
}

/** Returns the names of the changed settings that need a restart; empty: `next` can be applied. */
export function fixedDifferences(current: Settings, next: Settings): string[] {
  return [...fixed].filter((name) => !isDeepStrictEqual(settingIn(current, name), settingIn(next, name)))
}

function settingIn(settings: Settings, name: SettingName): unknown {
  return placeOf(name).reduce<unknown>((part, property) => (part as Record<string, unknown>)[property], settings)
}

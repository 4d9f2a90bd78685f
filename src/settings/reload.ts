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
  'Database:PreparedStatements',
  'Keys:MasterKey',
  'Keys:MasterKeyFile',
  'Admin:Enabled',
  'Admin:Port',
  'Metrics:Host',
  'Metrics:Port',
] as const)

export function isFixed(name: string): boolean {
  return fixed.has(name as SettingName)
}

/** Returns the names of the changed settings that need a restart; empty: `next` can be applied. */
export function fixedDifferences(current: Settings, next: Settings): string[] {
  const changed = [...fixed].filter((name) => !isDeepStrictEqual(settingIn(current, name), settingIn(next, name)))
  // The address carries the setting, so both differ.
  const isOfAddress = databaseAddress(current) !== databaseAddress(next)
  return changed.filter((name) => name !== 'Database:Url' || isOfAddress)
}

function databaseAddress({ database: { url } }: Settings): string {
  return url.kind === 'postgres' ? url.url : JSON.stringify(url)
}

function settingIn(settings: Settings, name: SettingName): unknown {
  return placeOf(name).reduce<unknown>((part, property) => (part as Record<string, unknown>)[property], settings)
}

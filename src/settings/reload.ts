/** Distinguishes settings that a running service can change from those that need a restart. */
import { isDeepStrictEqual } from 'node:util'
import { placeOf, type Settings } from './settings.ts'
import { type Setting, type SettingName, settingsTable } from './table.ts'

const fixed = (Object.keys(settingsTable) as SettingName[]).filter((name) => {
  const setting: Setting<unknown> = settingsTable[name]
  return setting.needsRestart === true
})

export function isFixed(name: string): boolean {
  return (fixed as readonly string[]).includes(name)
}

/** Returns the names of the changed settings that need a restart; empty: `next` can be applied. */
export function fixedDifferences(current: Settings, next: Settings): string[] {
  const changed = fixed.filter((name) => !isDeepStrictEqual(settingIn(current, name), settingIn(next, name)))
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

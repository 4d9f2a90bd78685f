/** Sorts what was written under the names of the table, and finds the names that nobody knows. */
import { nearest } from './nearest.ts'
import type { Entry } from './sources.ts'
import { providerTable, type SettingName, settingsTable } from './table.ts'

/** What stands for one setting: the last source that names it wins as a whole, lists included. */
export type Written = { readonly raw: unknown; readonly where: string }

export type WrittenSettings = {
  /** Only what has a value: empty text and null mean the default. */
  readonly settings: ReadonlyMap<string, Written>
  /** By lower-case provider name, in the order of appearance. */
  readonly providers: ReadonlyMap<string, WrittenProvider>
  readonly problems: readonly string[]
}

export type WrittenProvider = { readonly name: string; readonly parts: ReadonlyMap<string, Written> }

/** Names are compared without regard to case. */
const settingNames = new Map(Object.keys(settingsTable).map((name) => [name.toLowerCase(), name as SettingName]))
const partNames = new Map(Object.keys(providerTable).map((name) => [name.toLowerCase(), name]))

export function sortEntries(sources: readonly (readonly Entry[])[]): WrittenSettings {
  const settings = new Map<string, Written>()
  const providers = new Map<string, { name: string; parts: Map<string, Written> }>()
  const problems: string[] = []
  for (const entries of sources) {
    const seen = new Map<string, string>()
    const lists = new Map<SettingName, { items: Map<number, unknown>; where: string }>()
    for (const entry of entries) {
      const key = entry.path.join(':').toLowerCase()
      const twice = seen.get(key)
      if (twice !== undefined) {
        problems.push(`${entry.path.join(':')} is set twice (${twice}; ${entry.where}). Remove one of the two.`)
        continue
      }
      seen.set(key, entry.where)
      const place = placeOf(entry.path)
      if (place === undefined) problems.push(unknownName(entry))
      else if ('index' in place) {
        const list = lists.get(place.setting) ?? { items: new Map(), where: entry.where }
        list.items.set(place.index, entry.raw)
        lists.set(place.setting, list)
      } else if ('setting' in place) settings.set(place.setting, entry)
      else {
        const provider = providers.get(place.provider.toLowerCase()) ?? { name: place.provider, parts: new Map() }
        provider.parts.set(place.part, entry)
        providers.set(place.provider.toLowerCase(), provider)
      }
    }
    for (const [name, { items, where }] of lists) {
      const raw = [...items].sort(([a], [b]) => a - b).map(([, item]) => item)
      settings.set(name, { raw, where })
    }
  }
  for (const [name, { raw }] of settings) if (isEmpty(raw)) settings.delete(name)
  for (const { parts } of providers.values()) {
    for (const [part, { raw }] of parts) if (isEmpty(raw)) parts.delete(part)
  }
  return { settings, providers, problems }
}

type Place =
  | { readonly setting: SettingName }
  | { readonly setting: SettingName; readonly index: number }
  | { readonly provider: string; readonly part: string }

function placeOf(path: readonly string[]): Place | undefined {
  const setting = settingNames.get(path.join(':').toLowerCase())
  if (setting !== undefined) return { setting }
  const list = settingNames.get(path.slice(0, -1).join(':').toLowerCase())
  const last = path.at(-1) ?? ''
  if (list !== undefined && 'list' in settingsTable[list].kind && /^\d{1,4}$/.test(last)) {
    return { setting: list, index: Number(last) }
  }
  const [oauth = '', external = '', provider = '', part = ''] = path
  const partName = partNames.get(part.toLowerCase())
  const isProvider = `${oauth}:${external}`.toLowerCase() === 'oauth:external' && path.length === 4 && provider !== ''
  return isProvider && partName !== undefined ? { provider, part: partName } : undefined
}

function unknownName({ path, where }: Entry): string {
  const name = path.join(':')
  const [, external = '', provider = ''] = path
  const parts = provider === '' ? [] : [...partNames.values()].map((part) => `OAuth:External:${provider}:${part}`)
  // Also by the whole list of parts when only `External` itself is misspelt.
  const candidates = [...settingNames.values(), ...(nearest(external, ['External']) === undefined ? [] : parts)]
  const meant = nearest(name, candidates)
  const advice = meant === undefined ? 'Remove it; docs/settings.md lists them all.' : `Did you mean ${meant}?`
  return `${name} (${where}) is not a setting. ${advice}`
}

function isEmpty(raw: unknown): boolean {
  return raw === null || raw === '' || (Array.isArray(raw) && raw.length === 0)
}

/** Sorts values by the settings of the table, and reports unknown names. */
import { nearest } from '../protocol/nearest.ts'
import type { SourceValue } from './sources.ts'
import { providerTable, type SettingName, settingsTable } from './table.ts'

/** The effective value of a setting. The last source that names it wins as a whole, lists included. */
export type Written = { readonly raw: unknown; readonly where: string }

export type WrittenSettings = {
  /** Without empty text and null, which mean the default. */
  readonly settings: ReadonlyMap<string, Written>
  /** By lower-case provider name, in order of appearance. */
  readonly providers: ReadonlyMap<string, WrittenProvider>
  readonly problems: readonly string[]
}

export type WrittenProvider = { readonly name: string; readonly parts: ReadonlyMap<string, Written> }

/** Names are case-insensitive. */
const settingNames = new Map(Object.keys(settingsTable).map((name) => [name.toLowerCase(), name as SettingName]))
const partNames = new Map(Object.keys(providerTable).map((name) => [name.toLowerCase(), name]))

export function sortValues(sources: readonly (readonly SourceValue[])[]): WrittenSettings {
  const settings = new Map<string, Written>()
  const providers = new Map<string, { name: string; parts: Map<string, Written> }>()
  const problems: string[] = []
  for (const values of sources) {
    const seen = new Map<string, string>()
    const lists = new Map<SettingName, { items: Map<number, unknown>; where: string }>()
    for (const value of values) {
      const key = value.path.join(':').toLowerCase()
      const twice = seen.get(key)
      if (twice !== undefined) {
        problems.push(`${value.path.join(':')} is set twice (${twice}; ${value.where}). Remove one of the two.`)
        continue
      }
      seen.set(key, value.where)
      const place = placeOf(value.path)
      if (place === undefined) problems.push(unknownName(value))
      else if ('index' in place) {
        const list = lists.get(place.setting) ?? { items: new Map(), where: value.where }
        list.items.set(place.index, value.raw)
        lists.set(place.setting, list)
      } else if ('setting' in place) settings.set(place.setting, value)
      else {
        const provider = providers.get(place.provider.toLowerCase()) ?? { name: place.provider, parts: new Map() }
        provider.parts.set(place.part, value)
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

function unknownName({ path, where }: SourceValue): string {
  const name = path.join(':')
  const [, external = '', provider = ''] = path
  const parts = provider === '' ? [] : [...partNames.values()].map((part) => `OAuth:External:${provider}:${part}`)
  // Suggests parts of a provider as well if only `External` itself is misspelt.
  const candidates = [...settingNames.values(), ...(nearest(external, ['External']) === undefined ? [] : parts)]
  const meant = nearest(name, candidates)
  const advice = meant === undefined ? 'Remove it; docs/settings.md lists them all.' : `Did you mean ${meant}?`
  return `${name} (${where}) is not a setting. ${advice}`
}

function isEmpty(raw: unknown): boolean {
  return raw === null || raw === '' || (Array.isArray(raw) && raw.length === 0)
}

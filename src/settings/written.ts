/** Sorts values by the settings of the table, and reports unknown names. */
import { nearest } from '../protocol/nearest.ts'
import type { SourceValue } from './sources.ts'
import { type ProviderPart, providerTable, type SettingName, settingsTable } from './table.ts'

/** The effective value of a setting. The last source that names it wins as a whole, lists included. */
export type Written = { readonly raw: unknown; readonly where: string }

export type WrittenSettings = {
  /** Without empty text and null, which mean the default. */
  readonly settings: ReadonlyMap<string, Written>
  /** By lower-case provider name, in order of appearance. */
  readonly providers: ReadonlyMap<string, WrittenProvider>
  readonly problems: readonly string[]
}

export type WrittenProvider = {
  readonly name: string
  /** How variables spell the name; absent: as it is. */
  readonly variable?: string
  readonly parts: ReadonlyMap<string, Written>
  /** Of the authorization request, by name. */
  readonly parameters: ReadonlyMap<string, Written>
}

type Lists = Map<string, { readonly items: Map<number, unknown>; readonly where: string }>
type Collected = {
  readonly name: string
  readonly parts: Map<string, Written>
  readonly parameters: Map<string, Written>
}

/** Names are case-insensitive. */
const settingNames = new Map(Object.keys(settingsTable).map((name) => [name.toLowerCase(), name as SettingName]))
const partNames = new Map(Object.keys(providerTable).map((name) => [name.toLowerCase(), name as ProviderPart]))

export function sortValues(sources: readonly (readonly SourceValue[])[]): WrittenSettings {
  const settings = new Map<string, Written>()
  const providers = new Map<string, Collected>()
  const problems: string[] = []
  const providerNamed = (name: string): Collected => {
    const known = providers.get(name.toLowerCase())
    const provider = known ?? { name, parts: new Map(), parameters: new Map() }
    providers.set(name.toLowerCase(), provider)
    return provider
  }
  for (const values of sources) {
    const seen = new Map<string, string>()
    const lists: Lists = new Map()
    const listsOf = new Map<Collected, Lists>()
    for (const value of values) {
      const place = placeOf(value.path)
      const key = keyOf(value.path, place)
      const twice = seen.get(key)
      if (twice !== undefined) {
        problems.push(`${value.path.join(':')} is set twice (${twice}; ${value.where}). Remove one of the two.`)
        continue
      }
      seen.set(key, value.where)
      if (place === undefined) problems.push(unknownName(value))
      else if ('parameter' in place) providerNamed(place.provider).parameters.set(place.parameter, value)
      else if ('provider' in place) {
        const provider = providerNamed(place.provider)
        const ofProvider: Lists = listsOf.get(provider) ?? new Map()
        listsOf.set(provider, ofProvider)
        if (place.index === undefined) provider.parts.set(place.part, value)
        else addItem(ofProvider, place.part, place.index, value)
      } else if (place.index === undefined) settings.set(place.setting, value)
      else addItem(lists, place.setting, place.index, value)
    }
    for (const [name, list] of lists) settings.set(name, asWritten(list))
    for (const [{ parts }, ofProvider] of listsOf) {
      for (const [part, list] of ofProvider) parts.set(part, asWritten(list))
    }
  }
  const written = [settings, ...[...providers.values()].flatMap(({ parts, parameters }) => [parts, parameters])]
  for (const values of written) for (const [name, { raw }] of values) if (isEmpty(raw)) values.delete(name)
  return { settings, providers, problems }
}

function addItem(lists: Lists, name: string, index: number, { raw, where }: SourceValue): void {
  const list = lists.get(name) ?? { items: new Map(), where }
  list.items.set(index, raw)
  lists.set(name, list)
}

function asWritten({ items, where }: { items: Map<number, unknown>; where: string }): Written {
  return { raw: [...items].sort(([a], [b]) => a - b).map(([, item]) => item), where }
}

/** Names are compared without regard to case, but for those of parameters, which belong to the provider. */
function keyOf(path: readonly string[], place: Place | undefined): string {
  const name = path.join(':')
  if (place === undefined || !('parameter' in place)) return name.toLowerCase()
  return `${name.slice(0, -place.parameter.length).toLowerCase()}${place.parameter}`
}

type Place =
  | { readonly setting: SettingName; readonly index?: number }
  | { readonly provider: string; readonly part: ProviderPart; readonly index?: number }
  | { readonly provider: string; readonly parameter: string }

function placeOf(path: readonly string[]): Place | undefined {
  const setting = settingNames.get(path.join(':').toLowerCase())
  if (setting !== undefined) return { setting }
  const list = settingNames.get(path.slice(0, -1).join(':').toLowerCase())
  const last = path.at(-1) ?? ''
  if (list !== undefined && 'list' in settingsTable[list].kind && /^\d{1,4}$/.test(last)) {
    return { setting: list, index: Number(last) }
  }
  const [oauth = '', external = '', provider = '', part = '', ...below] = path
  if (`${oauth}:${external}`.toLowerCase() !== 'oauth:external' || provider === '') return undefined
  if (part.toLowerCase() === 'parameters' && below.length > 0) return { provider, parameter: below.join(':') }
  const partName = partNames.get(part.toLowerCase())
  if (partName === undefined) return undefined
  if (below.length === 0) return { provider, part: partName }
  const isItem = 'list' in providerTable[partName].kind && below.length === 1 && /^\d{1,4}$/.test(last)
  return isItem ? { provider, part: partName, index: Number(last) } : undefined
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

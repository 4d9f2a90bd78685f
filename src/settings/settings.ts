/**
 * The record of all settings. Its shape is derived from the table: the segments of a setting's name in camelCase are
 * its place, and a duration or size ends with its unit. `OAuth:AccessTokenLifetime` is
 * `oauth.accessTokenLifetimeSeconds`.
 */
import type { EndpointAliases } from '../protocol/discovery/endpoints.ts'
import { measures } from './kinds.ts'
import { type providerTable, type Setting, type SettingName, settingsTable, type ValueOf } from './table.ts'
import type { Proxies } from './ways-out.ts'

export type { DatabaseSettings, SigningAlgorithm } from './kinds.ts'

/** All settings, read once, validated and frozen. */
export type Settings = Omit<TableSettings, 'oauth' | 'admin' | 'outbound'> & {
  readonly admin: Omit<TableSettings['admin'], 'url'> & {
    /** Where the admin API is, absolute, with a trailing slash. */
    readonly url: string
  }
  readonly oauth: Omit<TableSettings['oauth'], 'issuer'> & {
    /** Absolute, with a trailing slash; one with a path as it was written. */
    readonly issuer: string
    /** Further paths of endpoints, those of `endpointAliases`. */
    readonly aliases: EndpointAliases
    readonly external: readonly ExternalProviderSettings[]
  }
  readonly outbound: Omit<TableSettings['outbound'], 'proxy'> & {
    /** Those of the setting or of the environment. */
    readonly proxies: Proxies
  }
  /** `collector`: the address of an OpenTelemetry collector that the environment names; null: none. */
  readonly tracing: { readonly enabled: boolean; readonly collector: string | null }
}

/** The settings in the table, each in its place. */
export type TableSettings = Below<''>

/** An external provider with a client id. Absent parts are null. */
export type ExternalProviderSettings = Omit<ProviderParts, 'clientId' | 'clientSecret'> & {
  /** The scheme name, spelled as in the settings; compared case-insensitively. */
  readonly name: string
  /** How variables of the environment spell the name; absent: as it is. */
  readonly variable?: string
  readonly clientId: string
  /** Empty if none was given. */
  readonly clientSecret: string
  /** Of the authorization request, by name. */
  readonly parameters: Readonly<Record<string, string>>
}

export type ProviderParts = {
  readonly [Part in keyof typeof providerTable as Uncapitalize<Part>]: ValueOf<(typeof providerTable)[Part]>
}

type Table = typeof settingsTable

type Property<Segment extends string> = Segment extends 'OAuth' | 'DPoP' ? Lowercase<Segment> : Uncapitalize<Segment>

type UnitOf<S> =
  S extends Setting<infer _, infer Unit> ? (Unit extends (typeof measures)[number] ? Capitalize<Unit> : '') : never

/** A setting whose name is also the beginning of others; its own value is `mode` in their group. */
type GroupName = 'Accounts:SecondFactor'

/** The settings whose names begin with `Prefix`, without the prefix. */
type Below<Prefix extends string> = (Prefix extends `${GroupName}:`
  ? { readonly mode: ValueOf<Table[GroupName]> }
  : unknown) & {
  readonly [Name in Exclude<SettingName, GroupName> as Name extends `${Prefix}${infer Rest}`
    ? Rest extends `${infer Group}:${string}`
      ? Property<Group>
      : `${Property<Rest>}${UnitOf<Table[Name]>}`
    : never]: Name extends `${Prefix}${infer Rest}`
    ? Rest extends `${infer Group}:${string}`
      ? Below<`${Prefix}${Group}:`>
      : ValueOf<Table[Name]>
    : never
}

/** Returns the place of a setting in the record, such as `['server', 'port']`. */
export function placeOf(name: SettingName): readonly string[] {
  const { unit = '' } = settingsTable[name].kind
  const segments = name.split(':').map(propertyOf)
  const group: GroupName = 'Accounts:SecondFactor'
  if (name === group) return [...segments, 'mode']
  const measured = measures.some((measure) => measure === unit)
  return measured ? [...segments.slice(0, -1), `${segments.at(-1)}${capitalized(unit)}`] : segments
}

/** Converts a segment of a name to a property. */
export function propertyOf(segment: string): string {
  return ['OAuth', 'DPoP'].includes(segment)
    ? segment.toLowerCase()
    : `${segment.charAt(0).toLowerCase()}${segment.slice(1)}`
}

function capitalized(unit: string): string {
  return `${unit.charAt(0).toUpperCase()}${unit.slice(1)}`
}

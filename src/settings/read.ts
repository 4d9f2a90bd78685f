/** Reads the settings into one frozen record, or reports every problem with them. */
import { isIP } from 'node:net'
import { aliasesOf } from '../protocol/discovery/endpoints.ts'
import { baseOf } from '../protocol/discovery/issuer.ts'
import { isNeverReached } from '../protocol/special-addresses.ts'
import { trustsEverybody } from './exposure.ts'
import { Fault, shownOf } from './kinds.ts'
import { noteIgnored } from './misspelt-variables.ts'
import { aliasProblems } from './own-paths.ts'
import { withProviderNames } from './provider-names.ts'
import { type Read, readProvider } from './read-provider.ts'
import { placeOf, type Settings, type TableSettings } from './settings.ts'
import { collectorOf, readEnvironmentValues, readFileValues } from './sources.ts'
import {
  type ProviderPart,
  parameterSetting,
  providerTable,
  type Setting,
  type SettingName,
  settingsTable,
} from './table.ts'
import { readProxies } from './ways-out.ts'
import { sortValues, type Written } from './written.ts'

export type SettingsInput = {
  /** The configuration file; undefined: `latchkey.json` in `cwd`, if it exists. */
  readonly file?: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  /** Base of relative files. */
  readonly cwd: string
}

export type SettingsReading =
  | { readonly ok: true; readonly settings: Settings }
  /** A sentence or two each, with the setting and the remedy; never a secret. */
  | { readonly ok: false; readonly problems: readonly string[] }

/**
 * Reads the settings: defaults, overridden by the JSON file, overridden by the environment. Reports all problems at
 * once. The only place that reads the process's environment and working directory.
 */
export function readSettings(input: Partial<SettingsInput> = {}): SettingsReading {
  const { file, env = process.env, cwd = process.cwd() } = input
  const fromFile = readFileValues(file, cwd)
  const fileValues = 'values' in fromFile ? fromFile.values : []
  const named = withProviderNames(fileValues, readEnvironmentValues(env))
  const written = sortValues([fileValues, named.values])
  const problems = [...('problem' in fromFile ? [fromFile.problem] : []), ...named.problems, ...written.problems]

  const read: Read = (name, setting, value) => {
    const result = value && setting.kind.read(value.raw, cwd)
    if (result !== undefined && !(result instanceof Fault)) return result
    if (result instanceof Fault) problems.push(explain(name, setting, value, result, cwd))
    // Substitutes the default for a faulty value, so that the other settings can still be checked against it.
    return setting.default === undefined ? setting.absent : setting.kind.read(setting.default, cwd)
  }
  const { oauth, admin, database, outbound, ...others } = readTable(read, written.settings)
  const { proxy, ...reached } = outbound
  const { proxies, problems: ofProxies } = readProxies(proxy, env)
  const collector = collectorOf(env)
  const { port } = others.server
  const issuer = oauth.issuer ?? `http://localhost${port === 80 ? '' : `:${port}`}/`
  const { preset, ...chosen } = oauth.endpointAliases
  const aliases = aliasesOf(issuer, preset, chosen)
  problems.push(...ofProxies, ...aliasProblems(issuer, preset, aliases))
  const settings: Settings = {
    ...others,
    database: { ...database, url: { ...database.url, ...ofPostgres(database) } },
    oauth: {
      ...oauth,
      issuer,
      aliases,
      external: [...written.providers.values()].flatMap((provider) => {
        const spelled = named.spelled.find(({ name }) => name.toLowerCase() === provider.name.toLowerCase())
        return readProvider({ ...provider, ...(spelled && { variable: spelled.variable }) }, read, problems)
      }),
    },
    admin: { ...admin, url: admin.port === null ? baseOf(issuer) : (admin.url ?? `http://localhost:${admin.port}/`) },
    outbound: { ...reached, proxies },
    tracing: { enabled: collector !== null, collector },
  }
  problems.push(...checkTogether(settings, (name) => written.settings.has(name)))
  if (problems.length > 0) return { ok: false, problems }
  sources.set(settings.oauth, sourcesOf(written))
  noteIgnored(settings, env)
  return { ok: true, settings: deepFreeze(settings) }
}

/** By a part of the settings that their copies share. */
const sources = new WeakMap<object, readonly SettingSource[]>()

/** A setting in force. */
export type SettingSource = {
  readonly name: string
  /** As written; null: there is none, or it is a secret. */
  readonly value: unknown
  readonly source: 'default' | 'file' | 'environment'
  readonly secret: boolean
  /** As written; null: there is none. */
  readonly default: string | null
  /** What a value is, such as `seconds`, and its meaning: in English, with code and links as in Markdown. */
  readonly type: string
  readonly meaning: string
  /** Of a number; null: it has none. */
  readonly unit: string | null
  /** Whether another value needs a restart. */
  readonly needs_restart: boolean
}

/** Returns where each setting comes from, as of when they were read. */
export function settingSources({ oauth }: Pick<Settings, 'oauth'>): readonly SettingSource[] {
  return sources.get(oauth) ?? []
}

function sourcesOf({ settings, providers }: ReturnType<typeof sortValues>): readonly SettingSource[] {
  const one = (name: string, setting: Setting<unknown>, written: Written | undefined): SettingSource => {
    const { kind, default: byDefault, meaning } = setting
    const secret = kind.secret !== undefined
    const source =
      written === undefined ? 'default' : written.where.endsWith(' in the environment') ? 'environment' : 'file'
    const value = written === undefined ? (byDefault ?? null) : written.raw
    const { type, unit = '' } = kind
    return {
      ...{ name, value: shownOf(kind, value), source, secret, default: byDefault ?? null, type, meaning },
      unit: unit === '' ? null : unit,
      needs_restart: setting.needsRestart === true,
    }
  }
  const table = Object.entries(settingsTable).map(([name, setting]) => one(name, setting, settings.get(name)))
  const parts = [...providers.values()].flatMap(({ name, parts, parameters }) => [
    ...[...parts].map(([part, written]) =>
      one(`OAuth:External:${name}:${part}`, providerTable[part as ProviderPart], written),
    ),
    ...[...parameters].map(([parameter, written]) =>
      one(`OAuth:External:${name}:Parameters:${parameter}`, parameterSetting, written),
    ),
  ])
  return [...table, ...parts]
}

/** What else the address of the database carries, so that it goes wherever the address does. */
function ofPostgres({ url, preparedStatements }: TableSettings['database']) {
  return url.kind === 'postgres' && !preparedStatements ? { preparedStatements } : undefined
}

function readTable(read: Read, written: ReadonlyMap<string, Written>): TableSettings {
  const record: Tree = {}
  for (const name of Object.keys(settingsTable) as SettingName[]) {
    let group = record
    const place = placeOf(name)
    for (const property of place.slice(0, -1)) {
      group[property] ??= {}
      group = group[property] as Tree
    }
    group[place.at(-1) ?? ''] = read(name, settingsTable[name], written.get(name))
  }
  // `TableSettings` is the type of this loop's result.
  return record as TableSettings
}

type Tree = { [property: string]: unknown }

function explain(
  name: string,
  { kind }: Setting<unknown>,
  value: Written | undefined,
  fault: Fault,
  folder: string,
): string {
  const shown = JSON.stringify(value?.raw) ?? ''
  // Does not repeat text that looks like an address with a password.
  const isShowable = kind.secret === undefined && shown.length <= 80 && !shown.includes('@')
  const message = `${name} (${value?.where}) ${fault.must}${isShowable ? `, not ${shown}` : ''}.`
  if (kind.list === undefined) return message
  const meant = isShowable ? listMeantBy(kind, value?.raw, folder) : undefined
  return `${message} Several are separated by commas${meant === undefined ? '' : `: ${meant}`}.`
}

/** Returns a list that was separated by something else as it is to be written; undefined: that is not what is wrong. */
function listMeantBy(kind: Setting<unknown>['kind'], raw: unknown, folder: string): string | undefined {
  const items = [raw].flat().flatMap((item) => (typeof item === 'string' ? item.split(/[\s,;|]+/) : []))
  const named = items.filter((item) => item !== '')
  const isList = named.length > 1 && !(kind.read(named, folder) instanceof Fault)
  return isList ? named.join(',') : undefined
}

/** Checks the rules that concern several settings. */
function checkTogether(settings: Settings, isSet: (name: SettingName) => boolean): string[] {
  const problems: string[] = []
  if (settings.server.port === 0 && !isSet('OAuth:Issuer')) {
    problems.push('OAuth:Issuer must be set when Server:Port is 0: the address cannot be known beforehand.')
  }
  if (isSet('Keys:MasterKey') && isSet('Keys:MasterKeyFile')) {
    problems.push('Keys:MasterKey and Keys:MasterKeyFile are both set. Remove one of the two.')
  }
  if (settings.database.url.kind === 'postgres' && !isSet('Keys:MasterKey') && !isSet('Keys:MasterKeyFile')) {
    problems.push(
      'Keys:MasterKey must be set when Database:Url is a PostgreSQL server, to the same value on every node. ' +
        'Make one with: openssl rand -base64 32',
    )
  }
  if (settings.accounts.registration === 'open' && settings.mail.url === null) {
    problems.push(
      'Mail:Url must be set when Accounts:Registration is open: addresses are confirmed by mail. ' +
        'To try it out without a mail server, use file:mail, which writes mails to files.',
    )
  }
  const { url, secret } = settings.accounts.legacy
  if ((url === null) !== (secret === null)) {
    problems.push('Accounts:Legacy:Url and Accounts:Legacy:Secret must be set together.')
  }
  if (url?.startsWith('http:') && !settings.outbound.allowHttp) {
    problems.push(
      'Accounts:Legacy:Url must be https: passwords are sent there. A loopback address may be http with Outbound:AllowHttp.',
    )
  }
  const host = url === null ? '' : new URL(url).hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) > 0 && isNeverReached(host)) {
    problems.push(
      'Accounts:Legacy:Url must not be a link-local address or one of a metadata service: none is ever reached.',
    )
  }
  if (settings.accounts.secondFactor.email && settings.mail.url === null) {
    problems.push('Mail:Url must be set when Accounts:SecondFactor:Email is true.')
  }
  if (settings.oauth.mtls.address !== null && settings.oauth.mtls.clientCertificateHeader === null) {
    problems.push(
      'OAuth:Mtls:ClientCertificateHeader must be set with OAuth:Mtls:Address: the proxy passes on certificates in it.',
    )
  }
  if (settings.oauth.mtls.clientCertificateHeader !== null && trustsEverybody(settings.server.trustProxy)) {
    problems.push(
      'Server:TrustProxy must name the proxy that sends OAuth:Mtls:ClientCertificateHeader, by its address or a network of its own: ' +
        'everyone whom it trusts can present the certificate of any client.',
    )
  }
  return problems
}

function deepFreeze<T>(value: T): T {
  // Buffers such as the master key cannot be frozen.
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  for (const inner of Object.values(value)) deepFreeze(inner)
  return Object.freeze(value)
}

/** Returns the variables that files refer to: those of the process unless others are given. */
export function environmentOf(env: Readonly<Record<string, string | undefined>> = process.env) {
  return env
}

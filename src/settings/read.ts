/** Turns what was written into the one frozen record of settings, or into every problem with it. */

import { Fault } from './kinds.ts'
import type { ExternalProviderSettings, Settings } from './settings.ts'
import { isTracingWanted, readEnvironmentEntries, readFileEntries } from './sources.ts'
import {
  type ProviderPart,
  providerTable,
  type Setting,
  type SettingName,
  settingsTable,
  type ValueOf,
} from './table.ts'
import { sortEntries, type Written, type WrittenProvider } from './written.ts'

export type SettingsInput = {
  /** The configuration file; undefined: `latchkey.json` in `cwd`, if it is there. */
  readonly file?: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  /** Relative files count from here. */
  readonly cwd: string
}

export type SettingsReading =
  | { readonly ok: true; readonly settings: Settings }
  /** One sentence or two each, naming the setting and what to do; never a secret. */
  | { readonly ok: false; readonly problems: readonly string[] }

export function readSettingsFrom({ file, env, cwd }: SettingsInput): SettingsReading {
  const fromFile = readFileEntries(file, cwd)
  const fileEntries = 'entries' in fromFile ? fromFile.entries : []
  const written = sortEntries([fileEntries, readEnvironmentEntries(env)])
  const problems = [...('problem' in fromFile ? [fromFile.problem] : []), ...written.problems]

  const read = <T>(name: string, setting: Setting<T>, value: Written | undefined): T => {
    const result = value && setting.kind.read(value.raw, cwd)
    if (result !== undefined && !(result instanceof Fault)) return result
    if (result instanceof Fault) problems.push(explain(name, setting, value, result))
    // The default stands in for a faulty value, so that the other settings can still be checked against it.
    const fallback = setting.default === undefined ? setting.absent : setting.kind.read(setting.default, cwd)
    return fallback as T
  }
  const get = <N extends SettingName>(name: N): ValueOf<(typeof settingsTable)[N]> =>
    read(name, settingsTable[name] as Setting<ValueOf<(typeof settingsTable)[N]>>, written.settings.get(name))

  const port = get('Server:Port')
  const settings: Settings = {
    server: {
      host: get('Server:Host'),
      port,
      trustProxy: get('Server:TrustProxy'),
      maxConnections: get('Server:MaxConnections'),
      maxConnectionsPerAddress: get('Server:MaxConnectionsPerAddress'),
      allowedHosts: get('Server:AllowedHosts'),
      drainSeconds: get('Server:DrainDelay'),
      workerTimeoutSeconds: get('Server:WorkerTimeout'),
    },
    oauth: {
      issuer: get('OAuth:Issuer') ?? `http://localhost${port === 80 ? '' : `:${port}`}/`,
      loginPageUrl: get('OAuth:LoginPageUrl'),
      consentPageUrl: get('OAuth:ConsentPageUrl'),
      logoutPageUrl: get('OAuth:LogoutPageUrl'),
      externalLoginConfirmPageUrl: get('OAuth:ExternalLoginConfirmPageUrl'),
      authorizationCodeSeconds: get('OAuth:AuthorizationCodeLifetime'),
      accessTokenSeconds: get('OAuth:AccessTokenLifetime'),
      identityTokenSeconds: get('OAuth:IdentityTokenLifetime'),
      refreshTokenSeconds: get('OAuth:RefreshTokenLifetime'),
      refreshTokenReuseLeewaySeconds: get('OAuth:RefreshTokenReuseLeeway'),
      refreshChainMaxSeconds: get('OAuth:RefreshChainMaxLifetime'),
      accessTokenAlgorithm: get('OAuth:AccessTokenAlgorithm'),
      identityTokenAlgorithm: get('OAuth:IdentityTokenAlgorithm'),
      external: [...written.providers.values()].flatMap((provider) => readProvider(provider, read, problems)),
    },
    database: get('Database:Url'),
    databaseWaitSeconds: get('Database:WaitAtStart'),
    accounts: {
      lockout: {
        maxFailedAttempts: get('Accounts:Lockout:MaxFailedAttempts'),
        durationSeconds: get('Accounts:Lockout:Duration'),
        keepsSessions: get('Accounts:Lockout:KeepsSessions'),
      },
      requireConfirmedEmail: get('Accounts:RequireConfirmedEmail'),
      sessionSeconds: get('Accounts:SessionLifetime'),
      sessionMaxSeconds: get('Accounts:SessionMaxLifetime'),
      passwordMinLength: get('Accounts:Password:MinLength'),
    },
    rateLimit: { loginPerMinute: get('RateLimit:LoginPerMinute') },
    keys: {
      masterKey: get('Keys:MasterKey'),
      masterKeyFile: get('Keys:MasterKeyFile'),
      rotateEverySeconds: get('Keys:RotateEvery'),
    },
    audit: {
      retainDays: get('Audit:RetainFor'),
      retainRefusalsDays: get('Audit:RetainRefusalsFor'),
      maxRefusalMegabytes: get('Audit:MaxRefusalSize'),
      maxMegabytes: get('Audit:MaxSize'),
    },
    cors: { origins: get('Cors:Origins') },
    log: { level: get('Log:Level') },
    metrics: { host: get('Metrics:Host'), port: get('Metrics:Port') },
    tracing: { enabled: isTracingWanted(env) },
  }
  problems.push(...checkTogether(settings, (name) => written.settings.has(name)))
  return problems.length > 0 ? { ok: false, problems } : { ok: true, settings: deepFreeze(settings) }
}

function explain(name: string, { kind }: Setting<unknown>, value: Written | undefined, fault: Fault): string {
  const shown = JSON.stringify(value?.raw) ?? ''
  // What looks like an address with a password in it is not repeated either.
  const isShowable = kind.secret === undefined && shown.length <= 80 && !shown.includes('@')
  return `${name} (${value?.where}) ${fault.must}${isShowable ? `, not ${shown}` : ''}.`
}

/** The rules that concern more than one setting. */
function checkTogether(settings: Settings, isSet: (name: SettingName) => boolean): string[] {
  const problems: string[] = []
  if (settings.server.port === 0 && !isSet('OAuth:Issuer')) {
    problems.push('OAuth:Issuer must be set when Server:Port is 0: the address cannot be known beforehand.')
  }
  if (isSet('Keys:MasterKey') && isSet('Keys:MasterKeyFile')) {
    problems.push('Keys:MasterKey and Keys:MasterKeyFile are both set. Remove one of the two.')
  }
  if (settings.database.kind === 'postgres' && !isSet('Keys:MasterKey') && !isSet('Keys:MasterKeyFile')) {
    problems.push(
      'Keys:MasterKey must be set when Database:Url is a PostgreSQL server, to the same value on every node. ' +
        'Make one with: openssl rand -base64 32',
    )
  }
  return problems
}

/** One provider, or none when it has no client id. Its parts are checked in either case. */
function readProvider(
  { name, parts }: WrittenProvider,
  read: <T>(name: string, setting: Setting<T>, value: Written | undefined) => T,
  problems: string[],
): ExternalProviderSettings[] {
  const prefix = `OAuth:External:${name}`
  const get = (part: ProviderPart) => read<string | null>(`${prefix}:${part}`, providerTable[part], parts.get(part))
  const clientId = get('ClientId')
  const provider = {
    name,
    clientId: clientId ?? '',
    clientSecret: get('ClientSecret') ?? '',
    issuer: get('Issuer'),
    displayName: get('DisplayName'),
    authorizationEndpoint: get('AuthorizationEndpoint'),
    tokenEndpoint: get('TokenEndpoint'),
    userInfoEndpoint: get('UserInfoEndpoint'),
  }
  if (clientId === null) return []
  // The name is a segment of the callback address.
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) {
    problems.push(`${prefix} must have a name of letters, digits, ".", "_" and "-", at most 64 of them.`)
  }
  const endpoints = [provider.authorizationEndpoint, provider.tokenEndpoint, provider.userInfoEndpoint]
  const isFound = provider.issuer !== null || endpoints.every((endpoint) => endpoint !== null)
  if (!isFound && name.toLowerCase() !== 'github' && !parts.has('Issuer')) {
    problems.push(
      `${prefix}:Issuer must be set: only GitHub is known by its name. For a provider without OpenID Connect discovery ` +
        'set AuthorizationEndpoint, TokenEndpoint and UserInfoEndpoint instead.',
    )
  }
  return [provider]
}

function deepFreeze<T>(value: T): T {
  // The bytes of a key cannot be frozen; views on a buffer are left as they are.
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  for (const inner of Object.values(value)) deepFreeze(inner)
  return Object.freeze(value)
}

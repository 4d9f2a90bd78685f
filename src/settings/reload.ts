/** Which settings a running service can take on, and which it was started with for good. */
import { isDeepStrictEqual } from 'node:util'
import type { Settings } from './settings.ts'
import type { SettingName } from './table.ts'

/** What the service has opened, or what is already out in browsers and tokens under the old value. */
const fixed: { readonly [name in SettingName]?: (settings: Settings) => unknown } = {
  'Server:Host': ({ server }) => server.host,
  'Server:Port': ({ server }) => server.port,
  'Server:WorkerTimeout': ({ server }) => server.workerTimeoutSeconds,
  'OAuth:Issuer': ({ oauth }) => oauth.issuer,
  'OAuth:AccessTokenAlgorithm': ({ oauth }) => oauth.accessTokenAlgorithm,
  'OAuth:IdentityTokenAlgorithm': ({ oauth }) => oauth.identityTokenAlgorithm,
  'Database:Url': ({ database }) => database,
  'Keys:MasterKey': ({ keys }) => keys.masterKey,
  'Keys:MasterKeyFile': ({ keys }) => keys.masterKeyFile,
  'Metrics:Host': ({ metrics }) => metrics.host,
  'Metrics:Port': ({ metrics }) => metrics.port,
}

export function isFixed(name: string): boolean {
  return Object.hasOwn(fixed, name)
}

/** The names of the settings that differ and need a restart. Empty: `next` can be taken on as it is. */
export function fixedDifferences(current: Settings, next: Settings): string[] {
  return Object.entries(fixed)
    .filter(([, value]) => !isDeepStrictEqual(value(current), value(next)))
    .map(([name]) => name)
}

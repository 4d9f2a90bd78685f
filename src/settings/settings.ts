import { readSettingsFrom, type SettingsInput, type SettingsReading } from './read.ts'

/** Signature algorithms a token can be signed with (RFC 7518 §3.1, RFC 8037 §3.1). */
export type SigningAlgorithm = 'RS256' | 'PS256' | 'ES256' | 'EdDSA'

/** An external provider whose client id is set. Absent parts are null. */
export type ExternalProviderSettings = {
  /** The scheme name, spelled as in the settings; compared without regard to case. */
  readonly name: string
  readonly clientId: string
  /** Empty when none was given. */
  readonly clientSecret: string
  readonly issuer: string | null
  readonly displayName: string | null
  readonly authorizationEndpoint: string | null
  readonly tokenEndpoint: string | null
  readonly userInfoEndpoint: string | null
}

export type DatabaseSettings =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'sqlite-memory' }
  | { readonly kind: 'postgres'; readonly url: string }

/** Every setting, read once, checked and frozen. Durations carry their unit in the name. */
export type Settings = {
  readonly server: {
    readonly host: string
    readonly port: number
    /** Whose `X-Forwarded-*` headers are believed: nobody's, everybody's, or these addresses'. */
    readonly trustProxy: boolean | readonly string[]
    /** In each process. */
    readonly maxConnections: number
    readonly maxConnectionsPerAddress: number
    /** Names beside the issuer's by which a service on a loopback address may be called; lower case, without a port. */
    readonly allowedHosts: readonly string[]
    readonly drainSeconds: number
    /** How long a worker may be silent before it is taken for one that hangs. */
    readonly workerTimeoutSeconds: number
  }
  readonly oauth: {
    /** Absolute, with a trailing slash. */
    readonly issuer: string
    /** A path, or an absolute address on another origin. */
    readonly loginPageUrl: string
    readonly consentPageUrl: string
    readonly logoutPageUrl: string
    readonly externalLoginConfirmPageUrl: string
    readonly authorizationCodeSeconds: number
    readonly accessTokenSeconds: number
    readonly identityTokenSeconds: number
    readonly refreshTokenSeconds: number
    readonly refreshTokenReuseLeewaySeconds: number
    /** 0: none. */
    readonly refreshChainMaxSeconds: number
    readonly accessTokenAlgorithm: SigningAlgorithm
    readonly identityTokenAlgorithm: SigningAlgorithm
    readonly external: readonly ExternalProviderSettings[]
  }
  readonly database: DatabaseSettings
  /** How long a start waits for the database; 0: not at all. */
  readonly databaseWaitSeconds: number
  readonly accounts: {
    readonly lockout: {
      readonly maxFailedAttempts: number
      readonly durationSeconds: number
      readonly keepsSessions: boolean
    }
    readonly requireConfirmedEmail: boolean
    readonly sessionSeconds: number
    /** 0: none. */
    readonly sessionMaxSeconds: number
    readonly passwordMinLength: number
  }
  readonly rateLimit: { readonly loginPerMinute: number }
  readonly keys: {
    /** 32 bytes, or null. At most one of the two is set. */
    readonly masterKey: Uint8Array | null
    readonly masterKeyFile: string | null
    /** 0: never by itself. */
    readonly rotateEverySeconds: number
  }
  readonly audit: {
    /** 0: for ever. */
    readonly retainDays: number
    /** 0: as long as other entries. */
    readonly retainRefusalsDays: number
    readonly maxRefusalMegabytes: number
    /** 0: any. */
    readonly maxMegabytes: number
  }
  /** Exact origins, never `*`. */
  readonly cors: { readonly origins: readonly string[] }
  readonly log: { readonly level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent' }
  /** `port` null: nothing is counted. */
  readonly metrics: { readonly host: string; readonly port: number | null }
  /** Whether the environment names an OpenTelemetry collector. */
  readonly tracing: { readonly enabled: boolean }
}

/**
 * Reads the settings: defaults, then the JSON file, then the environment; the later one wins. All problems are found
 * at once. The only place that knows of the process's environment and working directory.
 */
export function readSettings(input: Partial<SettingsInput> = {}): SettingsReading {
  const { file, env = process.env, cwd = process.cwd() } = input
  return readSettingsFrom({ file, env, cwd })
}

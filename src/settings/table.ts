/**
 * The table of all settings. The reader, the documentation and the suggestions for misspelt names are derived from it.
 *
 * Belongs here: reading file and environment into one frozen record, with the kind, default and meaning of every
 * setting. The only folder that reads the environment.
 * Belongs elsewhere: acting on a setting.
 */
import {
  database,
  endpoint,
  file,
  flag,
  foreignIssuer,
  host,
  type Kind,
  logLevel,
  masterKey,
  orNever,
  ownIssuer,
  page,
  secretText,
  signingAlgorithm,
  text,
  wholeNumber,
} from './kinds.ts'
import { hostNames, origins, trustedProxies } from './list-kinds.ts'

export type Setting<T, Unit extends string = string> = {
  readonly kind: Kind<T, Unit>
  /** As written in a source; undefined: there is no default, and the value is `absent`. */
  readonly default: string | undefined
  readonly absent?: T
  /** One or two sentences for the documentation. */
  readonly meaning: string
}

const tenYears = 315_360_000
const seconds = (min: number, max: number) => wholeNumber('seconds', min, max)

export const settingsTable = {
  'Server:Host': setting(host, 'localhost', 'The name or address to listen on. `0.0.0.0` or `::` is every address.'),
  'Server:Port': setting(wholeNumber('port', 0, 65_535), '5080', 'The port to listen on. `0` takes a free one.'),
  'Server:TrustProxy': setting(
    trustedProxies,
    'false',
    "Whose `X-Forwarded-*` headers are believed: nobody's, everybody's, or those of the listed addresses and networks.",
  ),
  'Server:MaxConnections': setting(
    wholeNumber('connections', 16, 1_000_000),
    '4096',
    'How many connections may be open at once, in each process. Beyond it the oldest of the address that has the most gives way.',
  ),
  'Server:MaxConnectionsPerAddress': setting(
    wholeNumber('connections', 1, 1_000_000),
    '1024',
    'How many of them one address (a /64 of IPv6) may have. Those of trusted proxies are not counted.',
  ),
  'Server:AllowedHosts': setting(
    hostNames,
    '',
    'Further names by which clients may call a service that listens on a loopback address alone. There `Host` must be that ' +
      'of the issuer, `localhost`, a loopback address or one of these; anything else is 421. Elsewhere any name is taken.',
  ),
  'Server:DrainDelay': setting(
    seconds(0, 600),
    '0',
    'How long the service goes on answering after it was told to stop, while `/readyz` says 503: the time that a load ' +
      'balancer needs to notice.',
  ),
  'Server:WorkerTimeout': setting(
    seconds(2, 3600),
    '20',
    'How long a worker of `serve --workers` may give no sign of life, because it hangs, before it is killed and replaced.',
  ),
  'OAuth:Issuer': optional(
    ownIssuer,
    'The base address that browsers and clients use, with a trailing slash (one is added). ' +
      '`https` is required unless the host is a loopback address. Without it: `http://localhost:<Server:Port>/`.',
  ),
  'OAuth:LoginPageUrl': setting(page, '/Account/Login', 'The page people sign in on; may be on another origin.'),
  'OAuth:ConsentPageUrl': setting(
    page,
    '/Account/Consent',
    'The page that asks for consent; may be on another origin.',
  ),
  'OAuth:LogoutPageUrl': setting(
    page,
    '/Account/Logout',
    'The page that confirms a sign-out; may be on another origin.',
  ),
  'OAuth:ExternalLoginConfirmPageUrl': setting(
    page,
    '/Account/ExternalLoginConfirm',
    'The page that confirms an account made from an external identity; may be on another origin.',
  ),
  'OAuth:AuthorizationCodeLifetime': setting(
    seconds(1, 600),
    '60',
    'How long an authorization code can be redeemed. RFC 6749 §4.1.2 advises ten minutes at most.',
  ),
  'OAuth:AccessTokenLifetime': setting(seconds(1, tenYears), '3600', 'How long an access token is valid.'),
  'OAuth:IdentityTokenLifetime': setting(seconds(1, tenYears), '1200', 'How long an id token is valid.'),
  'OAuth:RefreshTokenLifetime': setting(
    seconds(1, tenYears),
    '1209600',
    'How long a refresh token is valid, counted anew at each rotation.',
  ),
  'OAuth:RefreshTokenReuseLeeway': setting(
    seconds(0, 3600),
    '30',
    'How long a just-rotated refresh token may be sent again (a lost answer, two tabs). After it, reuse revokes the whole chain. ' +
      'Only the time counts in which the service could answer, and after three days it is over in any case.',
  ),
  'OAuth:RefreshChainMaxLifetime': setting(
    orNever(seconds(1, tenYears)),
    '0',
    'How long after the sign-in of an application its refresh tokens end, however often they are used. `0`: never by that.',
  ),
  'OAuth:AccessTokenAlgorithm': setting(
    signingAlgorithm,
    'ES256',
    'Signs access tokens. ES256 signs about twelve times as fast as RS256.',
  ),
  'OAuth:IdentityTokenAlgorithm': setting(
    signingAlgorithm,
    'RS256',
    'Signs id tokens. RS256 is what clients expect unless they were told otherwise (OpenID Connect Core §3.1.3.7).',
  ),
  'Database:Url': setting(
    database,
    'sqlite:data/latchkey.db',
    'An embedded database file (relative to the working directory), one in memory that is lost at the end, or a PostgreSQL server. ' +
      'Several servers are separated by commas (`postgres://h1,h2/db?target_session_attrs=read-write`); the one that takes writes is used.',
  ),
  'Database:WaitAtStart': setting(
    seconds(0, 86_400),
    '60',
    'How long a start waits for a PostgreSQL that is away or starts itself, before it ends with exit code 1. `0`: not at all.',
  ),
  'Accounts:Lockout:MaxFailedAttempts': setting(
    wholeNumber('attempts', 1, 1000),
    '5',
    'Wrong passwords in a row after which an account is locked for a while. A successful sign-in resets the count.',
  ),
  'Accounts:Lockout:Duration': setting(seconds(1, tenYears), '300', 'How long such a lockout lasts.'),
  'Accounts:Lockout:KeepsSessions': setting(
    flag,
    'false',
    'Whether such a lockout stops sign-ins with a password alone. When it is `false`, sessions and refresh tokens rest as well until it ends.',
  ),
  'Accounts:RequireConfirmedEmail': setting(
    flag,
    'false',
    'Whether only people with a confirmed e-mail address may sign in.',
  ),
  'Accounts:SessionLifetime': setting(
    seconds(1, tenYears),
    '1209600',
    'How long a browser stays signed in without being used (sliding).',
  ),
  'Accounts:SessionMaxLifetime': setting(
    orNever(seconds(1, tenYears)),
    '0',
    'How long after the sign-in a browser is signed out, however much it is used. `0`: never by that.',
  ),
  'Accounts:Password:MinLength': setting(
    wholeNumber('characters', 1, 256),
    '8',
    'The least number of characters of a new password.',
  ),
  'RateLimit:LoginPerMinute': setting(
    wholeNumber('attempts', 1, 1_000_000),
    '30',
    'Failed password attempts per minute and client address (a /64 of IPv6; a /56 has four times, a /48 sixteen times as many); ' +
      'over it the answer is 429. Successes do not count.',
  ),
  'Keys:MasterKey': optional(
    masterKey,
    'Encrypts the private keys at rest. Make one with `openssl rand -base64 32`. Without it and `Keys:MasterKeyFile`, a file ' +
      'is made beside the embedded database (`<database file>.key`, mode 0600); with PostgreSQL one of the two must be given.',
    null,
  ),
  'Keys:MasterKeyFile': optional(
    file,
    'A file that holds the master key in base64, relative to the working directory. Not together with `Keys:MasterKey`.',
    null,
  ),
  'Keys:RotateEvery': setting(
    orNever(seconds(3600, tenYears)),
    '7776000',
    'How long a signing key or secret is used before a running server replaces it by itself; 90 days unless it is set. ' +
      '`0`: only `latchkey keys rotate` does.',
  ),
  'Audit:RetainFor': setting(
    orNever(wholeNumber('days', 1, 36_500)),
    '365',
    'How long entries of the audit trail are kept before a running server removes them. `0`: for ever.',
  ),
  'Audit:RetainRefusalsFor': setting(
    orNever(wholeNumber('days', 1, 36_500)),
    '30',
    'How long refused requests and failed sign-ins are kept in the audit trail; never longer than other entries. `0`: as long as they.',
  ),
  'Audit:MaxRefusalSize': setting(
    wholeNumber('megabytes', 1, 1_000_000),
    '256',
    'What refused requests and failed sign-ins may take on disk, about. The oldest of them give way first.',
  ),
  'Audit:MaxSize': setting(
    orNever(wholeNumber('megabytes', 1, 10_000_000)),
    '0',
    'What the whole audit trail may take on disk, about. The oldest refusals and failed sign-ins give way first, then the oldest ' +
      'of the other entries. `0`: as much as `Audit:RetainFor` needs.',
  ),
  'Cors:Origins': setting(
    origins,
    '',
    'Exact origins whose pages may call the token, revocation and discovery endpoints and the sample API with credentials. `*` is refused.',
  ),
  'Log:Level': setting(logLevel, 'info', 'The least severe messages that are logged.'),
  'Metrics:Host': setting(host, 'localhost', 'The name or address on which the numbers for Prometheus are served.'),
  'Metrics:Port': optional(
    wholeNumber('port', 0, 65_535),
    'The port on which the numbers for Prometheus are served, at `/metrics`. Without it nothing is counted. `0` takes a free one.',
    null,
  ),
} satisfies Record<string, Setting<unknown>>

export type SettingName = keyof typeof settingsTable
export type ValueOf<S> = S extends Setting<infer T, infer _> ? T : never

/** The settings of one external provider, under `OAuth:External:<Provider>:`. */
export const providerTable = {
  ClientId: optional(
    text,
    "The provider application's client id. While it is absent or empty the provider does not exist.",
    null,
  ),
  ClientSecret: optional(secretText, "The provider application's client secret; empty when absent.", null),
  Issuer: optional(
    foreignIssuer,
    'The issuer of an OpenID Connect provider, exactly as its discovery document spells it. `GitHub` needs none.',
    null,
  ),
  DisplayName: optional(text, 'The name on its button; without it the name of the provider.', null),
  AuthorizationEndpoint: optional(endpoint, "Overrides the address of the provider's authorization endpoint.", null),
  TokenEndpoint: optional(endpoint, "Overrides the address of the provider's token endpoint.", null),
  UserInfoEndpoint: optional(endpoint, "Overrides the address of the provider's userinfo endpoint.", null),
} satisfies Record<string, Setting<string | null>>

export type ProviderPart = keyof typeof providerTable

/** First segments of environment variables that belong to this service. */
export const sections = [...new Set(Object.keys(settingsTable).map((name) => name.split(':', 1)[0] ?? ''))]

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(settingsTable, name)
}

function setting<T, Unit extends string>(kind: Kind<T, Unit>, defaultText: string, meaning: string): Setting<T, Unit> {
  return { kind, default: defaultText, meaning }
}

function optional<T>(kind: Kind<T>, meaning: string): Setting<T | undefined>
function optional<T, Unit extends string>(kind: Kind<T, Unit>, meaning: string, absent: null): Setting<T | null, Unit>
function optional<T, Unit extends string>(
  kind: Kind<T, Unit>,
  meaning: string,
  absent?: null,
): Setting<T | null | undefined, Unit> {
  return { kind, default: undefined, absent, meaning }
}

/**
 * The table of all settings. The reader, the documentation and the suggestions for misspelt names are derived from it.
 *
 * Belongs here: reading file and environment into one frozen record, with the kind, default and meaning of every
 * setting. The only folder that reads the environment.
 * Belongs elsewhere: acting on a setting.
 */
import { radiusAtMost } from '../protocol/branding/brand.ts'
import { uncommonKeyNote } from '../protocol/client/signing-algorithms.ts'
import {
  accountRegistration,
  authenticationClass,
  brandBackground,
  color,
  darkColor,
  languageTag,
  mailbox,
  mailTransport,
  onOrOff,
  secondFactorMode,
  secureOrigins,
  webhookSecret,
} from './account-kinds.ts'
import { aliasPath, aliasPreset, ownAddress, ownIssuer } from './address-kinds.ts'
import {
  askedEndpoint,
  database,
  endpoint,
  file,
  flag,
  foreignIssuer,
  headerName,
  host,
  type Kind,
  logLevel,
  masterKey,
  orNever,
  page,
  pushedRequests,
  registrationMode,
  scopeForm,
  secretText,
  signingAlgorithm,
  text,
  tokenEndpointAuthMethod,
  wholeNumber,
} from './kinds.ts'
import { crossOriginHeaders, hostNames, origins, scopes, scopeTokens, trustedProxies } from './list-kinds.ts'
import { reachable } from './outbound-kinds.ts'
import { authorities, proxy } from './ways-out.ts'

/** Of a setting that puts a key into the key set. */
const uncommonKeys = `EdDSA puts ${uncommonKeyNote('EdDSA')}.`

export type Setting<T, Unit extends string = string> = {
  readonly kind: Kind<T, Unit>
  /** As written in a source; undefined: there is no default, and the value is `absent`. */
  readonly default: string | undefined
  readonly absent?: T
  /** One or two sentences for the documentation. */
  readonly meaning: string
  /** Whether a running service cannot take on another value: it is used at the start, or is in browsers and tokens already. */
  readonly needsRestart?: true
}

const tenYears = 315_360_000
const seconds = (min: number, max: number) => wholeNumber('seconds', min, max)

export const settingsTable = {
  'Server:Host': needsRestart(
    setting(host, 'localhost', 'The name or address to listen on. `0.0.0.0` or `::` is every address.'),
  ),
  'Server:Port': needsRestart(
    setting(wholeNumber('port', 0, 65_535), '5080', 'The port to listen on. `0` takes a free port.'),
  ),
  'Server:TrustProxy': setting(
    trustedProxies,
    'false',
    'Which proxies are believed in `X-Forwarded-For`: none (`false`), all (`true`), or the listed addresses and networks.',
  ),
  'Server:MaxConnections': setting(
    wholeNumber('connections', 16, 1_000_000),
    '4096',
    'How many connections may be open at once, in each process. Beyond it, the oldest connection of the address with the most is closed.',
  ),
  'Server:MaxConnectionsPerAddress': setting(
    wholeNumber('connections', 1, 1_000_000),
    '1024',
    'How many of them one address (a /64 of IPv6) may have. Connections of trusted proxies are not counted.',
  ),
  'Server:AllowedHosts': setting(
    hostNames,
    '',
    'Additional host names for a service that listens on a loopback address only. There `Host` must be that ' +
      'of the issuer, `localhost`, a loopback address or one of these; anything else is 421. On other addresses any name is accepted.',
  ),
  'Server:DrainDelay': setting(
    seconds(0, 600),
    '0',
    'How long the service keeps answering after it was told to stop, while `/readyz` returns 503: the time that a load ' +
      'balancer needs to notice.',
  ),
  'Server:WorkerTimeout': needsRestart(
    setting(
      seconds(2, 3600),
      '20',
      'How long a worker of `serve --workers` may hang before it is killed and replaced.',
    ),
  ),
  'OAuth:Issuer': needsRestart(
    optional(
      ownIssuer,
      'The base address that browsers and clients use, with a trailing slash (one is added). ' +
        '`https` is required unless the host is a loopback address. Without it: `http://localhost:<Server:Port>/`. ' +
        'It may have a path (`https://sso.acme.example/realms/acme`); the text is then the issuer as it is, without a slash added ' +
        '([Deploying](deploy.md#an-issuer-with-a-path)).',
    ),
  ),
  'OAuth:EndpointAliases:Preset': needsRestart(
    setting(
      aliasPreset,
      'none',
      'Paths of another system below the issuer, at which the endpoints answer as well, and the pages that its browser library needs: `keycloak`, or `none` ([Deploying](deploy.md#an-issuer-with-a-path)).',
    ),
  ),
  'OAuth:EndpointAliases:authorization': alias('authorization endpoint'),
  'OAuth:EndpointAliases:token': alias('token endpoint'),
  'OAuth:EndpointAliases:userinfo': alias('userinfo endpoint'),
  'OAuth:EndpointAliases:end_session': alias('end-session endpoint'),
  'OAuth:EndpointAliases:jwks': alias('key set'),
  'OAuth:EndpointAliases:introspection': alias('introspection endpoint'),
  'OAuth:EndpointAliases:revocation': alias('revocation endpoint'),
  'OAuth:EndpointAliases:device_authorization': alias('device authorization endpoint'),
  'OAuth:EndpointAliases:pushed_authorization_request': alias('pushed authorization request endpoint'),
  'OAuth:EndpointAliases:registration': alias('client registration endpoint'),
  'OAuth:LoginPageUrl': setting(page, '/Account/Login', 'The sign-in page; may be on another origin.'),
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
    'How long an authorization code can be redeemed. RFC 6749 §4.1.2 recommends at most ten minutes.',
  ),
  'OAuth:PushedRequestLifetime': setting(
    seconds(1, 600),
    '60',
    'How long a browser can open the `request_uri` of a pushed authorization request (RFC 9126). A browser that opened it in time may take an hour for sign-in and consent.',
  ),
  'OAuth:DeviceCodeLifetime': setting(
    seconds(60, 3600),
    '600',
    'How long the codes of a device (RFC 8628) are valid: the user code, and the device code that is polled with.',
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
    'How long a replaced refresh token may be sent again (a lost response, two tabs). After that, reuse revokes the whole chain. ' +
      'Only time in which the service could answer counts; after three days the leeway ends in any case.',
  ),
  'OAuth:RefreshChainMaxLifetime': setting(
    orNever(seconds(1, tenYears)),
    '0',
    'How long after the sign-in at an application its refresh tokens expire, however often they are used. `0`: no such limit.',
  ),
  'OAuth:AccessTokenScope': setting(
    scopeForm,
    'array',
    'How new clients get the `scope` of access tokens: a JSON array, or one `string` with spaces (RFC 9068 §2.2.3). ' +
      'A registered client keeps its own `access_token_scope`.',
  ),
  'OAuth:DynamicRegistration': setting(
    registrationMode,
    'off',
    'Whether clients can register themselves at `/connect/register` (RFC 7591): not at all, with an initial access `token` ' +
      '(`latchkey client registration-token`), or anybody (`open`): public clients that ask for consent.',
  ),
  'OAuth:DynamicRegistrationScopes': setting(
    scopes,
    '',
    'The scopes that clients may request which anybody registered or which are documents, besides `openid`, and those of a registration that names none.',
  ),
  'OAuth:ClientIdMetadataDocuments': setting(
    flag,
    'false',
    'Whether a client id can be the `https` address of a document with client metadata, which the service fetches. Such a client ' +
      'asks for consent and may request the scopes of `OAuth:DynamicRegistrationScopes`.',
  ),
  'OAuth:AccessTokenAlgorithm': needsRestart(
    setting(signingAlgorithm, 'ES256', `Signs access tokens. ES256 is far faster than RS256. ${uncommonKeys}`),
  ),
  'OAuth:IdentityTokenAlgorithm': needsRestart(
    setting(
      signingAlgorithm,
      'RS256',
      `Signs id tokens. RS256 is what clients expect by default (OpenID Connect Core §3.1.3.7). ${uncommonKeys}`,
    ),
  ),
  'OAuth:DPoP:Nonce': setting(
    flag,
    'false',
    'Whether DPoP proofs must contain a nonce of this service, which shows that they were made just now (RFC 9449 §8). ' +
      'Costs a client one more request every few minutes.',
  ),
  'OAuth:PostQuantum': needsRestart(
    setting(
      flag,
      'false',
      'Whether clients can register ML-DSA-65, a signature that withstands quantum computers (RFC 9964). Its tokens are several kilobytes longer. ' +
        `The first client that registers it puts ${uncommonKeyNote('ML-DSA-65')}.`,
    ),
  ),
  'OAuth:Mtls:ClientCertificateHeader': optional(
    headerName,
    'The header in which a proxy of `Server:TrustProxy` passes on the certificate of a client (RFC 8705): URL-encoded PEM, RFC 9440 or DER in base64. ' +
      'The proxy must replace the header of every request, and `Server:TrustProxy` must name it. Without this setting, clients cannot authenticate with certificates.',
    null,
  ),
  'OAuth:Mtls:Address': optional(
    ownAddress,
    'Another address of the service, such as `https://mtls.id.example.com/`, at which the proxy asks for certificates. Discovery names it for the endpoints ' +
      'that take them (`mtls_endpoint_aliases`, RFC 8705 §5), so that the browsers of users are not asked at the address of the issuer.',
    null,
  ),
  'Database:Url': needsRestart(
    setting(
      database,
      'sqlite:data/latchkey.db',
      'An embedded database file (relative to the working directory), one in memory that is lost when the service stops, or a PostgreSQL server. ' +
        'Several servers are separated by commas (`postgres://h1,h2/db?target_session_attrs=read-write`); the first one that accepts writes is used.',
    ),
  ),
  'Database:PreparedStatements': needsRestart(
    setting(
      flag,
      'true',
      'Whether PostgreSQL keeps the statements of a connection prepared. `false`: for a pooler that shares its connections by transactions, such as PgBouncer with `pool_mode = transaction`. ' +
        'The service then sets no time limits for statements either; set them for the account ([growing.md](growing.md#behind-a-pooler)).',
    ),
  ),
  'Database:WaitAtStart': setting(
    seconds(0, 86_400),
    '60',
    'How long a start waits for a PostgreSQL server that is unreachable or still starting, before it ends with exit code 1. `0`: it does not wait.',
  ),
  'Accounts:Lockout:MaxFailedAttempts': setting(
    wholeNumber('attempts', 1, 1000),
    '5',
    'Consecutive wrong passwords after which an account is locked for a time. A successful sign-in resets the count.',
  ),
  'Accounts:Lockout:Duration': setting(seconds(1, tenYears), '300', 'How long such a lockout lasts.'),
  'Accounts:Lockout:KeepsSessions': setting(
    flag,
    'false',
    'Whether such a lockout affects password sign-ins only. With `false`, it also suspends sessions and refresh tokens from before the attack, and sign-ins through a provider, until it ends.',
  ),
  'Accounts:RequireConfirmedEmail': setting(
    flag,
    'false',
    'Whether only users with a confirmed e-mail address may sign in.',
  ),
  'Accounts:SessionLifetime': setting(seconds(1, tenYears), '1209600', 'How long an unused session lasts (sliding).'),
  'Accounts:SessionMaxLifetime': setting(
    orNever(seconds(1, tenYears)),
    '0',
    'How long after the sign-in a session ends, however much it is used. `0`: no such limit.',
  ),
  'Accounts:Password:MinLength': setting(
    wholeNumber('characters', 1, 256),
    '8',
    'The minimum number of characters of a new password.',
  ),
  'Accounts:Password:ForeignMaxCost': setting(
    wholeNumber('milliseconds', 1, 60_000),
    '1000',
    'What checking an imported password hash may take on a reference machine, computed from its parameters alone. A person with a dearer one comes without a password and chooses a new one; a client with a dearer one is not imported. Both are reported.',
  ),
  'Accounts:Password:BreachCheck': optional(
    askedEndpoint,
    'The address of a range API of breached passwords. The first five hexadecimal digits of the SHA-1 of a new password are appended, and nothing else is sent. ' +
      'If it does not answer within a second, the password is accepted.',
    null,
  ),
  'Accounts:Legacy:Url': optional(
    askedEndpoint,
    'Where a former system checks passwords: asked for a name without a local password, with a POST of `{"username", "password"}`, signed as Standard Webhooks has it. ' +
      '200 with a record as `import users` takes it makes the person, or completes the one who came by an import, has proven the address of the record, or has no way to sign in yet; 401, 403 and 404 are a wrong password; anything else is no answer. `https`, or a loopback address with `Outbound:AllowHttp`.',
    null,
  ),
  'Accounts:Legacy:Secret': optional(webhookSecret, 'The secret that signs those requests: `whsec_` and Base64.', null),
  'Accounts:Registration': setting(
    accountRegistration,
    'closed',
    'Who can create an account on the pages: no one, anyone with an e-mail address (`open`), or those whom an operator invites (`invite`). `open` needs `Mail:Url`.',
  ),
  'Accounts:RecentSignIn': setting(
    seconds(30, 86_400),
    '600',
    'How old a sign-in may be to change credentials, the e-mail address or second factors, and to export or delete the account.',
  ),
  'Accounts:Passkeys': setting(onOrOff, 'on', 'Whether people can create passkeys and sign in with them.'),
  'Accounts:PasskeyRelatedOrigins': setting(
    secureOrigins,
    '',
    'Further origins whose pages may use the passkeys of this service (WebAuthn Level 3, related origins).',
  ),
  'Accounts:PasskeyManufacturers': optional(
    file,
    'A file of root certificates (PEM) of manufacturers of authenticators. With it the attestation of new passkeys is asked for, and a passkey counts as bound to hardware ' +
      '(`hwk`, `phrh`) only if its attestation leads to one of them. Those added before count as `swk` and `phr`. Without it, the word of the authenticator counts.',
    null,
  ),
  'Accounts:SecondFactor': setting(
    secondFactorMode,
    'optional',
    'Whether a sign-in with a password asks for a second factor of those who have one (`optional`), or of everyone: those without one set it up at their next sign-in (`required`).',
  ),
  'Accounts:SecondFactor:Email': setting(
    flag,
    'false',
    'Whether a code by mail counts as a second factor. It needs `Mail:Url`.',
  ),
  'Accounts:SecondFactor:External': setting(
    flag,
    'false',
    'Whether a sign-in through an external provider asks for a second factor as well.',
  ),
  'Accounts:DeletionDelay': setting(
    orNever(seconds(1, tenYears)),
    '604800',
    'How long after a person asked for it an account is deleted. Signing in before that cancels the deletion. `0`: at once.',
  ),
  'Mail:Url': optional(
    mailTransport,
    'How mail is sent: by SMTP with STARTTLS (`smtp://user:password@host:587`), by SMTP over TLS (`smtps://…`), or as files in a directory (`file:DIRECTORY`). ' +
      '`?tls=off` is for loopback hosts alone. Without it, everything that needs mail is absent.',
    null,
  ),
  'Mail:From': optional(
    mailbox,
    'The sender of mails. Without it: `<Brand:Name> <no-reply@HOST>`, with the host of the issuer.',
    null,
  ),
  'Mail:ReplyTo': optional(mailbox, 'Where answers to mails go.', null),
  'Pages:DefaultLanguage': setting(
    languageTag,
    'en',
    'The language of pages and mails for people who ask for none that exists.',
  ),
  'Brand:Name': setting(text, 'Latchkey', 'The name of the service in pages and mails.'),
  'Brand:LogoFile': optional(
    file,
    'A logo for pages and mails: SVG without scripts, PNG or WebP, at most 256 KiB, relative to the working directory. It is read at the start.',
    null,
  ),
  'Brand:LogoDarkFile': optional(file, 'The logo in the dark theme. Without it: `Brand:LogoFile`, on white.', null),
  'Brand:LogoMailFile': optional(
    file,
    'A PNG for mails, few of whose programs show another image. Without it: `Brand:LogoFile`, if it is a PNG, otherwise the initial of the name.',
    null,
  ),
  'Brand:LogoMailDarkFile': optional(
    file,
    'The PNG for mails in the dark theme. Without it: `Brand:LogoDarkFile`, if it is a PNG, otherwise that of the light theme, on white.',
    null,
  ),
  'Brand:ShowName': optional(
    flag,
    'Whether the name stands beside the logo. `false` is for a logo that has the name. Without it: `true`.',
    null,
  ),
  'Brand:AccentColor': optional(
    color,
    'The colour of buttons and links. It must be readable: a contrast of 4.5:1 with its text and 3:1 with the page, in light and dark.',
    null,
  ),
  'Brand:AccentColorDark': optional(
    darkColor,
    'The colour of buttons and links in the dark theme, if it is another one.',
    null,
  ),
  'Brand:CornerRadius': optional(
    wholeNumber('pixels', 0, radiusAtMost),
    'The radius of the corners of fields and buttons. That of cards follows from it. Without it: 10.',
    null,
  ),
  'Brand:Background': optional(
    brandBackground,
    'What is behind the card: a light of the accent colour, nothing, or a hint of the colour. Without it: `glow`.',
    null,
  ),
  'Brand:SupportUrl': optional(endpoint, 'Where the pages send people for help.', null),
  'Brand:TermsUrl': optional(endpoint, 'The terms of service, linked on the pages.', null),
  'Brand:PrivacyUrl': optional(endpoint, 'The privacy policy, linked on the pages.', null),
  'Brand:ImprintUrl': optional(endpoint, 'Who runs the service, linked on the pages.', null),
  'RateLimit:LoginPerMinute': setting(
    wholeNumber('attempts', 1, 1_000_000),
    '30',
    'Failed password attempts per minute and client address (a /64 of IPv6; a /56 has four times, a /48 sixteen times as many); ' +
      'beyond it the answer is 429. Successes do not count.',
  ),
  'RateLimit:PushedRequestsPerMinute': setting(
    wholeNumber('requests', 1, 10_000_000),
    '300',
    'Pushed authorization requests of public clients per minute and client address (counted as above). Those of confidential clients are not bounded.',
  ),
  'Keys:MasterKey': needsRestart(
    optional(
      masterKey,
      'Encrypts the private keys at rest. Create one with `openssl rand -base64 32`. Without it and `Keys:MasterKeyFile`, a file ' +
        'is created beside the embedded database (`<database file>.key`, mode 0600); with PostgreSQL one of the two must be set.',
      null,
    ),
  ),
  'Keys:MasterKeyFile': needsRestart(
    optional(
      file,
      'A file that holds the master key in base64, relative to the working directory. Not together with `Keys:MasterKey`.',
      null,
    ),
  ),
  'Keys:RotateEvery': setting(
    orNever(seconds(3600, tenYears)),
    '7776000',
    'How long a signing key or secret is used before a running server replaces it; the default is 90 days. ' +
      '`0`: only `latchkey keys rotate` replaces keys.',
  ),
  'Audit:RetainFor': setting(
    orNever(wholeNumber('days', 1, 36_500)),
    '365',
    'How long entries of the audit trail are kept before a running server removes them. `0`: for ever.',
  ),
  'Audit:RetainRefusalsFor': setting(
    orNever(wholeNumber('days', 1, 36_500)),
    '30',
    'How long refused requests and failed sign-ins are kept in the audit trail; never longer than other entries. `0`: as long as other entries.',
  ),
  'Audit:MaxRefusalSize': setting(
    wholeNumber('megabytes', 1, 1_000_000),
    '256',
    'Approximate disk space for refused requests and failed sign-ins. The oldest of them are removed first.',
  ),
  'Audit:MaxSize': setting(
    orNever(wholeNumber('megabytes', 1, 10_000_000)),
    '0',
    'Approximate disk space for the whole audit trail. The oldest refusals and failed sign-ins are removed first, then the oldest ' +
      'of the other entries. `0`: as much as `Audit:RetainFor` needs.',
  ),
  'Admin:Enabled': needsRestart(
    setting(flag, 'true', 'Whether there is an admin API. `false`: nothing below `/admin` exists.'),
  ),
  'Admin:Port': needsRestart(
    optional(
      wholeNumber('port', 1, 65_535),
      'A port of its own for the admin API, at the address `Server:Host`. Without it the admin API is at `Server:Port`.',
      null,
    ),
  ),
  'Admin:Url': optional(
    ownAddress,
    'The address of the admin API as its callers know it, with a trailing slash (one is added), if it has a port of its own. Without it: `http://localhost:<Admin:Port>/`. The audience of its tokens stays below `OAuth:Issuer`.',
  ),
  'Admin:RequiredAcr': optional(
    authenticationClass,
    'The weakest class (`acr`) of a sign-in with which people may use the admin API: `1`, `mfa`, `phr` or `phrh`. Without it any.',
    null,
  ),
  'Cors:Origins': setting(
    origins,
    '',
    'Exact origins whose pages may call the token, pushed request, device, userinfo, revocation, registration and discovery endpoints, the key set and the sample API with credentials. `*` is refused.',
  ),
  'Cors:Headers': setting(
    crossOriginHeaders,
    '*',
    'The request headers that these pages may send besides `authorization`, `content-type` and `dpop`: `*`, those that they ask for, or a list. Pages with telemetry send `traceparent` and others.',
  ),
  'Outbound:Networks': setting(
    reachable,
    '',
    'Networks (`10.0.0.0/8`, `fd00::/8`) and host names (`app.internal`, `*.svc.cluster.local`) to which addresses of clients may lead that an operator registered, besides the public internet. ' +
      'Link-local and metadata addresses are never reached, nor is the service itself.',
  ),
  'Outbound:AllowHttp': setting(
    flag,
    'false',
    'Whether the service sends plain `http` to those, so that operators can register such addresses.',
  ),
  'Outbound:Proxy': optional(
    proxy,
    'The HTTP proxy through which requests leave (`http://user:password@proxy.internal:3128`). Without it `HTTPS_PROXY` and `HTTP_PROXY` of the environment. ' +
      'What `NO_PROXY` names, and loopback addresses, are reached directly; addresses of names are left to the proxy.',
    null,
  ),
  'Outbound:CaFile': optional(
    authorities,
    'A file of further certificate authorities (PEM), relative to the working directory, for every TLS connection that the service opens but that of the database. ' +
      'Those of the runtime and of `NODE_EXTRA_CA_CERTS` count as well. It is read with the settings.',
    null,
  ),
  'Log:Level': setting(logLevel, 'info', 'The lowest severity that is logged.'),
  'Metrics:Host': needsRestart(
    setting(host, 'localhost', 'The name or address on which metrics for Prometheus are served.'),
  ),
  'Metrics:Port': needsRestart(
    optional(
      wholeNumber('port', 0, 65_535),
      'The port on which metrics for Prometheus are served, at `/metrics`. Without it there are no metrics. `0` takes a free port.',
      null,
    ),
  ),
} satisfies Record<string, Setting<unknown>>

export type SettingName = keyof typeof settingsTable
export type ValueOf<S> = S extends Setting<infer T, infer _> ? T : never

/** The settings of one external provider, under `OAuth:External:<Provider>:`. */
export const providerTable = {
  ClientId: optional(text, "The provider application's client id. Without it the provider does not exist.", null),
  ClientSecret: optional(secretText, "The provider application's client secret; empty when absent.", null),
  Issuer: optional(
    foreignIssuer,
    'The issuer of an OpenID Connect provider, exactly as its discovery document spells it. `GitHub` needs none.',
    null,
  ),
  DisplayName: optional(text, 'The name on its button; default: the name of the provider.', null),
  AuthorizationEndpoint: optional(endpoint, "Overrides the address of the provider's authorization endpoint.", null),
  TokenEndpoint: optional(endpoint, "Overrides the address of the provider's token endpoint.", null),
  UserInfoEndpoint: optional(endpoint, "Overrides the address of the provider's userinfo endpoint.", null),
  TokenEndpointAuthMethod: optional(
    tokenEndpointAuthMethod,
    "How this service authenticates at the provider's token endpoint; default: [what the provider supports](external-sign-in.md#authentication-at-the-provider).",
    null,
  ),
  Scopes: setting(
    scopeTokens,
    'openid,profile,email',
    'The scopes that are requested, of an OpenID Connect provider always with `openid`. Unless set: `read:user,user:email` of GitHub, none of other providers without `Issuer`.',
  ),
  ForwardLoginHint: setting(
    flag,
    'true',
    'Whether `login_hint` of the authorization request that the sign-in is for is sent on to the provider.',
  ),
  ForwardPrompt: setting(flag, 'true', 'Whether its `prompt` is sent on. It wins over one of `Parameters`.'),
  ForwardAcr: setting(flag, 'false', 'Whether its `acr_values` are sent on.'),
  SubjectClaim: setting(
    text,
    'sub',
    'The claim of the id token that names the person. Accounts are found by it, so that a change leaves those behind that are linked already. It must be one that the provider never gives to somebody else.',
  ),
  PushedRequests: setting(
    pushedRequests,
    'auto',
    'Whether authorization requests are pushed (RFC 9126). `auto`: where the provider requires it.',
  ),
} satisfies Record<string, Setting<unknown>>

/** A parameter of the authorization request, under `Parameters:` of a provider. Its name keeps its case. */
export const parameterSetting = optional(
  text,
  'A parameter that is sent with the authorization request, such as `prompt`, `hd` or `domain_hint`. Parameter names keep their case. Those that the sign-in sets itself are refused.',
  null,
)

export type ProviderPart = keyof typeof providerTable

/** First segments of environment variables that belong to this service. */
export const sections = [...new Set(Object.keys(settingsTable).map((name) => name.split(':', 1)[0] ?? ''))]

/** A further path of an endpoint, under `OAuth:EndpointAliases:`. */
function alias(endpoint: string): Setting<string | null> {
  const meaning = `A path at which the ${endpoint} answers as well, and which discovery names: on the host (\`/oauth/token\`), or without a slash in front below the issuer.`
  return needsRestart(optional(aliasPath, meaning, null))
}

function needsRestart<S extends Setting<unknown>>(setting: S): S {
  return { ...setting, needsRestart: true }
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

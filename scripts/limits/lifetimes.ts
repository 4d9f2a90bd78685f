/** How long things live, and the cookies. */
import { count, days, daysOfSeconds, type Row, seconds, setting } from './constants.ts'

export const lifetimes: readonly Row[] = [
  ['authorization code', `${setting('OAuth:AuthorizationCodeLifetime')}`, '`OAuth:AuthorizationCodeLifetime`'],
  ['device code and user code', `${setting('OAuth:DeviceCodeLifetime')}`, '`OAuth:DeviceCodeLifetime`'],
  [
    'pushed request, until a browser opens it',
    `${setting('OAuth:PushedRequestLifetime')}`,
    '`OAuth:PushedRequestLifetime`',
  ],
  [
    'a pushed request or request object, in the browser that opened it in time',
    `${count('protocol/authorization-request/pushed-request.ts', 'interactionSeconds')}`,
    '',
  ],
  ['logout token', `${count('protocol/logout/logout-claims.ts', 'lifetimeSeconds')}`, ''],
  ['nonce for DPoP proofs', `${seconds('tokens/dpop-nonce.ts', 'lifetimeMs')}`, '`OAuth:DPoP:Nonce`'],
  ['keys of a `jwks_uri`', `as its headers say, ${seconds('tokens/client-keys.ts', 'freshAtLeastMs')} to 86,400`, ''],
  [
    'document of a client',
    `as its headers say, ${seconds('protocol/client/client-of-document.ts', 'freshAtLeastMs')} to ${seconds('protocol/client/client-of-document.ts', 'freshAtMostMs')}; ${seconds('protocol/client/client-document.ts', 'staleAtMostMs')} more while it cannot be fetched`,
    '',
  ],
  ['signed authorization response', `${count('connect/authorization-response.ts', 'signedLifetimeSeconds')}`, ''],
  [
    'access token, id token',
    `${setting('OAuth:AccessTokenLifetime')}, ${setting('OAuth:IdentityTokenLifetime')}`,
    '`OAuth:AccessTokenLifetime`, `OAuth:IdentityTokenLifetime`',
  ],
  ['access token of a client with a lifetime of its own', 'at most 86,400', '`access_token_lifetime`'],
  [
    'refresh token, counted anew at each rotation',
    `${setting('OAuth:RefreshTokenLifetime')}`,
    '`OAuth:RefreshTokenLifetime`',
  ],
  [
    'one of the last eight rotated refresh tokens sent again, counted while the service can answer',
    `${setting('OAuth:RefreshTokenReuseLeeway')}`,
    '`OAuth:RefreshTokenReuseLeeway`',
  ],
  [
    'the same, however long the service could not answer',
    `${seconds('protocol/grant/leeway.ts', 'leewayAtMostMs')}`,
    '',
  ],
  ['session, sliding', `${setting('Accounts:SessionLifetime')}`, '`Accounts:SessionLifetime`'],
  ['session, however much it is used', 'none', '`Accounts:SessionMaxLifetime`'],
  ['refresh tokens of one sign-in, however often they are used', 'none', '`OAuth:RefreshChainMaxLifetime`'],
  ['anti-forgery token', `${seconds('browser/antiforgery.ts', 'lifetimeMs')}`, ''],
  [
    'lockout',
    `${setting('Accounts:Lockout:Duration')}, after ${setting('Accounts:Lockout:MaxFailedAttempts')} failures`,
    '`Accounts:Lockout:*`',
  ],
  ['sign-in under way at a provider', `${count('browser/external-cookies.ts', 'pendingSeconds')}`, ''],
  ['confirmed external identity', `${count('browser/external-cookies.ts', 'identitySeconds')}`, ''],
  ['a request at the login page (`prompt`, `max_age`)', '3600', ''],
  [
    'discovery, key set in caches',
    `${count('connect/metadata.ts', 'discoveryMaxAgeSeconds')}, ${count('connect/metadata.ts', 'keySetMaxAgeSeconds')}`,
    '',
  ],
  [
    'the successor of a key, published before it signs',
    `at least ${seconds('keys/lifecycle.ts', 'propagationMs')}`,
    '',
  ],
]

export const cookies: readonly Row[] = [
  ['`latchkey.session`', 'Lax', 'with the browser; with *Remember me* as long as the session', 'one'],
  ['`latchkey.antiforgery`', 'Strict', 'with the browser', 'one'],
  ['`latchkey.challenge.*`', 'Lax', '3600 s', `${count('browser/request-marks.ts', 'maxMarks')}, the oldest give way`],
  ['`latchkey.opened.*`', 'Lax', '3600 s', `${count('browser/request-marks.ts', 'maxMarks')}, the oldest give way`],
  ['`latchkey.chosen.*`', 'Lax', '3600 s', `${count('browser/request-marks.ts', 'maxMarks')}, the oldest give way`],
  [
    '`latchkey.state.*`',
    'None (by http Lax)',
    `${count('browser/external-cookies.ts', 'pendingSeconds')} s`,
    `6 that were begun and left, each of ${count('browser/cookie-chunks.ts', 'plainChunks')} parts`,
  ],
  [
    '`latchkey.device`',
    'Lax',
    `${days('users/known-browser.ts', 'knownBrowserLifetimeMs')} days`,
    `one, with at most ${count('browser/device-cookie.ts', 'maxRecords')} people ([decision 0019](decisions.md#0019))`,
  ],
  ['`latchkey.framed`', 'Lax', 'with the browser', 'only with `OAuth:EndpointAliases:Preset=keycloak`'],
  [
    '`latchkey.half*`',
    'Lax',
    `${count('browser/half-sign-in.ts', 'cookieSeconds')} s; the sign-in in it ${seconds('users/second-factor-sign-in.ts', 'halfSignInMs')} s`,
    `${count('browser/cookie-chunks.ts', 'plainChunks')} parts of ${count('browser/cookie-chunks.ts', 'chunkLength')} bytes`,
  ],
  [
    '`latchkey.confirmation.*`',
    'Lax',
    `${count('browser/confirmation-cookie.ts', 'maxAgeSeconds')} s`,
    'one for each purpose: `register`, `email`, `reset`, `invite`, `signin`, `undo`',
  ],
  [
    '`latchkey.external*`',
    'Lax',
    `with the browser; what is in it ${count('browser/external-cookies.ts', 'identitySeconds')} s`,
    `${count('browser/cookie-chunks.ts', 'plainChunks')} parts of ${count('browser/cookie-chunks.ts', 'chunkLength')} bytes`,
  ],
  [
    '`latchkey.language`',
    'Lax',
    `${daysOfSeconds('browser/language-cookie.ts', 'yearSeconds')} days`,
    'one, written by the pages, by a sign-in and by a change of the profile (no prefix), readable by scripts, no secret ([accounts.md](accounts.md#languages))',
  ],
  [
    '`latchkey.language-despite`',
    'Lax',
    'with the browser',
    'one, written by the pages (no prefix), readable by scripts, no secret',
  ],
  [
    '`latchkey.mark`',
    'Strict',
    'with the browser',
    'one, made by a script of the pages for the pages alone (no prefix, no `Path`), readable by scripts, no secret ([decision 0007](decisions.md#0007))',
  ],
]

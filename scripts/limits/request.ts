/** What a request and a connection may have. */
import { count, hours, kib, type Row, seconds, setting } from './constants.ts'

export const request: readonly Row[] = [
  ['request line and headers', `${kib('http/broken-requests.ts', 'maxHeaderBytes')} KiB`, '431 `ID9009`'],
  ['path', `${kib('http/kernel.ts', 'pathLengthAtMost')} KiB`, '414 `ID9014`'],
  ['`Accept-Language`, `Accept-Encoding`', '256 bytes', 'cut before they are parsed, after a whole member'],
  ['`Accept`, `If-None-Match`, `User-Agent`', `${kib('http/bounded-headers.ts', 'userAgentAtMost')} KiB`, 'the same'],
  [
    '`Cookie`, `X-Forwarded-For`',
    `beyond ${kib('http/bounded-headers.ts', 'cookieCharactersAtMost')} KiB ${count('http/bounded-headers.ts', 'ownCookiesAtMost')} cookies of this service; the last ${kib('http/bounded-headers.ts', 'hopsAtMost')} KiB`,
    'cut before they are parsed',
  ],
  ['body', `${kib('http/body.ts', 'bodyLimitBytes')} KiB`, '413 `ID9004`'],
  [
    'parameters in an address or form; spaces as `+`',
    `${count('http/parameters.ts', 'maxParameters')}; ${count('http/parameters.ts', 'maxSpaces')}`,
    '400 `ID9003`',
  ],
  [
    'an authorization request that leads to a sign-in; to the consent page',
    `${count('users/local-url.ts', 'maxReturnUrlLength')}; ${count('connect/bounded-address.ts', 'pageAddressAtMost')} characters as an address`,
    '`ID9110`',
  ],
  [
    'a request to sign out',
    `${count('connect/bounded-address.ts', 'pageAddressAtMost')} characters as an address of its page`,
    '400 `ID9141`',
  ],
  ['value of a parameter', `${count('protocol/parameters.ts', 'maxValueLength')} characters`, '`ID9002`'],
  ['`scope`', `${count('protocol/parameters.ts', 'longValues', 'scope')} characters`, '`ID9002`'],
  [
    'scopes in a request',
    `${count('protocol/scope/scope.ts', 'requestedScopesAtMost')}, each counted once`,
    '`invalid_scope` `ID9109`',
  ],
  [
    '`claims`',
    `${count('protocol/parameters.ts', 'longValues', 'claims')} characters; ${count('protocol/claims/claims-request.ts', 'membersAtMost')} claims for the id token and for userinfo each, ${count('protocol/claims/claims-request.ts', 'valuesAtMost')} values for each`,
    '`ID9002`, `ID9120`',
  ],
  [
    '`refresh_token`, `client_assertion`',
    `${count('protocol/parameters.ts', 'longValues', 'refresh_token')} characters`,
    '`ID9002`',
  ],
  [
    '`code`, `token`, `access_token`, `subject_token`, `actor_token`, `id_token_hint`, `request`',
    `${count('protocol/parameters.ts', 'longValues', 'code')} characters`,
    '`ID9002`',
  ],
  [
    '`state`',
    `${count('protocol/parameters.ts', 'longValues', 'state')} characters, as it goes back in an address`,
    '`ID9002`',
  ],
  ['`ReturnUrl`, `returnUrl`', `${count('users/local-url.ts', 'maxReturnUrlLength')} characters`, '400 `ID9002`'],
  ['user name at sign-in', `${count('users/user-name.ts', 'nameLengthAtMost')} characters`, 'as an unknown user'],
  ['password', `${count('users/password-rules.ts', 'passwordBytesAtMost')} bytes`, 'as a wrong one'],
  ['a code by mail as typed', '32 characters', 'as a wrong one'],
  [
    'a list of the admin API',
    `${count('storage/port/users.ts', 'userPageRows')} records in a page, ${count('admin/list.ts', 'defaultLimit')} unless asked for`,
    '400 `ID9605`',
  ],
  [
    'a search for people',
    `200 characters; 10 times ${count('storage/port/users.ts', 'userPageRows')} people read for a page, or 10 times ${count('storage/port/users.ts', 'userWindow')} looked through in the database for a factor, the last sign-in, a group or a source`,
    '400 `ID9605`; `next`',
  ],
  [
    'applications that are counted, or sorted by kind, use or tokens',
    `${count('storage/port/clients.ts', 'clientsCountedTo')}`,
    'not exact; 400 on `/sort`',
  ],
  [
    'sessions that are counted before several people are locked',
    `${count('storage/port/access-pages.ts', 'sessionsOfPeopleAtMost')} for each 100 people`,
    'not exact',
  ],
  ['records that a list of the admin API is asked for by id', '100', '400 `ID9605`'],
  [
    'a body of the admin API',
    `${count('protocol/json-value.ts', 'nestingAtMost')} levels of nesting, no repeated members`,
    '400 `ID9604`',
  ],
  ['verifications of the audit trail through the admin API', 'one at a time †', '409 `ID9660`'],
  [
    'streams of the audit trail',
    `${count('admin/audit-feed.ts', 'listenersOfOwnerAtMost')} for a caller, ${count('admin/audit-feed.ts', 'listenersAtMost')} †`,
    '429 `ID9662`',
  ],
  [
    'events that wait for a client of such a stream',
    '256 KiB',
    `the client reads the trail in pages of ${count('audit/following.ts', 'portion')}, ${count('admin/audit-feed.ts', 'pagesAtMost')} a second`,
  ],
  ['`Last-Event-ID`', `${count('audit/following.ts', 'writersAtMost')} writers`, '400 `ID9661`'],
  ['the period of statistics', '31 days by hour, 400 by day', '400 `ID9605`'],
  [
    'a check of the running service',
    `${seconds('server/doctor/running.ts', 'deadline')} seconds, one run at a time †`,
    'a finding',
  ],
  ['`Idempotency-Key`', `255 characters, ${hours('admin/idempotency.ts', 'keptMs')} hours`, '400 `ID9617`'],
  [
    '`Authorization: Basic`',
    `${count('protocol/client-authentication/client-secret-basic.ts', 'maxHeaderLength')} characters`,
    '400 `ID2055`',
  ],
  [
    "header with a client's certificate",
    `${count('tokens/client-certificate.ts', 'lengthAtMost')} characters`,
    '401 `ID9169`',
  ],
  [
    '`request` in an address',
    `${count('connect/conveyed-request.ts', 'objectAtMost')} characters; a longer object is pushed`,
    '`ID9002`',
  ],
  [
    'a request object',
    `${count('protocol/authorization-request/request-object.ts', 'parametersAtMost')} parameters; with \`profile: fapi2\` an hour from \`nbf\` to \`exp\``,
    '`ID9210`, `ID9214`',
  ],
  ['a pushed request', '32,768 characters of parameters as JSON; 16,384 of a public client', '`ID9205`'],
  ['`resource`', `${count('protocol/scope/resource.ts', 'maxResources')} values`, '`ID2052`'],
  ['`DPoP`', `${count('protocol/token/dpop.ts', 'lengthAtMost')} characters, once`, '`ID9180`'],
  [
    'a client assertion',
    `\`exp\` at most an hour ahead, ${count('protocol/client-authentication/private-key-jwt.ts', 'skewSeconds')} seconds for the difference of clocks, used once`,
    '401 `ID9165`, `ID9167`',
  ],
  [
    'a DPoP proof',
    `${seconds('protocol/token/dpop.ts', 'ageAtMostMs')} seconds old, ${seconds('protocol/token/dpop.ts', 'aheadAtMostMs')} seconds ahead, used once; RSA keys of 2048 to 4096 bits with the exponent 65537 or 3`,
    '`ID9180`, `ID9182`',
  ],
  ['a user code as typed', `${count('protocol/device/user-code.ts', 'inputAtMost')} characters`, 'as an unknown one'],
  [
    'nesting of JSON: bodies, claims of JWTs, answers of registered addresses',
    `${count('protocol/json-value.ts', 'nestingAtMost')} levels`,
    'as malformed JSON',
  ],
  [
    'a value in log, audit trail and page',
    `${count('protocol/refusals/refusal-detail.ts', 'maxLength')} characters, lists of ${count('protocol/refusals/refusal-detail.ts', 'maxItems')}, ${kib('protocol/refusals/refusal-detail.ts', 'maxBytes')} KiB in all, printable`,
    'cut, with a note',
  ],
]

export const connections: readonly Row[] = [
  [
    'time for a request to arrive',
    `${seconds('http/handler-switch.ts', 'requestArrivalMs')} s`,
    '408 `ID9010`, then closed',
  ],
  ['a client that does not read its answers', '60 s in which nothing moves', 'closed'],
  ['an idle connection', `${seconds('http/handler-switch.ts', 'keepAliveMs')} s`, 'closed'],
  [
    'connections of an address, except trusted proxies †',
    `\`Server:MaxConnectionsPerAddress\` (${setting('Server:MaxConnectionsPerAddress')})`,
    'closed at once',
  ],
  [
    'requests of a connection that wait for the answer to an earlier one †',
    `${count('http/pipelining.ts', 'pipelinedAtMost')}`,
    'the connection is closed',
  ],
  [
    'connections in all †',
    `\`Server:MaxConnections\` (${setting('Server:MaxConnections')})`,
    'the oldest of the address with the most is closed',
  ],
]

/** How much work is done, and how much waits. */
import { count, days, kib, mib, minutes, type Row, seconds, setting } from './constants.ts'

export const work: readonly Row[] = [
  [
    'failed sign-ins of a network †',
    `\`RateLimit:LoginPerMinute\` (${setting('RateLimit:LoginPerMinute')}) a minute`,
    '429 `ID9429`',
  ],
  [
    'wrong user codes of devices',
    `${count('users/user-code-limits.ts', 'wrongCodes')} a minute, of a network and of a user`,
    '429 `ID9222`',
  ],
  [
    'polls of a device †',
    `one in ${seconds('http/poll-pacing.ts', 'pollIntervalMs')} s, ${seconds('http/poll-pacing.ts', 'penaltyMs')} s longer after each early one; ${count('http/poll-pacing.ts', 'maxDevices')} remembered`,
    '400 `slow_down` `ID9221`',
  ],
  ['exchanges of a token in a row', `${count('protocol/grant/token-exchange.ts', 'maxExchanges')}`, '400 `ID9229`'],
  [
    'codes by mail',
    `${count('users/mail-limits.ts', 'codesPerAddress')} a day to an address that strangers ask for, to a person's new address, for a known browser`,
    'the mail has only a link',
  ],
  ['wrong codes of a mail', `${count('users/confirmation.ts', 'maxCodeAttempts')} each`, 'a new mail'],
  [
    'requests for a code by mail, registrations through a provider †',
    `${count('http/budgets.ts', 'confirmationRequestsPerHour')} an hour from a network; a known browser's and a person's own count separately`,
    '429 `ID9345`',
  ],
  [
    'e-mail addresses with which an account at a provider registers',
    `${count('users/external-limits.ts', 'addressesPerIdentity')} a day, free or not; one account at a time`,
    '`registration_failed`, `external_login_in_use`',
  ],
  [
    'mails that strangers cause',
    `${count('users/mail-limits.ts', 'mailsPerAddress')} an hour to an address, ${count('users/mail-limits.ts', 'mailsPerNetwork')} an hour from a network`,
    'same answer, no mail',
  ],
  [
    'mails that people cause',
    `${count('users/mail-limits.ts', 'mailsPerAddress')} an hour each: password resets of a known browser, new addresses of a person, codes after the right password (each known browser, all others)`,
    'same answer, no mail',
  ],
  ['notices to the owner of an account', 'two of a kind in ten minutes', 'the second stands for the others'],
  ['mails caused by the admin API', '5 links and 20 notices an hour to an address', '429 `ID9690`'],
  [
    'mails sent at once †',
    `${count('server/mail-sender.ts', 'atOnce')}; ${seconds('server/mail-transport.ts', 'sendWithinMs')} s an attempt, 13 attempts in 24 hours`,
    'wait in the database',
  ],
  ['passwords checked at once †', 'as many as are hashed', 'wait their turn ([0028](decisions.md#0028))'],
  ['sign-ins checked or written at once †', 'eight times as many; of a network or account twice as many', 'the same'],
  [
    'sign-ins that wait †',
    `${count('http/attempt-limiter.ts', 'maxWaiting')}; ${count('http/attempt-limiter.ts', 'maxWaitingTogether')} of a network or account`,
    '503 `ID9503` for the newest of the heaviest network',
  ],
  [
    'networks that are remembered †',
    `${count('http/rate-limiter.ts', 'maxNetworks')} with failures, ${count('fair-queue.ts', 'maxRemembered')} with turns`,
    'the oldest are dropped',
  ],
  ['password hashes at once, waiting †', '4 (at most one a processor), 100; 19 MiB each', '503 `ID9503`'],
  [
    'the wait of a failed sign-in with foreign hashes in use',
    `as long as the dearest of ${count('storage/sql/password-kinds.ts', 'kindsAtMost')} kinds usually takes on the machine as busy as it is; at most ${seconds('secrets/failure-pace.ts', 'heldAtMostMs')} s`,
    '',
  ],
  [
    'a request to an address that a client registered',
    `5 s, ${kib('outbound/exchange.ts', 'bodyAtMost')} KiB; public addresses, of operators' clients also those of \`Outbound:Networks\`; no redirects`,
    'as the address is used',
  ],
  [
    'look-ups of the names of such addresses at once †',
    `${count('outbound/lookup.ts', 'atOnce')}, ${count('outbound/lookup.ts', 'strangersAtOnce')} of them for strangers`,
    'wait, within the 5 s',
  ],
  [
    'such requests at once, waiting †',
    `32, 256; for one client and one host 8, 64; ${seconds('outbound/outbound.ts', 'waitMs')} s of waiting`,
    'fails',
  ],
  ['the same to self-registered clients, in addition †', '16, 128; for one client, host and domain 4, 64', 'fails'],
  [
    'failures of such requests †',
    `${count('outbound/outbound.ts', 'failuresAtMost')}, remembered for ${seconds('outbound/outbound.ts', 'failureCachedMs')} s`,
    'the oldest are dropped',
  ],
  [
    'fetches of a `jwks_uri` for an unknown key',
    `one in ${seconds('tokens/client-keys.ts', 'refetchEveryMs')} s`,
    'the keys at hand',
  ],
  [
    'logout tokens sent at once †',
    `${count('server/logout-sender.ts', 'atOnce')}, 16 of them to self-registered clients, ${count('server/logout-sender.ts', 'perHost')} to a host; 5 s an attempt, 4 attempts in two minutes`,
    'wait in the database',
  ],
  ['clients told of the end of a session', `${count('users/session.ts', 'maxSessionClients')}`, 'not told'],
  [
    'frames of the page after a sign-out',
    `${count('connect/signed-out.ts', 'framesAtMost')}, of origins of ${count('connect/signed-out.ts', 'policyLengthAtMost')} characters in all; ${count('connect/signed-out.ts', 'secondsAtMost')} s`,
    'not loaded',
  ],
  [
    'an RSA key of a client',
    `${count('protocol/client/rsa-key.ts', 'bitsAtLeast')} to ${count('protocol/client/rsa-key.ts', 'bitsAtMost')} bits, exponent 65537 or 3`,
    'refused, or ignored if fetched',
  ],
  [
    'keys of clients in memory †',
    `${mib('tokens/client-keys.ts', 'heldAtMost')} MiB registered, 8 MiB fetched; ${count('tokens/client-keys.ts', 'keysAtMost')} keys of a set, ${count('tokens/client-keys.ts', 'triesAtMost')} tried for a signature`,
    'the least used are dropped',
  ],
  [
    'logos of clients †',
    `${mib('account/client-logo.ts', 'heldAtMost')} MiB, 64 KiB each; ${count('http/budgets.ts', 'logosPerMinute')} fetches a minute and address`,
    '404',
  ],
  ['a provider', `10 s, ${mib('providers/bounded-fetch.ts', 'maxAnswerBytes')} MiB an answer`, '502 `ID9502`'],
  [
    'log lines that wait for their reader †',
    `${mib('server/log-output.ts', 'waitingAtMost')} MiB`,
    'dropped and counted',
  ],
  ['refusals in the audit trail, and in the log †', '60 a minute for an address, 600 in all', 'counted'],
  [
    'an audit entry of a refusal or failed sign-in; details of any other',
    `${count('audit/draft.ts', 'refusalBytes')} bytes; ${kib('audit/draft.ts', 'detailsBytes')} KiB`,
    'cut, with a note',
  ],
  [
    'the audit trail',
    `[audit.md](audit.md#retention); a partition 1 to ${count('cli/audit-divide.ts', 'daysAtMost')} days`,
    'the oldest go',
  ],
  ['commits that share an fsync', `${count('storage/sqlite/writer.ts', 'batchAtMost')}`, 'the next batch'],
  [
    'the write-ahead log of SQLite',
    `${mib('storage/sqlite/log.ts', 'logLimitBytes')} MiB, while no long read runs`,
    'emptied',
  ],
  ['connections to PostgreSQL, statements in flight †', '10, 4 on each', 'wait'],
  ['statements that wait for PostgreSQL †', '5000, each for 2 s', '503 `ID9503`'],
  [
    'a statement in PostgreSQL (behind a pooler: as set for the account), an answer of PostgreSQL',
    '5 s, 10 s',
    '503 `ID9503`',
  ],
  [
    'commits that wait for a synchronous replica',
    'until the oldest has waited for 5.5 s',
    '503 `ID9503`, without being sent',
  ],
  [
    'a half-finished sign-in',
    `${minutes('users/second-factor-sign-in.ts', 'halfSignInMs')} minutes, about 10,000 characters of return address`,
    'starts again; 400',
  ],
  [
    'wrong codes of a second factor',
    `${count('users/second-factor.ts', 'maxWrongCodes')} for a person, then ${minutes('users/second-factor.ts', 'pauseMs')} minutes`,
    '`too_many_attempts`',
  ],
  [
    'wrong six-digit codes as a second factor',
    `${count('users/second-factor.ts', 'maxWrongCodesADay')} a day for a person in unknown browsers, and for each known one`,
    '`too_many_attempts` with `wait=day`',
  ],
  ['the address that sets a new installation up', '30 minutes, once', '`latchkey setup` prints another'],
  [
    'an authenticator app without its first code',
    `${minutes('users/second-factor.ts', 'pendingTotpMs')} minutes`,
    'set up again',
  ],
  [
    'a body of the account area',
    `${kib('account/self/members.ts', 'bodyLengthAtMost')} KiB, nested ${count('protocol/json-value.ts', 'nestingAtMost')} deep`,
    '400 `ID9366`',
  ],
  [
    'activity in an answer, in an export',
    `${count('storage/port/audit.ts', 'activityRows')}, ${count('storage/sql/personal-data.ts', 'entriesAtMost')} entries`,
    'the next page; marked incomplete',
  ],
  [
    'counts of what happened',
    `${days('storage/port/statistics.ts', 'activityKeptMs')} days; ${count('storage/activity-counter.ts', 'hoursAtMost')} hours in memory while the database is away`,
    'the oldest go; not counted',
  ],
  [
    'entries read for a filtered page of the audit trail',
    `${count('storage/port/audit.ts', 'scannedAtMost')}`,
    'the next page',
  ],
  ['linked accounts of a user at one provider', '1', 'refused'],
  [
    'passkeys of a user',
    `${count('users/passkey.ts', 'maxPasskeys')}, names of ${count('users/passkey.ts', 'maxNameLength')} characters`,
    '409 `ID9333`',
  ],
  ['a challenge for a passkey', '5 minutes, once', '`invalid_credentials`, or 400 `ID9331`'],
  [
    'the JSON of a credential',
    `${kib('account/passkeys/credential.ts', 'maxCredentialLength')} KiB in a form, 32 KiB in JSON; client data and authenticator data ${kib('account/passkeys/credential.ts', 'maxClientDataLength')} KiB each`,
    'refused unread',
  ],
  [
    'known browsers, sessions of a user',
    `${count('users/known-browser.ts', 'maxKnownBrowsers')}, ${count('users/session.ts', 'maxSessions')}`,
    'the least recently used ends',
  ],
  ['workers of `serve --workers`', `${count('server/workers.ts', 'maxWorkers')}`, 'usage error'],
  [
    'a silent worker',
    `\`Server:WorkerTimeout\` (${setting('Server:WorkerTimeout')} s), a minute while it starts`,
    'killed and replaced',
  ],
  ['PostgreSQL away at a start', `\`Database:WaitAtStart\` (${setting('Database:WaitAtStart')} s)`, 'exit code 1'],
  [
    'the database for `/readyz`; requests in progress at the end',
    `${seconds('site/health.ts', 'databaseDeadlineMs')} s; ${seconds('server/listening.ts', 'graceMs')} s`,
    '503; closed',
  ],
]

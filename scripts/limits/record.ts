/** What a record may have. */
import { count, days, kib, mib, type Row, setting } from './constants.ts'

export const record: readonly Row[] = [
  [
    'user name',
    `${count('users/user-name.ts', 'nameLengthAtMost')} characters of the profile of UTS 39 ([decision 0029](decisions.md#0029))`,
  ],
  ['e-mail address', `${count('users/email.ts', 'maxLength')} characters`],
  [
    'new password',
    `at least \`Accounts:Password:MinLength\` (${setting('Accounts:Password:MinLength')}) characters, at most ${count('users/password-rules.ts', 'passwordBytesAtMost')} bytes`,
  ],
  [
    'an imported password hash',
    `${count('secrets/foreign-hash.ts', 'lengthAtMost')} characters, \`Accounts:Password:ForeignMaxCost\` (${setting('Accounts:Password:ForeignMaxCost')} ms of a reference machine) and ${mib('secrets/hash-cost.ts', 'memoryAtMost')} MiB for a check`,
  ],
  [
    'a person in a file to import',
    `${count('import/csv.ts', 'rowLengthAtMost')} characters (a value of an SQLite file ${count('import/sqlite-tables.ts', 'lengthAtMost')}), ${count('protocol/json-value.ts', 'nestingAtMost')} levels of nesting, ${count('import/csv.ts', 'valuesAtMost')} values of a row of CSV; ${count('users/imported-person.ts', 'loginsAtMost')} external logins, ${count('users/imported-factors.ts', 'appsAtMost')} authenticator apps, ${count('users/imported-factors.ts', 'recoveryCodesAtMost')} recovery codes of 10 to 32 letters and digits or hashes of such, an id of 255 ASCII characters`,
  ],
  [
    'what an import says of a row, and names of what it did not keep',
    `${count('import/said.ts', 'reasonLengthAtMost')} characters; ${count('import/not-kept.ts', 'namesAtMost')} names of ${count('import/not-kept.ts', 'nameLengthAtMost')} characters`,
  ],
  [
    'rows of a deleted application, scope or role that a commit changes',
    `${count('storage/sql/removal-windows.ts', 'rowsAtOnce')}; before the answer ${count('storage/sql/removals.ts', 'commitsAtOnce')} such commits, of which none begins later than ${count('storage/sql/removals.ts', 'beginsWithinMs')} ms after the deletion; the others in the background`,
  ],
  ['checkpoints of the audit trail', 'those of an hour become one summary after a week'],
  ['an import that did not end', `${days('storage/port/imports.ts', 'importKeptMs')} days`],
  [
    'claims of a user',
    `texts of ${count('person-fields.ts', 'textAtMost')} characters, addresses of pages 2000, members of a postal address 1000`,
  ],
  [
    'words of a full name that a search finds',
    `the first ${count('users/search.ts', 'wordsAtMost')}, by their first ${count('users/search.ts', 'wordBytes')} bytes of UTF-8`,
  ],
  [
    'roles of a user',
    `${count('users/roles.ts', 'rolesAtMost')}, of ${count('users/roles.ts', 'lengthAtMost')} characters; a description of ${count('users/roles.ts', 'descriptionAtMost')}`,
  ],
  ['client id, client name', `${count('protocol/client/client-registration.ts', 'nameLengthAtMost')} characters`],
  [
    'redirect URIs, post-logout redirect URIs, scopes of a client',
    `${count('protocol/client/registered-addresses.ts', 'itemsAtMost')} each`,
  ],
  ['a registered address', `${count('protocol/client/registered-uri.ts', 'lengthAtMost')} characters`],
  [
    'keys in `jwks`',
    `${count('protocol/client/jwk-set.ts', 'keysAtMost')}, ${count('protocol/client/jwk-set.ts', 'lengthAtMost')} characters in all; [RSA](#work) of ${count('protocol/client/rsa-key.ts', 'bitsAtLeast')} to ${count('protocol/client/rsa-key.ts', 'bitsAtMost')} bits`,
  ],
  [
    'other members of a client',
    `texts ${count('protocol/client/member-kinds.ts', 'uriLengthAtMost')} characters at most, lists 20 items (\`may_exchange\` and \`role_clients\` 100, \`service_account_roles\` 50, \`resources\` 10), lifetimes ten years, ${count('protocol/client/metadata-members.ts', 'localizedAtMost')} texts with a language`,
  ],
  ['clients in one import', `${count('cli/client-import.ts', 'clientsAtMost')}`],
  [
    'a client that registers itself',
    `${kib('connect/registration-answers.ts', 'documentLengthAtMost')} KiB of metadata; in \`open\` mode ${count('protocol/client/dynamic-registration.ts', 'openRedirectUrisAtMost')} redirect URIs`,
  ],
  [
    'open registrations †',
    `${count('http/budgets.ts', 'registrationsPerHour')} an hour and network; unused ones are removed after ${days('connect/registration-answers.ts', 'unusedForMs')} days, unless an operator made them \`implicit\` or there are roles of them`,
  ],
  [
    'documents of clients †',
    `${kib('connect/registration-answers.ts', 'documentLengthAtMost')} KiB; ${count('http/budgets.ts', 'documentRequestsPerMinute')} fetches a minute and ${count('http/budgets.ts', 'documentClientsPerHour')} new clients an hour and address; an id of 200 characters`,
  ],
  ['an initial access token', '1 to 1,000,000 uses (1), 1 to 31,536,000 s (86,400)'],
  ['a replaced client secret works on', `${count('protocol/client/client-registration.ts', 'overlapAtMost')} s`],
  ['scope', 'name 100, display name 200, description 1000 characters'],
  [
    'resources of a scope',
    `${count('protocol/scope/scope-registration.ts', 'resourcesAtMost')}, of ${count('protocol/scope/scope-registration.ts', 'resourceLengthAtMost')} characters`,
  ],
  ["user's key at a provider", '255 characters, never cut'],
]

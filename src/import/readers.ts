/** The readers of an import, by their kind: where each kind of source has people, clients and scopes, and in which order. */
import { openIddictClient, openIddictScope } from './client-tables.ts'
import { firebaseParameters } from './credentials.ts'
import { jsonRecords } from './json-items.ts'
import { readKeycloak, realmNames } from './keycloak/reader.ts'
import { personTables } from './person-tables.ts'
import { type Reader, type ReaderOptions, type SourceRecord, UnreadableSource } from './source.ts'
import { personReader } from './source-table.ts'
import { faultIn, openTables, type Tables } from './tables.ts'
import { readUsers } from './users-file.ts'

/** Bulk exports as JSON lines. */
const readAuth0: Reader = async function* (files, { attributes }) {
  for (const file of files) yield* jsonRecords(file, personReader(personTables.auth0, attributes))
}

/** `firebase auth:export people.json --format=json`. */
const readFirebase: Reader = async function* (files, { hashParameters: text, attributes }) {
  const hashParameters = text === undefined ? undefined : firebaseParameters(String(text))
  const person = personReader(personTables.firebase, attributes)
  for (const file of files)
    yield* jsonRecords(file, (line, user) => person(line, { ...user, hashParameters }), ['users'])
}

const readAspNetIdentity = tablesWith('AspNetUsers', async function* (tables, { attributes }) {
  const person = personReader(personTables['aspnet-identity'], attributes)
  const roleNames = new Map<string, string>()
  for await (const read of tables.rows('AspNetRoles')) {
    if ('fault' in read) yield faultIn('AspNetRoles', read)
    else if (read.row.Id && read.row.Name) roleNames.set(read.row.Id, read.row.Name)
    if (roleNames.size > rolesAtMost) throw new UnreadableSource(`There are more than ${rolesAtMost} roles.`)
  }
  const tablesOfPeople = ['AspNetUserRoles', 'AspNetUserLogins', 'AspNetUserTokens', 'AspNetUserClaims']
  for (const table of tablesOfPeople) yield* tables.index(table, 'UserId')
  for await (const read of tables.rows('AspNetUsers')) {
    if ('fault' in read) {
      yield read
      continue
    }
    const { line, row } = read
    const own = tablesOfPeople.map((table) => [table, tables.find(table, row.Id ?? '')] as const)
    yield person(line, { ...row, ...Object.fromEntries(own), AspNetRoles: roleNames })
  }
})

/** Held in memory. */
const rolesAtMost = 100_000

const readOpenIddict = tablesWith('OpenIddictApplications', async function* (tables) {
  // Clients name scopes, which must be there first.
  for await (const read of tables.rows('OpenIddictScopes')) {
    if ('fault' in read) yield read
    else yield* openIddictScope(read.line, read.row)
  }
  for await (const read of tables.rows('OpenIddictApplications')) {
    yield 'fault' in read ? read : openIddictClient(read.line, read.row)
  }
})

type RecordsOf = (tables: Tables, options: ReaderOptions) => AsyncIterable<SourceRecord>

function tablesWith(required: string, recordsOf: RecordsOf): Reader {
  return async function* (places, options) {
    for (const place of places) {
      const tables = openTables(place, required)
      try {
        yield* recordsOf(tables, options)
      } finally {
        tables.close()
      }
    }
  }
}

export const readers = {
  users: readUsers,
  'aspnet-identity': readAspNetIdentity,
  openiddict: readOpenIddict,
  keycloak: readKeycloak,
  auth0: readAuth0,
  firebase: readFirebase,
} as const satisfies Readonly<Record<string, Reader>>

/** What a source is called, for kinds of which an installation is filled from one alone. */
export const sourceNames: Readonly<
  Partial<Record<string, (files: readonly string[], options: ReaderOptions) => Promise<readonly string[]>>>
> = { keycloak: realmNames }

export type Kind = keyof typeof readers

export const isKind = (text: string): text is Kind => Object.hasOwn(readers, text)

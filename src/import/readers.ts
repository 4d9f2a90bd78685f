/** The readers of an import, by their kind: where each kind of source has people, clients and scopes, and in which order. */
import { readAspNetIdentity } from './aspnet-people.ts'
import { keycloakClient, keycloakScope } from './client-tables.ts'
import { firebaseParameters } from './credentials.ts'
import { type Convert, type JsonItem, jsonItems, jsonRecords, recordOf, tooLong } from './json-items.ts'
import { readOpenIddict } from './openiddict.ts'
import { personTables } from './person-tables.ts'
import type { Reader, SourceRecord } from './source.ts'
import { personReader } from './source-table.ts'
import { readUsers } from './users-file.ts'

/** Realm exports: one file, or one for the realm and others for its users. */
const readKeycloak: Reader = async function* (files, { attributes }) {
  const person = personReader(personTables.keycloak, attributes)
  // Clients name scopes, which come after them in the file.
  for (const file of files) yield* fromRealm(file, { clientScopes: keycloakScope })
  for (const file of files) {
    yield* fromRealm(file, {
      clients: keycloakClient,
      // That of a client which acts for itself is passed over.
      users: (line, user) => (user.serviceAccountClientId ? undefined : person(line, user)),
    })
  }
}

async function* fromRealm(file: string, converts: Readonly<Record<string, Convert>>): AsyncGenerator<SourceRecord> {
  for await (const item of jsonItems(file, Object.keys(converts))) {
    const { line, member } = item
    // The pass for people reports it.
    if (member === '' && !('users' in converts)) continue
    if (isWhole(item)) {
      yield { line, fault: 'This is not the export of one realm: export each realm by itself, with --realm NAME.' }
      return
    }
    const record = recordOf(item, (_, object) => converts[member]?.(line, object))
    if (record !== undefined) yield record
  }
}

/** Whether an object is an item by itself, as realms in an array are. Text between objects is none. */
function isWhole({ member, text, fault }: JsonItem): boolean {
  return member === '' && (text !== '' || fault === tooLong)
}

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

export const readers = {
  users: readUsers,
  'aspnet-identity': readAspNetIdentity,
  openiddict: readOpenIddict,
  keycloak: readKeycloak,
  auth0: readAuth0,
  firebase: readFirebase,
} as const satisfies Readonly<Record<string, Reader>>

export type Kind = keyof typeof readers

export const isKind = (text: string): text is Kind => Object.hasOwn(readers, text)

/** The readers of an import, by their kind: where each kind of source has people, clients and scopes, and in which order. */
import { readAspNetIdentity } from './aspnet-people.ts'
import { firebaseParameters } from './credentials.ts'
import { jsonRecords } from './json-items.ts'
import { readKeycloak, realmNames } from './keycloak/reader.ts'
import { readOpenIddict } from './openiddict.ts'
import { personTables } from './person-tables.ts'
import type { Reader, ReaderOptions } from './source.ts'
import { personReader } from './source-table.ts'
import { readUsers } from './users-file.ts'

/** Bulk exports as JSON lines. */
const readAuth0: Reader = async function* (files, { attributes, passkeys: passkeyFacts }) {
  const person = personReader(personTables.auth0, attributes)
  for (const file of files) yield* jsonRecords(file, (line, user) => person(line, { ...user, passkeyFacts }))
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

/** What a source is called, for kinds of which an installation is filled from one alone. */
export const sourceNames: Readonly<
  Partial<Record<string, (files: readonly string[], options: ReaderOptions) => Promise<readonly string[]>>>
> = { keycloak: realmNames }

export type Kind = keyof typeof readers

export const isKind = (text: string): text is Kind => Object.hasOwn(readers, text)

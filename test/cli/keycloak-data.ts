/** The export of a real realm of Keycloak, and what was true there. It is beside the project, and tests on it skip without it. */
import { existsSync, readFileSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { placeWith } from './import-place.ts'
import type { Workplace } from './run.ts'

const folder = fileURLToPath(new URL('../../../shared/data/', import.meta.url))
const text = (name: string) => readFileSync(`${folder}${name}`, 'utf8')

export const isThere = existsSync(`${folder}keycloak-acme-realm.json`)

export type ExpectedPerson = {
  readonly username: string
  readonly id: string
  readonly password?: string
  readonly otp?: { readonly key: string; readonly hash?: string; readonly digits?: number; readonly second?: string }
  readonly recoveryCodes?: readonly string[]
  readonly realmRoles?: readonly string[]
  readonly clientRoles?: Readonly<Record<string, readonly string[]>>
  /** What was issued there, by client. */
  readonly tokens?: Readonly<Record<string, Readonly<Record<'id_token' | 'access_token', RecordedClaims>>>>
}

type RecordedClaims = Readonly<Record<string, unknown>>

export type Expected = {
  readonly issuer: string
  readonly people: readonly ExpectedPerson[]
  readonly clients: Readonly<Record<string, { readonly secret: string; readonly before?: string }>>
  readonly batchServiceAccount: string
  /** The access token of a client that acts for itself. */
  readonly batch: RecordedClaims
}

export const expected = (): Expected => JSON.parse(text('keycloak-acme-expected.json'))
export const realm = (): Record<string, unknown> => JSON.parse(text('keycloak-acme-realm.json'))

/** A workplace with the export; undefined: the data is not on this machine, and the test is skipped. */
export function realmPlace(t: TestContext, more: Readonly<Record<string, string>> = {}): Workplace | undefined {
  if (!isThere) {
    t.skip('not on this machine: ../shared/data')
    return undefined
  }
  return placeWith(t, { 'realm.json': text('keycloak-acme-realm.json'), ...more })
}

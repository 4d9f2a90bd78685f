/**
 * Reads exports of Keycloak: what a realm says, its scopes, applications, roles, groups and people, in the order of their use.
 *
 * Belongs here: what each thing of a realm is here, a table for each noun that says what becomes of its members.
 * Belongs elsewhere: what other systems have in common with it, and what stores it (`import/`).
 */
import { isObject, type JsonObject } from '../../protocol/json-value.ts'
import type { ImportFinding } from '../../storage/port/imports.ts'
import { personTables } from '../person-tables.ts'
import type { Reader, ReaderOptions, SourceRecord } from '../source.ts'
import { personReader } from '../source-table.ts'
import { audienceScopes } from './audience.ts'
import { keycloakClient } from './clients.ts'
import type { PasskeyHosts } from './credentials.ts'
import { isOwnClient, type RealmFacts } from './facts.ts'
import { pairwiseClients } from './pairwise.ts'
import { providerFindings } from './providers.ts'
import { organizationFindings, realmFindings } from './realm.ts'
import { fromRealm, listIn, realmOutline } from './realm-file.ts'
import { realmGroups, realmRoles } from './roles-and-groups.ts'
import { keycloakScope } from './scopes.ts'
import { serviceAccountsOf } from './service-accounts.ts'

export const readKeycloak: Reader = async function* (files, options) {
  const facts = await factsOf(files, options)
  const { realm, ownClients } = facts
  const findings = [...realmFindings(realm), ...providerFindings(realm), ...organizationFindings(realm)]
  if (findings.length > 0) yield { line: 1, noted: true, findings }
  for (const file of files) yield* fromRealm(file, options.realm, { clientScopes: keycloakScope })
  yield* audienceScopes(facts)
  for (const file of files) {
    yield* fromRealm(file, options.realm, { clients: (line, client) => keycloakClient(line, client, facts) })
  }
  yield* realmRoles(facts)
  yield* realmGroups(facts)
  const pairwise = pairwiseClients(realm)
  const passkeys = { facts: options.passkeys, hosts: passkeyHosts(realm, options.passkeys?.host) }
  let unknownHost = 0
  const person = personReader(personTables.keycloak, options.attributes)
  for (const file of files) {
    yield* fromRealm(file, options.realm, {
      // That of a client which acts for itself is part of the client.
      users(line, user): SourceRecord | undefined {
        if (user.serviceAccountClientId) return undefined
        const read = person(line, { ...user, ownClients, passkeys, pairwiseClients: pairwise })
        if (!('person' in read)) return read
        if (listIn(read.person.passkeys).some((one) => one.rp_id === undefined)) unknownHost += 1
        // Its interface for administrators does not list them.
        return Array.isArray(user.credentials) ? read : { ...read, isPartial: true }
      },
    })
  }
  if (unknownHost > 0) yield { line: 1, noted: true, findings: [unknownHostFinding(realm, options, unknownHost)] }
}

/** The host of a realm's policies, or of its address, unless an operator names it. */
function passkeyHosts(realm: JsonObject, named: string | undefined): PasskeyHosts {
  const address = isObject(realm.attributes) ? String(realm.attributes.frontendUrl) : ''
  const own = URL.canParse(address) ? new URL(address).hostname : undefined
  const of = (policy: unknown) => named ?? (typeof policy === 'string' && policy !== '' ? policy : own)
  return { webauthn: of(realm.webAuthnPolicyRpId), passwordless: of(realm.webAuthnPolicyPasswordlessRpId) }
}

function unknownHostFinding({ realm }: JsonObject, { passkeys }: ReaderOptions, people: number): ImportFinding {
  const reason = `The export of ${realm} does not say the host of passkeys: they come, and work if it was ${passkeys?.rules.rpId}. If it was another one, name it with --passkey-host: they are left out then, and people without another second factor are held.`
  const member = 'webAuthnPolicyRpId'
  return { kind: 'realm', source: String(realm), member, severity: 'changed', reason, people }
}

/** Of the files, one is the realm; the others have people of it. */
async function factsOf(files: readonly string[], options: ReaderOptions): Promise<RealmFacts> {
  let realm: JsonObject = {}
  const accounts: JsonObject[] = []
  for (const file of files) {
    const outline = (await realmOutline(file, options.realm)) ?? {}
    if (Object.keys(outline).length > Object.keys(realm).length) realm = outline
    const found = fromRealm(file, options.realm, {
      users: (_, user) => {
        if (user.serviceAccountClientId) accounts.push(user)
        return undefined
      },
    })
    for await (const _ of found) {
      // What cannot be read is reported by the pass for people.
    }
  }
  const ownClients = new Set(
    listIn(realm.clients)
      .filter(isOwnClient)
      .map(({ clientId }) => String(clientId)),
  )
  return {
    ...{ realm, ownClients, serviceAccounts: serviceAccountsOf(accounts, { realm, ownClients }) },
    redirects: options.redirects ?? new Map(),
    allowsWildcards: options.allowsWildcards === true,
  }
}

/** Returns the names of the realms that the files are of, each once. */
export async function realmNames(files: readonly string[], { realm }: ReaderOptions): Promise<readonly string[]> {
  const outlines = await Promise.all(files.map((file) => realmOutline(file, realm)))
  const names = outlines.map((outline) => outline?.realm).filter((name) => typeof name === 'string' && name !== '')
  return [...new Set(names.map(String))]
}

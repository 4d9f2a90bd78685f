/** Subjects that the pairwise mapper of Keycloak made: the same for each person, byte for byte. */
import { createHash } from 'node:crypto'
import { ownSectorOf } from '../../protocol/client/sector.ts'
import { isObject, type JsonObject } from '../../protocol/json-value.ts'
import { redirectUris } from './client-addresses.ts'
import type { RealmFacts } from './facts.ts'
import { listIn } from './realm-file.ts'

/** `sector`: the host that a client is known by there. */
export type PairwiseClient = { readonly id: string; readonly sector: string; readonly salt: string }

export const pairwiseType = 'oidc-sha256-pairwise-sub-mapper'

/** Returns the clients of the realm that know people by another name. */
export function pairwiseClients(realm: JsonObject): readonly PairwiseClient[] {
  const facts: RealmFacts = {
    ...{ realm, serviceAccounts: new Map(), redirects: new Map(), allowsWildcards: true, ownClients: new Set() },
  }
  return listIn(realm.clients).flatMap((client) => {
    const mapper = listIn(client.protocolMappers).find(({ protocolMapper }) => protocolMapper === pairwiseType)
    if (mapper === undefined) return []
    const config = isObject(mapper.config) ? mapper.config : {}
    const uri = config.sectorIdentifierUri || redirectUris(client, facts).uris[0]
    if (typeof uri !== 'string' || !URL.canParse(uri)) return []
    const salt = typeof config.pairwiseSubAlgorithmSalt === 'string' ? config.pairwiseSubAlgorithmSalt : ''
    return [{ id: String(client.clientId), sector: new URL(uri).hostname, salt }]
  })
}

/** Returns the subjects of a person, by the sector that each client is to itself. */
export function pairwiseSubjects(clients: unknown, id: unknown): Readonly<Record<string, string>> | undefined {
  if (!Array.isArray(clients) || clients.length === 0 || typeof id !== 'string') return undefined
  const all = clients as readonly PairwiseClient[]
  return Object.fromEntries(
    all.map(({ id: client, sector, salt }) => [ownSectorOf(client), subjectOf(sector, id, salt)]),
  )
}

/** A UUID of version 3 (RFC 9562 §5.3) of SHA-256 over sector, id and salt, without a namespace. */
function subjectOf(sector: string, id: string, salt: string): string {
  const digest = createHash('sha256').update(sector).update(id).update(salt).digest()
  const bytes = createHash('md5').update(digest).digest()
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x30
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

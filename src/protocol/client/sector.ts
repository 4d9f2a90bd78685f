/** The sectors of clients with pairwise subject identifiers (OpenID Connect Core §8.1). */
import { type Problem, problem } from '../../problem.ts'
import { isTexts } from '../json-value.ts'
import { isLoopbackHost } from '../loopback.ts'
import type { Client } from './client.ts'
import type { MemberChange } from './client-members.ts'

/** What was fetched of `sector_identifier_uri`: the JSON, or why there is none, as a clause. */
export type SectorDocument = { readonly value: unknown } | { readonly failed: string }

export type SectoredClient = Pick<Client, 'id'> & {
  readonly metadata: Pick<Client['metadata'], 'sector_identifier' | 'subject_type'>
}

/** `pairwiseSubjects`: what imports brought, by sector. */
export type NamedPerson = { readonly id: string; readonly pairwiseSubjects?: Readonly<Record<string, string>> }

/** Returns the sector of a client: a host, or the client alone, which no host is called like. */
export const sectorOf = ({ id, metadata }: SectoredClient): string => metadata.sector_identifier ?? ownSectorOf(id)

/** Returns the sector that is a client's own. */
export const ownSectorOf = (clientId: string): string => `client:${clientId}`

/**
 * Returns `sub` of the person in tokens of the client: the id of the person, or of a pairwise client what an import brought for the
 * client or its sector, and otherwise what `derive` makes of sector and id.
 */
export function subjectIdentifier(
  client: SectoredClient,
  { id, pairwiseSubjects }: NamedPerson,
  derive: (sector: string, id: string) => string,
): string {
  if (client.metadata.subject_type === 'public') return id
  const sector = sectorOf(client)
  return pairwiseSubjects?.[ownSectorOf(client.id)] ?? pairwiseSubjects?.[sector] ?? derive(sector, id)
}

/**
 * Returns the client with the sector that follows from its members. `registration`: whose it is. What a client registered for itself has
 * the sector of its redirect addresses to itself: it could name another owner's host. The document at `sector_identifier_uri` speaks for
 * its own, but not where tokens come without a redirect address.
 */
export function withSector(client: Client): Client {
  const { metadata, redirectUris, grantTypes } = client
  const { subject_type, sector_identifier_uri: uri, registration } = metadata
  const isRedirected = !grantTypes.includes('urn:ietf:params:oauth:grant-type:device_code')
  const mayName = registration === 'operator' || (registration !== 'document' && isRedirected)
  const hosts = registration === 'operator' ? hostsOf(redirectUris) : []
  const host = uri === null ? hosts[0] : mayName ? new URL(uri).hostname : undefined
  const sector = subject_type === 'pairwise' ? (host ?? null) : null
  return sector === metadata.sector_identifier
    ? client
    : { ...client, metadata: { ...metadata, sector_identifier: sector } }
}

/** Returns the hosts of redirect addresses on the web. Nobody owns a loopback address or the scheme of an app. */
function hostsOf(redirectUris: readonly string[]): readonly string[] {
  const addresses = redirectUris.filter((uri) => URL.canParse(uri)).map((uri) => new URL(uri))
  const onTheWeb = addresses.filter(({ protocol, hostname }) => /^https?:$/.test(protocol) && !isLoopbackHost(hostname))
  return [...new Set(onTheWeb.map(({ hostname }) => hostname))]
}

/** Returns the addresses whose documents a registration needs. `before`: the client as it is; undefined: new ones. */
export function sectorUrisToFetch(changes: readonly MemberChange[], before: Client | undefined): readonly string[] {
  const concerned = changes.filter(({ member }) => member === 'sector_identifier_uri' || member === 'redirect_uris')
  const set = concerned.flatMap(({ member, value }) => (member === 'redirect_uris' ? [] : [value]))
  const kept = concerned.length > 0 && set.length === 0 ? [before?.metadata.sector_identifier_uri] : []
  return [...new Set([...set, ...kept].filter((uri) => typeof uri === 'string' && URL.canParse(uri)))] as string[]
}

/** Returns what is wrong with the sector of a client. `documents`: by their addresses. */
export function sectorProblems(
  before: Client,
  after: Client,
  documents: ReadonlyMap<string, SectorDocument> | undefined,
): Problem[] {
  const { sector_identifier_uri: uri, subject_type, registration } = after.metadata
  if (uri === null) {
    const hosts = hostsOf(after.redirectUris)
    if (subject_type === 'public' || hosts.length < 2) return []
    const fault = `needs sector_identifier_uri, because its redirect addresses have several hosts: ${hosts.join(', ')}`
    return [problem('sector_identifier_uri', 'A pairwise client', fault)]
  }
  const added = after.redirectUris.filter((one) => !before.redirectUris.includes(one))
  if (uri === before.metadata.sector_identifier_uri && added.length === 0) return []
  // The document at the id of a client is fetched with each use, and leads to no further request.
  if (registration === 'document')
    return [problem('sector_identifier_uri', 'sector_identifier_uri', 'cannot be in a document')]
  const found = documents?.get(uri) ?? { failed: 'it was not fetched' }
  if ('failed' in found) return [problem('sector_identifier_uri', uri, `could not be read: ${found.failed}`)]
  if (!isTexts(found.value)) return [problem('sector_identifier_uri', uri, 'is no JSON array of addresses')]
  const listed = found.value
  const missing = after.redirectUris.filter((one) => !listed.includes(one))
  return missing.map((one) => problem('sector_identifier_uri', uri, `does not list the redirect address ${one}`))
}

/** Returns what is wrong with a client's own update: whoever gives themselves a shared sector would learn what people are called there. */
export function sectorMoveProblems(before: Client, after: Client): Problem[] {
  const { sector_identifier: sector } = after.metadata
  if (sector === null || sector === before.metadata.sector_identifier) return []
  return [
    problem(
      'sector_identifier_uri',
      'The sector',
      `${sector} can be given to a registered client by an operator alone`,
    ),
  ]
}

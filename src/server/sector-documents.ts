/** Fetches what clients name as `sector_identifier_uri`, for commands (OpenID Connect Dynamic Registration §5). */
import { outboundWith, reachFrom } from '../outbound/outbound.ts'
import { addressesBy, type Client } from '../protocol/client/client.ts'
import type { SectorDocument } from '../protocol/client/sector.ts'
import type { Settings } from '../settings/settings.ts'

/** Returns the documents by their addresses. `before`: the client that changes; undefined: new ones. */
export async function sectorDocuments(
  settings: Settings,
  uris: readonly string[],
  before: Client | undefined,
  clock: () => number,
): Promise<ReadonlyMap<string, SectorDocument>> {
  const { oauth, outbound: way } = settings
  const outbound = outboundWith({ issuer: oauth.issuer, clock, reach: reachFrom(settings), way })
  const by = before === undefined ? 'operator' : addressesBy(before.metadata)
  return new Map(await Promise.all(uris.map(async (uri) => [uri, await outbound.get(uri, by)] as const)))
}

/** What the settings say about the addresses of clients that the service requests. */
import { outboundWith, reachFrom } from '../../outbound/outbound.ts'
import { calledAddresses, refusedAddressWarning } from '../../protocol/client/called-addresses.ts'
import { addressesBy, type Client } from '../../protocol/client/client.ts'
import type { Settings } from '../../settings/settings.ts'

export type AddressWarning = { readonly clientId: string; readonly warning: string }

/** Returns a warning for each address that will not be requested. Names are looked up, and nothing is sent. */
export async function addressWarnings(
  settings: Settings,
  clients: readonly Client[],
  clock: () => number,
): Promise<AddressWarning[]> {
  const { oauth, outbound: way } = settings
  const outbound = outboundWith({ issuer: oauth.issuer, clock, reach: reachFrom(settings), way })
  const warnings = await Promise.all(
    clients.flatMap((client) =>
      calledAddresses(client).map(async ({ member, uri }) => {
        const refused = await outbound.check(uri, addressesBy(client.metadata))
        return refused === undefined
          ? []
          : [{ clientId: client.id, warning: refusedAddressWarning(member, refused.failed) }]
      }),
    ),
  )
  return warnings.flat()
}

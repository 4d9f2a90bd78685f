/** The check of `latchkey doctor` for clients that are registered against a recommendation. */
import { type Finding, note, warning } from '../../finding.ts'
import type { Client } from '../../protocol/client/client.ts'
import { registeredRisks } from '../../protocol/client/registered-addresses.ts'
import type { Storage } from '../../storage/port/storage.ts'

/** Clients that are read. */
const clientsAtMost = 1000
/** Findings; the others are counted. */
const namedAtMost = 20

/** Names each client with a risk in its registration, and how to end it. */
export async function checkRegistrations({ clients }: Pick<Storage, 'clients'>): Promise<Finding[]> {
  const found: Finding[] = []
  let after: string | undefined = ''
  let read = 0
  while (after !== undefined && read < clientsAtMost) {
    const page: readonly Client[] = await clients.page(after)
    found.push(...page.flatMap(findingsOf))
    read += page.length
    after = page.at(-1)?.id
  }
  const rest = found.length - namedAtMost
  return [
    ...found.slice(0, namedAtMost),
    ...(rest > 0 ? [warning('clients', `${rest} more clients are registered with a risk.`, '')] : []),
    ...(after === undefined ? [] : [note('clients', `The first ${clientsAtMost} clients were checked, by id.`, '')]),
  ]
}

function findingsOf(client: Client): Finding[] {
  return registeredRisks(client).map(({ member, message }) =>
    warning('clients', `${client.id}: ${message}`, `latchkey client set ${client.id} ${advised[member]}`),
  )
}

const advised = {
  redirect_uris: 'redirect_uris-=ADDRESS',
  post_logout_redirect_uris: 'post_logout_redirect_uris-=ADDRESS',
  require_pkce: 'require_pkce=true',
} as const

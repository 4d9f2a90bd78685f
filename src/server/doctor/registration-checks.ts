/** The check of `latchkey doctor` for clients that are registered against a recommendation, or name others that are not there. */
import { type Finding, note, warning } from '../../finding.ts'
import { everyClient } from '../../protocol/claims/client-roles.ts'
import type { Client } from '../../protocol/client/client.ts'
import { registeredRisks } from '../../protocol/client/registered-addresses.ts'
import { shellWord } from '../../protocol/shell-word.ts'
import type { Storage } from '../../storage/port/storage.ts'

/** Clients that are read. */
const clientsAtMost = 1000
/** Findings; the others are counted. */
const namedAtMost = 20

/** Names each client with a risk in its registration, and how to end it. */
export async function checkRegistrations(storage: Pick<Storage, 'clients' | 'clientReferences'>): Promise<Finding[]> {
  const { clients } = storage
  const found: Finding[] = await takenSubjects(storage)
  let after: string | undefined = ''
  let read = 0
  while (after !== undefined && read < clientsAtMost) {
    const page: readonly Client[] = await clients.page(after)
    found.push(...page.flatMap(findingsOf), ...(await missingRoleClients(storage, page)))
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

/** A client whose subject is somebody else's id by now gets no tokens for itself. */
async function takenSubjects({ clientReferences }: Pick<Storage, 'clientReferences'>): Promise<Finding[]> {
  return (await clientReferences.takenSubjects()).map(({ clientId, subject }) =>
    warning(
      'clients',
      `${clientId}: service_account_subject ${subject} is the id of somebody else, and it gets no tokens for itself.`,
      `latchkey client set ${shellWord(clientId)} service_account_subject=SUBJECT`,
    ),
  )
}

async function missingRoleClients({ clientReferences }: Pick<Storage, 'clientReferences'>, page: readonly Client[]) {
  const named = page.map((client) => ({ client, ids: client.metadata.role_clients.filter((id) => id !== everyClient) }))
  const missing = await clientReferences.missingAmong([...new Set(named.flatMap(({ ids }) => ids))])
  return named.flatMap(({ client, ids }) =>
    ids
      .filter((id) => missing.includes(id))
      .map((id) =>
        note(
          'clients',
          `${client.id}: role_clients names ${id}, which is not there.`,
          `latchkey client set ${shellWord(client.id)} ${shellWord(`role_clients-=${id}`)}`,
        ),
      ),
  )
}

function findingsOf(client: Client): Finding[] {
  return registeredRisks(client).map(({ member, message }) =>
    warning('clients', `${client.id}: ${message}`, `latchkey client set ${shellWord(client.id)} ${advised[member]}`),
  )
}

const advised = {
  redirect_uris: 'redirect_uris-=ADDRESS',
  post_logout_redirect_uris: 'post_logout_redirect_uris-=ADDRESS',
  require_pkce: 'require_pkce=true',
} as const

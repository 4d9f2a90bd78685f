/** `latchkey client …`: registered applications. */
import { type Command, Option } from 'commander'
import type { Client } from '../protocol/client.ts'
import { builtInScopes } from '../protocol/scope.ts'
import { hashSecret } from '../secrets/opaque.ts'
import type { Storage } from '../storage/port.ts'
import {
  checkClientId,
  checkClientName,
  checkItems,
  checkRegisteredUri,
  clientHeadings,
  clientJson,
  clientRow,
  clientText,
} from './client-record.ts'
import { type CommandContext, collect, Refused, withCommonOptions, withStorage } from './context.ts'
import { table } from './text.ts'

type AddOptions = {
  readonly redirectUri: readonly string[]
  readonly postLogoutRedirectUri: readonly string[]
  readonly scope: readonly string[]
  readonly name?: string
  readonly consent: Client['consent']
  readonly confidential?: boolean
}

export function register(parent: Command, context: CommandContext): void {
  const client = withCommonOptions(parent.command('client').description('registered applications'))
  const leaf = (signature: string, description: string) =>
    withCommonOptions(client.command(signature).description(description))

  leaf('add <id>', 'register an application: public with mandatory PKCE, or confidential')
    .requiredOption('--redirect-uri <uri>', 'where codes may be sent; may be repeated', collect)
    .option('--post-logout-redirect-uri <uri>', 'where people may go after signing out; may be repeated', collect, [])
    .option('--scope <name>', 'a scope that it may ask for; may be repeated', collect, [])
    .option('--name <name>', 'shown on the consent page; without it the id')
    .addOption(
      new Option('--consent <type>', 'ask people once, or never').choices(['explicit', 'implicit']).default('explicit'),
    )
    .option('--confidential', 'it can keep a secret; the generated one is printed once')
    .action((id: string, options: AddOptions, command: Command) => add(context, id, options, command))

  leaf('list', 'list all applications').action((_options, command: Command) =>
    withStorage(context, command, async ({ storage, print }) => {
      const clients = await storage.clients.list()
      const empty = 'There are no clients yet. Add one with: latchkey client add ID --redirect-uri URI'
      print(clients.map(clientJson), clients.length === 0 ? empty : table(clientHeadings, clients.map(clientRow)))
    }),
  )

  leaf('show <id>', 'show one application').action((id: string, _options, command: Command) =>
    withStorage(context, command, async ({ storage, print }) => {
      const found = await storage.clients.find(id)
      if (found === undefined) throw new Refused(unknownClient(id))
      print(clientJson(found), clientText(found))
    }),
  )

  leaf('delete <id>', 'delete an application with its consents and tokens').action(
    (id: string, _options, command: Command) =>
      withStorage(context, command, async ({ storage, event, print }) => {
        if (!(await storage.clients.delete(id, [event('client_deleted', { clientId: id })])))
          throw new Refused(unknownClient(id))
        print({ client_id: id, deleted: true }, `Deleted ${id}.`)
      }),
  )
}

function add(context: CommandContext, id: string, options: AddOptions, command: Command): Promise<void> {
  const { redirectUri, postLogoutRedirectUri, consent, confidential = false, name = id } = options
  checkClientId(id)
  checkClientName(name)
  checkItems(redirectUri, 'redirect URIs')
  checkItems(postLogoutRedirectUri, 'post-logout redirect URIs')
  checkItems(options.scope, 'scopes')
  for (const uri of redirectUri) checkRegisteredUri(uri, 'redirect_uri')
  for (const uri of postLogoutRedirectUri) checkRegisteredUri(uri, 'post_logout_redirect_uri')
  const scopes = [...new Set(options.scope)].filter((scope) => scope !== 'openid')
  return withStorage(context, command, async ({ storage, event, print }) => {
    await requireRegisteredScopes(storage, scopes)
    // 256 random bits: RFC 6749 §10.10 asks for at least 128.
    const secret = confidential ? Buffer.from(context.random(32)).toString('base64url') : null
    const client: Client = {
      id,
      name,
      type: confidential ? 'confidential' : 'public',
      secretHash: secret === null ? null : hashSecret(secret),
      consent,
      requirePkce: true,
      redirectUris: [...new Set(redirectUri)],
      postLogoutRedirectUris: [...new Set(postLogoutRedirectUri)],
      scopes,
      createdAtMs: context.clock(),
    }
    const { type, redirectUris } = client
    const added = event('client_added', { clientId: id }, { type, consent, scopes, redirectUris })
    if (!(await storage.clients.create(client, [added])))
      throw new Refused(`There is a client with the id ${id} already.`)
    // RFC 7591 §3.2.1: 0 stands for a secret that does not expire.
    const secretJson = secret === null ? {} : { client_secret: secret, client_secret_expires_at: 0 }
    const secretText = secret === null ? '' : `\nIts secret, shown this once: ${secret}`
    print({ ...clientJson(client), ...secretJson }, `Added ${id}.${secretText}`)
  })
}

async function requireRegisteredScopes(storage: Storage, scopes: readonly string[]): Promise<void> {
  const wanted = scopes.filter((scope) => !builtInScopes.includes(scope))
  const registered = wanted.length === 0 ? [] : await storage.scopes.findMany(wanted)
  const unknown = wanted.find((scope) => !registered.some(({ name }) => name === scope))
  if (unknown !== undefined) {
    throw new Refused(`The scope ${unknown} is not registered. Register it first: latchkey scope add ${unknown}`)
  }
}

function unknownClient(id: string): string {
  return `There is no client with the id ${id}. See: latchkey client list`
}

/** `latchkey client …`: registered applications. */
import { type Command, Option } from 'commander'
import type { Rejection } from '../problem.ts'
import { listedRules } from '../protocol/claims/shapes.ts'
import type { Client } from '../protocol/client/client.ts'
import type { MemberChange } from '../protocol/client/client-members.ts'
import { changeClient } from '../protocol/client/client-registration.ts'
import { consentKinds } from '../protocol/client/member-table.ts'
import { clientRecord } from '../protocol/client/records.ts'
import type { Scope } from '../protocol/scope/scope.ts'
import { commonScopes } from '../protocol/scope/scope-registration.ts'
import { registrationOf } from '../protocol/templates/registration.ts'
import { isRefusal } from '../refusal.ts'
import { Refused } from '../server/refused.ts'
import { ScopeBeingDeleted } from '../storage/port/claim-rules.ts'
import { ClientHasRoles } from '../storage/port/clients.ts'
import { type RuleOwner, registerClaims } from './claim-rules.ts'
import {
  changeJudged,
  eventsOfAdded,
  registerChanges,
  registrationContext,
  requireRoom,
  toChanges,
  warnAbout,
} from './client-changes.ts'
import { registerImport } from './client-import.ts'
import { endKeys, mintSecret, publishKeys } from './client-keys.ts'
import { aboutMembers, changesOfOptions, type MemberOptions, toSet, withMemberOptions } from './client-options.ts'
import { clientHeadings, clientRow, clientText, unknownClient } from './client-record.ts'
import { listTemplates, scopeEvents, scopeLines, setupLines } from './client-templates.ts'
import { accepted, type CommandContext, collect, type Workspace, withCommonOptions, withStorage } from './context.ts'
import { registerTokens } from './registration-token.ts'
import { confirmLoss, countsOf, notFree, removeAll, yesOption } from './removing.ts'
import { table } from './text.ts'

type AddOptions = MemberOptions & {
  readonly for?: string
  readonly url?: string
  readonly redirectUri?: readonly string[]
  readonly postLogoutRedirectUri?: readonly string[]
  readonly scope?: readonly string[]
  readonly standardScopes?: boolean
  readonly name?: string
  readonly consent?: Client['consent']
  readonly confidential?: boolean
}

type DeleteOptions = { readonly yes?: boolean; readonly force?: boolean }

/** Role names in a sentence; the others are counted. */
const namedAtMost = 20
const rolesIn = (roles: readonly string[]): string[] => {
  if (roles.length === 0) return []
  const more = roles.length > namedAtMost ? [`${roles.length - namedAtMost} more`] : []
  return [`${roles.length === 1 ? 'the role' : 'the roles'} ${[...roles.slice(0, namedAtMost), ...more].join(', ')}`]
}
const hasRoles = (id: string, roles: readonly string[]): string =>
  `The client ${id} has ${rolesIn(roles).join('')}. Nothing was done. To delete them with it, add --force.`

export function register(parent: Command, context: CommandContext): void {
  const client = withCommonOptions(parent.command('client').description('registered applications'))
  const leaf = (signature: string, description: string) =>
    withCommonOptions(client.command(signature).description(description))

  withMemberOptions(
    leaf('add <id> [member=value...]', 'register an application: public with mandatory PKCE, or confidential'),
  )
    .option('--for <template>', 'the library or product that it is for; see: latchkey client templates')
    .option('--url <address>', 'with --for: where it runs; default: where it runs in development')
    .option('--redirect-uri <uri>', 'redirect URI for codes; repeatable', collect)
    .option('--post-logout-redirect-uri <uri>', 'redirect URI after a sign-out; repeatable', collect)
    .option('--scope <name>', 'a scope that the client may request; repeatable', collect)
    .option('--standard-scopes', `permit ${commonScopes.join(', ')}`)
    .option('--name <name>', 'name on the consent page; default: the id')
    .addOption(
      new Option(
        '--consent <type>',
        'ask users for consent once, each time or never, or let operators consent',
      ).choices(consentKinds),
    )
    .option('--confidential', 'create a secret, which is printed once')
    .addHelpText('after', aboutMembers)
    .action((id: string, words: readonly string[], options: AddOptions, command: Command) =>
      add(context, id, { ...options, changes: toChanges(words, changesOf(options, context, command)) }, command),
    )

  leaf('templates', 'list the libraries and products that an application can be registered for').action(
    (_options, command: Command) => listTemplates(context, command),
  )

  leaf('list', 'list all applications').action((_options, command: Command) =>
    withStorage(context, command, async ({ storage, print }) => {
      const clients = await storage.clients.list()
      const nowMs = context.clock()
      const empty = 'There are no clients yet. Add one with: latchkey client add ID --redirect-uri URI'
      const json = clients.map((one) => clientRecord(one, nowMs))
      print(json, clients.length === 0 ? empty : table(clientHeadings, clients.map(clientRow)))
    }),
  )

  leaf('show <id>', 'show one application').action((id: string, _options, command: Command) =>
    withStorage(context, command, async ({ storage, print }) => {
      const found = await storage.clients.find(id)
      if (found === undefined) throw new Refused(unknownClient(id))
      print(clientRecord(found, context.clock()), clientText(found, context.clock()))
    }),
  )

  leaf('delete <id>', 'delete an application with its consents and tokens')
    .option('--force', 'with the roles that belong to it, which everybody who has them loses; without asking')
    .addOption(yesOption())
    .action((id: string, { yes = false, force = false }: DeleteOptions, command: Command) =>
      withStorage(context, command, async (workspace) => {
        let roles: readonly string[] | undefined
        while (roles === undefined) roles = await deleteClient(context, workspace, id, { yes, force })
        await removeAll(workspace.storage)
        await endKeys(context, workspace)
        workspace.print({ client_id: id, deleted: true, ...(roles.length > 0 && { roles }) }, `Deleted ${id}.`)
      }),
    )

  registerClaims(client, context, clients(context))
  registerChanges(leaf, context)
  registerImport(leaf, context)
  registerTokens(leaf, context)
}

/** Returns the roles that were deleted with it; undefined: others belong to it by now, so it is to be asked again. */
async function deleteClient(
  context: CommandContext,
  { storage, event }: Workspace,
  id: string,
  { yes = false, force = false }: DeleteOptions,
): Promise<readonly string[] | undefined> {
  if ((await storage.clients.find(id)) === undefined) throw new Refused(unknownClient(id))
  const roles = await storage.clients.rolesOf(id)
  if (roles.length > 0 && !force) throw new Refused(hasRoles(id, roles))
  const nowMs = context.clock()
  const { consents, grants } = await storage.clients.dependents(id, nowMs)
  const counts = countsOf([
    [consents, 'consent', 'consents'],
    [grants, 'grant', 'grants'],
  ])
  const lost = [counts ?? 'no consent or grant', ...rolesIn(roles)].join(' and ')
  await confirmLoss(context, `This deletes the client ${id} with ${lost}, for good.`, yes || force)
  const events = [
    event('client_deleted', { clientId: id }),
    ...roles.map((name) => event('role_deleted', {}, { name })),
  ]
  try {
    if (await storage.clients.delete(id, events, undefined, { roles, nowMs })) return roles
  } catch (error) {
    if (error instanceof ClientHasRoles) return undefined
    throw error
  }
  throw new Refused(unknownClient(id))
}

const clients = (context: CommandContext): RuleOwner => ({
  noun: 'client',
  argument: 'id',
  byDefault: 'userinfo, and id_token where id_token_claims is scopes',

  async read({ storage }, id) {
    const found = await storage.clients.find(id)
    if (found === undefined) throw new Refused(unknownClient(id))
    return [...found.metadata.claims, ...listedRules(found)]
  },

  async change(workspace, id, decide) {
    const judging = await registrationContext(workspace, [], '', context.clock())
    await changeJudged(workspace, id, (client, rules) => {
      const claims = decide(client.metadata.claims)
      if (isRefusal<object | Rejection>(claims)) return claims
      if (claims === client.metadata.claims) return undefined
      return changeClient(client, [{ member: 'claims', operation: 'set', value: claims }], { ...judging, rules })
    })
  },
})

/** Converts the options to changes of members. */
function changesOf(options: AddOptions, context: CommandContext, command: Command): MemberChange[] {
  const { redirectUri, postLogoutRedirectUri, name, consent, confidential, authMethod } = options
  if (confidential === true && authMethod === 'none') {
    command.error("error: option '--confidential' cannot be used with '--auth-method none'")
  }
  const standard = options.standardScopes === true ? commonScopes : []
  const scopes = [...standard, ...(options.scope ?? [])]
  return [
    ...toSet({
      redirect_uris: redirectUri,
      post_logout_redirect_uris: postLogoutRedirectUri,
      scope: scopes.length === 0 ? undefined : scopes,
      client_name: name,
      consent,
      token_endpoint_auth_method: confidential === true && authMethod === undefined ? 'client_secret_basic' : undefined,
    }),
    ...changesOfOptions(options, context),
  ]
}

type Addition = Pick<AddOptions, 'for' | 'url' | 'allowAdmin'> & { readonly changes: readonly MemberChange[] }

async function add(context: CommandContext, id: string, given: Addition, command: Command): Promise<void> {
  if (given.for === undefined && given.url !== undefined) {
    command.error("error: option '--url <address>' needs '--for <template>'")
  }
  const nowMs = context.clock()
  const names = { template: '--for', base: '--url' }
  const registration = accepted(
    await registrationOf({ clientId: id, given: given.changes, template: given.for, base: given.url, names, nowMs }),
  )
  // Grant types without a redirect URI are validated with the other members.
  if (!registration.changes.some(({ member }) => member === 'redirect_uris' || member === 'grant_types')) {
    command.error("error: required option '--redirect-uri <uri>' not specified, nor '--for <template>'")
  }
  return withStorage(context, command, async (workspace) => {
    const { storage, settings, event, print } = workspace
    const { secret, stored } = await mintSecret(context, { storage, settings }, registration.changes)
    const judging = await registrationContext({ storage, settings }, registration.changes, stored, nowMs, given)
    let made: readonly Scope[] = []
    const added = await storage.claimRules
      .addClients(
        async (rules, missing) => {
          made = missing
          const isTaken = (await storage.clients.find(id)) !== undefined
          const client = accepted(registration.judge({ ...judging, rules }, missing, isTaken))
          return requireRoom<[Client]>({ storage, settings }, rules, [client])
        },
        ([client], missing) => [...scopeEvents(event, missing), ...eventsOfAdded(event, client)],
        registration.scopes,
      )
      .catch((error: unknown) => {
        throw error instanceof ScopeBeingDeleted ? new Refused(error.message) : error
      })
    if (added === 'taken')
      throw await notFree(storage, { kind: 'client', name: id }, `There is a client with the id ${id} already.`)
    const [client] = added
    await warnAbout(context, { settings }, [client])
    await publishKeys(context, { storage, settings }, [client])
    const hasSecret = client.authentication.method === 'client_secret'
    // RFC 7591 §3.2.1: 0 means that the secret does not expire.
    const secretJson = hasSecret ? { client_secret: secret, client_secret_expires_at: 0 } : {}
    const secretText = hasSecret ? `\nIts secret, shown only once: ${secret}` : ''
    const setup = registration.setup?.(client, settings.oauth.issuer, hasSecret ? secret : '', context.random(32))
    const lines = [`Added ${id}.${secretText}`, ...scopeLines(made), ...(setup === undefined ? [] : setupLines(setup))]
    print({ ...clientRecord(client, nowMs), ...secretJson, ...(setup && { setup }) }, lines.join('\n'))
  })
}

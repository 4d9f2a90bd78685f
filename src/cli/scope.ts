/** `latchkey scope …`: the scopes that clients may request. */
import { type Command, Option } from 'commander'
import type { Rejection } from '../problem.ts'
import { scopeProblems } from '../protocol/claims/rule-changes.ts'
import { scopeRecord } from '../protocol/client/records.ts'
import { isAdminScope } from '../protocol/scope/admin-scopes.ts'
import { builtInScopes, type Scope, withoutRules } from '../protocol/scope/scope.ts'
import { isScopeText, readScopeMembers, scopeTexts } from '../protocol/scope/scope-members.ts'
import { registerScope, standardScopes } from '../protocol/scope/scope-registration.ts'
import { type AccessTokenType, accessTokenTypes } from '../protocol/token/access-token-type.ts'
import { isRefusal } from '../refusal.ts'
import { Refused } from '../server/refused.ts'
import type { StoredRules } from '../storage/port/claim-rules.ts'
import type { Storage } from '../storage/port/storage.ts'
import { changeRules, type DecidedRules, type RuleOwner, registerClaims } from './claim-rules.ts'
import { accepted, type CommandContext, collect, Misused, withCommonOptions, withStorage } from './context.ts'
import { confirmLoss, countsOf, notFree, removeAll, yesOption } from './removing.ts'
import { table } from './text.ts'

type AddOptions = {
  readonly displayName?: string
  readonly description?: string
  readonly resource?: readonly string[]
  readonly text?: readonly string[]
  readonly accessTokenType?: AccessTokenType
  readonly standard?: boolean
}

const standardNames = standardScopes.map(({ name }) => name)

export function register(parent: Command, context: CommandContext): void {
  const scope = withCommonOptions(parent.command('scope').description('scopes that clients may request'))
  const leaf = (signature: string, description: string) =>
    withCommonOptions(scope.command(signature).description(description))

  leaf('add [name]', 'register a scope')
    .option('--display-name <text>', 'its name on the consent page')
    .option('--description <text>', 'description on the consent page')
    .option('--text <member=text>', 'a text in a language, such as display_name#de=Bestellungen; repeatable', collect)
    .option('--resource <uri>', 'an audience (aud) of its access tokens; repeatable', collect)
    .addOption(
      new Option('--access-token-type <type>', 'typ of access tokens for its resources').choices(accessTokenTypes),
    )
    .option('--standard', `register the standard scopes: ${standardNames.join(', ')}`)
    .action((name: string | undefined, options: AddOptions, command: Command) => {
      if (options.standard === true) return addStandard(context, name, options, command)
      if (name === undefined) return command.error("error: missing required argument 'name', or --standard")
      return add(context, name, options, command)
    })

  leaf('list', 'list the registered scopes').action((_options, command: Command) =>
    withStorage(context, command, async ({ storage, print }) => {
      const scopes = await storage.scopes.list()
      const rows = scopes.map(({ name, displayName, description }) => [name, displayName ?? '', description ?? ''])
      const empty = `Only ${builtInScopes.join(' and ')}, which are built in. Add one with: latchkey scope add NAME`
      print(scopes.map(scopeRecord), scopes.length === 0 ? empty : table(['NAME', 'DISPLAY NAME', 'DESCRIPTION'], rows))
    }),
  )

  registerClaims(scope, context, scopes)

  leaf('delete <name>', 'remove a scope')
    .addOption(yesOption())
    .action((name: string, { yes = false }: { yes?: boolean }, command: Command) =>
      withStorage(context, command, async ({ storage, event, print }) => {
        const unknown = new Refused(unknownScope(name))
        const [found] = await storage.scopes.findMany([name])
        if (found === undefined) throw unknown
        const dependents = await storage.scopes.dependents(name, context.clock())
        await confirmLoss(context, lossOf(name, dependents), yes)
        const events = [event('scope_deleted', {}, { name })]
        // Clients that kept the name could use the permission of that name.
        const remove = isAdminScope(name)
          ? storage.scopes.deleteEverywhere(found, events)
          : storage.scopes.delete(name, events)
        if (!(await remove)) throw unknown
        await removeAll(storage)
        print({ name, deleted: true }, `Deleted ${name}.`)
      }),
    )
}

const scopes: RuleOwner = {
  noun: 'scope',
  argument: 'scope',
  byDefault: 'userinfo, and id_token where id_token_claims is scopes',

  async read({ storage }, name) {
    const [found] = await storage.scopes.findMany([name])
    if (found === undefined) throw new Refused(unknownScope(name))
    return found.claims
  },

  async change(workspace, name, decide) {
    const decideOn = (stored: StoredRules): DecidedRules => {
      const scope = stored.scopes.find((one) => one.name === name)
      if (scope === undefined) return {}
      const claims = decide(scope.claims)
      if (isRefusal<object | Rejection>(claims)) return { problems: claims.problems }
      const after = { ...scope, claims }
      const problems = scopeProblems(scope, after, stored)
      const change = { before: scope.claims, after: claims }
      if (problems.length > 0) return { problems }
      return claims === scope.claims ? change : { ...change, changes: [{ kind: 'scope', before: scope, after }] }
    }
    const decided = await changeRules(workspace, 'scope', name, decideOn)
    if (decided.after === undefined) throw new Refused(unknownScope(name))
  },
}

const unknownScope = (name: string) => `There is no scope called ${name}. See: latchkey scope list`

function add(context: CommandContext, name: string, options: AddOptions, command: Command): Promise<void> {
  const { displayName = null, description = null, resource = [], text = [], accessTokenType = null } = options
  const texts = { displayName, description, resources: resource }
  const { purposes, localized } = textsIn(text)
  const scope = { name, ...texts, ...withoutRules, purposes, localized, accessTokenType, createdAtMs: context.clock() }
  const added = accepted(registerScope(scope))
  return withStorage(context, command, async ({ storage, event, print }) => {
    const recorded = event('scope_added', {}, { name, resources: added.resources })
    if (!(await storage.scopes.create(added, [recorded]))) {
      throw await notFree(storage, { kind: 'scope', name }, `There is a scope called ${name} already.`)
    }
    print(scopeRecord(added), `Added ${name}. Permit it to a client with: latchkey client add ID … --scope ${name}`)
  })
}

/** Reads the texts of `--text`. */
function textsIn(given: readonly string[]): Pick<Scope, 'purposes' | 'localized'> {
  const members = given.map((one) => {
    const [, member = '', text = ''] = /^([^=]*)=(.*)$/s.exec(one) ?? []
    if (isScopeText(member)) return [member, text] as const
    throw new Misused(`--text takes ${scopeTexts.join(', ')} with a language, as in display_name#de=Bestellungen.`)
  })
  return readScopeMembers(Object.fromEntries(members)).scope
}

/** Adds the missing standard scopes and keeps existing ones. */
function addStandard(
  context: CommandContext,
  name: string | undefined,
  { displayName, description, resource = [], text = [], accessTokenType }: AddOptions,
  command: Command,
): Promise<void> {
  const others = [name, displayName, description, accessTokenType, resource[0], text[0]]
  if (others.some((given) => given !== undefined)) {
    throw new Misused('--standard takes no name and no other option: the standard scopes have fixed texts.')
  }
  return withStorage(context, command, async ({ storage, event, print }) => {
    const added: string[] = []
    for (const one of standardScopes) {
      const scope: Scope = { ...one, resources: [], ...withoutRules, createdAtMs: context.clock() }
      const recorded = event('scope_added', {}, { name: one.name, resources: [] })
      if (await storage.scopes.create(scope, [recorded])) added.push(one.name)
    }
    const now = await storage.scopes.findMany(standardNames)
    const json = standardNames.flatMap((one) => now.filter((scope) => scope.name === one).map(scopeRecord))
    const done =
      added.length === 0 ? `Nothing to add: ${standardNames.join(', ')} are registered.` : `Added ${added.join(', ')}.`
    print(json, `${done} Permit them to a client with: latchkey client add ID … --standard-scopes`)
  })
}

type Dependents = Awaited<ReturnType<Storage['scopes']['dependents']>>

function lossOf(name: string, { clients, consents, grants }: Dependents): string {
  const counts = countsOf([
    [clients.length, 'client', 'clients'],
    [consents, 'consent', 'consents'],
    [grants, 'grant', 'grants'],
  ])
  if (counts === undefined) return `This deletes the scope ${name}, which nothing uses.`
  const loss = `This deletes the scope ${name}, used by ${counts}.`
  const shown = clients.length > 5 ? [...clients.slice(0, 5), '…'] : clients
  return clients.length === 0 ? loss : `${loss} Requests for it are refused from then on (${shown.join(', ')}).`
}

/** The commands that change a client: `set` and `rotate-secret`. */
import { type Command, InvalidArgumentError } from 'commander'
import type { AuditEvents } from '../audit/entry.ts'
import { type Judged, type Problem, problem, type Rejection } from '../problem.ts'
import type { KnownRules } from '../protocol/claims/known-rules.ts'
import { calledAddresses } from '../protocol/client/called-addresses.ts'
import { type Client, replacedSecretEndsAtMs } from '../protocol/client/client.ts'
import { algorithmsOf } from '../protocol/client/client-algorithms.ts'
import { clientMemberKind, clientMemberProblem, type MemberChange } from '../protocol/client/client-members.ts'
import {
  changeClient,
  type RegistrationContext,
  rotateSecret,
  scopesToLookUp,
} from '../protocol/client/client-registration.ts'
import { addedClient, clientRecord } from '../protocol/client/records.ts'
import { registeredRisks } from '../protocol/client/registered-addresses.ts'
import { sectorUrisToFetch } from '../protocol/client/sector.ts'
import { uncommonKeyWarnings } from '../protocol/client/signing-algorithms.ts'
import { registeredMethod } from '../protocol/client-authentication/registration.ts'
import { frontchannelProblem } from '../protocol/logout/frontchannel-logout.ts'
import { isLoopbackHost } from '../protocol/loopback.ts'
import { isAdminScope } from '../protocol/scope/admin-scopes.ts'
import { asRefusal, isRefusal } from '../refusal.ts'
import { Refused } from '../server/refused.ts'
import type { Settings } from '../settings/settings.ts'
import type { JudgingRules } from '../storage/port/claim-rules.ts'
import { isoTime } from '../text.ts'
import { eventsOf, lengthProblemsOf } from './claim-rules.ts'
import { mintSecret, mintSecretOf, publishKeys } from './client-keys.ts'
import { aboutMembers, changesOfOptions, type MemberOptions, withMemberOptions } from './client-options.ts'
import { unknownClient } from './client-record.ts'
import { type CommandContext, deciding, Misused, type Workspace, withStorage } from './context.ts'
import { parseMembers, toJsonValue } from './member-values.ts'

export function registerChanges(leaf: (signature: string, about: string) => Command, context: CommandContext): void {
  withMemberOptions(leaf('set <id> [member=value...]', 'change an application; consents and tokens stay'))
    .addHelpText(
      'after',
      `${aboutMembers} += adds to a list, -= removes from it:
  latchkey client set web redirect_uris+=https://new.example/cb redirect_uris-=https://old.example/cb`,
    )
    .action((id: string, words: readonly string[], options: MemberOptions, command: Command) =>
      set(context, id, toChanges(words, changesOfOptions(options, context)), options, command),
    )

  leaf('rotate-secret <id>', 'give a confidential application a new secret, printed once')
    .option('--overlap <seconds>', 'how long the old secret stays valid; at most 2592000', wholeNumber, 0)
    .action((id: string, { overlap }: { overlap: number }, command: Command) =>
      withStorage(context, command, async ({ storage, settings, event, print }) => {
        const known = await storage.clients.find(id)
        const method = known && registeredMethod(known)
        const { secret, stored } = await mintSecretOf(context, { storage, settings }, method)
        const nowMs = context.clock()
        const secrets = { hash: stored, sealed: stored }
        const { decide, check } = deciding((found: Client) =>
          registeredMethod(found) === method
            ? rotateSecret(found, secrets, overlap, nowMs)
            : asRefusal({
                problems: [
                  problem(
                    'client_secret',
                    `The client ${id}`,
                    'authenticates in another way since a moment ago. Rotate its secret again',
                  ),
                ],
              }),
        )
        const what = { change: 'secret_rotated', overlapSeconds: overlap }
        const changed = await storage.clients.update(id, decide, [event('client_changed', { clientId: id }, what)])
        check()
        if (changed === undefined) throw new Refused(unknownClient(id))
        const endsAtMs = replacedSecretEndsAtMs(changed, nowMs)
        const old = endsAtMs === undefined ? 'no longer works' : `works until ${isoTime(endsAtMs)}`
        const json = { ...clientRecord(changed, nowMs), client_secret: secret, client_secret_expires_at: 0 }
        print(json, `The new secret of ${id}, shown only once: ${secret}\nThe old one ${old}.`)
      }),
    )
}

/**
 * Parses members from the command line and appends them to the changes that options made. Throws `Refused`, and `Misused`
 * for a member with one value that is set twice: which of the two is meant is open.
 */
export function toChanges(words: readonly string[], ofOptions: readonly MemberChange[]): MemberChange[] {
  const given = parseMembers(words)
  const problems = given.map(({ member }) => clientMemberProblem(member)).filter((found) => found !== undefined)
  if (problems.length > 0) throw Refused.because(problems)
  const changes = [
    ...ofOptions,
    ...given.map((one) => {
      const value = toJsonValue(clientMemberKind(one.member), one)
      return { member: one.member, operation: one.operation, value }
    }),
  ]
  const single = changes.map(({ member }) => member).filter((member) => !listKinds.has(clientMemberKind(member)))
  const twice = single.find((member, at) => single.indexOf(member) < at)
  if (twice !== undefined) throw new Misused(`${twice} is set twice: set it once.`)
  return changes
}

const listKinds: ReadonlySet<string> = new Set(['list', 'words'])

type ClientRule = (client: Client, rules: KnownRules) => Judged<Client> | undefined

/** Changes a client by a rule that judges it with the rules of claims that there are. Throws `Refused`. */
export async function changeJudged(
  { storage, settings, event }: Pick<Workspace, 'storage' | 'settings' | 'event'>,
  id: string,
  rule: ClientRule,
  events: AuditEvents = [],
): Promise<Client> {
  let problems: readonly Problem[] = []
  const changed = await storage.claimRules.changeClient(
    id,
    async (client, rules) => {
      const judged = rule(client, rules)
      problems = isRefusal<object | Rejection | undefined>(judged) ? judged.problems : []
      if (isRefusal<object | Rejection | undefined>(judged) || judged === undefined) return undefined
      const change = { kind: 'client', before: client, after: judged } as const
      problems = await lengthProblemsOf({ storage, settings }, { ...rules.stored, clients: [client] }, [change])
      return problems.length === 0 ? judged : undefined
    },
    (before, after) => [...events, ...eventsOf({ event }, 'client', id)(before.metadata.claims, after.metadata.claims)],
  )
  if (problems.length > 0) throw Refused.because(problems)
  if (changed === undefined) throw new Refused(unknownClient(id))
  return changed
}

/** Throws `Refused` if rules of new clients would make the token of somebody too long. */
export async function requireRoom<Clients extends readonly Client[]>(
  workspace: Pick<Workspace, 'storage' | 'settings'>,
  rules: JudgingRules,
  clients: Clients,
): Promise<Clients> {
  const changes = clients.map((after) => ({ kind: 'client', before: undefined, after }) as const)
  const problems = await lengthProblemsOf(workspace, { ...rules.stored, clients: [] }, changes)
  if (problems.length > 0) throw Refused.because(problems)
  return clients
}

/** Returns the audit events of a new client. */
export const eventsOfAdded = (event: Workspace['event'], client: Client): AuditEvents[number][] => [
  event('client_added', { clientId: client.id }, addedClient(client)),
  ...eventsOf({ event }, 'client', client.id)([], client.metadata.claims),
]

/** Fetches what the clients name as `sector_identifier_uri`. */
async function sectorsOf(settings: Settings, changes: readonly MemberChange[], nowMs: number, before?: Client) {
  const uris = sectorUrisToFetch(changes, before)
  if (uris.length === 0) return {}
  const { sectorDocuments } = await import('../server/sector-documents.ts')
  return { sectors: await sectorDocuments(settings, uris, before, () => nowMs) }
}

/**
 * Returns the context for registration rules, read beforehand because the rules are pure. `before`: the client that changes. `allowAdmin`:
 * service accounts may have any role.
 */
export async function registrationContext(
  { storage, settings }: Pick<Workspace, 'storage' | 'settings'>,
  changes: readonly MemberChange[],
  newSecretHash: string,
  nowMs: number,
  { before, allowAdmin }: { readonly before?: Client | undefined; readonly allowAdmin?: unknown } = {},
): Promise<RegistrationContext> {
  const asked = scopesToLookUp(changes)
  const registered = await storage.scopes.findMany(asked)
  return {
    registeredScopes: [...registered.map(({ name }) => name), ...asked.filter(isAdminScope)],
    ...(await storage.clientReferences.factsFor(changes)),
    ...(allowAdmin === true && { administratorRoles: new Set<string>() }),
    newSecretHash,
    isLoopbackIssuer: isLoopbackHost(new URL(settings.oauth.issuer).hostname),
    allowsHttp: settings.outbound.allowHttp,
    isPostQuantum: settings.oauth.postQuantum,
    accessTokenScope: settings.oauth.accessTokenScope,
    ...(await sectorsOf(settings, changes, nowMs, before)),
    nowMs,
  }
}

/** Warns of what is registered although a standard or a setting forbids it, because the operator may know better. */
export async function warnAbout(
  { stderr, clock }: CommandContext,
  { settings }: Pick<Workspace, 'settings'>,
  clients: readonly Client[],
): Promise<void> {
  const isCalled = clients.some((client) => calledAddresses(client).length > 0)
  const refused = isCalled
    ? await (await import('../server/doctor/client-addresses.ts')).addressWarnings(settings, clients, clock)
    : []
  for (const client of clients) {
    const found = frontchannelProblem(client)
    const warnings = [
      ...(found === undefined ? [] : [found.message]),
      ...uncommonKeyWarnings(algorithmsOf(client.metadata, true)),
      ...registeredRisks(client).map(({ message }) => message),
      ...refused.filter(({ clientId }) => clientId === client.id).map(({ warning }) => warning),
    ]
    for (const warning of warnings) stderr.write(`warning: ${client.id}: ${warning}\n`)
  }
}

function set(
  context: CommandContext,
  id: string,
  changes: readonly MemberChange[],
  { allowAdmin }: MemberOptions,
  command: Command,
): Promise<void> {
  if (changes.length === 0) command.error("error: missing required argument 'member=value'")
  return withStorage(context, command, async ({ storage, settings, event, print }) => {
    const { secret, stored } = await mintSecret(context, { storage, settings }, changes)
    const judging = await registrationContext({ storage, settings }, changes, stored, context.clock(), {
      before: await storage.clients.find(id),
      allowAdmin,
    })
    const what = { change: 'set', members: [...new Set(changes.map(({ member }) => member))] }
    const recorded = event('client_changed', { clientId: id }, what)
    const rule: ClientRule = (found, rules) => {
      const judged = changeClient(found, changes, { ...judging, rules })
      return JSON.stringify(judged) === JSON.stringify(found) ? undefined : judged
    }
    const changed = await changeJudged({ storage, settings, event }, id, rule, [recorded])
    await warnAbout(context, { settings }, [changed])
    await publishKeys(context, { storage, settings }, [changed])
    const { authentication } = changed
    const isNewSecret = authentication.method === 'client_secret' && authentication.secretHash === stored
    const secretJson = isNewSecret ? { client_secret: secret, client_secret_expires_at: 0 } : {}
    const secretText = isNewSecret ? `\nIts secret, shown only once: ${secret}` : ''
    print(
      { ...clientRecord(changed, context.clock()), ...secretJson },
      `Set ${what.members.join(', ')} of ${id}.${secretText}`,
    )
  })
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Give a whole number of seconds, at most 2592000.')
  return Number(text)
}

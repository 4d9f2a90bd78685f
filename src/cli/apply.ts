/** `latchkey apply`: makes the stored configuration what files say. */
import type { Command } from 'commander'
import type { AuditEvents, AuditKind } from '../audit/entry.ts'
import type { Change } from '../configuration/changes.ts'
import { nouns } from '../configuration/declaration.ts'
import { readFiles } from '../configuration/files.ts'
import type { Plan, Stored } from '../configuration/plan.ts'
import { asWritten, withoutValues } from '../configuration/referred.ts'
import type { Problem } from '../problem.ts'
import type { Client } from '../protocol/client/client.ts'
import { builtInRoles } from '../protocol/scope/admin-scopes.ts'
import { Refused } from '../server/refused.ts'
import { ValueRefused } from '../storage/port/attributes.ts'
import type { RecordChange } from '../storage/port/configuration.ts'
import type { Storage } from '../storage/port/storage.ts'
import { LastAdministrator } from '../storage/port/users.ts'
import { decide, readSource, readStored } from './apply-decide.ts'
import { impactOf } from './apply-impact.ts'
import { planText } from './apply-text.ts'
import { eventsOf } from './claim-rules.ts'
import { warnAbout } from './client-changes.ts'
import { publishKeys } from './client-keys.ts'
import { type CommandContext, Exit, type Workspace, withCommonOptions, withStorage } from './context.ts'
import { withEmailNotice, withSecurityNotice } from './notices.ts'
import { removeAll } from './removing.ts'
import { allowAdminOption } from './role.ts'

type ApplyOptions = {
  readonly plan?: boolean
  readonly prune?: boolean
  readonly allowAdmin?: boolean
  readonly detailedExitcode?: boolean
}

/** A record may change between reading and applying. Then everything is decided again. */
const attemptsAtMost = 5

export function register(parent: Command, context: CommandContext): void {
  withCommonOptions(parent.command('apply <file...>'))
    .description(
      'make clients, scopes, roles, groups, attributes and the branding, and people that are listed, what YAML or JSON files say',
    )
    .option('--plan', 'print what would change and what that means, and change nothing')
    .option('--prune', 'delete what the files leave out, of the kinds that they have')
    .option(...allowAdminOption)
    .option('--detailed-exitcode', 'with --plan, exit with 2 if there are changes')
    .action((names: readonly string[], options: ApplyOptions, command: Command) =>
      apply(context, names, options, command),
    )
}

async function apply(
  given: CommandContext,
  names: readonly string[],
  { plan: isPlan = false, prune = false, allowAdmin = false, detailedExitcode = false }: ApplyOptions,
  command: Command,
): Promise<void> {
  const declared = readFiles(names.map((name) => readSource(given, name)))
  const hidden = withoutValues(declared)
  const refuseFor = (problems: readonly Problem[]): void => {
    if (problems.length === 0) return
    throw Refused.because(problems.map(({ member, message }) => ({ member, message: hidden(message) })))
  }
  refuseFor(declared.problems)
  const context = { ...given, stderr: rewritten(given.stderr, hidden) }
  const guardedRoles = allowAdmin ? [] : builtInRoles
  let isChanging = false
  await withStorage(context, command, async (workspace) => {
    for (let attempt = 1; ; attempt += 1) {
      const stored = await readStored(workspace.storage, declared, prune)
      const { plan, warnings } = await decide(context, workspace, declared, stored, { prune, guardedRoles, isPlan })
      refuseFor(plan.problems)
      const { impact, changes: known } = await impactOf(context, workspace, plan, stored)
      isChanging = plan.changes.length > 0
      if (!isPlan && isChanging && !(await commit(context, workspace, plan, stored))) {
        if (attempt < attemptsAtMost) continue
        throw new Refused('The configuration is being changed by somebody else. Nothing was applied; run it again.')
      }
      for (const warning of warnings) context.stderr.write(`warning: ${warning}\n`)
      await warnAbout(context, workspace, clientsOf(plan.changes))
      const shown = asWritten(known, impact, declared)
      const changes = shown.changes.map(({ action, kind, id, before, after, takenFrom }) => ({
        action,
        kind: nounOf(kind),
        id,
        before,
        after,
        ...(takenFrom !== undefined && { taken_from: takenFrom.names, taken_from_count: takenFrom.count }),
      }))
      const left = plan.left.map(({ id: username, members }) => ({ username, members }))
      const result = { changes, impact: shown.impact, ...(left.length > 0 && { left_to_people: left }) }
      workspace.print(result, planText(shown.changes, shown.impact, plan.left, isPlan))
      return
    }
  })
  if (isPlan && detailedExitcode && isChanging) throw new Exit(2)
}

/** Returns the stream with everything that is written to it rewritten. */
function rewritten(stream: CommandContext['stderr'], rewrite: (text: string) => string): CommandContext['stderr'] {
  return new Proxy(stream, {
    get(target, name) {
      if (name === 'write') return (text: string) => target.write(rewrite(String(text)))
      const value = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

const auditKinds = {
  attribute: { create: 'attribute_added', update: 'attribute_changed', delete: 'attribute_deleted' },
  scope: { create: 'scope_added', update: 'scope_changed', delete: 'scope_deleted' },
  resource: { create: 'claim_rule_added', update: 'claim_rule_added', delete: 'claim_rule_removed' },
  group: { create: 'group_added', update: 'group_changed', delete: 'group_deleted' },
  role: { create: 'role_added', update: 'role_changed', delete: 'role_deleted' },
  client: { create: 'client_added', update: 'client_changed', delete: 'client_deleted' },
  brand: { create: 'branding_changed', update: 'branding_changed', delete: 'branding_changed' },
  user: { create: 'user_added', update: 'user_changed', delete: 'user_deleted' },
} as const satisfies Readonly<Record<Change['record']['kind'], Readonly<Record<Change['action'], AuditKind>>>>

async function commit(
  context: CommandContext,
  workspace: Workspace,
  { changes }: Plan,
  { catalogueVersion }: Stored,
): Promise<boolean> {
  const { storage, settings } = workspace
  const events: AuditEvents[number][] = []
  for (const change of changes) {
    if (change.record.kind !== 'resource') events.push(await eventOf(context, workspace, change))
    events.push(...ruleEvents(workspace, change.record))
  }
  const records = changes.map(({ record }) => record)
  if (!(await applied(storage, records, context.clock(), events, catalogueVersion))) return false
  await publishKeys(context, { storage, settings }, clientsOf(changes))
  return true
}

/** Returns the clients as the changes leave them. */
function clientsOf(changes: Plan['changes']): Client[] {
  return changes.flatMap(({ record }) => (record.kind === 'client' && record.after !== undefined ? [record.after] : []))
}

/** Returns an audit event for each rule that comes or goes. */
function ruleEvents(workspace: Workspace, { kind, before, after }: RecordChange): AuditEvents[number][] {
  switch (kind) {
    case 'scope':
      return eventsOf(workspace, kind, (after ?? before)?.name ?? '')(before?.claims ?? [], after?.claims ?? [])
    case 'resource':
      return eventsOf(workspace, kind, (after ?? before)?.identifier ?? '')(before?.claims ?? [], after?.claims ?? [])
    case 'client': {
      // Those of a client that is deleted go with it.
      const claims = before?.metadata.claims ?? []
      return after === undefined ? [] : eventsOf(workspace, kind, after.id)(claims, after.metadata.claims)
    }
    default:
      return []
  }
}

/** Returns the audit event of a change, with the notices that its owner gets. */
async function eventOf(
  context: CommandContext,
  workspace: Workspace,
  { action, id, members, record }: Change,
): Promise<AuditEvents[number]> {
  const kind = auditKinds[record.kind][action]
  const details = { change: 'applied', ...(action === 'update' && { members }) }
  if (record.kind === 'attribute' || record.kind === 'scope' || record.kind === 'role') {
    return workspace.event(kind, {}, { name: id, ...details })
  }
  if (record.kind === 'group') return workspace.event(kind, {}, { group: id, ...details })
  if (record.kind === 'client') return workspace.event(kind, { clientId: id }, details)
  if (record.kind === 'brand') return workspace.event(kind, {}, { members: [...members] })
  if (record.kind === 'resource') throw new Error('a resource has an event for each rule')
  const { before, after } = record
  const userId = after?.id ?? before?.id ?? ''
  const event = workspace.event(kind, { userId }, details)
  if (before === undefined || after === undefined) return event
  const told = await withEmailNotice(context, workspace, event, before, after.email)
  if (before.passwordHash === after.passwordHash) return told
  return withSecurityNotice(context, workspace, told, before, 'password_changed')
}

function nounOf(kind: Change['kind']): string {
  return nouns[kind]
}

async function applied(
  storage: Storage,
  records: readonly RecordChange[],
  nowMs: number,
  events: AuditEvents,
  catalogueVersion: number,
): Promise<boolean> {
  try {
    const isApplied = await storage.configuration.apply(records, nowMs, events, catalogueVersion)
    if (isApplied) await removeAll(storage)
    return isApplied
  } catch (error) {
    if (error instanceof ValueRefused) throw new Refused(`${error.message} Nothing was applied.`)
    if (!(error instanceof LastAdministrator)) throw error
    throw new Refused(
      'Nobody who can sign in would have the role latchkey-admin any more. Nothing was applied; keep one in the files.',
    )
  }
}

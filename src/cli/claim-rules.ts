/** `latchkey scope claim …`, `client claim …` and `resource claim …`: what scopes, clients and resources put into tokens. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { AuditEvents } from '../audit/entry.ts'
import type { Judged, Problem } from '../problem.ts'
import {
  type ClaimForm,
  type ClaimPlace,
  type ClaimRule,
  claimForms,
  claimPlaces,
} from '../protocol/claims/claim-rules.ts'
import {
  inAccessTokens,
  inBoth,
  noSuchRule,
  ruleChanges,
  withoutRule,
  withRule,
} from '../protocol/claims/known-rules.ts'
import { readRules } from '../protocol/claims/rule-reading.ts'
import { type LengthRecords, lengthProblems } from '../protocol/claims/token-length.ts'
import { shellWord } from '../protocol/shell-word.ts'
import { asRefusal } from '../refusal.ts'
import { Refused } from '../server/refused.ts'
import type { RuledChange, StoredRules } from '../storage/port/claim-rules.ts'
import type { RecordChange } from '../storage/port/configuration.ts'
import { type CommandContext, type Workspace, withCommonOptions, withStorage } from './context.ts'
import { table } from './text.ts'

/** What has rules. `id`: as the command line names it. */
export type RuleOwner = {
  readonly noun: 'scope' | 'client' | 'resource'
  readonly argument: string
  /** Where its rules are by default, in words. */
  readonly byDefault: string
  /** Returns what `list` shows, the rules of a shape included. Throws `Refused` if there is none. */
  read(workspace: Workspace, id: string): Promise<readonly ClaimRule[]>
  /** Commits what `decide` makes of the rules, with the events of the change. Throws `Refused` for what is refused. */
  change(
    workspace: Workspace,
    id: string,
    decide: (rules: readonly ClaimRule[]) => Judged<readonly ClaimRule[]>,
  ): Promise<void>
}

/** What a scope or resource becomes, or why it does not. */
export type DecidedRules = {
  readonly problems?: readonly Problem[]
  readonly before?: readonly ClaimRule[]
  readonly after?: readonly ClaimRule[]
  readonly changes?: readonly RuledChange[]
}

/** Commits a change that is decided on everything that has rules. Throws `Refused` with its problems. */
export async function changeRules(
  workspace: Pick<Workspace, 'storage' | 'settings' | 'event'>,
  noun: RuleOwner['noun'],
  id: string,
  decide: (stored: StoredRules) => DecidedRules,
): Promise<DecidedRules> {
  const events = eventsOf(workspace, noun, id)
  const { claimRules } = workspace.storage
  const decideWhole = async (stored: StoredRules): Promise<DecidedRules> => {
    const decided = decide(stored)
    const problems = await lengthProblemsOf(workspace, stored, decided.changes ?? [])
    return problems.length === 0 ? decided : { problems }
  }
  const decided = await claimRules.change(decideWhole, ({ before = [], after = [] }) => events(before, after))
  if (decided.problems !== undefined) throw Refused.because(decided.problems)
  return decided
}

/** Returns a problem if rules that the changes add would make the token of somebody too long. */
export async function lengthProblemsOf(
  { storage, settings: { oauth } }: Pick<Workspace, 'storage' | 'settings'>,
  stored: LengthRecords,
  changes: readonly RecordChange[],
): Promise<readonly Problem[]> {
  const issuing = { issuer: oauth.issuer, algorithm: oauth.accessTokenAlgorithm }
  // A command opens a storage of its own.
  return lengthProblems(await storage.claimRules.longerBy(stored, changes, issuing, storage))
}

type AddOptions = { readonly from: string; readonly in?: readonly ClaimPlace[]; readonly as: ClaimForm }

const inOption = (about: string) =>
  new Option('--in <place>', `${about}: ${claimPlaces.join(', ')}; repeatable`)
    .choices(claimPlaces)
    .argParser((value: string, previous: readonly string[] = []) => {
      if (!(claimPlaces as readonly string[]).includes(value))
        throw new InvalidArgumentError(`It is one of ${claimPlaces.join(', ')}.`)
      return [...previous, value]
    })

export function registerClaims(parent: Command, context: CommandContext, owner: RuleOwner): void {
  const { noun, argument } = owner
  const claim = withCommonOptions(parent.command('claim').description(`what a ${noun} puts into tokens`))
  const leaf = (signature: string, description: string) =>
    withCommonOptions(claim.command(signature).description(description))

  leaf(`add <${argument}> <claim>`, `let a ${noun} put a claim into tokens`)
    .requiredOption('--from <source>', 'attribute:NAME, claim:NAME, roles, groups, username, id, constant:JSON, …')
    .addOption(inOption(`where it is; default: ${owner.byDefault}`))
    .addOption(new Option('--as <form>', 'its form').choices(claimForms).default('auto'))
    .action((id: string, name: string, options: AddOptions, command: Command) =>
      withStorage(context, command, async (workspace) => {
        const [rule] = rulesOf([{ claim: name, from: options.from, in: options.in ?? null, as: options.as }])
        if (rule === undefined) return
        await owner.change(workspace, id, (rules) => rejudged(withRule(rules, rule), owner))
        workspace.print(
          { [noun]: id, ...rule },
          `The ${noun} ${id} sets ${rule.claim} from ${rule.from} in ${placesOf(rule, owner)}.`,
        )
      }),
    )

  leaf(`list <${argument}>`, `list what a ${noun} puts into tokens`).action(
    (id: string, _options: unknown, command: Command) =>
      withStorage(context, command, async (workspace) => {
        const rules = await owner.read(workspace, id)
        const rows = rules.map((rule) => [rule.claim, rule.from, placesOf(rule, owner), rule.as])
        const empty = `The ${noun} ${id} has none. Add one with: latchkey ${noun} claim add ${shellWord(id)} CLAIM --from SOURCE`
        workspace.print(rules, rows.length === 0 ? empty : table(['CLAIM', 'FROM', 'IN', 'AS'], rows))
      }),
  )

  leaf(`remove <${argument}> <claim>`, 'remove all rules of a claim, or those of a place')
    .addOption(inOption('only the rules that are there'))
    .action((id: string, name: string, options: Pick<AddOptions, 'in'>, command: Command) =>
      withStorage(context, command, async (workspace) => {
        let removed: readonly ClaimRule[] = []
        const without = (rules: readonly ClaimRule[]): Judged<readonly ClaimRule[]> => {
          const left = withoutRule(rules, name, options.in ?? null, noun === 'resource' ? inAccessTokens : inBoth)
          removed = rules.filter((rule) => !left.includes(rule))
          return removed.length === 0 ? asRefusal({ problems: [noSuchRule(name)] }) : left
        }
        await owner.change(workspace, id, without)
        workspace.print(
          { [noun]: id, removed },
          `The ${noun} ${id} no longer sets ${name} in ${removed.map((rule) => placesOf(rule, owner)).join(', ')}.`,
        )
      }),
    )
}

/** Returns what makes the audit events of a change of rules. */
export const eventsOf =
  ({ event }: Pick<Workspace, 'event'>, noun: RuleOwner['noun'], id: string) =>
  (before: readonly ClaimRule[], after: readonly ClaimRule[]): AuditEvents[number][] =>
    ruleChanges(before, after).map(([kind, what]) =>
      noun === 'client' ? event(kind, { clientId: id }, what) : event(kind, {}, { [noun]: id, ...what }),
    )

function placesOf(rule: ClaimRule, owner: RuleOwner): string {
  return rule.in === null ? owner.byDefault : rule.in.join(', ')
}

/** Throws `Refused` for rules that are none. */
function rulesOf(given: readonly object[]): readonly ClaimRule[] {
  const read = readRules(given)
  if ('fault' in read)
    throw Refused.because([{ member: 'claims', message: `claims ${read.fault}`.replace(/\.?$/, '.') }])
  return read.value
}

function rejudged(rules: readonly ClaimRule[], { noun }: RuleOwner): Judged<readonly ClaimRule[]> {
  const read = noun === 'resource' ? readRules(rules, inAccessTokens) : readRules(rules)
  return 'value' in read
    ? read.value
    : asRefusal({ problems: [{ member: 'claims', message: `claims ${read.fault}`.replace(/\.?$/, '.') }] })
}

/** Prints a plan for people. */

import type { Change, Losers } from '../configuration/changes.ts'
import { identifiers, titleOf } from '../configuration/declaration.ts'
import { type DifferentRequests, type Impact, namesAtMost } from '../configuration/impact.ts'
import type { Left } from '../configuration/plan.ts'
import type { Shown } from '../configuration/shown.ts'
import { explain } from '../protocol/refusals/explanation.ts'
import { visible } from '../text.ts'
import { countsOf } from './removing.ts'

const signs = { create: '+', update: '~', delete: '-' }

/** `isPlan`: nothing was changed yet. */
export function planText(changes: readonly Change[], impact: Impact, left: readonly Left[], isPlan: boolean): string {
  if (changes.length === 0) return ['Nothing to change: everything is as the files say.', ...leftLines(left)].join('\n')
  const count = (action: Change['action']) => changes.filter((change) => change.action === action).length
  const [created, changed, deleted] = [count('create'), count('update'), count('delete')]
  const head = isPlan
    ? `Plan: ${created} to create, ${changed} to change, ${deleted} to delete. Nothing was changed.`
    : `Applied: ${created} created, ${changed} changed, ${deleted} deleted.`
  return [
    head,
    '',
    ...changes.flatMap(changeLines),
    '',
    ...impactLines(impact, isPlan, changes),
    ...leftLines(left),
  ].join('\n')
}

/** What people set themselves is theirs: names some, and counts the others. */
function leftLines(left: readonly Left[]): string[] {
  if (left.length === 0) return []
  const people = left.map(({ id, members }) => `${id} (${members.join(', ')})`)
  return [`Left as people have it themselves: ${list({ names: people.slice(0, namesAtMost), count: people.length })}.`]
}

function changeLines({ action, kind, id, before, after, members, takenFrom }: Change): string[] {
  const title = `${signs[action]} ${titleOf(kind, visible(id))}`
  if (action === 'delete') {
    return takenFrom === undefined || takenFrom.count === 0 ? [title] : [title, `    taken from: ${list(takenFrom)}`]
  }
  const told = members.filter((member) => before !== null || saysSomething(after?.[member], member))
  return [title, ...told.map((member) => `    ${member}: ${difference(member, before, after)}`)]
}

/** Whether a member of a new record says more than its title and the defaults. */
function saysSomething(value: unknown, member: string): boolean {
  const isEmpty = value === null || (Array.isArray(value) && value.length === 0)
  return !isEmpty && !identifying.has(member)
}

const identifying: ReadonlySet<string> = new Set(Object.values(identifiers))

function difference(member: string, before: Shown | null, after: Shown | null): string {
  const shown = after !== null && Object.hasOwn(after, member)
  // A secret is in neither record.
  if (!shown && (before === null || !Object.hasOwn(before, member))) return 'another one'
  const now = shown ? text(after[member]) : 'the default'
  if (before === null) return now
  return `${Object.hasOwn(before, member) ? text(before[member]) : 'the default'} → ${now}`
}

function text(value: unknown): string {
  return visible(JSON.stringify(value))
}

/** Names some, and counts the others. */
function list({ names, count }: Losers): string {
  const shown = names.slice(0, namesAtMost)
  const more = count - shown.length
  return [...shown.map(visible), ...(more > 0 ? [`and ${more} more`] : [])].join(', ')
}

function impactLines(
  { consents, grants, sessions, people, requests }: Impact,
  isPlan: boolean,
  changes: readonly Change[],
): string[] {
  const ended = countsOf([
    [consents, 'consent', 'consents'],
    [grants, 'grant', 'grants'],
    [sessions, 'session', 'sessions'],
  ])
  const names = list(people)
  // Among the people are those who lose a role and nothing else.
  const losesRole = changes.some(({ kind, takenFrom }) => kind === 'roles' && takenFrom !== undefined)
  const whose = people.count === 0 ? '' : losesRole ? `. Concerned: ${names}` : `, of ${names}`
  const { examined, different, unclear, since } = requests
  const trail = `Of ${examined} requests since ${since}`
  const lines =
    different.length === 0
      ? [`${trail}, none comes out differently.`]
      : [`${trail}, these come out differently:`, ...different.map(requestLine)]
  const rest = unclear === 0 ? [] : [`  About ${unclear} the audit trail does not say enough.`]
  const told = isPlan ? 'Would end' : 'Ended'
  const affected = people.count === 0 ? '' : `${isPlan ? 'Would change' : 'Changed'} what ${names} may do. `
  const end = ended === undefined ? `${affected}Ends no consent, grant or session.` : `${told} ${ended}${whose}.`
  return [end, ...lines, ...rest]
}

function requestLine({ client_id, before, after, count, trace_id }: DifferentRequests): string {
  const example = trace_id === null ? '' : ` (the last: ${trace_id})`
  return `  ${visible(client_id)}: ${outcome(before)} → ${outcome(after)}, ${count === 1 ? 'once' : `${count} times`}${example}`
}

function outcome(verdict: string): string {
  const rule = verdict === 'accepted' ? undefined : explain(verdict)
  return rule === undefined ? verdict : `${rule.id} ${verdict}`
}

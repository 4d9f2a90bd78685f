/** What `latchkey import` says of what it did: in text, and the findings of `--json`. */
import type { ImportResult } from '../import/run.ts'
import { noPlace } from '../import/source-table.ts'
import type { ImportFinding, LostField } from '../storage/port/imports.ts'
import { visible } from '../text.ts'

/** Returns what is said by name, and then what is counted by people. */
export function allFindings({ findings, lost }: Pick<ImportResult, 'findings' | 'lost'>): readonly ImportFinding[] {
  return [...findings, ...lost.map(finding)]
}

/** A field that people lose. */
function finding({ command, isMany = false, member, reason, people, example = '' }: LostField): ImportFinding {
  const told = command !== undefined && { command: isMany ? `${command} --many` : command }
  const source = people === 1 || example === '' ? example : `${example} and ${people - 1} more`
  return { kind: 'person', source, member, severity: 'lost', reason, ...told, people }
}

export function describe(result: ImportResult, isDryRun: boolean): string {
  const { read, created, updated, skipped, failed, rows, notKept, lost, findings } = result
  const counts = `${read} read: ${created} created, ${updated} updated, ${skipped} skipped, ${failed} left out.`
  const lines = rows
    .filter(({ isThere }) => isThere !== true)
    .map(({ line, table, reason }) => `${table === undefined ? '' : `${table}, `}line ${line}: ${visible(reason)}`)
  const there = rows.length - lines.length
  if (there > 0) lines.push(...thereLines(result, there))
  // What is left out has its line above.
  const left = new Set(rows.map(({ reason }) => reason))
  for (const { kind, severity, member, reason, command } of findings.filter((one) => !left.has(one.reason))) {
    const what = [kind, member].filter((one) => one !== '').join(' ')
    lines.push(visible(`${severity}: ${what}: ${reason}${command === undefined ? '' : ` Run: ${command}`}`))
  }
  const without = Object.entries(notKept).map(([name, people]) => `${visible(name)} (${people})`)
  if (without.length > 0) lines.push(`Not kept, with the number of people: ${without.join(', ')}.`)
  for (const { member, people, reason, command } of lost.filter((one) => one.reason !== noPlace).map(finding)) {
    const who = people === 1 ? '1 person' : `${people} people`
    lines.push(visible(`${member} of ${who}: ${reason}${command === undefined ? '' : ` Take it with: ${command}`}`))
  }
  return [...lines, isDryRun ? `${counts} Nothing was stored: this was a dry run.` : counts].join('\n')
}

/** Of many that are stored already, the first are named. */
const namedAtMost = 10

function thereLines({ rows }: Pick<ImportResult, 'rows'>, there: number): string[] {
  const all = rows.filter(({ isThere }) => isThere === true)
  const named = all.slice(0, namedAtMost).map(({ line, reason }) => `line ${line}: ${visible(reason)}`)
  return there <= namedAtMost ? named : [`${there} are stored already (see --on-conflict).`]
}

/** Generates a document from the catalogue. */
import type { RefusalEntry } from './entry.ts'
import { describe, refusals } from './index.ts'

/** Returns the catalogue by ID code, ascending. */
export function refusalsById(): ReadonlyMap<string, readonly RefusalEntry[]> {
  const byId = Map.groupBy(Object.values<RefusalEntry>(refusals), (entry) => entry.id)
  return new Map([...byId].sort(([a], [b]) => Number(a.slice(2)) - Number(b.slice(2))))
}

/** Generates `docs/errors.md`: every ID code with its conditions, the response, the reason and the fix. */
export function errorsReference(): string {
  const sections = [...refusalsById()].map(([id, entries]) => {
    const rows = entries.map(
      (entry) =>
        `- **\`${entry.error}\`**: ${describe(entry)} (${entry.source})\n` +
        `  - Why: ${entry.why}\n  - How to fix it: ${entry.fix}`,
    )
    return `## ${id}\n\n${rows.join('\n')}\n`
  })
  return `# Errors

Generated from \`src/protocol/refusals/\`; change it there.

What is refused, by the code at the end of \`error_uri\` and at the start of \`error_description\`. Several conditions
share a code where they are the same kind of fault. \`latchkey explain ID2052\` prints the same, and
\`latchkey explain <trace id>\` says what was wrong with one request.

${sections.join('\n')}`
}

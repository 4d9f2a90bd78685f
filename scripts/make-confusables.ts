/**
 * Writes `src/users/confusables.generated.ts`: the mapping of Unicode Technical Standard #39 (`confusables.txt`) as the
 * package `unhomoglyph` has it, small enough to be shipped. To be run after that package was updated; skeletons that are
 * stored then need a migration.
 */
import { writeFileSync } from 'node:fs'
import data from 'unhomoglyph/data.json' with { type: 'json' }

const target = new URL('../src/users/confusables.generated.ts', import.meta.url)

/** What the file should contain: for each prototype one entry, the prototype, a tab and all characters that look like it. */
export function confusablesSource(): string {
  const sources = new Map<string, string[]>()
  for (const [source, prototype] of Object.entries(data as Record<string, string>)) {
    if ([...source].length !== 1) throw new Error(`${JSON.stringify(source)} is not one character`)
    if (source !== prototype) sources.set(prototype, [...(sources.get(prototype) ?? []), source])
  }
  const entries = [...sources].map(([prototype, from]) => `${prototype}\t${from.join('')}`)
  return `// Made by scripts/make-confusables.ts from the data of Unicode Technical Standard #39.
// Copyright © 1991-2022 Unicode, Inc. For terms of use, see https://www.unicode.org/terms_of_use.html
export const confusables =
  ${escaped(entries.join('\n'))}
`
}

/** ASCII alone: marks that turn the direction of text have no place in a source file. */
function escaped(text: string): string {
  const unit = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(text).replaceAll(/[^\x20-\x7e]/g, unit)
}

if (import.meta.main) writeFileSync(target, confusablesSource())

/**
 * Writes the documents that are made from the sources, and brings the translations in line with the English texts: what is
 * new is added empty, what is gone is removed. With `--check` it writes nothing and fails when one of them is not what
 * the sources say.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { auditReference } from '../src/audit/reference.ts'
import { errorsReference } from '../src/protocol/refusals/reference.ts'
import { settingsReference, settingTexts } from '../src/settings/reference.ts'
import { adminReference } from './admin-reference.ts'
import { clientReference } from './client-reference.ts'
import { commandReference } from './command-reference.ts'
import { configurationSchema } from './configuration-schema.ts'
import { limitsReference } from './limits-reference.ts'
import { merged, readCatalogues } from './messages.ts'
import { mergedSettings, readSettingMessages, settingLanguages, settingTemplate } from './setting-messages.ts'
import { templateReference } from './template-reference.ts'
import { tokensModule } from './tokens.ts'

const root = new URL('../', import.meta.url)
const catalogues = readCatalogues()
const translated = [...catalogues.keys()].filter((tag) => tag !== 'en')

/** Path below the project's folder, and how to make its text. */
export const generated: ReadonlyMap<string, () => string | Promise<string>> = new Map<
  string,
  () => string | Promise<string>
>([
  ['docs/settings.md', settingsReference],
  ['docs/errors.md', errorsReference],
  ['docs/admin-api-reference.md', adminReference],
  ['docs/commands.md', commandReference],
  ['docs/client-members.md', clientReference],
  ['docs/limits.md', limitsReference],
  ['docs/libraries.md', templateReference],
  ['docs/audit-events.md', auditReference],
  ['docs/latchkey.schema.json', configurationSchema],
  ['src/protocol/design-tokens.generated.ts', tokensModule],
  ...translated.map((tag) => [`messages/${tag}.po`, () => merged(catalogues, tag)] as const),
  ['messages/settings/settings.pot', () => settingTemplate(settingTexts())],
  ...settingLanguages().map(
    (tag) => [`messages/settings/${tag}.po`, () => mergedSettings(settingTexts(), readSettingMessages(tag))] as const,
  ),
])

/** The generated documents whose text on disk differs from what the sources say. */
export async function staleDocuments(): Promise<string[]> {
  const stale: string[] = []
  for (const [path, make] of generated) {
    const current = await readFile(new URL(path, root), 'utf8').catch(() => undefined)
    if (current !== ending(await make())) stale.push(path)
  }
  return stale
}

/** Exactly one newline at the end. */
function ending(text: string): string {
  return `${text.trimEnd()}\n`
}

if (import.meta.main) {
  const stale = await staleDocuments()
  if (process.argv.includes('--check')) {
    for (const path of stale) console.error(`${path} is out of date; run: npm run generate`)
    process.exitCode = stale.length === 0 ? 0 : 1
  } else {
    for (const path of stale) await writeFile(new URL(path, root), ending((await generated.get(path)?.()) ?? ''))
    console.log(stale.length === 0 ? 'The generated documents are up to date.' : `Written: ${stale.join(', ')}`)
  }
}

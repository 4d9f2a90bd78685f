/** What mails say in each language (`messages/`), read with the first mail that needs it. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Messages } from '#messages'
import { builtMessagesFolder } from '../package.ts'
import { type LanguageTag, languageTags } from '../protocol/language-tags.ts'

export type MailTexts = Messages['mail'] & Pick<Messages, 'direction'>

/** Texts, and the language that they are in. */
export type Catalogue = { readonly language: LanguageTag; readonly texts: MailTexts }

const loaded = new Map<LanguageTag, Promise<Catalogue>>()

/** Returns the texts in a language; English for one that a newer version queued a mail in. */
export function loadCatalogue(language: LanguageTag): Promise<Catalogue> {
  const known = languageTags.includes(language) ? language : 'en'
  const catalogue = loaded.get(known) ?? read(known)
  loaded.set(known, catalogue)
  return catalogue
}

async function read(language: LanguageTag): Promise<Catalogue> {
  const file = join(builtMessagesFolder(), `${language}.json`)
  const text = await readFile(file, 'utf8').catch(() => {
    loaded.delete(language)
    throw new Error(`the texts of mails are not built: there is no ${file}. Run 'npm run build:pages'.`)
  })
  return { language, texts: JSON.parse(text) }
}

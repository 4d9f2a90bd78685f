/**
 * The translations of what settings mean: `messages/settings/settings.pot` has the texts of the table of settings, and
 * `messages/settings/<language tag>.po` the translations. They are plain Markdown, without places. The page of the
 * settings alone loads them; in a language without a file it shows the English texts.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import PO from 'pofile'

const folder = new URL('../messages/settings/', import.meta.url)

/** The languages that have a file. */
export const settingLanguages = (): string[] =>
  existsSync(folder) ? readdirSync(folder).flatMap((file) => /^(.+)\.po$/.exec(file)?.[1] ?? []) : []

export const readSettingMessages = (tag: string): string => readFileSync(new URL(`${tag}.po`, folder), 'utf8')

/** The translations of a file by English text. */
export function settingTranslations(file: string): Readonly<Record<string, string>> {
  return Object.fromEntries(PO.parse(file).items.map(({ msgid, msgstr }) => [msgid, msgstr[0] ?? '']))
}

/** The texts as a file to translate. */
export const settingTemplate = (texts: readonly string[]): string => written(new PO(), texts, {}).toString()

/** A file of translations in the order of the texts. What is new is empty, what is gone is left out. */
export const mergedSettings = (texts: readonly string[], file: string): string =>
  written(PO.parse(file), texts, settingTranslations(file)).toString()

function written(po: PO, texts: readonly string[], translations: Readonly<Record<string, string>>): PO {
  po.items = texts.map((text) => {
    const item = new PO.Item()
    item.msgid = text
    item.msgstr = [translations[text] ?? '']
    return item
  })
  return po
}

/** What is wrong with a file of translations: each text has one, with the code and the links of the English text. */
export function settingProblems(texts: readonly string[], file: string): string[] {
  const translations = settingTranslations(file)
  const known = new Set(texts)
  const gone = Object.keys(translations).filter((text) => !known.has(text))
  return [
    ...texts.flatMap((text) => problemOf(text, translations[text] ?? '') ?? []),
    ...gone.map((text) => `${JSON.stringify(text)}: there is no such text any more`),
  ]
}

function problemOf(text: string, translation: string): string | undefined {
  if (translation.trim() === '') return `${JSON.stringify(text)}: there is no translation`
  const [wanted, found] = [keptOf(text), keptOf(translation)]
  const missing = wanted.filter((one) => !found.includes(one))
  const foreign = found.filter((one) => !wanted.includes(one))
  if (missing.length > 0) return `${JSON.stringify(text)}: ${missing.join(', ')} is missing`
  if (foreign.length > 0) return `${JSON.stringify(text)}: ${foreign.join(', ')} is not in the English text`
  return undefined
}

/** What a translation has as it is: code, and the targets of links. */
const keptOf = (text: string): string[] => text.match(/`[^`]*`|\]\([^)]*\)/g) ?? []

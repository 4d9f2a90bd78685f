/** What is wrong with the files in `messages/`. */
import {
  type Catalogues,
  formsOf,
  type Item,
  identity,
  itemsOf,
  keysOf,
  type Parsed,
  type Places,
  parseMessage,
  translationsOf,
} from './messages.ts'

/** Each problem with the language and key that it is about. */
export function problemsOf(files: Catalogues): string[] {
  const items = itemsOf(files.get('en') ?? '')
  const found = [...problemsOfTemplate(items)]
  const english = new Map(items.map((item) => [item, placesOf(item.msgid, 'en')]))
  for (const tag of files.keys()) {
    if (tag === 'en') continue
    const translations = translationsOf(files, tag)
    for (const [item, places] of english) {
      const about = `${tag}: ${keysOf(item)[0]}`
      const wrong = places && problemOf(translations.get(identity(item)), places, tag)
      if (wrong) found.push(`${about}: ${wrong}`)
    }
    const known = new Set(items.map(identity))
    const written = itemsOf(files.get(tag) ?? '').map(identity)
    for (const [index, one] of written.entries()) {
      const text = JSON.stringify(one.split('\u0004')[0])
      if (!known.has(one)) found.push(`${tag}: ${text}: there is no such message any more`)
      if (written.indexOf(one) < index) found.push(`${tag}: ${text} is there twice`)
    }
  }
  return found
}

function* problemsOfTemplate(items: readonly Item[]): Generator<string> {
  const keys = items.flatMap(keysOf).sort()
  for (const [index, key] of keys.entries()) {
    if (keys[index + 1] === key) yield `en: ${key} is there twice`
    if (keys.some((other) => other.startsWith(`${key}.`))) yield `en: ${key} is a text and a group of texts`
  }
  const identities = items.map(identity)
  for (const [index, item] of items.entries()) {
    const about = `en: ${keysOf(item)[0] ?? JSON.stringify(item.msgid)}`
    if (keysOf(item).length === 0) yield `${about}: there is no key`
    if (identities.indexOf(identity(item)) < index) yield `${about}: the same text is there without this context`
    const wrong = faultOf(item.msgid, 'en')
    if (wrong) yield `${about}: ${wrong}`
  }
}

function problemOf(item: Item | undefined, english: Places, tag: string): string | undefined {
  const text = item?.msgstr[0] ?? ''
  if (text.trim() === '') return 'there is no translation'
  if (item?.flags.fuzzy) return 'the translation is marked as fuzzy'
  const fault = faultOf(text, tag)
  if (fault) return fault
  const { names, counts } = parseMessage(text, tag).places
  const difference = (one: Places['names'], other: Places['names']): string => [...one.difference(other)].join(', ')
  const missing = difference(english.names.union(english.counts), names.union(counts))
  if (missing) return `{${missing}} is missing`
  const foreign = difference(names.union(counts), english.names.union(english.counts))
  if (foreign) return `{${foreign}} is not among the places of the English text`
  const other = difference(english.counts, counts) || difference(counts, english.counts)
  return other ? `{${other}} chooses a plural form in one of the two languages only (${formsOf(tag)})` : undefined
}

function placesOf(text: string, tag: string): Places | undefined {
  const parsed = parsedOrFault(text, tag)
  return typeof parsed === 'string' ? undefined : parsed.places
}

function faultOf(text: string, tag: string): string | undefined {
  const parsed = parsedOrFault(text, tag)
  return typeof parsed === 'string' ? parsed : undefined
}

/** Returns what is wrong with the text in one line. */
function parsedOrFault(text: string, tag: string): Parsed | string {
  try {
    return parseMessage(text, tag)
  } catch (error) {
    return (error as Error).message.split('\n')[0] || 'it cannot be read'
  }
}

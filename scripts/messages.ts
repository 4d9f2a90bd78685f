/**
 * The texts of pages and mails: `messages/messages.pot` has them in English, with the keys under which the program finds
 * each, and `messages/<language tag>.po` has the translations. The texts are ICU MessageFormat with `{name}`, `plural` and
 * `select`. What a browser gets needs no parser: a text with its places, and a list where a text has cases
 * (`src/message.ts`).
 */
import { readdirSync, readFileSync } from 'node:fs'
import { parse, type Select, type Token } from '@messageformat/parser'
import PO from 'pofile'
import type { Cases, Compiled } from '../src/message.ts'

export type Item = InstanceType<typeof PO.Item>
type Tree = { [name: string]: Tree | Compiled }

/** The files by language tag; the template, which has the English texts, under `en`. */
export type Catalogues = ReadonlyMap<string, string>

const folder = new URL('../messages/', import.meta.url)
export const templateFile = 'messages.pot'

export function readCatalogues(): Catalogues {
  const tags = readdirSync(folder).flatMap((file) => /^(.+)\.po$/.exec(file)?.[1] ?? [])
  const read = (file: string): string => readFileSync(new URL(file, folder), 'utf8')
  return new Map([['en', read(templateFile)], ...tags.map((tag) => [tag, read(`${tag}.po`)] as const)])
}

/** The items of a file in its order. */
export const itemsOf = (text: string): Item[] => PO.parse(text).items

/** The keys of an item of the template, such as `signIn.title`. */
export const keysOf = ({ references }: Item): string[] => references.flatMap((line) => line.trim().split(/\s+/))

/** What translations are found by: the English text, and the context that tells two equal ones apart. */
export const identity = ({ msgctxt, msgid }: Item): string => (msgctxt ? `${msgid}\u0004${msgctxt}` : msgid)

/** Which values a text has places for. The number of a plural is formatted by the language. */
export type Places = { readonly names: ReadonlySet<string>; readonly counts: ReadonlySet<string> }

export type Parsed = { readonly compiled: Compiled; readonly places: Places }

type Category = Intl.LDMLPluralRule

/** The plural forms of a language, such as one, few, many and other in Polish (Unicode CLDR). */
export const formsOf = (tag: string): readonly Category[] =>
  new Intl.PluralRules(tag).resolvedOptions().pluralCategories as Category[]

/** Throws an `Error` that says what is wrong with the text in this language. */
export function parseMessage(text: string, tag: string): Parsed {
  const forms = formsOf(tag)
  const names = new Set<string>()
  const counts = new Set<string>()

  function compile(tokens: readonly Token[], counted?: string): Compiled {
    const parts: (string | Cases)[] = []
    for (const token of tokens) {
      const part = compileToken(token, counted)
      const last = parts.at(-1)
      if (typeof part === 'string' && typeof last === 'string') parts[parts.length - 1] = last + part
      else parts.push(part)
    }
    const [only = ''] = parts
    return parts.length <= 1 && typeof only === 'string' ? only : parts
  }

  function compileToken(token: Token, counted = ''): string | Cases {
    if (token.type === 'content') {
      if (/[{}]/.test(token.value)) throw new Error('a brace cannot be part of the text')
      return token.value
    }
    if (token.type === 'octothorpe') return `{${counted}}`
    if (token.type === 'function') throw new Error(`{${token.arg}, ${token.key}} is not among plural and select`)
    if (!/^\w+$/.test(token.arg)) throw new Error(`{${token.arg}} is not a name`)
    if (token.type === 'argument') {
      names.add(token.arg)
      return `{${token.arg}}`
    }
    return cases(token, counted)
  }

  function cases(token: Select, counted: string): Cases {
    const { type, arg } = token
    if (type === 'selectordinal' || token.pluralOffset) throw new Error('only plural and select have cases')
    const isPlural = type === 'plural'
    ;(isPlural ? counts : names).add(arg)
    const given = token.cases.map(({ key }) => key)
    const missing = (isPlural ? forms : ['other']).filter((form) => !given.includes(form))
    if (missing.length > 0) throw new Error(`the form ${missing.join(', ')} of {${arg}} is missing`)
    const compiled = token.cases.map(({ key, tokens }) => [key, compile(tokens, isPlural ? arg : counted)] as const)
    return isPlural ? [arg, Object.fromEntries(compiled)] : [arg, Object.fromEntries(compiled), 'select']
  }

  const compiled = compile(parse(text, { cardinal: [...forms], strict: true }))
  return { compiled, places: { names: names.difference(counts), counts } }
}

/** Returns the texts of a language as a tree by key. Throws for a catalogue that has a problem. */
export function catalogue(files: Catalogues, tag: string): Tree {
  const translations = translationsOf(files, tag)
  const tree: Tree = { direction: new Intl.Locale(tag).getTextInfo().direction ?? 'ltr' }
  for (const item of itemsOf(files.get('en') ?? '')) {
    const text = tag === 'en' ? item.msgid : translations.get(identity(item))?.msgstr[0]
    if (!text) throw new Error(`${tag}: ${keysOf(item)[0]}: there is no translation`)
    const { compiled } = parseMessage(text, tag)
    for (const key of keysOf(item)) put(tree, key, compiled)
  }
  return withLists(tree) as Tree
}

export const translationsOf = (files: Catalogues, tag: string): ReadonlyMap<string, Item> =>
  new Map(itemsOf(files.get(tag) ?? '').map((item) => [identity(item), item]))

function put<Leaf>(tree: { [name: string]: unknown }, key: string, leaf: Leaf): void {
  const names = key.split('.')
  const last = names.pop() ?? ''
  let at = tree
  for (const name of names) {
    at[name] ??= {}
    at = at[name] as typeof tree
  }
  at[last] = leaf
}

/** Makes a list of what has the keys 0, 1, 2 …, such as the paragraphs of a mail. */
function withLists(tree: unknown): unknown {
  if (typeof tree !== 'object' || tree === null || Array.isArray(tree)) return tree
  const entries = Object.entries(tree).map(([name, member]) => [name, withLists(member)] as const)
  return entries.every(([name], index) => name === String(index))
    ? entries.map(([, member]) => member)
    : Object.fromEntries(entries)
}

/** Returns TypeScript that declares the tree of texts, and which values each has places for. */
export function declaration(files: Catalogues): string {
  const tree: { [name: string]: unknown } = {}
  for (const item of itemsOf(files.get('en') ?? '')) {
    const { names, counts } = parseMessage(item.msgid, 'en').places
    for (const key of keysOf(item)) put(tree, key, new Declared(typeOf(names, counts)))
  }
  return `// Made from messages/messages.pot by scripts/compile-messages.ts.
declare const names: unique symbol
declare const counts: unique symbol
/** A text with places: for names, and for numbers that choose a plural form. */
export type Message<Names extends string, Counts extends string = never> = { readonly [names]: Names; readonly [counts]: Counts }
export type Messages = { readonly direction: 'ltr' | 'rtl'; ${members(tree)} }
`
}

class Declared {
  readonly type: string
  constructor(type: string) {
    this.type = type
  }
}

function typeOf(names: ReadonlySet<string>, counts: ReadonlySet<string>): string {
  const union = (some: ReadonlySet<string>): string => [...some].map((name) => `'${name}'`).join(' | ') || 'never'
  if (names.size + counts.size === 0) return 'string'
  return `Message<${union(names)}${counts.size > 0 ? `, ${union(counts)}` : ''}>`
}

function members(tree: { readonly [name: string]: unknown }): string {
  const types = Object.entries(tree).map(([name, member]) => {
    if (member instanceof Declared) return [name, member.type] as const
    const below = member as { readonly [name: string]: unknown }
    const isList = Object.keys(below).every((key, index) => key === String(index))
    const list = Object.values(below).map((one) => (one as Declared).type)
    return [name, isList ? `readonly [${list.join(', ')}]` : `{ ${members(below)} }`] as const
  })
  return types.map(([name, type]) => `readonly ${JSON.stringify(name)}: ${type}`).join('; ')
}

/** A file of translations in the order and with the comments of the template. What is new is empty. */
export function merged(files: Catalogues, tag: string): string {
  const old = translationsOf(files, tag)
  const po = PO.parse(files.get(tag) ?? '')
  po.items = itemsOf(files.get('en') ?? '').map((source) => {
    const item = new PO.Item()
    const found = old.get(identity(source))
    item.msgid = source.msgid
    if (source.msgctxt) item.msgctxt = source.msgctxt
    item.extractedComments = source.extractedComments
    item.comments = found?.comments ?? []
    item.msgstr = found?.msgstr ?? ['']
    item.flags = found?.flags ?? {}
    return item
  })
  return po.toString()
}

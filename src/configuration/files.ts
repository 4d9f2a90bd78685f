/** Reads configuration files: YAML 1.2, of which JSON is a part. */
import { type Document, isAlias, isCollection, isNode, isScalar, LineCounter, parseDocument, visit } from 'yaml'
import type { Problem } from '../problem.ts'
import { pictureMembers } from '../protocol/branding/brand.ts'
import { storedLogoBytes } from '../protocol/branding/brand-image.ts'
import { isObject } from '../protocol/json-value.ts'
import {
  type Declaration,
  type Declarations,
  identifiers,
  type Kind,
  keyOf,
  kinds,
  nouns,
  type Place,
  parentIn,
  placed,
  pointerStep,
  secretMembers,
} from './declaration.ts'
import { type Lookup, type Referred, resolve } from './references.ts'

export type SourceFile = {
  /** As the command names it. */
  readonly name: string
  readonly text: string
  readonly lookup: Lookup
}

export type Read = Declarations & { readonly problems: readonly Problem[] }

/** An alias may stand for a large part of a file, so their number is bounded. */
const aliasesAtMost = 1000

type Found = { readonly records: Declaration[]; readonly kinds: Set<Kind>; readonly problems: Problem[] }

/** Returns what the files declare, and every problem of their form. Each record may be declared once. */
export function readFiles(files: readonly SourceFile[]): Read {
  const found: Found = { records: [], kinds: new Set(), problems: [] }
  for (const file of files) readFile(file, found)
  const seen = new Map<string, Declaration>()
  for (const one of found.records) {
    const key = `${one.kind} ${keyOf(one)}`
    const first = seen.get(key)
    if (first === undefined) seen.set(key, one)
    else {
      const where = `${first.place.file}, line ${first.place.line}`
      found.problems.push(
        ...placed(one, [{ member: identifiers[one.kind], message: `It is declared already: ${where}.` }]),
      )
    }
  }
  return found
}

function readFile({ name, text, lookup }: SourceFile, found: Found): void {
  const lines = new LineCounter()
  const parsed = parseDocument(text, { lineCounter: lines, merge: true, prettyErrors: false })
  const faults = [...parsed.errors, ...parsed.warnings]
  for (const { message, pos } of faults) {
    found.problems.push({ member: '', message: `${name}, line ${lines.linePos(pos[0]).line}: ${message}` })
  }
  if (faults.length > 0) return
  const lineOf = (path: readonly (string | number)[]): number => {
    const node = parsed.getIn(path, true)
    return isNode(node) && node.range ? lines.linePos(node.range[0]).line : 1
  }
  const unusable = unusableIn(parsed)
  if (unusable !== undefined) {
    const message = `${name}, line ${lines.linePos(unusable.at).line}: ${unusable.fault}`
    found.problems.push({ member: '', message })
    return
  }
  let content: unknown
  try {
    content = parsed.toJS({ maxAliasCount: aliasesAtMost })
  } catch (error) {
    found.problems.push({ member: '', message: `${name}: ${error instanceof Error ? error.message : String(error)}.` })
    return
  }
  if (!isObject(content) || !isCollection(parsed.contents)) {
    const message = `${name}: the file must be an object with ${kinds.join(', ')}, or some of them.`
    found.problems.push({ member: '', message })
    return
  }
  for (const [key, list] of Object.entries(content)) {
    const kind = kinds.find((one) => one === key)
    const at = `${name}, line ${lineOf([key])}`
    if (kind === undefined) {
      // Lets editors find the schema of a JSON file.
      if (key === '$schema') continue
      const message = `${at}: ${key} is not known. A file has ${kinds.join(', ')}.`
      found.problems.push({ member: pointerStep(key), message })
    } else if (kind === 'branding') {
      readBranding(list, { file: name, line: lineOf([kind]), path: kind }, lookup, found)
    } else if (!Array.isArray(list)) {
      found.problems.push({ member: kind, message: `${at}: ${kind} must be a list.` })
    } else {
      found.kinds.add(kind)
      for (const [index, item] of list.entries()) {
        const place = { file: name, line: lineOf([kind, index]), path: `${kind}/${index}` }
        readRecord(kind, item, place, lookup, found)
      }
    }
  }
}

function readBranding(item: unknown, place: Place, lookup: Lookup, found: Found): void {
  const kind = 'branding'
  if (!isObject(item) || Object.hasOwn(item, kind)) {
    const message = `${place.file}, line ${place.line}: branding must be an object with members of the brand.`
    found.problems.push({ member: kind, message })
    return
  }
  found.kinds.add(kind)
  readRecord(kind, { ...item, [kind]: kind }, place, lookup, found)
}

/**
 * Returns what no record can have: a key `__proto__`, which objects of JavaScript take for something else than a member, and an
 * alias inside of what it stands for, which has no end.
 */
function unusableIn(parsed: Document): { readonly at: number; readonly fault: string } | undefined {
  let found: { readonly at: number; readonly fault: string } | undefined
  const stop = (node: unknown, fault: string) => {
    found = { at: (isNode(node) ? node.range?.[0] : undefined) ?? 0, fault }
    return visit.BREAK
  }
  visit(parsed, {
    Pair(_, { key }) {
      const named = isAlias(key) ? key.resolve(parsed) : key
      const isPrototype = isScalar(named) && named.value === '__proto__'
      return isPrototype ? stop(key, '__proto__ cannot be the name of a member.') : undefined
    },
    Alias(_, alias, path) {
      const meant = alias.resolve(parsed)
      const isEndless = meant !== undefined && path.includes(meant)
      return isEndless ? stop(alias, `*${alias.source} is inside of what it stands for.`) : undefined
    },
  })
  return found
}

function readRecord(kind: Kind, item: unknown, place: Place, lookup: Lookup, { records, problems }: Found): void {
  const identifier = identifiers[kind]
  const at = `${place.file}, line ${place.line}`
  if (!isObject(item)) {
    problems.push({ member: place.path, message: `${at}: a ${nouns[kind]} must be an object.` })
    return
  }
  const reading: Reading = { lookup, problems: [], referred: [] }
  const id = resolved(item[identifier], identifier, reading)
  if (typeof id !== 'string' || id === '') {
    const message = `${at}: a ${nouns[kind]} needs ${identifier}.`
    problems.push({ member: `${place.path}/${identifier}`, message })
    return
  }
  const members: Record<string, unknown> = {}
  const secrets: Record<string, string> = {}
  const written: Record<string, unknown> = {}
  for (const [member, value] of Object.entries(item)) {
    if (member === identifier) continue
    if (secretMembers[kind].includes(member)) {
      secrets[member] = secretIn(value, member, reading)
      continue
    }
    if (kind === 'branding' && pictureMembers.some((one) => one === member)) {
      members[member] = pictureIn(value, member, reading)
      continue
    }
    const before = reading.referred.length
    members[member] = resolved(value, member, reading)
    if (reading.referred.length > before) written[member] = value
  }
  const { referred } = reading
  const name = String(item[identifier])
  const writtenId = kind === 'groups' ? `${parentIn(item.parent)}/${name}` : name
  // Of a group, which its path identifies, the name is a member like others.
  if (kind === 'groups' && name !== id) written[identifier] = name
  const declaration = { kind, id, members, secrets, writtenId, written, referred, place }
  records.push(declaration)
  problems.push(...placed(declaration, reading.problems))
}

type Reading = { readonly lookup: Lookup; readonly problems: Problem[]; readonly referred: Referred[] }

/** Returns the value with the references in its texts resolved. */
function resolved(value: unknown, member: string, reading: Reading): unknown {
  if (typeof value === 'string') {
    const { text, referred, problems } = resolve(value, reading.lookup)
    reading.referred.push(...referred)
    reading.problems.push(...problems.map((message) => ({ member, message })))
    return text
  }
  if (Array.isArray(value)) return value.map((item) => resolved(item, member, reading))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, resolved(item, member, reading)]))
}

/**
 * Returns a picture as a `data:` URL. A text that is none is the name of a file, with or without `${file:…}`. What the file is, its
 * content says.
 */
function pictureIn(value: unknown, member: string, reading: Reading): unknown {
  if (typeof value !== 'string' || value === '' || value.startsWith('data:')) return value
  const [, referred] = /^\$\{file:([^}]*)\}$/.exec(value) ?? []
  if (referred === undefined && value.includes('${')) return resolved(value, member, reading)
  const path = referred ?? value
  const bytes = reading.lookup.picture(path)
  if (bytes !== undefined) return `data:;base64,${bytes.toString('base64')}`
  const message = `The file ${path} is missing, is no regular file, or has more than ${storedLogoBytes / 1024} KiB.`
  reading.problems.push({ member, message })
  return null
}

/** Returns the secret; empty if it is written out, which is a problem: files are kept in version control. */
function secretIn(value: unknown, member: string, { lookup, problems, referred }: Reading): string {
  const secret = typeof value === 'string' ? resolve(value, lookup) : undefined
  if (secret?.isReferred !== true) {
    const message = `${member} must come from the environment or a file: write \${NAME} or \${file:PATH}.`
    problems.push({ member, message })
    return ''
  }
  problems.push(...secret.problems.map((message) => ({ member, message })))
  referred.push(...secret.referred)
  return secret.text
}

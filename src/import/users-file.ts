/** People by our own names: JSON lines, an array of objects, or CSV. */
import { open } from 'node:fs/promises'
import { importable } from '../person-fields.ts'
import { isNestedTooDeeply } from '../protocol/nesting.ts'
import { repeatedMember } from '../protocol/repeated-members.ts'
import { namedRows } from './csv.ts'
import { type JsonItem, jsonItems } from './json-items.ts'
import { isObject, notUtf8, type Reader, type SourceRecord } from './source.ts'

export const readUsers: Reader = async function* (files) {
  for (const file of files) yield* (await isJson(file)) ? fromJson(file) : fromCsv(file)
}

/** Whether the first character begins a JSON object or array. */
async function isJson(file: string): Promise<boolean> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(64) })
    const beginning = buffer.toString('utf8', 0, bytesRead).replace(/^\ufeff/, '')
    return beginning.trim() === '' || /^\s*[[{]/.test(beginning)
  } finally {
    await handle.close()
  }
}

async function* fromJson(file: string): AsyncGenerator<SourceRecord> {
  for await (const item of jsonItems(file)) yield parsed(item, (person) => ({ line: item.line, person }))
}

/** Returns what `use` makes of the object, or why the item is none. */
export function parsed(
  { line, text, fault }: JsonItem,
  use: (record: Readonly<Record<string, unknown>>) => SourceRecord,
): SourceRecord {
  if (fault !== undefined) return { line, fault }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { line, fault: 'The row is not JSON.' }
  }
  if (!isObject(value)) return { line, fault: 'The row is not a JSON object.' }
  if (text.includes('\ufffd')) return { line, fault: notUtf8 }
  if (isNestedTooDeeply(value)) return { line, fault: 'The row is nested too deeply.' }
  const repeated = repeatedMember(text)
  if (repeated !== undefined) return { line, fault: `The row has the member ${repeated} twice.` }
  try {
    return use(value)
  } catch {
    // Such as an object that has no text form.
    return { line, fault: 'The row has a value of another kind than its member has.' }
  }
}

async function* fromCsv(file: string): AsyncGenerator<SourceRecord> {
  for await (const read of namedRows(file)) {
    if ('fault' in read) yield read
    else yield { line: read.line, person: Object.fromEntries(Object.entries(read.row).flatMap(member)) }
  }
}

/** Converts the text of a member. An empty one is absent, and one that is not known stays as it is, so that the rule refuses it. */
function member([name, text]: readonly [string, string]): [string, unknown][] {
  if (text === '') return []
  const type = Object.hasOwn(importable, name) ? importable[name] : undefined
  return [[name, type === undefined ? text : conversions[type](text)]]
}

const conversions: Readonly<Record<(typeof importable)[string], (text: string) => unknown>> = {
  text: (text) => text,
  time: (text) => text,
  texts: items,
  flag,
  logins: (text) => items(text).map(login),
  address: json,
}

function items(text: string): string[] {
  return text
    .split(';')
    .map((one) => one.trim())
    .filter((one) => one !== '')
}

/** Leaves anything else as it is, so that the rule refuses it. */
function flag(text: string): boolean | string {
  if (/^(?:true|1|yes)$/i.test(text)) return true
  return /^(?:false|0|no)$/i.test(text) ? false : text
}

/** `GitHub:12345`. */
function login(text: string) {
  const at = text.indexOf(':')
  return { provider: text.slice(0, Math.max(0, at)), subject: text.slice(at + 1) }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

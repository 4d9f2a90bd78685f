/** People by our own names: JSON lines, an array of objects, or CSV. */
import { open } from 'node:fs/promises'
import { importable } from '../person-fields.ts'
import type { JsonObject } from '../protocol/json-value.ts'
import { readValue } from '../users/attribute-values.ts'
import type { Attribute } from '../users/attributes.ts'
import { namedRows } from './csv.ts'
import { jsonRecords } from './json-items.ts'
import { whatIs } from './said.ts'
import { jsonOf, type Reader, type SourceRecord } from './source.ts'

export const readUsers: Reader = async function* (files, { attributes }) {
  for (const file of files)
    yield* (await isJson(file)) ? jsonRecords(file, toPerson) : fromCsv(file, attributes?.declared ?? new Map())
}

/** What readers of other systems make of their own members. Here they would be taken as they are, by rules of no people. */
const ofReaders: readonly string[] = ['groups', 'consents', 'pairwise_subjects']

function toPerson(line: number, person: JsonObject): SourceRecord {
  const unknown = ofReaders.find((member) => Object.hasOwn(person, member))
  if (unknown === undefined) return { line, person }
  const of = whatIs({ line, person })
  return { line, fault: `${unknown} is not a member of a person.`, ...(of && { of }) }
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

/** A column of the name of a declared attribute has its values. */
async function* fromCsv(file: string, declared: ReadonlyMap<string, Attribute>): AsyncGenerator<SourceRecord> {
  for await (const read of namedRows(file)) {
    if ('fault' in read) yield read
    else {
      const columns = Object.entries(read.row)
      const attributes = columns.flatMap(([name, text]) => {
        const attribute = declared.get(name)
        const value = attribute && readValue(attribute, text)
        return value === undefined ? [] : [[name, value] as const]
      })
      const members = columns.filter(([name]) => !declared.has(name)).flatMap(member)
      const values = attributes.length > 0 && { attributes: Object.fromEntries(attributes) }
      yield toPerson(read.line, { ...Object.fromEntries(members), ...values })
    }
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
  objects: json,
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

/** Leaves another text as it is, so that the rule refuses it. */
function json(text: string): unknown {
  const value = jsonOf(text)
  return value === undefined ? text : value
}

/**
 * The export of a realm of Keycloak: one file, or one of the realm and others of its users. Its people, clients and scopes are
 * read one by one, and what is beside its people as a whole.
 */
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { isNestedTooDeeply, isObject, type JsonObject } from '../../protocol/json-value.ts'
import { type Convert, type JsonItem, jsonItems, recordOf, tooLong } from '../json-items.ts'
import { jsonOf, type SourceRecord, UnreadableSource } from '../source.ts'

/** Of what is beside the people, in characters. It is held in memory. */
const outlineLengthAtMost = 64_000_000

/** Levels of what is beside the people. Groups in groups are read one in the other. */
const depthAtMost = 200

/** Of a file of several realms, which is read as a whole. */
const severalLengthAtMost = 256_000_000

/** Returns what `converts` makes of the objects of lists of the realm, by the name of the list. */
export async function* fromRealm(
  file: string,
  realm: string | undefined,
  converts: Readonly<Record<string, Convert>>,
): AsyncGenerator<SourceRecord> {
  const place = { file: basename(file) }
  if (realm !== undefined) {
    const chosen = (await realmsIn(file)).find((one) => one.realm === realm)
    for (const [member, convert] of Object.entries(converts)) {
      for (const one of listIn(chosen?.[member])) {
        const record = recordOf({ line: 1, member, text: JSON.stringify(one) }, convert)
        if (record !== undefined) yield { place, ...record }
      }
    }
    return
  }
  for await (const item of jsonItems(file, Object.keys(converts))) {
    const { line, member } = item
    // The pass for people reports it.
    if (member === '' && !('users' in converts)) continue
    if (isWhole(item)) {
      const fault = 'The file has several realms: choose one with --realm NAME.'
      yield { line, place, fault }
      return
    }
    const record = recordOf(item, (_, object) => converts[member]?.(line, object))
    if (record !== undefined) yield { place, ...record }
  }
}

/** Whether an object is an item by itself, as realms in an array are. Text between objects is none. */
function isWhole({ member, text, fault }: JsonItem): boolean {
  return member === '' && (text !== '' || fault === tooLong)
}

/** Of which an export has at least one, also one of people or of applications alone. */
const realmMembers = ['realm', 'users', 'clients', 'clientScopes', 'roles', 'groups', 'identityProviders']

/** Returns the realm without its people; undefined: the file has no single realm. Throws `UnreadableSource`. */
export async function realmOutline(file: string, realm: string | undefined): Promise<JsonObject | undefined> {
  if (realm !== undefined) {
    const all = await realmsIn(file)
    const chosen = all.find((one) => one.realm === realm)
    if (chosen === undefined) {
      const names = all.map((one) => String(one.realm)).join(', ')
      throw new UnreadableSource(`${basename(file)} has no realm called ${realm}, but ${names || 'none'}.`)
    }
    const { users: _, ...outline } = chosen
    return outline
  }
  const value = jsonOf(await withoutPeople(file))
  if (!isObject(value)) return undefined
  if (!realmMembers.some((member) => Object.hasOwn(value, member))) {
    throw new UnreadableSource(`${basename(file)} is no export of a realm: it has none of ${realmMembers.join(', ')}.`)
  }
  return value
}

async function realmsIn(file: string): Promise<readonly JsonObject[]> {
  let text = ''
  for await (const chunk of createReadStream(file, { encoding: 'utf8', highWaterMark: 1 << 20 })) {
    text += chunk
    if (text.length > severalLengthAtMost) {
      throw new UnreadableSource(
        `${basename(file)} has more than ${severalLengthAtMost} characters: export each realm by itself.`,
      )
    }
  }
  const value = jsonOf(text.replace(/^\ufeff/, ''))
  if (isNestedTooDeeply(value, depthAtMost)) {
    throw new UnreadableSource(`${basename(file)} is nested deeper than ${depthAtMost} levels.`)
  }
  return (Array.isArray(value) ? value : [value]).filter(isObject)
}

/** Returns the text of the outer object with an empty list of people. */
async function withoutPeople(file: string): Promise<string> {
  const kept: string[] = []
  let length = 0
  let depth = 0
  let isInText = false
  let isEscaped = false
  /** The last text at the level of the realm, and whether the list of people is being passed over. */
  let word = ''
  let isSkipped = false
  const keep = (text: string): void => {
    kept.push(text)
    length += text.length
    if (length > outlineLengthAtMost) {
      throw new UnreadableSource(`${basename(file)} has more than ${outlineLengthAtMost} characters beside its people.`)
    }
  }
  for await (const read of createReadStream(file, { encoding: 'utf8', highWaterMark: 1 << 18 })) {
    const chunk = read as string
    let from = 0
    for (let at = 0; at < chunk.length; at += 1) {
      const code = chunk.charCodeAt(at)
      if (isInText) {
        if (isEscaped) isEscaped = false
        else if (code === 92) isEscaped = true
        else if (code === 34) isInText = false
        if (depth === 1 && isInText && word.length < 64) word += chunk[at]
      } else if (code === 34) {
        isInText = true
        if (depth === 1) word = ''
      } else if (code === 123 || code === 91) {
        if (depth === 0) from = at
        depth += 1
        if (depth > depthAtMost && !isSkipped) {
          throw new UnreadableSource(`${basename(file)} is nested deeper than ${depthAtMost} levels beside its people.`)
        }
        if (depth === 2 && word === 'users' && code === 91) {
          keep(chunk.slice(from, at + 1))
          isSkipped = true
        }
      } else if (code === 125 || code === 93) {
        depth -= 1
        if (depth === 1 && isSkipped) {
          isSkipped = false
          from = at
        }
        if (depth === 0) {
          keep(chunk.slice(from, at + 1))
          return kept.join('')
        }
      }
    }
    if (!isSkipped && depth > 0) keep(chunk.slice(from))
  }
  return kept.join('')
}

export const listIn = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])

export const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []

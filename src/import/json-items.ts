/**
 * Reads large JSON documents item by item: JSON lines, an array, or an object whose members are arrays. Holds one item in
 * memory, of a bounded length.
 */
import { createReadStream } from 'node:fs'
import { isNestedTooDeeply, isObject, type JsonObject, repeatedMember } from '../protocol/json-value.ts'
import { jsonOf, notUtf8, type SourceRecord, UnreadableSource } from './source.ts'

/**
 * `member`: the member of the outer object that the item belongs to; empty for lines and arrays. `fault`: why the text, which
 * is empty then, cannot be read, as a whole sentence.
 */
export type JsonItem = {
  readonly line: number
  readonly member: string
  readonly text: string
  readonly fault?: string
}

const itemLengthAtMost = 1_000_000

export const tooLong = `The row has more than ${itemLengthAtMost} characters.`
/** A text of JSON has no line breaks (RFC 8259 §7), so that a missing quote ends with its line. */
const endless = 'The row has a text or an object without an end.'
const noJson = 'The row is not JSON.'

/**
 * Returns each object of the file: those of JSON lines, of an outer array, and of arrays that are members of an outer object
 * beside other members, which are passed over. An outer object without a member of `members` is an item itself. What is no
 * object between them is an item with a fault.
 */
export async function* jsonItems(file: string, members: readonly string[] = []): AsyncGenerator<JsonItem> {
  const splitter = new Splitter(members)
  const stream = createReadStream(file, { encoding: 'utf8', highWaterMark: 1 << 18 })
  for await (const chunk of stream) yield* splitter.push(chunk as string)
  splitter.end()
}

/** Returns what `convert` makes of the objects of a file, as `jsonItems` finds them. */
export async function* jsonRecords(file: string, convert: Convert, members?: readonly string[]) {
  for await (const item of jsonItems(file, members)) {
    const record = recordOf(item, convert)
    if (record !== undefined) yield record
  }
}

/** What becomes of an object in a file; undefined: it is passed over. */
export type Convert = (line: number, object: JsonObject) => SourceRecord | undefined

/** Returns what `convert` makes of the object, or why the item is none. */
export function recordOf({ line, text, fault }: JsonItem, convert: Convert): SourceRecord | undefined {
  if (fault !== undefined) return { line, fault }
  const value = jsonOf(text)
  if (value === undefined) return { line, fault: noJson }
  if (!isObject(value)) return { line, fault: 'The row is not a JSON object.' }
  if (text.includes('\ufffd')) return { line, fault: notUtf8 }
  if (isNestedTooDeeply(value)) return { line, fault: 'The row is nested too deeply.' }
  const repeated = repeatedMember(text)
  if (repeated !== undefined) return { line, fault: `The row has the member ${repeated} twice.` }
  try {
    return convert(line, value)
  } catch {
    // Such as an object that has no text form.
    return { line, fault: 'The row has a value of another kind than its member has.' }
  }
}

class Splitter {
  readonly #members: readonly string[]
  /** The outermost open brackets; deeper ones are counted alone. */
  #outer = ''
  #depth = 0
  #line = 1
  #inText = false
  #isEscaped = false
  #item: { parts: string[]; line: number; depth: number; length: number } | undefined
  /** The text that is being read at the level of the outer object, and the member's name it turned out to be. */
  #word = ''
  #member = ''
  #isOuterObject = false
  /** Whether an item began and ended in one line, so that lines are items. */
  #isLines = false
  /** The last character of the chunk before. */
  #lastCode = 10
  /** The last line with something between items that is no object. */
  #strayLine = 0

  constructor(members: readonly string[]) {
    this.#members = members
  }

  *push(chunk: string): Generator<JsonItem> {
    let start = 0
    for (let at = 0; at < chunk.length; at += 1) {
      const code = chunk.charCodeAt(at)
      if (code === 10) {
        if (this.#inText) yield this.#giveUp()
        this.#line += 1
      }
      if (this.#inText) {
        if (this.#isEscaped) this.#isEscaped = false
        else if (code === 92) this.#isEscaped = true
        else if (code === 34) this.#inText = false
        if (this.#depth === 1 && this.#inText && this.#word.length < 256) this.#word += chunk[at]
        continue
      }
      if (this.#depth < 2 && this.#isStray(code)) yield { line: this.#line, member: '', text: '', fault: noJson }
      if (code === 34) {
        this.#inText = true
        this.#word = ''
      } else if (code === 58 && this.#outer === '{') this.#member = this.#word
      else if (code === 123 || code === 91) {
        const before = at === 0 ? this.#lastCode : chunk.charCodeAt(at - 1)
        if (code === 123 && before === 10 && this.#isLines && this.#item?.depth === 0) yield this.#giveUp()
        if (this.#open(code === 123 ? '{' : '[')) start = at
      } else if (code === 125 || code === 93) {
        const item = this.#item
        const isEnd = item !== undefined && this.#depth === item.depth + 1
        this.#close()
        if (!isEnd) continue
        const length = item.length + at + 1 - start
        const about = { line: item.line, member: this.#member }
        if (length > itemLengthAtMost) yield { ...about, text: '', fault: tooLong }
        else yield { ...about, text: item.parts.join('') + chunk.slice(start, at + 1) }
        if (item.depth === 0 && item.line === this.#line) this.#isLines = true
        this.#item = undefined
      }
    }
    this.#lastCode = chunk.charCodeAt(chunk.length - 1)
    if (this.#item === undefined) return
    this.#item.length += chunk.length - start
    if (this.#item.length > itemLengthAtMost) this.#item.parts = []
    else this.#item.parts.push(chunk.slice(start))
  }

  end(): void {
    if (this.#depth > 0 || this.#inText) throw new UnreadableSource('The file ends in the middle of a JSON document.')
  }

  /** Passes over an item, or over what is between items, to the end of the line. */
  #giveUp(): JsonItem {
    const item = this.#item
    this.#inText = false
    this.#isEscaped = false
    if (item !== undefined) {
      this.#depth = item.depth
      this.#outer = this.#outer.slice(0, item.depth)
      this.#item = undefined
    }
    return { line: item?.line ?? this.#line, member: this.#member, text: '', fault: endless }
  }

  /** Whether a character is where only objects belong, for the first time in its line. */
  #isStray(code: number): boolean {
    const isBetween = this.#depth === 0 || (this.#depth === 1 && this.#outer === '[')
    if (!isBetween || this.#strayLine === this.#line) return false
    // White space, the comma, brackets but for lists in lists, and the byte order mark.
    if (code <= 32 || code === 44 || code === 123 || code === 125 || code === 93 || code === 0xfeff) return false
    if (code === 91 && this.#depth === 0) return false
    this.#strayLine = this.#line
    return true
  }

  /** Returns whether an item starts here. */
  #open(bracket: '{' | '['): boolean {
    const depth = this.#depth
    if (depth === 0) this.#isOuterObject = bracket === '{' && this.#members.length > 0
    const isItem =
      bracket === '{' &&
      this.#item === undefined &&
      (this.#isOuterObject
        ? depth === 2 && this.#outer === '{[' && this.#members.includes(this.#member)
        : depth === 0 || (depth === 1 && this.#outer === '['))
    if (isItem) this.#item = { parts: [], line: this.#line, depth, length: 0 }
    if (depth < 3) this.#outer += bracket
    this.#depth += 1
    return isItem
  }

  #close(): void {
    if (this.#depth > 0) this.#depth -= 1
    if (this.#depth < this.#outer.length) this.#outer = this.#outer.slice(0, this.#depth)
  }
}

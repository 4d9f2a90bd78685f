/** What a JSON value or text is, asked where no schema has been applied. */

export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether it is a list of texts, which may be empty. */
export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

/** Values in JSON that others send are nested no deeper than this. Known formats need five. */
const nestingAtMost = 16

/**
 * Whether arrays and objects are nested deeper than any client needs. A few kilobytes of brackets would otherwise
 * overflow the stack of what reads the value later.
 */
export function isNestedTooDeeply(value: unknown, levels = nestingAtMost): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((one) => isNestedTooDeeply(one, levels - 1))
}

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g

/**
 * Returns the name of the first member that occurs twice in one object, which `JSON.parse` does not report (RFC 8259 §4);
 * undefined: there is none. `text`: valid JSON.
 */
export function repeatedMember(text: string): string | undefined {
  /** The names of each open object; undefined for an array. */
  const open: (Set<string> | undefined)[] = []
  let pending: string | undefined
  for (const [found] of text.matchAll(token)) {
    if (found === '{') open.push(new Set())
    else if (found === '[') open.push(undefined)
    else if (found === '}' || found === ']') open.pop()
    else if (found.startsWith('"')) pending = found
    else if (found === ':' && pending !== undefined) {
      const name = JSON.parse(pending) as string
      const names = open.at(-1)
      if (names?.has(name)) return name
      names?.add(name)
    }
  }
  return undefined
}

/**
 * Returns a number of bytes that the JSON of a value does not exceed in UTF-8, which is quicker to tell than to make the JSON: an
 * escape takes six bytes (RFC 8259 §7), and a number 25 at most.
 */
export function jsonBytesAtMost(value: unknown): number {
  if (typeof value === 'string') return 6 * value.length + 2
  if (typeof value !== 'object' || value === null) return 25
  let bytes = 2
  if (Array.isArray(value)) for (const item of value) bytes += jsonBytesAtMost(item) + 1
  else
    for (const name of Object.keys(value)) bytes += 6 * name.length + 4 + jsonBytesAtMost((value as JsonObject)[name])
  return bytes
}

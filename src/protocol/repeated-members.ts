/** Finds members that occur twice in one JSON object, which `JSON.parse` does not report (RFC 8259 §4). */

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g

/** Returns the name of the first repeated member; undefined: there is none. `text`: valid JSON. */
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

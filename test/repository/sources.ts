import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor } from 'vite'

export const root = fileURLToPath(new URL('../../', import.meta.url))

export type Import = {
  /** Path of the importing file below the project's folder. */
  readonly from: string
  /** What it imports as written: `./a.ts`, `node:fs`, `kysely`. */
  readonly specifier: string
  /** The imported file's path below the project's folder; undefined for a package or a part of the runtime. */
  readonly to: string | undefined
  /** Erased when the file runs: nothing but types is imported. */
  readonly typeOnly: boolean
}

/**
 * The files below `folder` (a path below the project's folder) whose name ends in one of `endings`, sorted. Packages that
 * are installed there do not count.
 */
export function filesBelow(folder: string, endings: readonly string[]): string[] {
  const inside = (path: string): string[] =>
    readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) => {
      const below = join(path, entry.name)
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : inside(below)
      return entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)) ? [below] : []
    })
  return inside(normalize(folder)).sort()
}

export function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/**
 * Every import, re-export and dynamic import of a source text. Throws when the text cannot be parsed, and in `src` when an
 * import is computed.
 */
export function importsOf(from: string, text = read(from)): Import[] {
  const { module, program, errors } = parseSync(from, text)
  if (errors.length > 0) throw new Error(`${from} cannot be parsed: ${errors[0]?.message}`)
  const found: Import[] = []
  const add = (specifier: string, typeOnly: boolean) => {
    const to = specifier.startsWith('.') ? normalize(join(dirname(from), specifier)) : undefined
    found.push({ from, specifier, to, typeOnly })
  }
  for (const { moduleRequest, entries } of module.staticImports) {
    add(moduleRequest.value, entries.length > 0 && entries.every((entry) => entry.isType))
  }
  for (const { entries } of module.staticExports) {
    const [first] = entries
    if (first?.moduleRequest)
      add(
        first.moduleRequest.value,
        entries.every((entry) => entry.isType),
      )
  }
  new Visitor({
    ImportExpression({ source }) {
      const [quasi] = source.type === 'TemplateLiteral' && source.expressions.length === 0 ? source.quasis : []
      const specifier = source.type === 'Literal' ? source.value : quasi?.value.cooked
      if (typeof specifier === 'string') add(specifier, false)
      else if (from.startsWith('src/')) throw new Error(`${from} imports something that cannot be known from its text`)
    },
    // import('./a.ts').A in a type
    TSImportType({ source }) {
      add(source.value, true)
    },
  }).visit(program)
  return found
}

export type Member = { readonly object: string; readonly property: string; readonly line: number }

/** Every `object.property` whose object is a plain name, and every `new Name()` as `{ object: 'new', property: 'Name' }`. */
export function membersOf(path: string, text = read(path)): Member[] {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`)
  const found: Member[] = []
  const line = (offset: number) => text.slice(0, offset).split('\n').length
  new Visitor({
    MemberExpression({ object, property, start }) {
      if (object.type !== 'Identifier') return
      const name =
        property.type === 'Identifier' ? property.name : property.type === 'Literal' ? String(property.value) : ''
      found.push({ object: object.name, property: name, line: line(start) })
    },
    NewExpression({ callee, arguments: parameters, start }) {
      // `new Date(value)` converts; only `new Date()` reads the clock.
      if (callee.type === 'Identifier' && parameters.length === 0) {
        found.push({ object: 'new', property: callee.name, line: line(start) })
      }
    },
  }).visit(program)
  return found
}

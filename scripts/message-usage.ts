/** Which texts the program uses: by the names through which its sources reach them. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'

const root = fileURLToPath(new URL('../', import.meta.url))

/** A source by its path below the project's folder. */
export type Sources = ReadonlyMap<string, string>

/** A path into the tree of texts; `*` stands for a name that is known when the program runs. */
type Path = readonly string[]

type Node = { readonly type: string; readonly [member: string]: unknown }

export function readSources(): Sources {
  const found = new Map<string, string>()
  for (const folder of ['pages', 'src']) {
    for (const file of readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })) {
      if (/\.tsx?$/.test(file)) found.set(`${folder}/${file}`, readFileSync(`${root}${folder}/${file}`, 'utf8'))
    }
  }
  return found
}

/** The keys that no source reaches. A mail is used if its purpose is named outside of `src/mail/rendering.ts`. */
export function unusedKeys(keys: readonly string[], sources: Sources): string[] {
  const used = [...sources].flatMap(([file, text]) => pathsIn(file, text))
  const reaches = (path: Path, names: Path): boolean =>
    path.length <= names.length && path.every((name, index) => name === '*' || name === names[index])
  const queued = [...sources].filter(([file]) => file.startsWith('src/')).map(([, text]) => text)
  return keys.filter((key) => {
    const names = key.split('.')
    const [part, kind, purpose] = names
    if (part === 'mail' && kind === 'mails' && !queued.some((text) => text.includes(`'${purpose}'`))) return true
    return !used.some((path) => reaches(path, names))
  })
}

/** The sources of the service that write `server.…`, there called `words`. */
const serverSource = /^src\/(?:site\/|http\/problem-words|connect\/signed-out)/

/** Where the texts are in a file: `texts` and `words()` in pages, and the arguments that have them in the service. */
function rootOf(file: string, node: Node): Path | undefined {
  if (/^pages\/(?:\w+\/)?texts\.ts$/.test(file)) return undefined
  if (node.type === 'CallExpression') {
    const isPart = file.startsWith('pages/') && (node.callee as Node).name === 'words'
    return isPart ? [file.split('/')[1] ?? ''] : undefined
  }
  if (node.type !== 'Identifier') return undefined
  if (file.startsWith('pages/')) return node.name === 'texts' ? [] : undefined
  if (serverSource.test(file)) return node.name === 'words' ? ['server'] : undefined
  return file === 'src/mail/rendering.ts' && node.name === 'texts' ? ['mail'] : undefined
}

/** The paths that a file reaches, each with all that is below it. */
function pathsIn(file: string, text: string): Path[] {
  if (!/\b(?:texts|words)\b/.test(text)) return []
  const used: Path[] = []

  class Scope {
    readonly names = new Map<string, readonly Path[]>()
    readonly outer: Scope | undefined
    constructor(outer?: Scope) {
      this.outer = outer
    }
    find(name: string): readonly Path[] | undefined {
      return this.names.get(name) ?? this.outer?.find(name)
    }
  }

  function resolve(node: Node, scope: Scope): readonly Path[] | undefined {
    if (node.type === 'Identifier') {
      const known = scope.find(node.name as string)
      if (known !== undefined) return known
    }
    if (node.type === 'MemberExpression') {
      const found = resolve(node.object as Node, scope)
      if (found !== undefined) return found.map((path) => [...path, nameOf(node)])
    }
    if (['TSNonNullExpression', 'TSAsExpression', 'ChainExpression', 'ParenthesizedExpression'].includes(node.type)) {
      return resolve(node.expression as Node, scope)
    }
    const root = rootOf(file, node)
    return root && [root]
  }

  function nameOf({ computed, property }: Node): string {
    const { type, name, value } = property as Node
    if (!computed) return name as string
    return type === 'Literal' ? String(value) : '*'
  }

  function bind(pattern: Node, paths: readonly Path[], scope: Scope): void {
    if (pattern.type === 'Identifier') scope.names.set(pattern.name as string, paths)
    else if (pattern.type === 'ObjectPattern') {
      for (const property of pattern.properties as Node[]) {
        const { name, value } = (property.key ?? {}) as Node
        if (property.type !== 'Property') used.push(...paths)
        else
          bind(
            property.value as Node,
            paths.map((path) => [...path, String(name ?? value)]),
            scope,
          )
      }
    } else used.push(...paths)
  }

  function visit(node: Node, scope: Scope): void {
    if (node.type.startsWith('TS') && !/Expression$/.test(node.type)) return
    if (node.type === 'ImportDeclaration') return
    const inside = /Function|Block/.test(node.type) ? new Scope(scope) : scope
    if (node.type === 'VariableDeclarator' && node.init) {
      const paths = resolve(node.init as Node, scope)
      if (paths !== undefined) {
        bind(node.id as Node, paths, scope)
        return
      }
    }
    const reached = resolve(node, scope)
    if (reached !== undefined) {
      used.push(...reached)
      visitKeys(node, scope)
      return
    }
    for (const [name, member] of Object.entries(node)) {
      const isName = (name === 'key' || name === 'property') && !node.computed
      if (!isName) visitAll(member, inside)
    }
  }

  /** What chooses an entry of a table may itself be a text. */
  function visitKeys(node: Node, scope: Scope): void {
    if (node.type === 'MemberExpression' && node.computed) visit(node.property as Node, scope)
    const inner = (node.object ?? node.expression) as Node | undefined
    if (inner) visitKeys(inner, scope)
  }

  function visitAll(member: unknown, scope: Scope): void {
    if (Array.isArray(member)) for (const one of member) visitAll(one, scope)
    else if (typeof member === 'object' && member !== null && 'type' in member) visit(member as Node, scope)
  }

  visit(parseSync(file, text).program as unknown as Node, new Scope())
  // Handing on what the service writes uses none of it yet.
  return used.filter(({ length }) => length > 1 || file.startsWith('pages/'))
}

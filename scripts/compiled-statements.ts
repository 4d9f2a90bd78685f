/** The statements of the database as the build puts them into the bundle: compiled, for one dialect. */
import type { Plugin } from 'rolldown'
import { type Compiled, compile } from '../src/storage/sql/compile.ts'
import { builds } from '../src/storage/sql/prepared.ts'
import type { Dialect } from '../src/storage/sql/statement.ts'
import '../src/storage/sql/storage.ts'

/** Returns the source of a module that takes the place of `src/storage/<dialect>/statements.ts`. */
export function statementsModule(dialect: Dialect): string {
  const members = [...builds.keys()].sort().map((name) => {
    const compiled = compile(name, dialect)
    return `${JSON.stringify(name)}: ${toSource(compiled as Compiled)}`
  })
  return `import { findStatements } from '../sql/prepared.ts'
const statements = {
${members.join(',\n')}
}
findStatements('${dialect}', (name) => statements[name])
`
}

function toSource({ text, parameters, columns }: Compiled): string {
  const values = parameters.map((at) => ('name' in at ? `v.${at.name}` : JSON.stringify(at.value)))
  const isNamed = parameters.some((at) => 'name' in at)
  const toParameters = `(${isNamed ? 'v' : ''}) => [${values.join(', ')}]`
  // An object literal gives every row of a statement the same shape.
  const toRow = columns && `(v) => ({ ${columns.map((name, at) => `${name}: v[${at}]`).join(', ')} })`
  return `{ text: ${JSON.stringify(text)}, toParameters: ${toParameters}${toRow ? `, toRow: ${toRow}` : ''} }`
}

/** Puts the compiled statements into a bundle, and leaves out what they were compiled from. */
export function compiledStatements(): Plugin {
  return {
    name: 'compiled-statements',
    load(id) {
      const [, dialect] = /\/src\/storage\/(sqlite|postgres)\/statements\.ts$/.exec(id) ?? []
      return dialect === undefined ? null : { code: statementsModule(dialect as Dialect), moduleType: 'js' }
    },
    transform(code, id) {
      if (!/\/src\/storage\/sql\/[\w-]+\.ts$/.test(id) || !code.includes('prepare')) return null
      let left = code
      // From the end, so that the places of the others stay.
      for (const { start, end } of buildsIn(this.parse(code, { lang: 'ts' })).toReversed()) {
        // Lines stay where the sources have them.
        const lines = '\n'.repeat(code.slice(start, end).split('\n').length - 1)
        left = `${left.slice(0, start)}undefined${lines}${left.slice(end)}`
      }
      return { code: left, map: null }
    },
  }
}

type Place = { readonly start: number; readonly end: number }
type Node = Place & { readonly [member: string]: unknown }

/** Returns where the second arguments of `prepare(name, build, gathered)` are. */
function buildsIn(node: unknown): Place[] {
  if (Array.isArray(node)) return node.flatMap(buildsIn)
  if (typeof node !== 'object' || node === null) return []
  const { type, callee, arguments: given } = node as Node
  const isPrepare = type === 'CallExpression' && (callee as Node).name === 'prepare'
  if (isPrepare && Array.isArray(given) && given.length >= 2) return [given[1] as Node]
  return Object.values(node).flatMap(buildsIn)
}

/** Finds the small faults that can be put into a source file, each of which a test should notice. */
import { parseSync } from 'vite'

export type Mutant = {
  /** Offsets of what is replaced in the source. */
  readonly start: number
  readonly end: number
  readonly replacement: string
  /** Counts from 1. */
  readonly line: number
  /** What is replaced, with its replacement, in one line. */
  readonly change: string
}

type Node = { readonly type: string; readonly start: number; readonly end: number; readonly [member: string]: unknown }

type Fault = readonly [start: number, end: number, replacement: string]

const comparisons = new Map(
  Object.entries({
    '<': '<=',
    '<=': '<',
    '>': '>=',
    '>=': '>',
    '===': '!==',
    '!==': '===',
    '+': '-',
    '-': '+',
    '*': '/',
    '/': '*',
  }),
)

const methods = new Map(
  Object.entries({
    every: 'some',
    some: 'every',
    min: 'max',
    max: 'min',
    startsWith: 'includes',
    endsWith: 'includes',
  }),
)

/** Calls that give back a part or another form of what they are called on. */
const narrowing = new Set(['filter', 'toLowerCase', 'trim', 'slice', 'toSorted', 'normalize'])

/** Each fault of the source text of a TypeScript file, in the order of its places. Types have none. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`)
  const faults: Fault[] = []
  visit(program as unknown as Node, (node) => faults.push(...faultsOf(node, source)))
  return faults
    .filter(([start, end, replacement]) => source.slice(start, end) !== replacement)
    .toSorted((one, other) => one[0] - other[0] || one[1] - other[1])
    .map(([start, end, replacement]) => ({
      start,
      end,
      replacement,
      line: source.slice(0, start).split('\n').length,
      change: `${short(source.slice(start, end))} → ${short(replacement)}`,
    }))
}

/** The source with the fault in it. */
export function withMutant(source: string, { start, end, replacement }: Mutant): string {
  return source.slice(0, start) + replacement + source.slice(end)
}

function visit(node: Node, found: (node: Node) => void): void {
  // `x as T` and `x satisfies T` have code in them; every other node of the type system has none.
  const { type } = node
  if (type.startsWith('TS') && !/^TS(?:As|Satisfies|NonNull)/.test(type)) return
  if (type === 'ImportDeclaration') return
  found(node)
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, found)
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}

function faultsOf(node: Node, source: string): Fault[] {
  const text = (of: Node): string => source.slice(of.start, of.end)
  const instead = (replacement: string, of: Node = node): Fault => [of.start, of.end, replacement]
  const { left, right, test, argument, expression, operator } = node as unknown as {
    readonly [member in 'left' | 'right' | 'test' | 'argument' | 'expression']: Node
  } & { readonly operator: string }
  switch (node.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
      return [instead('true', test), instead('false', test)]
    case 'WhileStatement':
      return [instead('false', test)]
    case 'LogicalExpression':
      return [instead(text(left)), instead(`(${text(right)})`)]
    case 'BinaryExpression': {
      const other = comparisons.get(operator)
      if (other === undefined || (operator === '+' && /['"`]/.test(text(node)))) return []
      return [instead(`${text(left)} ${other} ${text(right)}`)]
    }
    case 'UnaryExpression':
      return operator === '!' ? [instead(text(argument))] : []
    case 'ExpressionStatement':
      return /^(?:Await|Call|Assignment|Update)Expression$/.test(expression.type) ? [instead(';')] : []
    case 'ThrowStatement':
      return [instead(';')]
    case 'CallExpression':
      return callFaults(node, source)
    case 'Literal':
      return literalFaults(node)
    case 'ObjectExpression':
      return withoutOne(node, node.properties as Node[], source)
    case 'ArrayExpression':
      return withoutOne(node, node.elements as Node[], source)
    default:
      return []
  }
}

function callFaults(node: Node, source: string): Fault[] {
  const callee = node.callee as Node & { readonly object: Node; readonly property: Node & { readonly name?: string } }
  const name = callee.type === 'MemberExpression' ? (callee.property.name ?? '') : ''
  const other = methods.get(name)
  if (other !== undefined) return [[callee.property.start, callee.property.end, other]]
  return narrowing.has(name) ? [[node.start, node.end, source.slice(callee.object.start, callee.object.end)]] : []
}

function literalFaults({ start, end, value, regex }: Node): Fault[] {
  if (typeof value === 'boolean') return [[start, end, String(!value)]]
  if (typeof value === 'number') return [[start, end, String(value + 1)]]
  if (regex === undefined || regex === null) return []
  const { pattern, flags } = regex as { readonly pattern: string; readonly flags: string }
  const faults: Fault[] = []
  if (pattern.startsWith('^') && pattern.length > 1) faults.push([start, end, `/${pattern.slice(1)}/${flags}`])
  if (pattern.endsWith('$') && !pattern.endsWith('\\$')) {
    faults.push([start, end, `/${pattern.slice(0, -1) || '(?:)'}/${flags}`])
  }
  return faults
}

/** A list without each of its items. */
function withoutOne(node: Node, items: readonly (Node | null)[], source: string): Fault[] {
  const present = items.filter((item) => item !== null)
  return present.map((item, index) => {
    const next = present[index + 1]
    const comma = source.slice(item.end, node.end).match(/^\s*,/)?.[0].length ?? 0
    return [item.start, next === undefined ? item.end + comma : next.start, '']
  })
}

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line === '') return '(nothing)'
  return line.length > 100 ? `${line.slice(0, 97)}…` : line
}

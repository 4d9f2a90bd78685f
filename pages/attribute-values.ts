/** Values of the fields that an installation declares, as their controls have them and as the service takes them. */

type Kind = { type: 'text' | 'integer' | 'boolean' | 'date' | 'choice'; many: boolean }

export type AttributeValue = string | number | boolean | (string | number | boolean)[]
export type AttributeValues = Record<string, AttributeValue>

/** As the control has it: of a list one in each line. */
export const typedOf = (value: AttributeValue | undefined): string =>
  value === undefined ? '' : Array.isArray(value) ? value.join('\n') : String(value)

/** What is typed, as a value of the type; what is none goes as it is, for the service to say so. */
export function sentOf({ type, many }: Kind, typed: string): unknown {
  const single = (text: string): unknown => {
    if (type === 'integer' && /^-?\d+$/.test(text)) return Number(text)
    if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
    return text
  }
  const lines = typed.split('\n').map((line) => line.trim())
  const given = lines.filter((line) => line !== '')
  if (given.length === 0) return null
  return many ? given.map(single) : single(typed.trim())
}

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

/**
 * The brand of refusals. A refusal is an expected 'no', returned as a value. Whatever it consists of, `isRefusal`
 * recognises it: the refusal of a request (`protocol/refusals/`), and that of a registration or change (`problem.ts`).
 */
const brand: unique symbol = Symbol('refusal')

export type AnyRefusal = { readonly [brand]: true }

/** Makes a refusal of its content. */
export function asRefusal<Content extends object>(content: Content): Content & AnyRefusal {
  return { ...content, [brand]: true }
}

/** Whether a rule refused. */
export function isRefusal<T>(value: T): value is Extract<T, AnyRefusal> {
  return typeof value === 'object' && value !== null && brand in value
}

/**
 * The brand of refusals. A refusal is an expected 'no', returned as a value. `isRefusal` recognises every kind:
 * refusals of requests (`protocol/refusals/`), and of registrations or changes (`problem.ts`).
 */
const brand: unique symbol = Symbol('refusal')

export type AnyRefusal = { readonly [brand]: true }

/** Returns the content branded as a refusal. */
export function asRefusal<Content extends object>(content: Content): Content & AnyRefusal {
  return { ...content, [brand]: true }
}

/** Whether a value is a refusal. */
export function isRefusal<T>(value: T): value is Extract<T, AnyRefusal> {
  return typeof value === 'object' && value !== null && brand in value
}

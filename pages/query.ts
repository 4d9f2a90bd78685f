export type Field = readonly [name: string, value: string]

/** The form fields that the pages set themselves. A link must not be able to press a button or to bring its own token. */
const OWN_FIELDS = ['__requestverificationtoken', 'submit.accept', 'submit.deny', 'confirm']

/** One query parameter by name without regard to case; the first when it is repeated; null when it is absent. */
export function parameter(name: string): string | null {
  const wanted = name.toLowerCase()
  for (const [key, value] of new URLSearchParams(location.search)) if (key.toLowerCase() === wanted) return value
  return null
}

/**
 * All query parameters as form fields, in their order; a repeated one stays repeated (specification 4.4, 4.9).
 * Names that belong to the page's own token and buttons are left out.
 */
export function queryFields(): Field[] {
  return [...new URLSearchParams(location.search)].filter(([name]) => !OWN_FIELDS.includes(name.toLowerCase()))
}

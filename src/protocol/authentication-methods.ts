/**
 * How a person authenticated: values of RFC 8176 such as `pwd`, or the name of an external provider, in the order in which they
 * were used. One method is stored as its name, which is what versions that knew only one wrote and read; several are a JSON
 * array.
 */
export type AuthenticationMethods = readonly string[]

export function methodsToText(methods: AuthenticationMethods): string {
  const [only, ...others] = methods
  return only === undefined || others.length > 0 || only.startsWith('[') ? JSON.stringify(methods) : only
}

export function textToMethods(text: string): AuthenticationMethods {
  return text.startsWith('[') ? JSON.parse(text) : [text]
}

/** The values of RFC 8176 that sign-ins record. The name of an external provider is not one. */
const referenceValues: ReadonlySet<string> = new Set(['pwd'])

/** `amr` of an id token (OpenID Connect Core §2); undefined: none of the methods has a registered value. */
export function amrOf(methods: AuthenticationMethods): readonly string[] | undefined {
  const known = methods.filter((method) => referenceValues.has(method))
  return known.length === 0 ? undefined : known
}

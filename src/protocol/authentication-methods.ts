/**
 * How a user authenticated: values of RFC 8176 such as `pwd`, or the name of an external provider, in order of use. A
 * single method is stored as its name, the format of versions without lists; several are stored as a JSON array.
 */
export type AuthenticationMethods = readonly string[]

export function methodsToText(methods: AuthenticationMethods): string {
  const [only, ...others] = methods
  return only === undefined || others.length > 0 || only.startsWith('[') ? JSON.stringify(methods) : only
}

export function textToMethods(text: string): AuthenticationMethods {
  return text.startsWith('[') ? JSON.parse(text) : [text]
}

/** The RFC 8176 values that sign-ins record. Names of external providers are not among them. */
const referenceValues: ReadonlySet<string> = new Set(['pwd'])

/** Returns `amr` of an id token (OpenID Connect Core §2); undefined: no method has a registered value. */
export function amrOf(methods: AuthenticationMethods): readonly string[] | undefined {
  const known = methods.filter((method) => referenceValues.has(method))
  return known.length === 0 ? undefined : known
}

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

/** Password over a protected connection: a class of SAML 2.0 Authentication Context §3.4.3, used as a URI. */
const passwordClass = 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport'

/** Values of `acr` that sign-ins can reach. */
export const authenticationClasses: readonly string[] = [passwordClass]

/**
 * Returns `acr` of a sign-in (OpenID Connect Core §2); undefined: no class is known to apply, such as after a sign-in at
 * an external provider.
 */
export function acrOf(methods: AuthenticationMethods): string | undefined {
  return methods.includes('pwd') ? passwordClass : undefined
}

/** Returns `amr` of an id token (OpenID Connect Core §2); undefined: no method has a registered value. */
export function amrOf(methods: AuthenticationMethods): readonly string[] | undefined {
  const known = methods.filter((method) => referenceValues.has(method))
  return known.length === 0 ? undefined : known
}

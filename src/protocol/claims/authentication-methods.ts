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
const referenceValues: ReadonlySet<string> = new Set(['pwd', 'otp', 'hwk', 'swk', 'user', 'mfa'])

/** Values of `acr`, weakest first: each meets those before it. */
export const authenticationClasses = ['1', 'mfa', 'phr', 'phrh'] as const

/**
 * 1: one factor. mfa: two factors. phr: two factors, of which one resists phishing. phrh: the same, and its key cannot
 * leave its hardware (OpenID Connect Extended Authentication Profile ACR Values §2).
 */
export type AuthenticationClass = (typeof authenticationClasses)[number]

/**
 * Returns the highest class that a sign-in meets (OpenID Connect Core §2); undefined: no class is known to apply, such
 * as after a sign-in at an external provider.
 */
export function acrOf(methods: AuthenticationMethods): AuthenticationClass | undefined {
  if (methods.includes('mfa')) {
    if (methods.includes('hwk')) return 'phrh'
    return methods.includes('swk') ? 'phr' : 'mfa'
  }
  return methods.some((method) => referenceValues.has(method)) ? '1' : undefined
}

/** Whether a sign-in of the class `reached` (undefined: of none) satisfies a request for `requested`. */
export function meetsClass(reached: AuthenticationClass | undefined, requested: string): boolean {
  return reached !== undefined && rankOf(requested) >= 0 && rankOf(reached) >= rankOf(requested)
}

/** Whether this service knows the class. */
export function isKnownClass(acr: string): acr is AuthenticationClass {
  return rankOf(acr) >= 0
}

function rankOf(acr: string): number {
  return (authenticationClasses as readonly string[]).indexOf(acr)
}

/** Returns `amr` of an id token (OpenID Connect Core §2); undefined: no method has a registered value. */
export function amrOf(methods: AuthenticationMethods): readonly string[] | undefined {
  const known = methods.filter((method) => referenceValues.has(method))
  return known.length === 0 ? undefined : known
}

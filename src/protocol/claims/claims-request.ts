/**
 * The claims that an authorization request asks for one by one: the `claims` parameter (OpenID Connect Core §5.5) and
 * `acr_values` (§3.1.2.1).
 */

import { isObject } from '../json-value.ts'
import type { ParameterReader } from '../parameters.ts'
import { refuse } from '../refusals/index.ts'
import { type AuthenticationMethods, acrOf, meetsClass } from './authentication-methods.ts'
import { pathOfClaim, protocolClaims } from './claim-rules.ts'
import { scopeOfClaim } from './standard-claims.ts'

/**
 * Names of claims, without duplicates, by where they are returned. The name of a claim that rules of a scope set follows that of the
 * scope: `orders department`.
 */
export type RequestedClaims = {
  readonly idToken: readonly string[]
  readonly userinfo: readonly string[]
  /** The class that tokens name, if the request listed some. */
  readonly acr?: string
}

export type ClaimsRequest = Pick<RequestedClaims, 'idToken' | 'userinfo'> & {
  /** The request applies to one of these users only (`sub` with a value, §5.5.1); null: to any user. */
  readonly subjects: readonly string[] | null
  /** The sign-in must have one of these classes (`acr` as an essential claim, §5.5.1.1); null: any class. */
  readonly requiredAcr: readonly string[] | null
  /** Classes that the client prefers, the most preferred first (`acr_values`, or `acr` as a voluntary claim). */
  readonly preferredAcr: readonly string[]
}

export const noClaims: ClaimsRequest = Object.freeze({
  idToken: [],
  userinfo: [],
  subjects: null,
  requiredAcr: null,
  preferredAcr: [],
})

/** Returns what a grant keeps of the request, which a sign-in by `methods` answers; null: nothing. */
export function requestedClaims(request: ClaimsRequest, methods: AuthenticationMethods): RequestedClaims | null {
  const { idToken, userinfo } = request
  const acr = answeredClass(request, methods)
  if (acr !== undefined) return { idToken, userinfo, acr }
  return idToken.length === 0 && userinfo.length === 0 ? null : { idToken, userinfo }
}

/**
 * Returns the class that tokens name: the first of the request that the sign-in meets (OpenID Connect Core §5.5.1.1),
 * otherwise the class of the sign-in. Undefined: the request lists none, or the sign-in has none.
 */
function answeredClass(
  { requiredAcr, preferredAcr }: ClaimsRequest,
  methods: AuthenticationMethods,
): string | undefined {
  const listed = requiredAcr ?? preferredAcr
  if (listed.length === 0) return undefined
  const reached = acrOf(methods)
  return listed.find((acr) => meetsClass(reached, acr)) ?? reached
}

const membersAtMost = 100
const valuesAtMost = 50

/** A request of one claim; each member absent if it was not sent. */
type Individual = { readonly essential: boolean; readonly values: readonly unknown[] | undefined }

/** Reads `claims` and `acr_values`. Claims and members that are not known are ignored (§5.5). */
export function parseClaimsRequest(reader: ParameterReader): ClaimsRequest {
  const text = reader.optional('claims')
  const acrValues = reader.optional('acr_values')
  const preferredAcr = splitClasses(acrValues)
  const isAcrRequested = acrValues !== null
  if (text === null) return isAcrRequested ? { ...noClaims, idToken: ['acr'], preferredAcr } : noClaims
  const read = readClaims(text)
  if (typeof read === 'string') {
    reader.refuse(refuse('claims_malformed', 'claims', { rule: read }))
    return noClaims
  }
  const { idToken, userinfo } = read
  const acr = idToken.get('acr')
  // Which others there are is a matter of the rules of operators: `effectiveRequest` leaves out those that no rule sets.
  const names = (claims: ReadonlyMap<string, Individual>) =>
    [...claims.keys()].filter((name) => scopeOfClaim(name) !== undefined || isRuledName(name))
  return {
    idToken: [...names(idToken), ...(isAcrRequested || acr !== undefined ? ['acr'] : [])],
    userinfo: names(userinfo),
    subjects: requestedSubjects(idToken.get('sub'), userinfo.get('sub')),
    requiredAcr: acr?.essential && acr.values !== undefined ? texts(acr.values) : null,
    preferredAcr: preferredAcr.length === 0 && acr?.values !== undefined ? texts(acr.values) : preferredAcr,
  }
}

const isRuledName = (name: string): boolean =>
  name !== 'sub' && name !== 'acr' && !protocolClaims.has(name) && pathOfClaim(name) !== undefined

function splitClasses(acrValues: string | null): readonly string[] {
  const values = (acrValues ?? '').split(' ').filter((value) => value !== '')
  return [...new Set(values)].slice(0, valuesAtMost)
}

type Members = ReadonlyMap<string, Individual>

/** Returns what is wrong with the text, if it is not a claims request. */
function readClaims(text: string): { readonly idToken: Members; readonly userinfo: Members } | string {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return 'must be JSON'
  }
  if (!isObject(json)) return 'must be a JSON object'
  // As a map: names such as __proto__ are ordinary here.
  const top = new Map(Object.entries(json))
  const idToken = readMembers('id_token', top.get('id_token'))
  if (typeof idToken === 'string') return idToken
  const userinfo = readMembers('userinfo', top.get('userinfo'))
  return typeof userinfo === 'string' ? userinfo : { idToken, userinfo }
}

function readMembers(where: string, json: unknown): Members | string {
  if (json === undefined) return new Map()
  if (!isObject(json)) return `${where} must be an object`
  const entries = Object.entries(json)
  if (entries.length > membersAtMost) return `${where} must have at most ${membersAtMost} claims`
  const members = new Map<string, Individual>()
  for (const [name, request] of entries) {
    const read = readIndividual(request)
    if (typeof read === 'string') return `a claim in ${where} ${read}`
    members.set(name, read)
  }
  return members
}

/** OpenID Connect Core §5.5.1. `value` counts as a single one of `values`. */
function readIndividual(json: unknown): Individual | string {
  if (json === null) return { essential: false, values: undefined }
  if (!isObject(json)) return 'must be null or an object'
  const members = new Map(Object.entries(json))
  const essential = members.get('essential') ?? false
  if (typeof essential !== 'boolean') return 'has a member essential that is not true or false'
  const values = members.get('values')
  if (values !== undefined && !Array.isArray(values)) return 'has a member values that is not an array'
  if (values !== undefined && values.length > valuesAtMost) return `has more than ${valuesAtMost} values`
  if (values !== undefined && members.has('value')) return 'has both value and values'
  return { essential, values: members.has('value') ? [members.get('value')] : values }
}

/** Only a subject that both allow, if both are restricted. */
function requestedSubjects(idToken: Individual | undefined, userinfo: Individual | undefined): string[] | null {
  const [first, second] = [idToken?.values, userinfo?.values]
  if (first === undefined || second === undefined) {
    const values = first ?? second
    return values === undefined ? null : texts(values)
  }
  return texts(first).filter((subject) => second.includes(subject))
}

function texts(values: readonly unknown[]): string[] {
  return values.filter((value) => typeof value === 'string')
}

/** The claims of tokens that are issued, with those of rules; the same for their preview. */
import type { RequestingClient } from '../client/client.ts'
import { jsonBytesAtMost } from '../json-value.ts'
import type { ClaimPlace } from './claim-rules.ts'
import { type ClaimsSet, namedClaims, type Subject, userinfoClaims } from './claims.ts'
import type { RequestedClaims } from './claims-request.ts'
import { toldTo } from './client-roles.ts'
import {
  type KnownRules,
  ownedRules,
  type PersonFacts,
  type RuleBasis,
  type RuledClient,
  requestedRules,
} from './known-rules.ts'
import {
  applyRules,
  isOfShape,
  type OwnedRule,
  type RuleFacts,
  type RuleTrace,
  rulesFor,
  valueSetBy,
} from './ruled-claims.ts'
import { noOrigin, shapeFacts, type TokenOrigin } from './shape-facts.ts'
import { shapeRules, shapes } from './shapes.ts'
import { asRegistered } from './shown-claims.ts'
import { personClaims } from './standard-claims.ts'

/** The rules of one token, and who is told of them. */
export type IssuedRules = {
  /** Undefined: there are none. */
  readonly rules: TokenRules | undefined
  readonly trace?: ((entry: RuleTrace) => void) | undefined
  /** Receives each rule that is left out of an access token, because it would be too long. */
  readonly leftOut?: ((left: LeftOutRule) => void) | undefined
}

/** A rule, or the claim that one of a shape says again. */
export type LeftOutRule = Pick<OwnedRule, 'owner'> & { readonly rule: Pick<OwnedRule['rule'], 'claim'> }

/** Those of one token response. */
export type TokenRules = {
  readonly rules: readonly OwnedRule[]
  readonly factsIn: (place: ClaimPlace) => RuleFacts
  /** Claims that rules of the shape say again. */
  readonly repeated: readonly string[]
}

type Claims = Readonly<Record<string, unknown>>

const nobody: PersonFacts = {
  id: '',
  username: '',
  createdAtMs: 0,
  attributes: {},
  claims: () => ({}),
  roles: [],
  groups: [],
}

const isAboutNobody = ({ rule: { from } }: OwnedRule): boolean => from === 'client_id' || from.startsWith('constant:')

/**
 * Returns the rules of tokens of the client with these scopes and resources, those of its shape last; undefined: there are none.
 * `subject` undefined: the tokens are about no person. `origin`: for shapes.
 */
export function tokenRules(
  client: Pick<RuledClient, 'id' | 'metadata'>,
  scopes: readonly string[],
  resources: readonly string[],
  subject: Subject | undefined,
  requested: Partial<RequestedClaims> | null = null,
  origin: TokenOrigin = noOrigin,
): TokenRules | undefined {
  const basis = subject?.basis
  const own = basis === undefined ? none : operatorRules(client, scopes, resources, basis, requested)
  const ofShape = shapeRules(client)
  if (own.length === 0 && ofShape.length === 0) return undefined
  const owner = { client: client.id }
  const rules = ofShape.length === 0 ? own : [...own, ...ofShape.map((rule) => ({ rule, owner, places: none }))]
  const { repeated } = shapes[client.metadata.claim_shape]
  const factsFor = (audience: readonly string[] | null): RuleFacts => ({
    ...(basis?.person?.(client, audience) ?? nobody),
    // What tokens of the client call the person.
    id: subject?.id ?? '',
    clientId: client.id,
  })
  // Id tokens and userinfo are for the client alone.
  const audienceIn = (place: ClaimPlace) => (place === 'id_token' || place === 'userinfo' ? null : resources)
  if (ofShape.length > 0) {
    const shapeIn = (place: ClaimPlace) => shapeFacts(place, client, scopes, audienceIn(place), subject, origin)
    return { rules, repeated, factsIn: (place) => ({ ...factsFor(audienceIn(place)), shape: shapeIn(place) }) }
  }
  if (resources.length === 0) {
    const facts = factsFor(null)
    return { rules, repeated, factsIn: () => facts }
  }
  return { rules, repeated, factsIn: (place) => factsFor(audienceIn(place)) }
}

const none: readonly never[] = []

/** Returns the rules of operators. */
function operatorRules(
  client: Pick<RuledClient, 'id' | 'metadata'>,
  scopes: readonly string[],
  resources: readonly string[],
  basis: RuleBasis,
  requested: Partial<RequestedClaims> | null,
): readonly OwnedRule[] {
  const always = ownedRules(client, scopes, resources, basis.known)
  const owned =
    requested === null
      ? always
      : [
          ...always,
          ...requestedRules(requested.idToken ?? [], 'id_token', basis.known),
          ...requestedRules(requested.userinfo ?? [], 'userinfo', basis.known),
        ]
  return basis.person === undefined ? owned.filter(isAboutNobody) : owned
}

/** Returns the claims with those of the rules for this place. */
export function ruled(
  place: ClaimPlace,
  claims: Claims,
  found: TokenRules | undefined,
  trace?: (entry: RuleTrace) => void,
): Claims {
  return found === undefined ? claims : applyRules(claims, rulesFor(place, found.rules), found.factsIn(place), trace)
}

/** Returns the rules that there are, with what they read about a person. `groups`: the paths of those that the person is in directly. */
export function basisOf(
  subject: Omit<Subject, 'basis'>,
  more: Pick<PersonFacts, 'createdAtMs' | 'attributes'> & { readonly groups: () => readonly string[] },
  known: Pick<KnownRules, 'scopes' | 'resources'>,
): RuleBasis {
  const person: RuleBasis['person'] = (client, audience) => {
    const told = toldTo(subject, client, audience)
    return {
      id: subject.id,
      username: subject.name,
      createdAtMs: more.createdAtMs,
      attributes: more.attributes,
      claims: () => namedClaims(told, personClaims),
      roles: told.roles,
      groups: more.groups(),
    }
  }
  return { known: { scopes: known.scopes, resources: known.resources }, person }
}

/** An access token has no more characters, signature included. */
export const accessTokenCharactersAtMost = 8192

/** Of the three parts of a JWT, those that are no claims: the signature by the algorithm, and the header. */
function charactersBeside(algorithm: string): number {
  const header = 250
  if (algorithm.startsWith('ML-DSA')) return header + 4412
  return header + (/^[RP]S/.test(algorithm) ? 683 : 180)
}

/** Returns how many bytes the claims of an access token may have. */
export const claimBytesAtMost = (algorithm: string): number =>
  Math.floor(((accessTokenCharactersAtMost - charactersBeside(algorithm)) * 3) / 4)

/** Returns how many characters an access token with so many bytes of claims has. */
export const charactersOf = (claimBytes: number, algorithm: string): number =>
  Math.ceil((claimBytes * 4) / 3) + charactersBeside(algorithm)

const isOfGroups = ({ rule: { from } }: OwnedRule): boolean => from === 'groups' || from === 'groups:names'

/** Why a rule is left out of a token that would be too long. */
export const tooLong = 'the token would be too long'

/**
 * Returns the claims with those of the rules for access tokens, as far as there is room: what a shape says again is left out first,
 * then rules of groups, all of them, then those with the largest values. `leftOut`: receives each that is.
 */
export function fitted(
  claims: Claims,
  found: TokenRules | undefined,
  bytesAtMost: number,
  trace?: (entry: RuleTrace) => void,
  leftOut: (left: LeftOutRule) => void = () => {},
): Claims {
  if (found === undefined) return claims
  const facts = found.factsIn('access_token')
  let rules = rulesFor('access_token', found.rules)
  let base = claims
  let overage: Claims = {}
  let made = applyRules(base, rules, facts)
  const fits = (): boolean =>
    jsonBytesAtMost(made) <= bytesAtMost || Buffer.byteLength(JSON.stringify(made)) <= bytesAtMost
  const leaveAgain = (): void => {
    const again = found.repeated.filter((claim) => base[claim] !== undefined)
    base = Object.fromEntries(Object.entries(base).filter(([claim]) => !again.includes(claim)))
    made = applyRules(base, rules, facts)
    for (const claim of again) leftOut({ rule: { claim }, owner: { client: facts.clientId } })
  }
  const leave = (left: readonly OwnedRule[]): void => {
    rules = rules.filter((rule) => !left.includes(rule))
    made = { ...applyRules(base, rules, facts), ...overage }
    for (const rule of left) leftOut(rule)
  }
  const leaveRules = (): void => {
    const ofGroups = rules.filter((one) => isOfGroups(one) && valueSetBy(one.rule, made) !== undefined)
    if (ofGroups.length > 0) overage = { groups_overage: true }
    leave(ofGroups)
    const sizeOf = ({ rule }: OwnedRule): number => JSON.stringify(valueSetBy(rule, made) ?? null).length
    const sizes = new Map(rules.map((rule) => [rule, sizeOf(rule)]))
    const bySize = rules
      .filter(({ rule }) => !isOfShape(rule) || rule.grows)
      .toSorted((a, b) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0))
    for (const rule of bySize) if (!fits()) leave([rule])
  }
  // Nearly every token fits, and is measured once.
  if (!fits()) {
    leaveAgain()
    if (!fits()) leaveRules()
  }
  if (trace !== undefined) applyRules(base, rules, facts, trace)
  return made
}

/** Returns what an access token of the client shows. */
export function issuedAccessToken(
  claims: ClaimsSet,
  client: RequestingClient,
  algorithm: string,
  { rules, trace, leftOut }: IssuedRules,
): Claims {
  return fitted(asRegistered(claims, client), rules, claimBytesAtMost(algorithm), trace, leftOut)
}

/** Returns what userinfo answers with. */
export function issuedUserinfo(
  subject: Subject,
  scopes: readonly string[],
  requested: readonly string[],
  { rules, trace }: IssuedRules,
): Claims {
  return ruled('userinfo', userinfoClaims(subject, scopes, requested), rules, trace)
}

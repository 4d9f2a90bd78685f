/** Which rules an access token has no room for, and how large it is for a person. */
import { type Problem, problem } from '../../problem.ts'
import type { Client } from '../client/client.ts'
import { resourcesOf, type Scope } from '../scope/scope.ts'
import { pathOfClaim } from './claim-rules.ts'
import { accessTokenClaims, type ClaimsSet, type Subject } from './claims.ts'
import { clientPartOf, toldTo } from './client-roles.ts'
import {
  accessTokenCharactersAtMost,
  charactersOf,
  claimBytesAtMost,
  issuedAccessToken,
  type LeftOutRule,
  ruled,
  tokenRules,
} from './issued-claims.ts'
import { attributesOf, ownedRules, type RuleBasis } from './known-rules.ts'
import { unissuedGrant } from './preview.ts'
import type { Resource } from './resource-rules.ts'
import { audienceOf } from './role-audience.ts'
import { isOfShape, type OwnedRule, rulesFor } from './ruled-claims.ts'
import { shapeRules, shapes } from './shapes.ts'
import { asRegistered } from './shown-claims.ts'

/** What decides about access tokens, as it is or would be. */
export type LengthRecords = {
  readonly scopes: readonly Scope[]
  /** By identifier. */
  readonly resources: ReadonlyMap<string, Resource>
  readonly clients: readonly Client[]
}

export type Issuing = {
  readonly issuer: string
  /** Of access tokens. */
  readonly algorithm: string
}

/** The largest access token of a client: with all scopes that it may request, and for all that they lead to. */
export type LargestToken = {
  readonly client: Client
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
  readonly known: RuleBasis['known']
  /** Of operators. */
  readonly rules: readonly OwnedRule[]
  /** The ids of clients whose tokens are like this one but for their own roles; its own among them. */
  readonly alike: ReadonlySet<string>
}

/** Returns the largest token of the client; undefined: no rule has a part in it, or the token is opaque. */
export function largestToken(
  client: Client,
  records: Omit<LengthRecords, 'clients'>,
  issuer: string,
): LargestToken | undefined {
  if (client.metadata.access_token_format === 'opaque') return undefined
  const scopes = ['openid', ...client.scopes.filter((name) => name !== 'openid')]
  const resources = resourcesOf(scopes, records.scopes, issuer)
  const known = { scopes: new Map(records.scopes.map((scope) => [scope.name, scope])), resources: records.resources }
  const rules = rulesFor('access_token', ownedRules(client, scopes, resources, known))
  const isRuled = rules.length > 0 || shapeRules(client).length > 0
  return isRuled ? { client, scopes, resources, known, rules, alike: new Set([client.id]) } : undefined
}

/** Returns one of those tokens that are alike, of the client with the longest id. */
export function unlike(tokens: readonly LargestToken[]): readonly LargestToken[] {
  const longestFirst = tokens.toSorted((a, b) => b.client.id.length - a.client.id.length)
  const keyOf = ({ client: { metadata }, scopes, resources }: LargestToken): string => {
    const { claims, claim_shape, role_clients, access_token_claims, access_token_scope, registration } = metadata
    return JSON.stringify([
      ...[scopes, resources, claims, claim_shape, role_clients],
      ...[access_token_claims, access_token_scope, registration],
    ])
  }
  return [...Map.groupBy(longestFirst, keyOf).values()].flatMap((same) => {
    const [first] = same
    return first === undefined ? [] : [{ ...first, alike: new Set(same.flatMap(({ alike }) => [...alike])) }]
  })
}

/** Returns the token, and those like it of clients that some of the roles belong to. */
export function tokensFor(token: LargestToken, roles: readonly string[]): readonly LargestToken[] {
  const owners = new Set(roles.flatMap((role) => clientPartOf(role) ?? []))
  const others = [...owners].filter((id) => id !== token.client.id && token.alike.has(id))
  return [token, ...others.map((id) => ({ ...token, client: { ...token.client, id } }))]
}

/** As long as what is made when a token is issued, or longer. */
const unissued = 'x'.repeat(64)
const confirmation = { jkt: 'x'.repeat(43) }

function claimsOf({ client, scopes, resources }: LargestToken, subject: Subject, issuer: string) {
  const grant = unissuedGrant(client, subject.id, scopes, resources, 1e12, unissued)
  const audience = audienceOf(resources, issuer, subject, client, scopes)
  const claims = accessTokenClaims({
    ...{ issuer, grant, audience, scopes, confirmation, jti: unissued, nowSeconds: 1e9, lifetimeSeconds: 1e9 },
    subject: toldTo(subject, client, audience),
  })
  return { claims, audience, person: subject.basis?.person }
}

export type Measured = {
  /** Characters of the token with everything that rules put into it. */
  readonly characters: number
  /** Without any of operators, and without what a shape says again. */
  readonly bare: number
  /** What it has no room for. */
  readonly leftOut: readonly LeftOutRule[]
}

/** Measures the token for a person. Makes it as it is issued. */
export function measured(token: LargestToken, subject: Subject, { issuer, algorithm }: Issuing): Measured {
  const { client, scopes, known } = token
  const { claims, audience, person } = claimsOf(token, subject, issuer)
  const about = { ...subject, basis: { known, person } }
  const rules = tokenRules(client, scopes, audience, about, null, { sessionId: unissued })
  const leftOut: LeftOutRule[] = []
  issuedAccessToken(claims, client, algorithm, { rules, leftOut: (rule) => leftOut.push(rule) })
  const registered = asRegistered(claims, client)
  const lengthWith = (base: ClaimsSet, found: typeof rules): number =>
    charactersOf(bytesOf(ruled('access_token', base, found)), algorithm)
  const ofShape = rules && { ...rules, rules: rules.rules.filter(({ rule }) => isOfShape(rule)) }
  const bare = lengthWith(without(registered, rules?.repeated ?? []), ofShape)
  return { characters: lengthWith(registered, rules), bare, leftOut }
}

const without = (claims: ClaimsSet, names: readonly string[]): ClaimsSet =>
  Object.fromEntries(Object.entries(claims).filter(([name]) => !names.includes(name)))

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** How often tokens have what a person has: factors of the bytes of each kind, as they are stored. */
export type SizeFactors = {
  readonly attributes: number
  readonly claims: number
  readonly roles: number
  readonly groups: number
  readonly names: number
}

/** An `as` of `json` can write a number as more digits. */
const longerAsJson = 5
/** An `\` before each character of a name. */
const longerEscaped = 2

export type TokenBound = SizeFactors & {
  readonly attributesRead: readonly string[]
  /** Bytes that are left for what is a person's own. */
  readonly room: number
}

/** Returns an upper bound of what is a person's own in the token. */
export function boundOf(token: LargestToken, { issuer, algorithm }: Issuing): TokenBound {
  const { rules, client } = token
  const { again } = shapes[client.metadata.claim_shape]
  const most = (prefix: string): number => {
    const read = rules.filter(({ rule }) => rule.from.startsWith(prefix))
    const factors = Map.groupBy(read, ({ rule }) => rule.from).values()
    const sums = Array.from(factors, (same) =>
      same.reduce((sum, { rule }) => sum + (rule.as === 'json' ? longerAsJson : 1), 0),
    )
    return Math.max(0, ...sums)
  }
  const count = (...from: readonly string[]): number => rules.filter(({ rule }) => from.includes(rule.from)).length
  const ofClaims = most('claim:')
  const readsRoles = rules.filter(({ rule: { from } }) => from === 'roles' || from.startsWith('roles:')).length
  return {
    attributes: most('attribute:'),
    attributesRead: attributesOf(rules.map(({ rule }) => rule)),
    claims: ofClaims + again.claims,
    // Access tokens have the roles by themselves, and in `aud` the clients of some, which is shorter.
    roles: 1 + Number(client.metadata.role_clients.length > 0) + readsRoles + ofClaims + again.roles,
    groups: count('groups', 'groups:names'),
    names: (2 + count('username', 'id') + ofClaims + again.names) * longerEscaped,
    room: claimBytesAtMost(algorithm) - fixedBytes(token, issuer),
  }
}

const nobody: Subject = {
  id: '',
  name: '',
  email: '',
  emailVerified: false,
  roles: [],
  claims: {},
  updatedAt: 1e9,
}

/** What a token has whoever it is about. */
function fixedBytes(token: LargestToken, issuer: string): number {
  const { client, rules } = token
  const { claims } = claimsOf(token, nobody, issuer)
  const nameBytes = (claim: string): number => {
    const names = pathOfClaim(claim) ?? []
    return bytesOf(names) + 3 * names.length
  }
  const values = rules.map(({ rule: { claim, from } }) => {
    const constant = from.startsWith('constant:') ? from.length * longerAsJson : 0
    return nameBytes(claim) + constant + (from === 'client_id' ? client.id.length + 2 : 30)
  })
  const ofShape = rulesFor(
    'access_token',
    shapeRules(client).map((rule) => ({ rule, owner: { client: client.id }, places: [] })),
  )
  values.push(...ofShape.map(({ rule }) => nameBytes(rule.claim) + client.id.length + 48))
  return bytesOf(asRegistered(claims, client)) + values.reduce((sum, one) => sum + one, 0)
}

/**
 * Whether rules of operators are to blame that the token leaves rules out: it has room without them. What a shape says again makes way
 * for them.
 */
export const isForRules = ({ bare, leftOut }: Measured): boolean =>
  bare <= accessTokenCharactersAtMost && leftOut.some(({ rule }) => 'from' in rule)

/** A token that has no room for all of its rules, for one person. */
export type LongToken = Measured & { readonly client: string; readonly user: string }

const ownerOf = ({ owner }: Pick<OwnedRule, 'owner'>): string => Object.entries(owner).flat().join(' ')

/** Names a rule in a sentence: `department of the scope orders`. */
export const namedRule = (one: LeftOutRule): string => `${one.rule.claim} of the ${ownerOf(one)}`

/** Returns what rules are refused for. */
export function lengthProblems(found: LongToken | undefined): Problem[] {
  if (found === undefined) return []
  const { client, user, characters, leftOut } = found
  const claims = [...new Set(leftOut.map(namedRule))].join(', ')
  const fault =
    `would have ${characters} characters with these rules, of at most ${accessTokenCharactersAtMost}, and would be issued without ` +
    `${claims}. Put that into userinfo or introspection instead of access_token, or let the person have less of it`
  return [problem('claims', `The access token of ${client} for ${user}`, fault)]
}

/** Whether the token has a rule of one of the owners. */
export const isOfAny = ({ rules }: LargestToken, owners: Pick<ReadonlyMap<string, unknown>, 'has'>): boolean =>
  rules.some((rule) => owners.has(ownerOf(rule)))

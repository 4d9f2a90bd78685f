/**
 * Shapes of other systems: rules of the service itself, which put into tokens what applications written for that system read. They may
 * set claims that rules of operators may not, and read what no `from` names.
 */
import type { ClaimForm, ClaimPlace, OwnedRules } from './claim-rules.ts'
import { clientPartOf, type RoleClients } from './client-roles.ts'
import { claimsOfScopes, scopeOfClaim } from './standard-claims.ts'

export const claimShapes = ['plain', 'keycloak', 'aspnet'] as const
export type ClaimShape = (typeof claimShapes)[number]

type Claims = Readonly<Record<string, unknown>>

/** What the rules of a shape read. A new member of clients that a shape needs belongs here. */
export type ShapeFacts = {
  readonly place: ClaimPlace
  readonly clientId: string
  readonly scopes: readonly string[]
  /** Whose scripts may read answers to the client. */
  readonly origins: readonly string[]
  /** Returns the session of the grant, as logout tokens name it; null: there is none. */
  readonly sid: () => string | null
  /** Null: the token is about no person. */
  readonly person: ShapedPerson | null
  /** Roles of the person, or of the client that got the token for itself. */
  readonly held: ShapedRoles
}

/** Those that the token may tell, and the clients that some belong to. */
export type ShapedRoles = {
  readonly roles: readonly string[]
  readonly roleClients: RoleClients | undefined
}

export type ShapedPerson = {
  readonly username: string
  /** Returns claims by their standard names, as userinfo has them. */
  readonly claims: () => Claims
  /** Whether the token may have the claim: an exchanged one has none that the first one did not show. */
  readonly mayTell: (claim: string) => boolean
}

/** As operators see it. */
export type ListedRule = {
  readonly claim: string
  /** `shape:keycloak` */
  readonly from: string
  readonly in: readonly ClaimPlace[]
  readonly as: ClaimForm
}

export type ShapeRule = ListedRule & {
  /** Returns the value; undefined: it has none. `made`: the claims that the token has by then, those of operators' rules included. */
  readonly value: (facts: ShapeFacts, made: Claims) => unknown
  /** The scope that it needs; absent: none. */
  readonly scope?: string | undefined
  /** Whether it grows with the person, and is left out of an access token that would be too long. */
  readonly grows: boolean
}

type Shape = {
  /** By `id_token_claims`. */
  readonly rules: Readonly<Record<'scopes' | 'requested', readonly ShapeRule[]>>
  /** Claims of plain access tokens that the rules say again. Left out first where a token would be too long. */
  readonly repeated: readonly string[]
  /** How often its rules put into access tokens what a person has: factors of the bytes of each kind, as they are stored. */
  readonly again: { readonly roles: number; readonly claims: number; readonly names: number }
  /** Whether `typ` in the header of its access tokens is `JWT`. */
  readonly isTypedJwt: boolean
  /** Whether `scope` of its access tokens is one text. */
  readonly isScopeText: boolean
  /** Whether its applications read the payload of refresh tokens as that of a JWT. */
  readonly isRefreshTokenRead: boolean
}

type Written = Pick<ShapeRule, 'claim' | 'in' | 'value' | 'scope'> & { readonly as?: ClaimForm; readonly grows?: true }

const everywhere: readonly ClaimPlace[] = ['id_token', 'access_token', 'userinfo']
const inTokens: readonly ClaimPlace[] = ['id_token', 'access_token']

function shape(
  name: ClaimShape,
  write: (placement: 'scopes' | 'requested') => readonly Written[],
  more: Omit<Shape, 'rules'>,
): Shape {
  const rules = (placement: 'scopes' | 'requested'): readonly ShapeRule[] =>
    write(placement).map((rule) => ({ as: 'auto', grows: false, ...rule, from: `shape:${name}` }))
  return { rules: { scopes: rules('scopes'), requested: rules('requested') }, ...more }
}

/** Claims about the person by their scopes; in id tokens and userinfo also those that the request asked for one by one. */
const personal = (placement: 'scopes' | 'requested') =>
  (['preferred_username', 'name', 'given_name', 'family_name', 'email', 'email_verified'] as const).map(
    (claim): Written => ({
      claim,
      scope: scopeOfClaim(claim),
      in: everywhere,
      value({ place, scopes, person }, made) {
        const isPlaced = place !== 'id_token' || placement === 'scopes'
        const isOfScope = isPlaced && claimsOfScopes(scopes).includes(claim)
        const isRequested = place !== 'access_token' && made[claim] !== undefined
        if (person === null || !(isOfScope || isRequested) || !person.mayTell(claim)) return undefined
        // Applications of that system take it for the name that somebody signs in with.
        return claim === 'preferred_username' ? person.username : person.claims()[claim]
      },
    }),
  )

/** Returns the roles by the client that each belongs to; those of none under the empty name. */
function byClient({ roles, roleClients }: ShapedRoles): ReadonlyMap<string, readonly string[]> {
  return Map.groupBy(roles, (role) => {
    const part = clientPartOf(role)
    return part !== undefined && roleClients?.get(part) ? part : ''
  })
}

function resourceAccess(held: ShapedRoles): Claims | undefined {
  const ofClients = [...byClient(held)].filter(([client]) => client !== '')
  return ofClients.length === 0
    ? undefined
    : Object.fromEntries(
        ofClients.map(([id, roles]) => [id, { roles: roles.map((role) => role.slice(id.length + 1)) }]),
      )
}

const keycloak = shape(
  'keycloak',
  (placement) => {
    const places = placement === 'scopes' ? everywhere : everywhere.filter((place) => place !== 'id_token')
    return [
      {
        claim: 'realm_access.roles',
        in: places,
        as: 'list',
        grows: true,
        value: ({ held }) => byClient(held).get(''),
      },
      {
        claim: 'resource_access',
        in: places,
        grows: true,
        value: ({ held }) => resourceAccess(held),
      },
      ...personal(placement),
      { claim: 'scope', in: ['access_token'], as: 'joined', value: ({ scopes }) => scopes },
      { claim: 'typ', in: inTokens, value: ({ place }) => (place === 'id_token' ? 'ID' : 'Bearer') },
      { claim: 'azp', in: inTokens, value: ({ clientId }) => clientId },
      { claim: 'sid', in: inTokens, value: ({ sid }) => sid() },
      {
        claim: 'allowed-origins',
        in: ['access_token'],
        as: 'list',
        value: ({ origins }) => (origins.length === 0 ? undefined : origins),
      },
    ]
  },
  {
    repeated: ['role'],
    // `resource_access` has an object around the roles of each client.
    again: { roles: 2, claims: 1, names: 1 },
    isTypedJwt: true,
    isScopeText: true,
    isRefreshTokenRead: true,
  },
)

const identity = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/'

const aspnet = shape(
  'aspnet',
  () => [
    { claim: `${identity}nameidentifier`, in: everywhere, value: (_, { sub }) => sub },
    {
      claim: `${identity}name`,
      in: everywhere,
      value({ place, scopes, person }, { name }) {
        // The short name of access tokens is the user name, which needs no scope.
        const isFull = place !== 'access_token' || claimsOfScopes(scopes).includes('name')
        return name !== undefined && isFull ? person?.claims().name : name
      },
    },
    { claim: `${identity}emailaddress`, in: everywhere, value: (_, { email }) => email },
    {
      claim: 'http://schemas.microsoft.com/ws/2008/06/identity/claims/role',
      in: everywhere,
      grows: true,
      value: (_, { role }) => role,
    },
  ],
  {
    repeated: [],
    again: { roles: 1, claims: 1, names: 1 },
    isTypedJwt: false,
    isScopeText: false,
    isRefreshTokenRead: false,
  },
)

const plain = shape('plain', () => [], {
  repeated: [],
  again: { roles: 0, claims: 0, names: 0 },
  isTypedJwt: false,
  isScopeText: false,
  isRefreshTokenRead: false,
})

export const shapes: Readonly<Record<ClaimShape, Shape>> = { plain, keycloak, aspnet }

/** What of a client its shape follows from. */
export type Shaped = {
  readonly metadata: {
    readonly claim_shape: ClaimShape
    readonly id_token_claims: 'scopes' | 'requested'
    /** Absent: none. */
    readonly allowed_origins?: readonly string[]
  }
}

/** Returns the rules that the shape of a client stands for. */
export const shapeRules = ({ metadata }: Shaped): readonly ShapeRule[] =>
  shapes[metadata.claim_shape].rules[metadata.id_token_claims]

/** Returns them as operators see them. */
export const listedRules = (client: Shaped): readonly ListedRule[] =>
  shapeRules(client).map(({ claim, from, in: places, as }) => ({ claim, from, in: places, as }))

/** Returns them as what other rules of the client may not be together with. */
export const shapeToJudge = (client: Shaped): readonly OwnedRules[] => {
  const rules = listedRules(client)
  return rules.length === 0 ? [] : [{ owner: `shape ${client.metadata.claim_shape}`, rules, default: [] }]
}

/** What tokens would say about a person: the claims, made as they are for tokens that are issued, and what each comes from. */
import { isRefusal } from '../../refusal.ts'
import type { Client } from '../client/client.ts'
import type { Grant } from '../grant/grant.ts'
import { sidOf } from '../logout/logout-claims.ts'
import type { Refusal } from '../refusals/index.ts'
import { chooseResources } from '../scope/resource.ts'
import {
  checkScopes,
  parseScope,
  requestedScopesAtMost,
  resourcesOf,
  type Scope,
  withDefaultScopes,
} from '../scope/scope.ts'
import { describeAccessToken } from '../token/introspection.ts'
import { accessTokenClaims, idTokenClaims, type Subject } from './claims.ts'
import { toldTo } from './client-roles.ts'
import { issuedIntrospection, withRoles } from './introspected-claims.ts'
import { type IssuedRules, issuedAccessToken, issuedUserinfo, ruled, tokenRules, tooLong } from './issued-claims.ts'
import { audienceOf } from './role-audience.ts'
import type { OwnedRule, RuleTrace } from './ruled-claims.ts'

type SetBy = { readonly claim: string; readonly from: string } & OwnedRule['owner']
type LeftOut = { readonly claim: string; readonly why: string }

/** One kind of token. */
export type Previewed = {
  readonly claims: Readonly<Record<string, unknown>>
  readonly rules: readonly SetBy[]
  readonly left_out: readonly LeftOut[]
}

/** By the names of the interfaces. `id_token` and `userinfo` null: the scopes have no `openid`. */
export type Preview = {
  readonly id_token: Previewed | null
  readonly access_token: Previewed
  readonly userinfo: Previewed | null
  readonly introspection: Previewed
}

/** Stands for what is made when a token is issued. */
const unissued = 'preview'

/**
 * Returns the scopes and resources of the tokens. `scope` null: all that the client may request; `resource` null: all that the scopes
 * lead to. Refuses what a request of the client would be refused for.
 */
export function previewRequest(
  client: Client,
  scope: string | null,
  resource: string | null,
  registered: readonly Scope[],
  issuer: string,
): { readonly scopes: readonly string[]; readonly resources: readonly string[] } | Refusal {
  const sent = scope === null ? ['openid', ...client.scopes] : parseScope(scope, requestedScopesAtMost)
  const scopes = withDefaultScopes(sent, client, registered)
  const fault = checkScopes(scopes, client, registered)
  if (fault !== undefined) return fault
  const all = resourcesOf(scopes, registered, issuer)
  const resources = chooseResources(resource === null ? [] : [resource], all, issuer, client.id)
  return isRefusal(resources) ? resources : { scopes, resources }
}

/** Returns the grant of tokens that are not issued. `stands`: for what is made when one is. */
export function unissuedGrant(
  client: Pick<Client, 'id'>,
  userId: string,
  scopes: readonly string[],
  resources: readonly string[],
  nowMs: number,
  stands: string,
): Grant {
  return {
    id: stands,
    clientId: client.id,
    userId,
    authorizationId: null,
    scopes,
    resources,
    authenticatedAtMs: nowMs,
    methods: ['pwd'],
    sessionId: stands,
    nonce: null,
    claims: null,
    confirmation: null,
    createdAtMs: nowMs,
    revokedAtMs: null,
    expiresAtMs: nowMs,
    refresh: null,
  }
}

export function previewTokens(input: {
  readonly issuer: string
  readonly client: Client
  readonly subject: Subject
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
  /** Of access tokens. */
  readonly algorithm: string
  readonly accessTokenSeconds: number
  readonly identityTokenSeconds: number
  readonly nowMs: number
}): Preview {
  const { client, subject, scopes, resources, issuer, nowMs } = input
  const nowSeconds = Math.floor(nowMs / 1000)
  const grant = unissuedGrant(client, subject.id, scopes, resources, nowMs, unissued)
  const common = { issuer, grant, scopes, subject, nowSeconds }
  const audience = audienceOf(resources, issuer, subject, client, scopes)
  const rules = tokenRules(client, scopes, audience, subject, null, grant)
  const isOpaque = client.metadata.access_token_format === 'opaque'
  const lifetimeSeconds = input.accessTokenSeconds
  const toClient = { ...common, subject: toldTo(subject, client, null) }
  const toResources = { ...common, subject: toldTo(subject, client, audience) }
  const accessToken = { ...toResources, audience, confirmation: null, jti: unissued, lifetimeSeconds }
  const introspected = (): Readonly<Record<string, unknown>> =>
    withRoles(
      describeAccessToken(
        {
          subject: subject.id,
          clientId: client.id,
          grantId: grant.id,
          jti: unissued,
          issuedAtMs: nowMs,
          expiresAtMs: nowMs + lifetimeSeconds * 1000,
          authenticatedAtMs: nowMs,
          scopes,
          audience,
          confirmation: null,
          actor: null,
        },
        client,
        { username: subject.name, parties: { grant } },
        issuer,
      ),
      subject,
      client,
      scopes,
      audience,
    )
  const idToken = () =>
    idTokenClaims({
      ...toClient,
      placement: client.metadata.id_token_claims,
      sid: sidOf(client, grant),
      accessTokenHash: unissued,
      lifetimeSeconds: input.identityTokenSeconds,
    })
  const hasOpenId = scopes.includes('openid')
  return {
    id_token: hasOpenId ? previewed(rules, ({ trace }) => ruled('id_token', idToken(), rules, trace)) : null,
    // An opaque one says nothing by itself.
    access_token: isOpaque
      ? { claims: {}, rules: [], left_out: [] }
      : previewed(rules, (issued) =>
          issuedAccessToken(accessTokenClaims(accessToken), client, input.algorithm, issued),
        ),
    userinfo: hasOpenId ? previewed(rules, (issued) => issuedUserinfo(toClient.subject, scopes, [], issued)) : null,
    introspection: previewed(rules, (issued) => issuedIntrospection(introspected(), isOpaque, issued)),
  }
}

function previewed(rules: IssuedRules['rules'], make: (issued: IssuedRules) => Previewed['claims']): Previewed {
  const [set, left]: [SetBy[], LeftOut[]] = [[], []]
  const trace = ({ claim, from, owner, why }: RuleTrace): void => {
    if (why === undefined) set.push({ claim, from, ...owner })
    else left.push({ claim, why })
  }
  const claims = make({ rules, trace, leftOut: ({ rule: { claim } }) => left.push({ claim, why: tooLong }) })
  const isThere = ([, value]: [string, unknown]) => value !== undefined
  return { claims: Object.fromEntries(Object.entries(claims).filter(isThere)), rules: set, left_out: left }
}

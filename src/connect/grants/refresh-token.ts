import type { AuditDetails } from '../../audit/entry.ts'
import type { RequestingClient } from '../../protocol/client/client.ts'
import type { Grant } from '../../protocol/grant/grant.ts'
import {
  decideRefresh,
  givesRefreshTokens,
  lateRepeatSince,
  type RefreshExchange,
  type RefreshRequest,
  withMeasured,
} from '../../protocol/grant/refresh-token.ts'
import { refuse } from '../../protocol/refusals/index.ts'
import { chooseResources, maxResources, sampleResource } from '../../protocol/scope/resource.ts'
import { readScopes, resourcesOf, standingScopes } from '../../protocol/scope/scope.ts'
import { isRefusal } from '../../refusal.ts'
import type { Service } from '../../service.ts'
import type { ExchangeFacts } from '../../storage/port/grants.ts'
import { kindOf } from '../../tokens/kind.ts'
import { accessTokenSeconds, chainRules } from '../../tokens/lifetimes.ts'
import {
  type PresentedRefreshToken,
  readRefreshToken,
  recogniseGeneration,
  underActiveSecret,
} from '../../tokens/refresh.ts'
import type { GrantHandler } from './grant-handler.ts'
import { answerWith, describeIssue, mintWhile, revokeStolen, subjectOfTokens, toParties } from './issue.ts'

/** `presented`: the parsed token; undefined: malformed. */
type PresentedRefresh = RefreshRequest & { readonly presented: PresentedRefreshToken | undefined }

/** The refresh of an access token (RFC 6749 §6, RFC 9700 §4.14.2). */
export const refreshToken: GrantHandler<PresentedRefresh, ExchangeFacts> = {
  refuseWithoutClient: () => refuse('client_id_missing'),

  parse(reader) {
    const token = reader.mandatory('refresh_token') ?? ''
    const scopes = readScopes(reader)
    // RFC 6749 §3.3: a scope has at least one token; blanks alone count as absent.
    const resources = reader.repeatable('resource', maxResources)
    const presented = readRefreshToken(token)
    return { refreshToken: token, presented, scopes: scopes.length === 0 ? null : scopes, resources }
  },

  gather: ({ service, clientId }, { presented }) =>
    service.storage.grants.findForRefresh(presented?.grantId ?? '', clientId),

  async exchange(context, request, found, client) {
    const { service, http, confirmation, presentedAtMs } = context
    const { storage, keys, settings } = service
    const narrowed = mayNoLonger(found.grant, client) ? narrow(service, found, client) : found
    const facts = narrowed instanceof Promise ? await narrowed : narrowed
    const { presented } = request
    const { grant: known, session } = facts
    if (known?.clientId === client.id && !service.sessions.permits(client.id, session)) {
      const rule = 'the session in which it was granted has ended'
      return refuse('refresh_token_invalid', 'refresh_token', { client: client.id, rule })
    }
    const generation = presented === undefined ? undefined : recogniseGeneration(presented, facts.grant, keys)
    const beyond = request.scopes?.filter((scope) => !facts.grant?.scopes.includes(scope)) ?? []
    const registered = beyond.length === 0 ? [] : await storage.scopes.findMany(beyond)
    const nowMs = service.clock()
    const leewayMs = settings.oauth.refreshTokenReuseLeewaySeconds * 1000
    const { rotations } = service.uptime
    const decidedAtMs = rotations.now()
    const agoMs = generation === undefined ? undefined : rotations.agoMs(facts.grant?.id ?? '', generation)
    const refresh = withMeasured(facts.grant?.refresh, generation, agoMs, nowMs)
    const lateSinceMs = lateRepeatSince(refresh, generation, leewayMs, presentedAtMs)
    const uptimes = lateSinceMs === undefined ? undefined : await service.uptime.since(lateSinceMs)

    // decide
    const rules = { ...chainRules(client, settings), leewayMs, presentedAtMs, ...(uptimes && { uptimes }) }
    const grantAsMeasured = facts.grant && refresh ? { ...facts.grant, refresh } : facts.grant
    const parties = toParties(service, { ...facts, grant: grantAsMeasured }, facts.grant)
    const decided = decideRefresh(request, generation, client, confirmation, parties, registered, rules, nowMs)
    if (isRefusal(decided)) {
      const isMalformed = decided.reason === 'refresh_token_invalid' && presented === undefined
      return isMalformed && (await kindOf(request.refreshToken, keys, settings.oauth.issuer)) !== undefined
        ? refuse('refresh_token_of_another_kind', 'refresh_token', { client: client.id })
        : decided
    }
    if (decided.outcome === 'stolen') {
      await revokeStolen(service, http, 'refresh_token_replayed', decided.grantId, facts.grant)
      return decided.refusal
    }

    const { grant } = decided
    if (!givesRefreshTokens(grant.scopes, client)) {
      const rule =
        'no scope of its grant gives the client refresh tokens any more (offline_access, or refresh_token_scope)'
      return refuse('refresh_token_invalid', 'refresh_token', { client: client.id, rule })
    }
    const resources = chooseResources(request.resources, grant.resources, settings.oauth.issuer, client.id)
    if (isRefusal(resources)) return resources

    const described = subjectOfTokens(service, client, facts)
    const subject = described instanceof Promise ? await described : described

    // commit; tokens are signed meanwhile
    const scopes = request.scopes ?? grant.scopes
    const issue = describeIssue(service, http, grant, scopes, 'refresh_token', noteworthy(decided))
    // The chain stays as it is.
    const issueAlone = () =>
      mintWhile(
        context,
        (underWay, spends) => storage.accessTokens.issue([issue.event], underWay, spends),
        () => answerWith(context, client, { ...grant, resources }, scopes, subject, issue.jti),
      )
    if (decided.outcome === 'repeat') {
      service.metrics.refreshRepeat()
      return issueAlone()
    }
    const isKept = decided.outcome === 'keep'
    const next = isKept ? decided.next : underActiveSecret(decided.next, keys)
    // Kept for as long as the new access token can be checked.
    const accessEndsAtMs = service.clock() + accessTokenSeconds(client, settings) * 1000
    const expiresAtMs = Math.max(grant.expiresAtMs, next.expiresAtMs, accessEndsAtMs)
    if (isKept && next === grant.refresh && expiresAtMs === grant.expiresAtMs) return issueAlone()
    const from = { generation: decided.from, expiresAtMs: grant.refresh?.expiresAtMs ?? 0 }
    const answer = await mintWhile(
      context,
      (underWay, spends) => storage.grants.rotate(grant.id, from, next, expiresAtMs, [issue.event], underWay, spends),
      () => answerWith(context, client, { ...grant, resources, refresh: next }, scopes, subject, issue.jti),
    )
    if (answer !== false) {
      if (!isKept && generation !== undefined) rotations.note(grant.id, generation, leewayMs, decidedAtMs)
      return answer
    }

    // Another request rotated, revoked or ended the chain meanwhile. Deciding again makes this one a retry within the leeway
    // or a refusal.
    const rule = 'other requests moved its chain on, five times while this one waited'
    return { overtaken: refuse('refresh_token_invalid', 'refresh_token', { client: client.id, rule }) }
  },
}

/** Returns the facts with what the client may still have of the grant: scopes, and audiences that they lead to. */
async function narrow({ storage, settings }: Service, facts: ExchangeFacts, client: RequestingClient) {
  if (facts.grant === undefined) return facts
  const scopes = standingScopes(facts.grant.scopes, client)
  const { issuer } = settings.oauth
  const permitted = [...resourcesOf(scopes, await storage.scopes.findMany(scopes), issuer), sampleResource(issuer)]
  const resources = facts.grant.resources.filter((resource) => permitted.includes(resource))
  return { ...facts, grant: { ...facts.grant, scopes, resources } }
}

function mayNoLonger(grant: Grant | undefined, client: RequestingClient): boolean {
  return grant !== undefined && standingScopes(grant.scopes, client).length < grant.scopes.length
}

/** Returns audit details of an unusual exchange. */
function noteworthy(exchange: Extract<RefreshExchange, { readonly grant: Grant }>): AuditDetails {
  if (exchange.outcome === 'repeat') return { repeat: true }
  if (exchange.outcome === 'keep') return {}
  const skipped = exchange.next.generation - exchange.from - 1
  return skipped === 0 ? {} : { skipped }
}

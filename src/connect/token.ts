/**
 * `/connect/token`: the token endpoint (RFC 6749 §3.2). Both grants are four steps: gather, decide, commit, answer. The
 * answer is signed while the commit is under way, and leaves when it is durable.
 */

import type { AuditDetails } from '../audit/entry.ts'
import { json } from '../http/answer.ts'
import { auditEvent } from '../http/audit.ts'
import { readForm } from '../http/parameters.ts'
import type { Endpoint, Request } from '../http/request.ts'
import { decideCodeExchange, type ExchangeParties } from '../protocol/authorization-code.ts'
import type { Grant } from '../protocol/grant.ts'
import { decideRefresh, lateRepeatSince, type RefreshExchange } from '../protocol/refresh-token.ts'
import { isRefusal, type Refusal, refuse } from '../protocol/refusals.ts'
import {
  authenticateClient,
  type CodeExchangeRequest,
  parseTokenRequest,
  type RefreshRequest,
} from '../protocol/token-request.ts'
import { clientSecretMatches, uuidv7 } from '../secrets/opaque.ts'
import type { Service } from '../service.ts'
import { type ExchangeFacts, StorageUnavailable, type UnderWay } from '../storage/port/port.ts'
import { openCode } from '../tokens/code.ts'
import { chainRules, newGrant } from '../tokens/grant.ts'
import { mintTokens, type TokenResponse } from '../tokens/mint.ts'
import { readRefreshToken, recogniseGeneration, refreshTokenOf, underActiveSecret } from '../tokens/refresh.ts'
import { whyBarred } from '../users/sign-in.ts'
import type { User } from '../users/user.ts'

export function token(service: Service): Endpoint {
  return async (request) => {
    const form = readForm(request)
    if (isRefusal(form)) return service.answers.refuseAsJson(request, form)
    const parsed = parseTokenRequest(form, request.headers.authorization)
    if (isRefusal(parsed)) return service.answers.refuseAsJson(request, parsed)
    try {
      const answer =
        parsed.grantType === 'authorization_code'
          ? await redeemCode(service, parsed, request)
          : await refresh(service, parsed, request)
      if (isRefusal(answer)) return service.answers.refuseAsJson(request, answer)
      service.uptime.answered()
      return json(answer)
    } catch (error) {
      if (error instanceof StorageUnavailable) service.uptime.lost()
      throw error
    }
  }
}

/** RFC 6749 §4.1.3. */
async function redeemCode(
  service: Service,
  request: CodeExchangeRequest,
  http: Request,
): Promise<TokenResponse | Refusal> {
  // gather
  const { storage, keys } = service
  const content = openCode(request.code, keys)
  const facts = await storage.grants.findForExchange({
    grantId: content?.grantId ?? '',
    clientId: request.credentials.clientId,
    userId: content?.userId ?? '',
    authorizationId: content?.authorizationId ?? null,
  })
  const client = authenticateClient(request.credentials, facts.client, clientSecretMatches, service.clock())
  if (isRefusal(client)) return client

  // decide
  const exchange = decideCodeExchange(request, content, client, toParties(service, facts, content), service.clock())
  if (exchange.outcome === 'refused') return exchange.refusal
  if (exchange.outcome === 'replayed') {
    await revokeStolen(service, http, 'code_replayed', exchange.grantId, facts.grant)
    return exchange.refusal
  }

  // commit: the insert under the code's id decides who redeemed it; the answer is made meanwhile
  const grant = newGrant(exchange.content, service, service.clock())
  const issue = describeIssue(service, http, grant, grant.scopes, 'authorization_code')
  const answer = await mintWhile(
    (underWay) => storage.grants.redeem(grant, [issue.event], underWay),
    () => answerWith(service, grant, grant.scopes, facts.user, issue.jti),
  )
  if (answer !== undefined) return answer

  // RFC 6749 §4.1.2: the code was used more than once, so what it gave ends.
  await revokeStolen(service, http, 'code_replayed', grant.id, grant)
  const rule = 'another request with the same code came at the same moment'
  return refuse('code_redeemed', 'code', { client: client.id, rule })
}

/** RFC 6749 §6, RFC 9700 §4.14.2. */
async function refresh(
  service: Service,
  request: RefreshRequest,
  http: Request,
  attempt = 1,
): Promise<TokenResponse | Refusal> {
  // gather
  const { storage, keys, settings } = service
  const presented = readRefreshToken(request.refreshToken)
  const facts = await storage.grants.findForRefresh(presented?.grantId ?? '', request.credentials.clientId)
  const client = authenticateClient(request.credentials, facts.client, clientSecretMatches, service.clock())
  if (isRefusal(client)) return client
  const generation = presented === undefined ? undefined : recogniseGeneration(presented, facts.grant, keys)
  const beyond = request.scopes?.filter((scope) => !facts.grant?.scopes.includes(scope)) ?? []
  const registered = beyond.length === 0 ? [] : await storage.scopes.findMany(beyond)
  const nowMs = service.clock()
  const leewayMs = settings.oauth.refreshTokenReuseLeewaySeconds * 1000
  const lateSinceMs = lateRepeatSince(facts.grant?.refresh, generation, leewayMs, nowMs)
  const uptimes = lateSinceMs === undefined ? undefined : await service.uptime.since(lateSinceMs)

  // decide
  const rules = { ...chainRules(settings), leewayMs, ...(uptimes && { uptimes }) }
  const parties = toParties(service, facts, facts.grant)
  const exchange = decideRefresh(request, generation, client, parties, registered, rules, nowMs)
  if (exchange.outcome === 'refused') return exchange.refusal
  if (exchange.outcome === 'stolen') {
    await revokeStolen(service, http, 'refresh_token_replayed', exchange.grantId, facts.grant)
    return exchange.refusal
  }

  // commit; the answer is made meanwhile
  const { grant } = exchange
  const scopes = request.scopes ?? grant.scopes
  const issue = describeIssue(service, http, grant, scopes, 'refresh_token', noteworthy(exchange))
  if (exchange.outcome === 'repeat') {
    service.metrics.refreshRepeat()
    await storage.audit.append([issue.event])
    return answerWith(service, grant, scopes, facts.user, issue.jti)
  }
  const next = underActiveSecret(exchange.next, keys)
  // Kept as long as the new access token can be asked about, too.
  const accessEndsAtMs = service.clock() + settings.oauth.accessTokenSeconds * 1000
  const expiresAtMs = Math.max(grant.expiresAtMs, next.expiresAtMs, accessEndsAtMs)
  const answer = await mintWhile(
    (underWay) => storage.grants.rotate(grant.id, exchange.from, next, expiresAtMs, [issue.event], underWay),
    () => answerWith(service, { ...grant, refresh: next }, scopes, facts.user, issue.jti),
  )
  if (answer !== undefined) return answer

  // Another request rotated or revoked the chain meanwhile. Decided anew, this one is a retry inside the leeway or
  // a refusal. Each loss means that somebody else moved the chain, so a few rounds are enough for honest clients.
  if (attempt < 5) return refresh(service, request, http, attempt + 1)
  const rule = 'other requests moved its chain on, five times while this one waited'
  return refuse('refresh_token_invalid', 'refresh_token', { client: client.id, rule })
}

/**
 * Commits, and mints while the disk is waited for. The tokens when the commit is durable; undefined when it was not made,
 * and what was minted for it is forgotten.
 */
async function mintWhile(
  commit: (underWay: UnderWay) => Promise<boolean>,
  mint: () => Promise<TokenResponse>,
): Promise<TokenResponse | undefined> {
  let minting: Promise<TokenResponse> | undefined
  const isCommitted = await commit(() => {
    minting = mint()
    // Whether it fails matters to nobody before the commit has succeeded.
    minting.catch(() => {})
  })
  return isCommitted ? (minting ?? mint()) : undefined
}

/** The access token that will be issued, by its id, and what the audit trail is to say of it. */
function describeIssue(
  { clock, random }: Service,
  http: Request,
  grant: Grant,
  scopes: readonly string[],
  type: 'authorization_code' | 'refresh_token',
  more: AuditDetails = {},
) {
  const nowMs = clock()
  const jti = uuidv7(nowMs, random)
  const details = { type, grant: grant.id, jti, scopes, ...more }
  return { jti, event: auditEvent(http, nowMs, 'tokens_issued', grant, details) }
}

/** What the audit trail says of an exchange that is not the usual one. */
function noteworthy(exchange: Extract<RefreshExchange, { readonly grant: Grant }>): AuditDetails {
  if (exchange.outcome === 'repeat') return { repeat: true }
  const skipped = exchange.next.generation - exchange.from - 1
  return skipped === 0 ? {} : { skipped }
}

/** Ends the grant: what came twice is in the hands of two. */
function revokeStolen(
  { storage, clock }: Service,
  http: Request,
  kind: 'code_replayed' | 'refresh_token_replayed',
  grantId: string,
  grant: Grant | undefined,
): Promise<void> {
  const nowMs = clock()
  return storage.grants.revoke(grantId, nowMs, [auditEvent(http, nowMs, kind, grant ?? {}, { grant: grantId })])
}

/** `origin`: the code or the grant, which knows when its person signed in. */
function toParties(
  service: Service,
  facts: ExchangeFacts,
  origin: { readonly authenticatedAtMs: number } | undefined,
): ExchangeParties {
  const { user, grant, authorizationStands } = facts
  if (user === undefined) return { user, grant, authorizationStands }
  const { grantsEndedAtMs } = user
  const maySignIn = service.sessions.maySignIn(user, origin?.authenticatedAtMs ?? 0)
  const bar = maySignIn ? undefined : whyBarred(user, service.clock())
  return { user: { maySignIn, bar, grantsEndedAtMs }, grant, authorizationStands }
}

async function answerWith(
  service: Service,
  grant: Grant,
  scopes: readonly string[],
  user: User | undefined,
  jti: string,
): Promise<TokenResponse> {
  if (user === undefined) throw new Error('tokens were granted without a user')
  return mintTokens(service, {
    grant,
    scopes,
    // Read again at every exchange: a role that was added yesterday is in today's token.
    subject: { id: user.id, name: user.name, email: user.email, emailVerified: user.emailConfirmed, roles: user.roles },
    refreshToken: refreshTokenOf(grant, service.keys),
    jti,
    nowMs: service.clock(),
  })
}

/**
 * Rotation of refresh tokens (RFC 6749 §6, RFC 9700 §4.14.2). One token of a chain is current at any time. A replaced
 * one presented again counts as theft, except within the leeway, so that a client that lost an answer stays signed in.
 */

import type { Proven } from '../../proof.ts'
import type { RequestingClient } from '../client/client.ts'
import type { AuthenticatedClient } from '../client-authentication/index.ts'
import { type Refusal, refuse } from '../refusals/index.ts'
import { secondsSince } from '../refusals/refusal-detail.ts'
import { checkScopes, type Scope } from '../scope/scope.ts'
import { type Confirmation, isSameConfirmation } from '../token/confirmation.ts'
import { checkParties, type ExchangeParties } from './authorization-code.ts'
import type { Grant, RefreshChain } from './grant.ts'
import { dependsOnOutages, isInsideLeeway, type LeewayRules } from './leeway.ts'

/** Number of replacement times that are kept. An honest client does not rotate more often within the leeway. */
const rememberedRotations = 8

/** The parameters of a refresh (RFC 6749 §6). */
export type RefreshRequest = {
  readonly refreshToken: string
  /** null: all that were granted. */
  readonly scopes: readonly string[] | null
  /** Values of `resource` (RFC 8707); empty: all that were granted. */
  readonly resources: readonly string[]
}

/** The generation of a presented token whose secret belongs to the chain. */
export type RecognisedGeneration = Proven<number, 'recognised'>

/** Lifetimes of a chain. */
export type ChainRules = {
  /** Lifetime of each token; restarts at each rotation. */
  readonly lifetimeMs: number
  /** Lifetime of the whole chain, from the grant; 0 or absent: unlimited. */
  readonly maxMs?: number
  /** False: the token stays the same, and its lifetime is extended once less than half of it remains. */
  readonly rotates?: boolean
}

/** Whether these granted scopes give the client refresh tokens (OpenID Connect Core §11): `offline_access` always does. */
export function givesRefreshTokens(
  scopes: readonly string[],
  { metadata }: Pick<RequestingClient, 'metadata'>,
): boolean {
  return scopes.includes('offline_access') || scopes.includes(metadata.refresh_token_scope)
}

/** Returns scopes as people are told of them: with `offline_access` where it is another one that gives refresh tokens. */
export function scopesAsTold(
  scopes: readonly string[],
  client: Pick<RequestingClient, 'metadata' | 'grantTypes'>,
): readonly string[] {
  const lasts = givesRefreshTokens(scopes, client) && client.grantTypes.includes('refresh_token')
  return lasts && !scopes.includes('offline_access') ? [...scopes, 'offline_access'] : scopes
}

/** Returns the expiry of a token issued now in a chain of this grant. */
export function tokenExpiryMs(grant: Pick<Grant, 'createdAtMs'>, rules: ChainRules, nowMs: number): number {
  return Math.min(nowMs + rules.lifetimeMs, chainEndMs(grant, rules))
}

/** Returns when the whole chain of this grant ends; infinite: never. */
export function chainEndMs({ createdAtMs }: Pick<Grant, 'createdAtMs'>, { maxMs = 0 }: ChainRules): number {
  return maxMs === 0 ? Number.POSITIVE_INFINITY : createdAtMs + maxMs
}

export type RefreshExchange =
  /** Rotates the chain from the stored generation `from` to `next` and answers with its token. */
  | { readonly outcome: 'rotate'; readonly grant: Grant; readonly from: number; readonly next: RefreshChain }
  /** Answers with the same token. `next` differs from the stored chain if its end must move on. */
  | { readonly outcome: 'keep'; readonly grant: Grant; readonly from: number; readonly next: RefreshChain }
  /** A retry within the leeway: answers with the current token again and writes nothing. */
  | { readonly outcome: 'repeat'; readonly grant: Grant; readonly generation: number }
  /** Revokes the grant: a replaced token presented again outside the leeway has leaked. */
  | { readonly outcome: 'stolen'; readonly grantId: string; readonly refusal: Refusal }
  | Refusal

/**
 * Decides a refresh. `generation`: that of the presented token; undefined: its secret does not belong to this chain.
 * `confirmation`: the key whose possession the request proves; null: none.
 */
export function decideRefresh(
  request: RefreshRequest,
  generation: RecognisedGeneration | undefined,
  client: AuthenticatedClient,
  confirmation: Confirmation | null,
  parties: ExchangeParties,
  registeredScopes: readonly Scope[],
  rules: ChainRules & LeewayRules,
  nowMs: number,
): RefreshExchange {
  const { grant } = parties
  const invalid = (rule: string) => refuse('refresh_token_invalid', 'refresh_token', { client: client.id, rule })
  if (grant === undefined) return invalid('no grant of this service belongs to it')
  if (grant.refresh === null) return invalid('its grant has no refresh tokens')
  if (generation === undefined) return invalid('its grant exists, but never had a token with this secret')
  const chain = grant.refresh
  // RFC 6749 §6: the token is bound to the client it was issued to.
  if (grant.clientId !== client.id) {
    return refuse('refresh_token_foreign', 'refresh_token', { client: client.id, issuedTo: grant.clientId })
  }
  // Precedes the check for theft: without the key the token is useless, and its owner keeps the chain.
  if (grant.confirmation !== null && !isSameConfirmation(grant.confirmation, confirmation)) {
    const isByCertificate = 'x5t#S256' in grant.confirmation
    const reason = confirmation === null && !isByCertificate ? 'dpop_proof_missing' : 'refresh_token_key_mismatch'
    return refuse(reason, 'refresh_token', {
      client: client.id,
      boundTo: isByCertificate ? 'a certificate' : 'a DPoP key',
    })
  }
  if (isFromBeforePublic(grant, client)) {
    return invalid('it was issued while the client authenticated, and is bound to no key; the client is public now')
  }
  if (grant.revokedAtMs !== null) {
    const revokedSecondsAgo = secondsSince(grant.revokedAtMs, nowMs)
    const detail = { client: client.id, rule: 'its chain was revoked', revokedSecondsAgo }
    return refuse('refresh_token_expired', 'refresh_token', detail)
  }
  const repeated = generation < chain.generation
  if (repeated && !mayRepeat(chain, generation, rules, nowMs)) {
    const refusal = refuse('refresh_token_reused', 'refresh_token', {
      client: client.id,
      ...replacedAgo(chain, generation, nowMs),
      leewaySeconds: rules.leewayMs / 1000,
      rotationsSince: chain.generation - generation,
    })
    return { outcome: 'stolen', grantId: grant.id, refusal }
  }
  const endMs = chainEndMs(grant, rules)
  const expiresAtMs = Math.min(chain.expiresAtMs, endMs)
  if (nowMs >= expiresAtMs) {
    const limit =
      expiresAtMs === endMs
        ? { rule: 'its chain reached OAuth:RefreshChainMaxLifetime', maxLifetimeSeconds: (rules.maxMs ?? 0) / 1000 }
        : { lifetimeSeconds: rules.lifetimeMs / 1000 }
    const detail = { client: client.id, expiredSecondsAgo: secondsSince(expiresAtMs, nowMs), ...limit }
    return refuse('refresh_token_expired', 'refresh_token', detail)
  }
  const fault = checkParties(parties, grant.createdAtMs) ?? checkNarrowing(request, grant, client, registeredScopes)
  if (fault !== undefined) return fault
  if (repeated) return { outcome: 'repeat', grant, generation: chain.generation }
  if (rules.rotates === false && generation === chain.generation) {
    return { outcome: 'keep', grant, from: generation, next: extended(chain, grant, rules, nowMs) }
  }
  // A token of a later generation than the stored one can only come from this service before a backup was restored or a
  // lagging replica was promoted. The chain continues from there, and the generations in between count as replaced now.
  const replaced = new Array<number>(Math.min(generation - chain.generation + 1, rememberedRotations)).fill(nowMs)
  const next: RefreshChain = {
    ...chain,
    generation: generation + 1,
    expiresAtMs: tokenExpiryMs(grant, rules, nowMs),
    rotatedAtMs: replaced.concat(chain.rotatedAtMs).slice(0, rememberedRotations),
  }
  return { outcome: 'rotate', grant, from: chain.generation, next }
}

/**
 * RFC 9700 §2.2.2: the token relied on the client's authentication. Whoever copied it then could use it now, also a public
 * client's own chain that does not rotate.
 */
function isFromBeforePublic({ confirmation, createdAtMs }: Grant, { metadata }: RequestingClient): boolean {
  return confirmation === null && metadata.public_since !== null && createdAtMs < metadata.public_since * 1000
}

function extended(chain: RefreshChain, grant: Grant, rules: ChainRules, nowMs: number): RefreshChain {
  const expiresAtMs = tokenExpiryMs(grant, rules, nowMs)
  const isDue = (chain.expiresAtMs - nowMs) * 2 < rules.lifetimeMs && expiresAtMs > chain.expiresAtMs
  return isDue ? { ...chain, expiresAtMs } : chain
}

/**
 * Returns when the token of this generation was replaced, if its acceptance depends on outages; otherwise undefined,
 * and the uptimes need not be read.
 */
export function lateRepeatSince(
  chain: RefreshChain | null | undefined,
  generation: number | undefined,
  leewayMs: number,
  nowMs: number,
): number | undefined {
  if (!chain || generation === undefined || generation >= chain.generation) return undefined
  const atMs = replacedAtMs(chain, generation)
  return atMs !== undefined && dependsOnOutages(atMs, leewayMs, nowMs) ? atMs : undefined
}

/**
 * Returns the chain with the time of a replacement that was measured by a clock that does not jump. `agoMs` undefined: it was
 * not, and the stored time counts.
 */
export function withMeasured<Chain extends RefreshChain | null | undefined>(
  chain: Chain,
  generation: number | undefined,
  agoMs: number | undefined,
  nowMs: number,
): Chain {
  if (!chain || generation === undefined || agoMs === undefined) return chain
  const at = chain.generation - generation - 1
  if (chain.rotatedAtMs[at] === undefined) return chain
  return { ...chain, rotatedAtMs: chain.rotatedAtMs.with(at, Math.round(nowMs - agoMs)) }
}

/** `rotatedAtMs[0]` is when the generation before the current one was replaced, and so on backwards. */
function replacedAtMs(chain: RefreshChain, generation: number): number | undefined {
  return chain.rotatedAtMs[chain.generation - generation - 1]
}

function mayRepeat(chain: RefreshChain, generation: number, rules: LeewayRules, nowMs: number): boolean {
  const atMs = replacedAtMs(chain, generation)
  return atMs !== undefined && isInsideLeeway(atMs, rules, nowMs)
}

function replacedAgo(chain: RefreshChain, generation: number, nowMs: number) {
  const atMs = replacedAtMs(chain, generation)
  return atMs === undefined
    ? { replaced: 'longer ago than is remembered' }
    : { replacedSecondsAgo: secondsSince(atMs, nowMs) }
}

/** RFC 6749 §6: the requested scope may be narrower than the grant, never wider. */
function checkNarrowing(
  request: RefreshRequest,
  grant: Grant,
  client: RequestingClient,
  registeredScopes: readonly Scope[],
): Refusal | undefined {
  if (request.scopes === null) return undefined
  if (request.scopes.every((scope) => grant.scopes.includes(scope))) return undefined
  // A scope that can never be granted gets the more specific error.
  const fault = checkScopes(request.scopes, client, registeredScopes)
  return (
    fault ??
    refuse('refresh_scope_exceeds', 'scope', { client: client.id, requested: request.scopes, granted: grant.scopes })
  )
}

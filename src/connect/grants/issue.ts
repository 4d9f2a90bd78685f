/** What grant types share: signing during the commit, audit entries, and revocation after a replay. */
import type { AuditDetails } from '../../audit/entry.ts'
import { auditEvent } from '../../audit/request-events.ts'
import type { Request } from '../../http/request.ts'
import type { Subject } from '../../protocol/claims/claims.ts'
import { shapes } from '../../protocol/claims/shapes.ts'
import type { RequestingClient } from '../../protocol/client/client.ts'
import type { ExchangeParties } from '../../protocol/grant/authorization-code.ts'
import type { Grant } from '../../protocol/grant/grant.ts'
import type { GrantType } from '../../protocol/grant/grant-types.ts'
import type { Refusal } from '../../protocol/refusals/index.ts'
import { uuidv7 } from '../../secrets/opaque.ts'
import type { Service } from '../../service.ts'
import type { ExchangeFacts, ExchangeUser, IssueOutcome, UnderWay } from '../../storage/port/grants.ts'
import { type MintedTokens, mintTokens, type TokenResponse } from '../../tokens/mint.ts'
import { refreshTokenOf } from '../../tokens/refresh.ts'
import { namedFor } from '../../tokens/subject.ts'
import { barReason, type Eligible } from '../../users/eligibility.ts'
import { subjectNow } from '../effective-subject.ts'
import { refuseUsed, type Spend } from '../single-use.ts'
import type { GrantContext } from './grant-handler.ts'

/**
 * Commits, and signs tokens while the disk is busy. Returns the tokens when the commit is durable. Otherwise the tokens
 * are discarded: a value of the request was used before, or (false) the grant was.
 */
export function mintWhile<Outcome extends IssueOutcome>(
  { spends }: Pick<GrantContext, 'spends'>,
  commit: (underWay: UnderWay, spends: readonly Spend[]) => Promise<Outcome>,
  mint: () => MintedTokens,
): Promise<TokenResponse | Refusal | Extract<Outcome, false>> {
  let minted: MintedTokens | undefined
  const underWay = () => {
    minted = start(mint)
  }
  return commit(underWay, spends).then((outcome) => {
    if (typeof outcome === 'object') return refuseUsed(spends, outcome)
    return outcome ? (minted ?? mint()) : (outcome as Extract<Outcome, false>)
  })
}

/** A failure to sign matters only after the commit has succeeded: it is kept in the promise. */
function start(mint: () => MintedTokens): MintedTokens {
  try {
    const minted = mint()
    if (minted instanceof Promise) minted.catch(() => {})
    return minted
  } catch (error) {
    const failed = Promise.reject(error)
    failed.catch(() => {})
    return failed
  }
}

/** Returns the id of the access token to issue, and its audit event. */
export function describeIssue(
  { clock, random }: Service,
  http: Request,
  grant: Grant,
  scopes: readonly string[],
  type: GrantType,
  more: AuditDetails = {},
) {
  const nowMs = clock()
  const jti = uuidv7(nowMs, random)
  const details = { type, grant: grant.id, jti, scopes, ...more }
  return { jti, event: auditEvent(http, nowMs, 'tokens_issued', grant, details) }
}

/** Revokes the grant: a code or token presented twice has leaked (RFC 6749 §4.1.2, RFC 9700 §4.14.2). */
export function revokeStolen(
  { storage, clock }: Service,
  http: Request,
  kind: 'code_replayed' | 'refresh_token_replayed',
  grantId: string,
  grant: Grant | undefined,
): Promise<void> {
  const nowMs = clock()
  return storage.grants.revoke(grantId, nowMs, [auditEvent(http, nowMs, kind, grant ?? {}, { grant: grantId })])
}

/** What the database knows about the grant of a token, and about whom it depends on. */
type Standing<Known> = Pick<ExchangeParties<Known>, 'grant' | 'authorizationStands'> & {
  readonly user: (Eligible & Pick<ExchangeUser, 'grantsEndedAtMs'>) | undefined
}

/** `origin`: the code or grant, which contains the time of the sign-in. */
export function toParties<Known>(
  service: Service,
  facts: Standing<Known>,
  origin: { readonly authenticatedAtMs: number } | undefined,
): ExchangeParties<Known> {
  const { user, grant, authorizationStands } = facts
  if (user === undefined) return { user, grant, authorizationStands }
  const { grantsEndedAtMs } = user
  const maySignIn = service.sessions.maySignIn(user, origin?.authenticatedAtMs ?? 0)
  const bar = maySignIn ? undefined : barReason(user, service.clock())
  return { user: { maySignIn, bar, grantsEndedAtMs }, grant, authorizationStands }
}

/** Whom the tokens are about. Read at every exchange, so that new roles appear in the next token. */
export function subjectOfTokens(
  service: Service,
  client: RequestingClient,
  { user, catalogueVersion }: Pick<ExchangeFacts, 'user' | 'catalogueVersion'>,
): Subject | Promise<Subject> {
  if (user === undefined) throw new Error('tokens were granted without a user')
  const subject = subjectNow(service, user, catalogueVersion)
  return subject instanceof Promise
    ? subject.then((found) => namedFor(service.keys, client, user, found))
    : namedFor(service.keys, client, user, subject)
}

export function answerWith(
  { service, http, confirmation }: GrantContext,
  client: RequestingClient,
  grant: Grant,
  scopes: readonly string[],
  subject: Subject,
  jti: string,
): MintedTokens {
  return mintTokens(service, {
    grant,
    client,
    scopes,
    subject,
    refreshToken: refreshTokenOf(grant, service.keys, shapes[client.metadata.claim_shape].isRefreshTokenRead),
    confirmation,
    jti,
    nowMs: service.clock(),
    leftOut: ({ rule: { claim }, owner }) =>
      http.log.warn(
        { claim, ...owner, client: client.id },
        'a claim was left out of an access token, which would be too long',
      ),
  })
}

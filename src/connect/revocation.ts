/** `/connect/revocation`: token revocation (RFC 7009). */

import { auditEvent } from '../audit/request-events.ts'
import { type Answer, json } from '../http/answer.ts'
import { answeredFor } from '../http/cross-origin.ts'
import type { Endpoint, Request } from '../http/request.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import { openCode } from '../tokens/code.ts'
import { readRefreshToken, recogniseGeneration } from '../tokens/refresh.ts'
import { verifyAccessToken, verifyIdTokenHint } from '../tokens/verify.ts'
import { authenticate } from './client-authentication.ts'
import { readTokenRequest } from './token-request.ts'

export function revocation(service: Service): Endpoint {
  const { answers } = service
  return async (request) => {
    const sent = readTokenRequest(request)
    if (isRefusal(sent)) return answers.refuseAsJson(request, sent)
    const { token, credentials } = sent
    answeredFor(request, credentials.clientId)
    const refresh = readRefreshToken(token)
    const facts = await service.storage.grants.findForRefresh(refresh?.grantId ?? '', credentials.clientId)
    const client = await authenticate(service, request, credentials, facts.client)
    if (isRefusal(client)) return answers.refuseAsJson(request, client)

    if (refresh !== undefined) {
      // Any token that the chain ever had revokes the grant. A token of another client does nothing.
      const known = recogniseGeneration(refresh, facts.grant, service.keys) !== undefined
      if (known && facts.grant?.clientId === client.id) {
        const nowMs = service.clock()
        const details = { type: 'refresh_token', grant: refresh.grantId }
        await service.storage.grants.revoke(refresh.grantId, nowMs, [
          auditEvent(request, nowMs, 'token_revoked', facts.grant, details),
        ])
      }
      return done()
    }
    const refusal = await revokeAccessToken(service, request, token, client.id)
    // RFC 7009 §2.2: an unknown token counts as revoked.
    return refusal === undefined ? done() : answers.refuseAsJson(request, refusal)
  }
}

async function revokeAccessToken(
  service: Service,
  request: Request,
  token: string,
  clientId: string,
): Promise<Refusal | undefined> {
  const { keys, settings, storage } = service
  const accessToken = await verifyAccessToken(token, keys, settings.oauth.issuer, service.clock())
  if (accessToken !== undefined) {
    if (accessToken.clientId === clientId) {
      const { grantId } = accessToken
      const parties = { userId: grantId === null ? undefined : accessToken.subject, clientId }
      const details = { type: 'access_token', jti: accessToken.jti, ...(grantId !== null && { grant: grantId }) }
      await storage.accessTokens.revoke(accessToken.jti, accessToken.expiresAtMs, [
        auditEvent(request, service.clock(), 'token_revoked', parties, details),
      ])
    }
    return undefined
  }
  const isIdToken = (await verifyIdTokenHint(token, keys, settings.oauth.issuer)) !== undefined
  return isIdToken || openCode(token, keys) !== undefined
    ? refuse('token_type_unsupported', 'token', { client: clientId, received: isIdToken ? 'an id token' : 'a code' })
    : undefined
}

function done(): Answer {
  return json({})
}

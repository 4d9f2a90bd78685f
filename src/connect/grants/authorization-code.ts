import {
  type CodeContent,
  type CodeExchangeRequest,
  decideCodeExchange,
} from '../../protocol/grant/authorization-code.ts'
import { sidOf } from '../../protocol/logout/logout-claims.ts'
import { refuse } from '../../protocol/refusals/index.ts'
import { chooseResources, maxResources } from '../../protocol/scope/resource.ts'
import { isRefusal } from '../../refusal.ts'
import type { Service } from '../../service.ts'
import type { ExchangeFacts } from '../../storage/port/grants.ts'
import { openCode } from '../../tokens/code.ts'
import { newGrant } from '../../tokens/grant.ts'
import { kindOf } from '../../tokens/kind.ts'
import { readRefreshToken, recogniseGeneration } from '../../tokens/refresh.ts'
import type { GrantHandler } from './grant-handler.ts'
import { answerWith, describeIssue, mintWhile, revokeStolen, subjectOfTokens, toParties } from './issue.ts'

/** `content`: the content of the code; undefined: this service did not issue it. */
type CodeFacts = ExchangeFacts & { readonly content: CodeContent | undefined }

/** Whether the service issued the value as something else than a code. */
async function isOfAnotherKind({ keys, settings, storage }: Service, code: string, clientId: string): Promise<boolean> {
  const refreshToken = readRefreshToken(code)
  if (refreshToken === undefined) return (await kindOf(code, keys, settings.oauth.issuer)) !== undefined
  const { grant } = await storage.grants.findForRefresh(refreshToken.grantId, clientId)
  return recogniseGeneration(refreshToken, grant, keys) !== undefined
}

/** The exchange of an authorization code (RFC 6749 §4.1.3). */
export const authorizationCode: GrantHandler<CodeExchangeRequest, CodeFacts> = {
  refuseWithoutClient: () => refuse('parameter_missing', 'client_id'),

  parse: (reader) => ({
    code: reader.mandatory('code') ?? '',
    redirectUri: reader.optional('redirect_uri'),
    codeVerifier: reader.optional('code_verifier'),
    resources: reader.repeatable('resource', maxResources),
  }),

  async gather({ service, clientId }, request) {
    const content = openCode(request.code, service.keys)
    const facts = await service.storage.grants.findForExchange({
      grantId: content?.grantId ?? '',
      clientId,
      userId: content?.userId ?? '',
      authorizationId: content?.authorizationId ?? null,
    })
    return { ...facts, content }
  },

  async exchange(context, request, facts, client) {
    const { service, http, confirmation } = context
    // decide
    const { content } = facts
    const decided = decideCodeExchange(
      request,
      content,
      client,
      confirmation,
      toParties(service, facts, content),
      service.clock(),
    )
    if (isRefusal(decided)) {
      return decided.reason === 'code_invalid' && (await isOfAnotherKind(service, request.code, client.id))
        ? refuse('code_of_another_kind', 'code', { client: client.id })
        : decided
    }
    if (decided.outcome === 'replayed') {
      await revokeStolen(service, http, 'code_replayed', decided.grantId, facts.grant)
      return decided.refusal
    }

    const { issuer } = service.settings.oauth
    const resources = chooseResources(request.resources, decided.content.resources, issuer, client.id)
    if (isRefusal(resources)) return resources

    const found = subjectOfTokens(service, client, facts)
    const subject = found instanceof Promise ? await found : found

    // commit: the insert under the code's id decides the race to redeem it; tokens are signed meanwhile
    const grant = newGrant(decided.content, client, confirmation, service, service.clock())
    const { redirectUri, codeChallenge } = decided.content
    const asked = { ...(redirectUri !== null && { redirectUri }), ...(codeChallenge === null && { pkce: false }) }
    const issue = describeIssue(service, http, grant, grant.scopes, 'authorization_code', asked)
    const answer = await mintWhile(
      context,
      (underWay, spends) => service.storage.grants.redeem(grant, [issue.event], underWay, spends, sidOf(client, grant)),
      () => answerWith(context, client, { ...grant, resources }, grant.scopes, subject, issue.jti),
    )
    if (answer !== false) return answer

    // Revokes the grant: a code presented twice has leaked (RFC 6749 §4.1.2).
    await revokeStolen(service, http, 'code_replayed', grant.id, grant)
    const rule = 'another request with the same code came at the same moment'
    return refuse('code_redeemed', 'code', { client: client.id, rule })
  },
}

import { auditEvent } from '../../audit/request-events.ts'
import {
  type ClientCredentialsRequest,
  decideClientCredentials,
  scopesForItself,
} from '../../protocol/grant/client-credentials.ts'
import { refuse } from '../../protocol/refusals/index.ts'
import { chooseResources, maxResources } from '../../protocol/scope/resource.ts'
import { readScopes } from '../../protocol/scope/scope.ts'
import { accessTokenTypeFor } from '../../protocol/token/access-token-type.ts'
import { isRefusal } from '../../refusal.ts'
import { uuidv7 } from '../../secrets/opaque.ts'
import type { AuthorizeFacts } from '../../storage/port/grants.ts'
import { mintClientToken } from '../../tokens/mint.ts'
import type { GrantHandler } from './grant-handler.ts'
import { mintWhile } from './issue.ts'

/** An access token for the client itself (RFC 6749 §4.4). It belongs to no grant. */
export const clientCredentials: GrantHandler<ClientCredentialsRequest, AuthorizeFacts> = {
  refuseWithoutClient: () => refuse('client_id_missing'),

  parse: (reader) => ({
    scopes: readScopes(reader),
    resources: reader.repeatable('resource', maxResources),
  }),

  gather({ service, clientId }, { scopes }) {
    return service.storage.authorizations.findForRequest({ clientId, scopes, sessionId: null })
  },

  async exchange(context, request, facts, client) {
    const { service, http, confirmation } = context
    const { issuer } = service.settings.oauth
    // gather, where the client has scopes that the request does not name
    const scopes = scopesForItself(request.scopes, client)
    const more = scopes.filter((scope) => !request.scopes.includes(scope))
    const added = more.length === 0 ? [] : await service.storage.scopes.findMany(more)
    const registered = [...facts.scopes, ...added]
    const known = new Set(registered.map(({ name }) => name))

    // decide
    const wanted = scopes.filter((scope) => !more.includes(scope) || known.has(scope))
    const decided = decideClientCredentials({ ...request, scopes: wanted }, client, registered, issuer)
    if (isRefusal(decided)) return decided
    const resources = chooseResources(request.resources, decided.resources, issuer, client.id)
    if (isRefusal(resources)) return resources
    const { scopes: kept, holderOf } = await service.catalogue.at(facts.catalogueVersion)
    const type = accessTokenTypeFor(client, resources, kept)
    const { service_account_subject: subject, service_account_roles: roles } = client.metadata
    const account = await holderOf(roles)
    // Whose id it is may have come in after the client.
    if (subject !== null && (await service.storage.clientReferences.isTaken(subject, client.id))) {
      return refuse('service_account_taken', '', { client: client.id, subject })
    }

    // commit; the token is signed meanwhile
    const nowMs = service.clock()
    const jti = uuidv7(nowMs, service.random)
    const details = { type: 'client_credentials', jti, scopes: decided.scopes }
    const event = auditEvent(http, nowMs, 'tokens_issued', { clientId: client.id }, details)
    // Never dated before the client: the clock of the process that registered it may be ahead.
    const issuedAtMs = Math.max(nowMs, client.createdAtMs)
    return mintWhile(
      context,
      (underWay, spends) => service.storage.accessTokens.issue([event], underWay, spends),
      () =>
        mintClientToken(service, {
          ...decided,
          resources,
          type,
          client,
          account,
          confirmation,
          jti,
          nowMs: issuedAtMs,
        }),
    )
  },
}

/** Who calls the admin API, and what they may do: read again for each call. */
import { type BearerTokens, bearerTokens } from '../connect/bearer.ts'
import { checkHolder } from '../connect/token-holder.ts'
import type { Request } from '../http/request.ts'
import { acrOf, meetsClass } from '../protocol/claims/authentication-methods.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import {
  adminAudience,
  isAdminScope,
  type Permissions,
  permissionsOf,
  permissionsOfRoles,
} from '../protocol/scope/admin-scopes.ts'
import { isRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import type { Catalogue } from '../storage/port/catalogue.ts'
import type { ExchangeUser } from '../storage/port/grants.ts'
import type { VerifiedAccessToken } from '../tokens/verify.ts'

export type Caller = {
  /** The client that the access token was issued to. */
  readonly clientId: string
  /** The person whose token it is; undefined: the client calls for itself. */
  readonly user: ExchangeUser | undefined
  /** The session in which the person let the client act; undefined: there is none. */
  readonly sessionId: string | undefined
  readonly permissions: Permissions
  /** Which roles follow from groups and from other roles. */
  readonly catalogue: Catalogue
  /** What the scopes of the token would permit somebody who has every role. */
  readonly tokenPermissions: Permissions
  /** Reads the caller again, as another call with the same token would. For answers that go on for long. */
  readonly again: () => Promise<Caller | Refusal>
}

export type Callers = Pick<BearerTokens, 'challenge'> & {
  /** Undefined: the request has no token. Cookies do not count. */
  identify(request: Request): Promise<Caller | Refusal | undefined>
}

/** `base`: the address of the API as its callers know it, with a trailing slash. */
export function callersOf(service: Service, base: string): Callers {
  const audience = adminAudience(service.settings.oauth.issuer)
  const bearer = bearerTokens(service, 'admin/api', {
    audiences: [audience],
    addressOf: ({ path }) => `${base}${path.slice(1)}`,
  })

  async function callerWith(token: VerifiedAccessToken): Promise<Caller | Refusal> {
    const holder = await checkHolder(service, token, 'Authorization')
    if (isRefusal(holder)) return holder
    // A token that one client exchanged for that of another would act with the permissions of both.
    if (holder === null && token.subjectClientId !== token.clientId) return refused('it was exchanged')
    const scopes = await scopesNow(service, token)
    if (scopes === undefined) return refused('its client was deleted')
    const tokenPermissions = permissionsOf(scopes)
    const facts = { clientId: token.clientId, tokenPermissions, again: () => again(token) }
    if (holder === null) {
      const catalogue = await service.catalogue.now()
      return { ...facts, catalogue, user: undefined, sessionId: undefined, permissions: tokenPermissions }
    }
    const { requiredAcr } = service.settings.admin
    if (requiredAcr !== null && !meetsClass(acrOf(holder.methods), requiredAcr)) {
      const detail = { required: requiredAcr, reached: acrOf(holder.methods) ?? 'none' }
      return refuse('authentication_insufficient', '', detail)
    }
    const catalogue = await service.catalogue.at(holder.catalogueVersion)
    const permissions = tokenPermissions.intersection(permissionsOfRoles(catalogue.rolesOf(holder.user)))
    return { ...facts, catalogue, user: holder.user, sessionId: holder.sessionId ?? undefined, permissions }
  }

  async function again(token: VerifiedAccessToken): Promise<Caller | Refusal> {
    return service.clock() < token.expiresAtMs ? callerWith(token) : refused('it has expired')
  }

  return {
    challenge: bearer.challenge,
    async identify(request) {
      const token = await bearer.read(request)
      return token === undefined || isRefusal(token) ? token : callerWith(token)
    },
  }
}

/** Returns what a confirmation says of the caller who sends it, with whose rights it ends. */
export function senderIn({ user, sessionId, clientId }: Caller) {
  const begun = { ...(user && { begunBy: user.id }), ...(sessionId !== undefined && { sessionId }) }
  return { begun, sentBy: user === undefined ? clientId : undefined }
}

function refused(rule: string): Refusal {
  return refuse('access_token_invalid', 'Authorization', { rule })
}

/**
 * Returns those scopes of the token that its client is still permitted and that are not registered as ordinary scopes;
 * undefined: the client was deleted.
 */
async function scopesNow(
  { storage }: Service,
  { scopes, clientId }: VerifiedAccessToken,
): Promise<readonly string[] | undefined> {
  const asked = scopes.filter(isAdminScope)
  const [client, registered] = await Promise.all([storage.clients.find(clientId), storage.scopes.findMany(asked)])
  return (
    client && asked.filter((scope) => client.scopes.includes(scope) && !registered.some(({ name }) => name === scope))
  )
}

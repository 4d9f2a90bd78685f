/** The JSON that pages display: who is signed in, and what a consent is about. */
import { checkRequest } from '../connect/checked-request.ts'
import { json } from '../http/answer.ts'
import { readQuery } from '../http/parameters.ts'
import type { Endpoint, Request } from '../http/request.ts'
import { attributesOf, standardClaimsIn } from '../protocol/claims/known-rules.ts'
import type { Client } from '../protocol/client/client.ts'
import { logoUriOf } from '../protocol/client/client-logo.ts'
import { localizedText } from '../protocol/client/localized-text.ts'
import { scopesAsTold } from '../protocol/grant/refresh-token.ts'
import { acceptedLanguages } from '../protocol/language-tags.ts'
import { refuse } from '../protocol/refusals/index.ts'
import { adminScopeWords, isAdminScope } from '../protocol/scope/admin-scopes.ts'
import type { Scope } from '../protocol/scope/scope.ts'
import { scopeWords } from '../protocol/scope/scope-words.ts'
import { isRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import { type Attribute, translated } from '../users/attributes.ts'

/** `GET /Account/Session`: returns `{ user: { name } | null }`. */
export function sessionContext(service: Service): Endpoint {
  return async (request) => {
    const signedIn = await service.sessions.current(request)
    return json({ user: signedIn === undefined ? null : { name: signedIn.user.name } })
  }
}

/**
 * `GET /Account/ConsentContext?<authorization request>`: returns `{ client, scopes, user }` of a request that passed
 * validation, or the protocol error; 401 `login_required` if the session has ended. `redirectUri`: where the response
 * goes, if the request itself is not in the address of the page.
 */
export function consentContext(service: Service): Endpoint {
  const { answers } = service
  return async (request) => {
    const parameters = readQuery(request)
    if (isRefusal(parameters)) return answers.refuseAsJson(request, parameters)
    const checked = await checkRequest(service, request, parameters)
    if (isRefusal(checked)) return answers.refuseAsJson(request, checked.refusal)
    if (checked.signedIn === undefined) return answers.refuseAsJson(request, refuse('login_required'), 401)
    const { client, scopes, signedIn, target } = checked
    return json({
      client: describeClient(client, service.pages.preferredLanguage(request)),
      scopes: describeScopes(scopesAsTold(checked.consentScopes, client), scopes, await inWordsOf(service, request)),
      user: { name: signedIn.user.name },
      ...(checked.mark === undefined ? {} : { redirectUri: target.redirectUri }),
    })
  }
}

/**
 * Returns what users read about a client, in their language. Of one that registered itself, no addresses but the host of
 * its document: they are its own claims. `hasLogo`: `GET /Account/ClientLogo` may have an image.
 */
export function describeClient(client: Client, acceptLanguage: string) {
  const { id, metadata } = client
  const named = { id, name: localizedText(client, 'client_name', acceptLanguage) }
  if (metadata.registration === 'document') return { ...named, selfRegistered: true, host: new URL(id).host }
  if (metadata.registration !== 'operator') return { ...named, selfRegistered: true }
  const uri = localizedText(client, 'client_uri', acceptLanguage)
  const policyUri = localizedText(client, 'policy_uri', acceptLanguage)
  const termsUri = localizedText(client, 'tos_uri', acceptLanguage)
  return {
    ...named,
    ...(logoUriOf(client, acceptLanguage) !== null && { hasLogo: true }),
    ...(uri !== null && { uri }),
    ...(policyUri !== null && { policyUri }),
    ...(termsUri !== null && { termsUri }),
    ...(metadata.contacts.length > 0 && { contacts: metadata.contacts }),
  }
}

/** Declared attributes, and the language in which they and purposes are named. */
export type InWords = {
  readonly attributes: ReadonlyMap<string, Pick<Attribute, 'labels'>>
  /** As `Accept-Language` names it. */
  readonly language: string
}

export async function inWordsOf({ storage, pages }: Service, request: Request): Promise<InWords> {
  const { attributes } = await storage.catalogue.now()
  return { attributes, language: pages.preferredLanguage(request) }
}

/**
 * Returns the requested scopes as pages show them, in the order of the request: with what rules hand over of attributes, by their
 * labels, and why the scope is asked for. Without a name and description where pages have better words (`scopeWords`).
 */
export function describeScopes(
  requested: readonly string[],
  registered: readonly Scope[],
  { attributes, language }: InWords = { attributes: new Map(), language: '' },
) {
  const tag = acceptedLanguages(language)[0] ?? ''
  return requested.map((name) => {
    const scope = registered.find((candidate) => candidate.name === name)
    if (scope === undefined && isAdminScope(name)) {
      return { name, displayName: `Administration: ${adminScopeWords[name]}`, description: null }
    }
    const claims = attributesOf(scope?.claims ?? []).map((one) =>
      translated(attributes.get(one)?.labels ?? {}, tag, one),
    )
    const standardClaims = standardClaimsIn(scope?.claims ?? [])
    const purpose = translated(scope?.purposes ?? {}, tag, '')
    return {
      name,
      ...(scope === undefined ? { displayName: null, description: null } : scopeWords(scope, tag.toLowerCase())),
      ...(claims.length > 0 && { claims }),
      ...(standardClaims.length > 0 && { standardClaims }),
      ...(purpose !== '' && { purpose }),
    }
  })
}

/** `/Account/Self/external-logins`: accounts at providers, with which a person signs in as well. */
import { auditEvent } from '../../audit/request-events.ts'
import type { LinkFor } from '../../browser/external-cookies.ts'
import { json, redirect, withCookies } from '../../http/answer.ts'
import { fieldIgnoringCase, readQuery, withQuery } from '../../http/parameters.ts'
import type { Endpoint } from '../../http/request.ts'
import { refuse } from '../../protocol/refusals/index.ts'
import { ProviderFailure } from '../../providers/provider.ts'
import { isRefusal } from '../../refusal.ts'
import type { Service } from '../../service.ts'
import type { SignedIn } from '../../users/session.ts'
import { normalizeProvider } from '../../users/user.ts'
import { beginAtProvider } from '../external-login.ts'
import { withNotice } from '../notices.ts'
import { done, selfChange } from './endpoint.ts'
import { usableWays } from './sign-in-ways.ts'

const securityPage = '/Account/Security'

/**
 * `POST …/external-logins/PROVIDER`: answers `location`, the provider's page. From there the browser comes back to
 * `/Account/ExternalLinkCallback`.
 */
export function startLink(service: Service): Endpoint {
  const { providers } = service
  return selfChange(service, { recent: true }, async ({ request, signedIn }) => {
    const { provider: name = '' } = request.params
    const provider = providers.find(name)
    if (provider === undefined) {
      const configured = providers.list.map((one) => one.name)
      return refuse('provider_unknown', 'provider', { received: name, configured })
    }
    const purpose = { returnUrl: securityPage, linkFor: { userId: signedIn.user.id, sessionId: signedIn.session.id } }
    try {
      const begun = await beginAtProvider(service, request, provider, purpose)
      return isRefusal(begun) ? begun : withCookies(json({ location: begun.address }), begun.cookies)
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error
      return refuse(error.reason, '', error.detail)
    }
  })
}

/**
 * `GET /Account/ExternalLinkCallback`: links the identity that the provider confirmed for this browser, to the person who
 * asked for it, who must be signed in here still, in the same session. Redirects to the security page, with `linked` or `error`.
 */
export function finishLink(service: Service): Endpoint {
  const { external, sessions, storage } = service
  return async (request) => {
    const answer = (name: 'linked' | 'error', value: string) =>
      withCookies(redirect(withQuery(securityPage, [[name, value]])), external.removeIdentity(request))
    const query = readQuery(request)
    const failed = isRefusal(query) ? '' : (fieldIgnoringCase(query, 'error') ?? '')
    if (failed !== '') return answer('error', 'external_provider_error')
    const link = external.readLink(request)
    const signedIn = await sessions.current(request)
    if (link === undefined || link.subject === '' || signedIn === undefined || !isOf(signedIn, link.linkFor)) {
      request.log.refused({ externalLink: { outcome: 'unavailable' } }, 'link refused')
      return answer('error', 'external_login_unavailable')
    }

    // commit
    const { user } = signedIn
    const nowMs = service.clock()
    const provider = normalizeProvider(link.provider)
    const event = auditEvent(request, nowMs, 'external_login_added', { userId: user.id }, { method: link.provider })
    const notice = { purpose: 'external_login_added', data: { provider: link.displayName } } as const
    const login = { provider, subject: link.subject, userId: user.id, createdAtMs: nowMs }
    const told = withNotice(service, request, event, user, notice)
    const outcome = await storage.externalLogins.link(login, [told], user.sessionsEndedAtMs)
    if (outcome === 'linked' || outcome === 'bound') return answer('linked', provider)
    request.log.refused({ externalLink: { outcome } }, 'link refused')
    if (outcome === 'no_user') return answer('error', 'external_login_unavailable')
    // Says nothing about whose it is.
    return answer('error', outcome === 'another' ? 'external_login_exists' : 'external_login_in_use')
  }
}

function isOf({ session }: SignedIn, { userId, sessionId }: LinkFor): boolean {
  return session.userId === userId && session.id === sessionId
}

/** `DELETE …/external-logins/PROVIDER`: 409 `last_sign_in_method` if nobody could sign in without it. */
export function removeLink(service: Service): Endpoint {
  const { providers, storage } = service
  return selfChange(service, { recent: true }, async ({ request, signedIn, nowMs }) => {
    const { user } = signedIn
    const { provider: name = '' } = request.params
    const displayName = providers.find(name)?.displayName ?? name
    const event = auditEvent(request, nowMs, 'external_login_removed', { userId: user.id }, { method: displayName })
    const notice = { purpose: 'external_login_removed', data: { provider: displayName } } as const
    const events = [withNotice(service, request, event, user, notice)]
    switch (await storage.externalLogins.unlink(user.id, normalizeProvider(name), usableWays(service), events)) {
      case 'unlinked':
        return done
      case 'last':
        return refuse('last_sign_in_method')
      case 'not_found':
        return refuse('self_item_unknown')
    }
  })
}

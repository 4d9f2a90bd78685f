/** `/Account/Self/sessions` and `/Account/Self/browsers`: where a person is signed in, and was. */
import { auditEvent } from '../../audit/request-events.ts'
import { empty, json, withCookies } from '../../http/answer.ts'
import { roughNetworkOf } from '../../http/networks.ts'
import type { Endpoint } from '../../http/request.ts'
import { refuse } from '../../protocol/refusals/index.ts'
import type { Service } from '../../service.ts'
import { isKnown, type KnownBrowser } from '../../users/known-browser.ts'
import { isSessionAlive, type Session } from '../../users/session.ts'
import { describeAgent } from '../../users/user-agent.ts'
import { isoTime } from '../../users/user-record.ts'
import { done, selfChange, selfRead, type Visit } from './endpoint.ts'

/**
 * `GET …/sessions`: those that are valid, this one first, then the most recently seen. `same_network`: the session began in the
 * network that the request comes from.
 */
export function listSessions(service: Service): Endpoint {
  return selfRead(service, async (visit) => {
    const here = roughNetworkOf(visit.request.address)
    const items = await sessionsOf(service, visit)
    return json({ items: items.map((one) => ({ ...one, same_network: one.address !== null && one.address === here })) })
  })
}

export async function sessionsOf({ sessions, storage }: Service, { signedIn, nowMs }: Visit) {
  const { user, session } = signedIn
  const found = await storage.sessions.ofUser(user.id)
  return found
    .filter((one) => isSessionAlive({ session: one, user }, sessions.rules, nowMs))
    .sort((a, b) => Number(b.id === session.id) - Number(a.id === session.id) || b.lastSeenAtMs - a.lastSeenAtMs)
    .map((one) => describeSession(one, session.id))
}

function describeSession(session: Session, currentId: string) {
  return {
    id: session.id,
    current: session.id === currentId,
    ...describeAgent(session.userAgent),
    address: roughNetworkOf(session.clientAddress),
    methods: session.methods,
    created_at: isoTime(session.createdAtMs),
    authenticated_at: isoTime(session.authenticatedAtMs),
    last_seen_at: isoTime(session.lastSeenAtMs),
    expires_at: isoTime(session.expiresAtMs),
  }
}

/** `DELETE …/sessions/ID`: ends a session everywhere, at once. This one: signs out. */
export function endSession(service: Service): Endpoint {
  const { sessions, storage } = service
  return selfChange(service, { recent: false }, async ({ request, signedIn, nowMs }) => {
    const { id = '' } = request.params
    if (id === signedIn.session.id) {
      const ended = await sessions.end(request)
      return withCookies(empty(204, ended.headers), ended.cookies)
    }
    const found = await storage.sessions.find(id)
    // The same answer for a session of somebody else and for none.
    if (found === undefined || found.session.userId !== signedIn.user.id) return refuse('self_item_unknown')
    const details = { reason: 'ended_elsewhere' }
    await storage.sessions.end(found.session, [auditEvent(request, nowMs, 'sign_out', found.session, details)])
    return done
  })
}

/** `DELETE …/sessions`: ends all sessions but this one. */
export function endOtherSessions(service: Service): Endpoint {
  return selfChange(service, { recent: false }, async ({ request, signedIn, nowMs }) => {
    const { session } = signedIn
    const event = auditEvent(request, nowMs, 'sign_out', session, { reason: 'all_others_ended' })
    await service.storage.sessions.endOthers(session.userId, session.id, [event])
    return done
  })
}

/**
 * `GET …/browsers`: those that signed in before and still count as known, most recently used first. `remembered_until`: no
 * second factor is asked for there until then; null: it is.
 */
export function listBrowsers(service: Service): Endpoint {
  return selfRead(service, async (visit) => json({ items: await browsersOf(service, visit) }))
}

export async function browsersOf({ device, storage }: Service, { request, signedIn: { user }, nowMs }: Visit) {
  const here = device.browserIds(request)
  const found = await storage.knownBrowsers.list(user.id)
  return found
    .filter((browser) => isKnown(browser, user, nowMs))
    .map((browser) => describeBrowser(browser, here, nowMs))
}

function describeBrowser(browser: KnownBrowser, here: readonly string[], nowMs: number) {
  const remembered = browser.secondFactorUntilMs
  return {
    id: browser.id,
    current: here.includes(browser.id),
    ...describeAgent(browser.userAgent),
    created_at: isoTime(browser.createdAtMs),
    last_used_at: isoTime(browser.lastUsedAtMs),
    expires_at: isoTime(browser.expiresAtMs),
    remembered_until: remembered === null || remembered <= nowMs ? null : isoTime(remembered),
  }
}

/** `DELETE …/browsers/ID`: the browser counts as a stranger from now on. Its session goes on. */
export function forgetBrowser(service: Service): Endpoint {
  return selfChange(service, { recent: false }, async ({ request, signedIn, nowMs }) => {
    const { user } = signedIn
    const details = { change: 'browser_forgotten' }
    const event = auditEvent(request, nowMs, 'user_changed', { userId: user.id }, details)
    const forgotten = await service.storage.knownBrowsers.forget(user.id, request.params.id ?? '', [event])
    return forgotten ? done : refuse('self_item_unknown')
  })
}

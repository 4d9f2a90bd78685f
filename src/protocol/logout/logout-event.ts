/** The event by which a logout token is told from other tokens (OpenID Connect Back-Channel Logout 1.0 §2.4). */
import { isObject } from '../json-value.ts'

export const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

/** Whether `events` are those of a logout token. */
export const isLogout = (events: unknown): boolean => isObject(events) && Object.hasOwn(events, logoutEvent)

/** Loads the modules of the admin API and the console beside requests: loaded at once, they hold up every request. */
import { loadBeside } from '../on-demand.ts'

/** In an order in which each brings few others with it; an operation belongs behind those that it builds on. */
export const parts: readonly (() => Promise<unknown>)[] = [
  () => import('./type.ts'),
  () => import('../audit/verify.ts'),
  () => import('./audit-feed.ts'),
  () => import('./shared.ts'),
  () => import('./validation.ts'),
  () => import('./caller.ts'),
  () => import('./me.ts'),
  () => import('./token-lengths.ts'),
  () => import('./client-schemas.ts'),
  () => import('../protocol/client/client-registration.ts'),
  () => import('./client-facts.ts'),
  () => import('./clients.ts'),
  () => import('./client-setup.ts'),
  () => import('./client-test.ts'),
  () => import('./client-usage.ts'),
  () => import('./attributes.ts'),
  () => import('./roles.ts'),
  () => import('./groups.ts'),
  () => import('./group-members.ts'),
  () => import('./scopes.ts'),
  () => import('./scope-usage.ts'),
  () => import('./resources.ts'),
  () => import('./preview.ts'),
  () => import('../keys/generate.ts'),
  () => import('../keys/ring.ts'),
  () => import('./keys.ts'),
  () => import('./explain.ts'),
  () => import('./audit.ts'),
  () => import('./audit-verify.ts'),
  () => import('./settings.ts'),
  () => import('./branding.ts'),
  () => import('./doctor.ts'),
  () => import('../users/user-record.ts'),
  () => import('./stats.ts'),
  () => import('./user-facts.ts'),
  () => import('./user-list.ts'),
  () => import('./users.ts'),
  () => import('./user-actions.ts'),
  () => import('./user-items.ts'),
  () => import('./user-activity.ts'),
  () => import('./access-kinds.ts'),
  () => import('./access.ts'),
  () => import('./user-consents.ts'),
  () => import('./mails.ts'),
  () => import('./setup.ts'),
  () => import('./openapi.ts'),
  () => import('./endpoint.ts'),
  () => import('./console.ts'),
]

/** Until `isEnded`. */
export function loadParts(isEnded: () => boolean): Promise<void> {
  return loadBeside(parts, isEnded)
}

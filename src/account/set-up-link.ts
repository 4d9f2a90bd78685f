/** The link with which a new installation is set up, as far as this browser opened it. */
import { isBrowserOf, readConfirmationCookie } from '../browser/confirmation-cookie.ts'
import type { Request } from '../http/request.ts'
import type { Service } from '../service.ts'
import { type Confirmation, isConfirmed } from '../users/confirmation.ts'

/** Returns the link that was used in this browser. */
export async function findOpened(
  { clock, cookies, storage }: Service,
  request: Request,
): Promise<Confirmation | undefined> {
  const cookie = readConfirmationCookie(cookies, request, 'setup')
  if (cookie === undefined) return undefined
  const confirmation = (await storage.confirmations.find(cookie.id))?.confirmation
  if (confirmation === undefined || !isBrowserOf(cookie, confirmation)) return undefined
  if (!isConfirmed(confirmation, 'setup', clock())) return undefined
  return (await storage.setUp.isOpen()) ? confirmation : undefined
}

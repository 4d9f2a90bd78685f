/** Reads who sent an invitation, with whose rights it ends. */
import { invitationStands } from '../protocol/scope/invitation.ts'
import type { Storage } from '../storage/port/storage.ts'
import type { Confirmation } from '../users/confirmation.ts'
import type { User } from '../users/user.ts'

type Readers = { readonly storage: Pick<Storage, 'users' | 'clients' | 'catalogue'>; readonly clock: () => number }

/**
 * Whether whoever sent the invitation could send it now. `inviter`: the person whose rights were read; undefined: nobody
 * who signs in sent it.
 */
export async function standingOf(
  { storage, clock }: Readers,
  { begunBy, details: { roles = [], sentBy } }: Pick<Confirmation, 'begunBy' | 'details'>,
): Promise<{ readonly stands: boolean; readonly inviter: User | undefined }> {
  if (begunBy === undefined && sentBy === undefined) return { stands: true, inviter: undefined }
  const { rolesOf } = await storage.catalogue.now()
  const given = rolesOf({ roles })
  if (begunBy !== undefined) {
    const inviter = await storage.users.find(begunBy)
    const user = inviter === undefined ? null : { ...inviter, roles: rolesOf(inviter) }
    return { stands: invitationStands(given, { user }, clock()), inviter }
  }
  const client = (await storage.clients.find(sentBy as string)) ?? null
  return { stands: invitationStands(given, { client }, clock()), inviter: undefined }
}

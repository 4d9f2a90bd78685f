/** Reads who sent an invitation, with whose rights it ends. */
import { invitationStands } from '../protocol/scope/invitation.ts'
import type { Storage } from '../storage/port/storage.ts'
import type { Confirmation } from '../users/confirmation.ts'
import type { User } from '../users/user.ts'

type Readers = { readonly storage: Pick<Storage, 'users' | 'clients'>; readonly clock: () => number }

/**
 * Whether whoever sent the invitation could send it now. `inviter`: the person whose rights were read; undefined: nobody
 * who signs in sent it.
 */
export async function standingOf(
  { storage, clock }: Readers,
  { begunBy, details: { roles = [], sentBy } }: Pick<Confirmation, 'begunBy' | 'details'>,
): Promise<{ readonly stands: boolean; readonly inviter: User | undefined }> {
  if (begunBy !== undefined) {
    const inviter = await storage.users.find(begunBy)
    return { stands: invitationStands(roles, { user: inviter ?? null }, clock()), inviter }
  }
  if (sentBy === undefined) return { stands: true, inviter: undefined }
  const client = (await storage.clients.find(sentBy)) ?? null
  return { stands: invitationStands(roles, { client }, clock()), inviter: undefined }
}

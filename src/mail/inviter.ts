/** Reads who sent an invitation, or made a link for a new password, with whose rights it ends. */
import { invitationStands } from '../protocol/scope/invitation.ts'
import type { Member } from '../storage/port/catalogue.ts'
import type { Storage } from '../storage/port/storage.ts'
import type { Confirmation } from '../users/confirmation.ts'
import type { User } from '../users/user.ts'

type Readers = { readonly storage: Pick<Storage, 'users' | 'clients' | 'catalogue'>; readonly clock: () => number }
type Sent = Pick<Confirmation, 'begunBy' | 'details'>

/**
 * Whether whoever sent the invitation could send it now. `inviter`: the person whose rights were read; undefined: nobody
 * who signs in sent it.
 */
export async function standingOf(
  readers: Readers,
  sent: Sent,
): Promise<{ readonly stands: boolean; readonly inviter: User | undefined }> {
  const { covers, inviter } = await senderOf(readers, sent)
  return { stands: covers({ roles: sent.details.roles ?? [] }), inviter }
}

/**
 * Returns whether whoever sent it may now make somebody with these roles and groups, or take them over. What nobody sent
 * in a session, or as a client, stands.
 */
export async function senderOf(
  { storage, clock }: Readers,
  { begunBy, details: { sentBy } }: Sent,
): Promise<{ readonly covers: (person: Member) => boolean; readonly inviter: User | undefined }> {
  if (begunBy === undefined && sentBy === undefined) return { covers: () => true, inviter: undefined }
  const { rolesOf } = await storage.catalogue.now()
  if (begunBy !== undefined) {
    const inviter = await storage.users.find(begunBy)
    const user = inviter === undefined ? null : { ...inviter, roles: rolesOf(inviter) }
    return { covers: (person) => invitationStands(rolesOf(person), { user }, clock()), inviter }
  }
  const client = (await storage.clients.find(sentBy as string)) ?? null
  return { covers: (person) => invitationStands(rolesOf(person), { client }, clock()), inviter: undefined }
}

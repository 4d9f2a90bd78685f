/** Passkeys of people of an import: made of records, without those that somebody has. */
import { uuidv7 } from '../secrets/opaque.ts'
import type { Storage } from '../storage/port/storage.ts'
import { needsStandIn } from '../users/imported-factors.ts'
import type { ImportedRecord } from '../users/imported-person.ts'
import { maxPasskeys, maxUserHandleLength, type Passkey } from '../users/passkey.ts'
import { commandOf } from './commands.ts'
import type { SeenPeople } from './seen.ts'
import type { Note, PersonEntry } from './source.ts'

export function passkeysOf(
  userId: string,
  { passkeys = [], id: formerId = userId }: ImportedRecord,
  { nowMs, random }: { readonly nowMs: number; readonly random: (bytes: number) => Uint8Array },
): { readonly passkeys?: readonly Passkey[] } {
  if (passkeys.length === 0) return {}
  // The former system named the person to the authenticator by the id there.
  const handle = Buffer.from(formerId)
  const named = formerId !== userId &&
    handle.length <= maxUserHandleLength && { userHandle: handle.toString('base64url') }
  const about = { userId, attested: false, lastUsedAtMs: null, ...named }
  return { passkeys: passkeys.map((one) => ({ ...about, ...one, id: uuidv7(nowMs, random) })) }
}

/** What is said of passkeys that do not come, and of whoever had no other second factor. */
export function passkeyNotes(source: ImportedRecord): readonly Note[] {
  const { lostPasskeys = [], passkeys = [], username, id } = source
  const lost = lostPasskeys.map(({ reason }): Note => ({ member: 'passkeys', severity: 'lost', reason }))
  const isUnnamed = id === undefined && passkeys.some(({ userHandle }) => userHandle === undefined)
  const all = isUnnamed ? [...lost, unnamedNote(username)] : lost
  return needsStandIn(source) && passkeys.length === 0 ? [...all, heldNote(username)] : all
}

function unnamedNote(name: string): Note {
  const reason = `${name} comes without the id of the former system, by which authenticators name the person: passkeys that sign in without a user name are refused. Give id in the file, or user_handle with each passkey; otherwise the person makes a new passkey.`
  return { member: 'passkeys', severity: 'changed', reason }
}

function heldNote(name: string): Note {
  const reason = `No second factor of ${name} can come. The next sign-in proves the address with a mailed code, and sets up a new one.`
  return { member: 'passkeys', severity: 'held', reason, ...commandOf('user recover', name) }
}

/** Leaves out what the person has already, what somebody else has, and what is too much. */
export async function withoutTaken(
  { person, source, ...more }: PersonEntry,
  storage: Pick<Storage, 'passkeys'>,
  seen: SeenPeople | undefined,
): Promise<{ readonly entry: PersonEntry; readonly notes: readonly Note[] }> {
  const { passkeys = [], user, before } = person
  if (passkeys.length === 0) return { entry: { person, source, ...more }, notes: [] }
  const owners = await storage.passkeys.owners(passkeys.map(({ credentialId }) => credentialId))
  const present = before === undefined ? 0 : (await storage.passkeys.list(user.id)).length
  const kept: Passkey[] = []
  const notes: Note[] = []
  const lose = (name: string, why: string) =>
    notes.push({ member: 'passkeys', severity: 'lost', reason: `The passkey "${name}" of ${user.name} ${why}.` })
  for (const passkey of passkeys) {
    const { credentialId, name } = passkey
    const owner = owners.get(credentialId)
    if (owner?.userId === user.id) continue
    const other = owner?.name ?? seen?.ownerOf(credentialId)
    if (other !== undefined && other !== user.name) lose(name, `has the credential id of one of ${other}`)
    else if (present + kept.length >= maxPasskeys) lose(name, `is more than ${maxPasskeys}`)
    else kept.push(passkey)
  }
  const isBare = present + kept.length === 0
  if (isBare && needsStandIn(source) && notes.length > 0) notes.push(heldNote(user.name))
  return { entry: { person: { ...person, passkeys: kept }, source, ...more }, notes }
}

/** What people are called in the tokens of a client (OpenID Connect Core §8). */
import type { KeyRing } from '../keys/key-ring.ts'
import type { Subject } from '../protocol/claims/claims.ts'
import { type NamedPerson, type SectoredClient, subjectIdentifier } from '../protocol/client/sector.ts'
import { pairwiseSubject } from '../secrets/pairwise.ts'

/** Returns `sub` of the person in tokens of the client. */
export function subjectFor(keys: Pick<KeyRing, 'secretsOf'>, client: SectoredClient, person: NamedPerson): string {
  return subjectIdentifier(client, person, (sector, id) => pairwiseSubject(keys, sector, id))
}

/** Returns the person as tokens of the client name them. */
export function namedFor(
  keys: Pick<KeyRing, 'secretsOf'>,
  client: SectoredClient,
  person: NamedPerson,
  subject: Subject,
): Subject {
  return client.metadata.subject_type === 'public' ? subject : { ...subject, id: subjectFor(keys, client, person) }
}

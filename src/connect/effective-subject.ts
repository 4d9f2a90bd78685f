/** What tokens and userinfo answers say about a person: with the roles that the person has in effect, and what rules read. */
import type { Subject } from '../protocol/claims/claims.ts'
import type { Service } from '../service.ts'
import type { Described } from '../users/user.ts'

/** Returns the person by the `sub` of a token that was presented. */
export const calledAs = (subject: Subject, sub: string): Subject =>
  subject.id === sub ? subject : { ...subject, id: sub }

/** `version`: that of the catalogue, read with the person. A promise only where this process has another one. */
export function subjectNow(
  { catalogue }: Pick<Service, 'catalogue'>,
  person: Described,
  version: number,
): Subject | Promise<Subject> {
  const known = catalogue.at(version)
  return known instanceof Promise ? known.then(({ describe }) => describe(person)) : known.describe(person)
}

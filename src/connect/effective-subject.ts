/** What tokens and userinfo answers say about a person: with the roles that the person has in effect. */
import type { Service } from '../service.ts'
import { type Described, subjectOf } from '../users/user.ts'

type Subject = ReturnType<typeof subjectOf>

/** `version`: that of the catalogue, read with the person. A promise only where this process has another one. */
export function subjectNow({ catalogue }: Pick<Service, 'catalogue'>, person: Described, version: number) {
  const known = catalogue.at(version)
  const describe = ({ rolesOf }: Awaited<typeof known>): Subject => subjectOf({ ...person, roles: rolesOf(person) })
  return known instanceof Promise ? known.then(describe) : describe(known)
}

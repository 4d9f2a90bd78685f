/** Consents that an operator stores for people, such as for a client that nobody else gives anybody to (`consent` external). */
import { type Judged, judge, type Problem, problem } from '../../problem.ts'
import type { Client } from '../client/client.ts'
import { handedOverBy, isPermitted, type Scope } from '../scope/scope.ts'
import { shellWord } from '../shell-word.ts'
import type { Authorization } from './grant.ts'

/**
 * Returns the consent that is to be stored. The client must be permitted every scope, of which there is at least one. `registered`: at
 * least those of the scopes that are registered.
 */
export function consentOfOperator(
  { id, userId, createdAtMs }: Pick<Authorization, 'id' | 'userId' | 'createdAtMs'>,
  client: Client,
  asked: readonly string[],
  registered: readonly Scope[],
): Judged<Authorization> {
  const scopes = [...new Set(asked)].sort()
  const problems: Problem[] = scopes.length === 0 ? [problem('scopes', 'A consent', 'needs at least one scope')] : []
  for (const scope of scopes) {
    if (isPermitted(scope, client, registered)) continue
    const advice = `Permit it first: latchkey client set ${shellWord(client.id)} ${shellWord(`scope+=${scope}`)}`
    problems.push(problem('scopes', `The client ${client.id}`, `may not request the scope ${scope}. ${advice}`))
  }
  const claims = handedOverBy(scopes, registered)
  const consent = { id, userId, clientId: client.id, scopes, ...(claims.length > 0 && { claims }) }
  return judge({ ...consent, byOperator: true, createdAtMs }, problems)
}

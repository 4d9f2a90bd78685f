/** What an application is registered with: what was given, and what a template adds to it. */
import { type Judged, type Problem, problem, type Rejection } from '../../problem.ts'
import { asRefusal, isRefusal } from '../../refusal.ts'
import type { Client } from '../client/client.ts'
import type { MemberChange } from '../client/client-members.ts'
import { type RegistrationContext, registerClient } from '../client/client-registration.ts'
import { type Scope, withoutRules } from '../scope/scope.ts'
import { registerScope, standardScopes } from '../scope/scope-registration.ts'
import type { ChosenTemplate, TemplateNames } from './index.ts'
import type { Setup } from './template.ts'
import { idFault, setupFor } from './values.ts'

export type Registration = {
  /** Those of the template and those that were given. */
  readonly changes: readonly MemberChange[]
  /** The scopes that have to be there for the client; those that are missing are stored with it. */
  readonly scopes: readonly Scope[]
  /** As `registerClient`. `missing`: those of the scopes that are not there. `isTaken`: a client has the id, which is refused elsewhere. */
  readonly judge: (judging: RegistrationContext, missing: readonly Scope[], isTaken?: boolean) => Judged<Client>
  /**
   * Returns the settings of the library. `secret`: empty where the client has none. `random`: 32 bytes, for a secret of the
   * application's own. Absent: no template was asked for.
   */
  readonly setup?: (client: Client, issuer: string, secret: string, random: Uint8Array) => Setup
}

type Asked = {
  readonly clientId: string
  readonly given: readonly MemberChange[]
  /** Undefined: none was asked for. */
  readonly template: string | undefined
  /** Undefined: where the library runs in development. */
  readonly base: string | undefined
  readonly names: TemplateNames
  readonly nowMs: number
}

/** Returns what a client is to be registered with. The texts of the templates are loaded where one is asked for. */
export async function registrationOf({
  clientId,
  given,
  template,
  base,
  names,
  nowMs,
}: Asked): Promise<Judged<Registration>> {
  if (template === undefined) {
    const judge: Registration['judge'] = (judging) => registerClient(clientId, given, judging, nowMs)
    return base === undefined
      ? { changes: given, scopes: [], judge }
      : rejected(problem(names.base, names.base, 'needs a template'))
  }
  const { chooseTemplate } = await import('./index.ts')
  const chosen = chooseTemplate(template, base, names)
  if (isRefusal<ChosenTemplate | Rejection>(chosen)) return chosen
  const changes = templateChanges(chosen, given)
  const scopes = templateScopes(chosen, clientId, changes, nowMs)
  return {
    changes,
    scopes,

    judge(judging, missing, isTaken = false) {
      const problems = templateProblems(clientId, scopes)
      if (problems.length > 0) return asRefusal({ problems })
      const registeredScopes = [...judging.registeredScopes, ...scopes.map(({ name }) => name)]
      const judged = registerClient(clientId, changes, { ...judging, registeredScopes }, nowMs)
      if (isRefusal<Client | Rejection>(judged)) return judged
      const isScopeTaken = chosen.template.takes === 'api' && !missing.some(({ name }) => name === clientId)
      return isScopeTaken && !isTaken ? rejected(takenScope(clientId)) : judged
    },

    setup: (client, issuer, secret, random) =>
      setupFor(chosen, client, issuer, { client: secret, session: Buffer.from(random).toString('hex') }),
  }
}

const rejected = (found: Problem): Rejection => asRefusal({ problems: [found] })

/** Returns the changes of the template with those that were given: a given member wins, and scopes are added to. */
function templateChanges({ template, base }: ChosenTemplate, given: readonly MemberChange[]): MemberChange[] {
  const own: MemberChange[] = Object.entries(template.members(base)).flatMap(([member, value]) => {
    const isGiven = given.some((one) => one.member === member && one.operation === 'set')
    if (member !== 'scope') return isGiven ? [] : [{ member, operation: 'set', value }]
    const more = given.flatMap((one) => (one.member === 'scope' ? words(one.value) : []))
    return [{ member, operation: 'set', value: [...new Set([...words(value), ...more])] }]
  })
  const isMerged = own.some(({ member }) => member === 'scope')
  const kept: MemberChange = { member: 'template', operation: 'set', value: template.id }
  return [...own, kept, ...given.filter(({ member }) => !(isMerged && member === 'scope'))]
}

const words = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value.split(' ').filter(Boolean) : []

/** Returns the scopes of the standard that the client is permitted, and that of an API, which has the name of its client. */
function templateScopes(
  { template, base }: ChosenTemplate,
  clientId: string,
  changes: readonly MemberChange[],
  createdAtMs: number,
): readonly Scope[] {
  const permitted = changes.flatMap(({ member, value }) => (member === 'scope' ? words(value) : []))
  const standard = standardScopes.filter(({ name }) => permitted.includes(name))
  const made = standard.map((one): Scope => ({ ...one, resources: [], ...withoutRules, createdAtMs }))
  if (template.takes !== 'api') return made
  const own = { displayName: null, description: null, resources: [base], ...withoutRules, createdAtMs }
  return [...made, { name: clientId, ...own, ...template.scope }]
}

/** Returns what an id is refused for that becomes part of settings, or the name of the scope of an API. */
function templateProblems(clientId: string, scopes: readonly Scope[]): readonly Problem[] {
  const fault = idFault(clientId)
  if (fault !== undefined) return [problem('client_id', 'The id of a client of a template', fault)]
  return scopes.flatMap((scope) => {
    const judged = registerScope(scope)
    return isRefusal<Scope | Rejection>(judged) ? judged.problems.map((one) => ({ ...one, member: 'client_id' })) : []
  })
}

const takenScope = (name: string): Problem =>
  problem('client_id', `The scope ${name}`, 'is there already: choose another id for the API')

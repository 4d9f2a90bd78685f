/** Compares what files declare with what is stored. */
import { type Judged, type Problem, problem, type Rejection } from '../problem.ts'
import type { Resource } from '../protocol/claims/resource-rules.ts'
import type { Client } from '../protocol/client/client.ts'
import type { RegistrationContext } from '../protocol/client/client-registration.ts'
import { adminScopes, builtInRoles } from '../protocol/scope/admin-scopes.ts'
import type { Scope } from '../protocol/scope/scope.ts'
import { isRefusal } from '../refusal.ts'
import type { RecordChange } from '../storage/port/configuration.ts'
import type { AttributeRules } from '../users/attribute-changes.ts'
import type { Role } from '../users/roles.ts'
import { normalizeName, type User } from '../users/user.ts'
import { changedRuleProblems, rulesAfter } from './claim-rules.ts'
import { type DeclaredSecret, declaredClient } from './clients.ts'
import { type Declaration, type Declarations, type Kind, placed } from './declaration.ts'
import { idsOf, matched, missing, type Pair, replaced, undeclared } from './matching.ts'
import { declaredResource, declaredRole, declaredScope, roleRuleProblems } from './scopes-and-roles.ts'
import { isConfigured, type Shown, shownClient, shownResource, shownRole, shownScope, shownUser } from './shown.ts'
import { type DeclaredPassword, declaredUser, leftToPerson } from './users.ts'

export type Stored = {
  readonly scopes: readonly Scope[]
  readonly resources: readonly Resource[]
  readonly roles: readonly Role[]
  readonly clients: readonly Client[]
  /** The version of the catalogue that what roles include is decided on. */
  readonly catalogueVersion: number
  /** At least those whom the files declare. */
  readonly users: readonly User[]
}

export type PlanContext = Omit<RegistrationContext, 'registeredScopes' | 'newSecretHash'> & {
  /** By client id. */
  readonly secrets: ReadonlyMap<string, DeclaredSecret>
  /** By user name. */
  readonly passwords: ReadonlyMap<string, DeclaredPassword>
  readonly newId: () => string
  /** What values of people are judged by. */
  readonly attributes: AttributeRules
  /** Whether records that the files leave out are deleted. */
  readonly prune: boolean
  /** Roles that may newly be neither included nor everybody's. */
  readonly guardedRoles: readonly string[]
  readonly nowMs: number
}

/** Client ids or user names, possibly not all, and the number of all. */
export type Losers = { readonly names: readonly string[]; readonly count: number }

export type Change = {
  readonly action: 'create' | 'update' | 'delete'
  readonly kind: Kind
  readonly id: string
  /** Null: the record is new. */
  readonly before: Shown | null
  /** Null: the record is deleted. */
  readonly after: Shown | null
  /** The changed members, secrets among them. */
  readonly members: readonly string[]
  /** Who loses the deleted scope or role without being declared. Known of a role only once the plan's impact is read. */
  readonly takenFrom?: Losers
  readonly record: RecordChange
}

/** What files say of a person otherwise than the person: it stays. Members by their names. */
export type Left = { readonly id: string; readonly members: readonly string[] }

export type Plan = {
  readonly changes: readonly Change[]
  readonly left: readonly Left[]
  readonly problems: readonly Problem[]
  /** What is stored afterwards. */
  readonly after: Stored
}

/** Returns what has to change, in the order of dependence, and every problem; with problems, nothing may be applied. */
export function planChanges(declared: Declarations, stored: Stored, context: PlanContext): Plan {
  const { nowMs } = context
  const problems: Problem[] = []
  const judge = <T extends object>(declaration: Declaration, judged: Judged<T>): T | undefined => {
    if (!isRefusal<object | Rejection>(judged)) return judged
    problems.push(...placed(declaration, judged.problems))
    return undefined
  }

  const scopes = matched(declared, 'scopes', stored.scopes, ({ name }) => name, context.prune)
  const scopesAfter = scopes.map(({ before, declaration }) => ({
    before,
    after: declaration === undefined ? undefined : judge(declaration, declaredScope(before, declaration, nowMs)),
    declaration,
  }))
  const kept = stored.scopes.filter((scope) => !scopesAfter.some(({ before }) => before === scope))
  const allScopes = [...kept, ...scopesAfter.map(({ after }) => after).filter((one) => one !== undefined)]

  const resources = matched(declared, 'resources', stored.resources, ({ identifier }) => identifier, context.prune).map(
    ({ before, declaration }) => ({
      before,
      after: declaration === undefined ? undefined : judge(declaration, declaredResource(before, declaration)),
      declaration,
    }),
  )
  // What is declared together is judged together.
  const rules = rulesAfter(context.attributes.declared, allScopes, replaced(stored.resources, resources))

  const matchedRoles = matched(declared, 'roles', stored.roles, ({ name }) => name, context.prune)
    // Only the description of a built-in role is a record: nobody loses the role for want of one.
    .filter(({ before, declaration }) => declaration !== undefined || !builtInRoles.includes(before?.name ?? ''))
  const deletedRoles = undeclared(matchedRoles)
  const roles = matchedRoles.map(({ before, declaration }) => ({
    before,
    after: declaration === undefined ? undefined : judge(declaration, declaredRole(before, declaration, nowMs)),
  }))
  const allRoles = replaced(stored.roles, roles)
  for (const [at, { declaration }] of matchedRoles.entries()) {
    const { before, after } = roles[at] ?? {}
    if (declaration === undefined || after === undefined) continue
    problems.push(...placed(declaration, roleRuleProblems({ before, after }, allRoles, context.guardedRoles)))
  }

  // Those with a fault of their own, and those that are deleted, are reported as what they are.
  const known = [...stored.scopes.map(({ name }) => name), ...idsOf(declared, 'scopes')]
  const registration = { ...context, registeredScopes: [...known, ...adminScopes], rules }
  const own = stored.clients.filter(isConfigured)
  const candidates = matched(declared, 'clients', stored.clients, ({ id }) => id, false)
  const pruned = context.prune && declared.kinds.has('clients') ? missing(declared, 'clients', own, ({ id }) => id) : []
  const clients = [...candidates, ...pruned].map(({ before, declaration }) => {
    if (declaration === undefined) return { before, after: undefined }
    const secret = context.secrets.get(declaration.id)
    const { scope } = declaration.members
    const deleted = namesDeleted('scope', typeof scope === 'string' ? scope.split(' ') : [], undeclared(scopes))
    problems.push(...placed(declaration, deleted))
    const judging = { ...registration, newSecretHash: secret?.hash ?? '' }
    return { before, after: judge(declaration, declaredClient(before, declaration, judging, secret, nowMs)) }
  })

  const clientsAfter = replaced(stored.clients, clients)
  const judged = { scopes: allScopes, clients: clientsAfter, rules }
  problems.push(...changedRuleProblems(scopesAfter, resources, judged))

  const left: Left[] = []
  const users = matched(declared, 'users', stored.users, ({ name }) => normalizeName(name), context.prune).map(
    ({ before, declaration }) => {
      if (declaration === undefined) return { before, after: undefined }
      const password = context.passwords.get(declaration.id)
      const holder = before ?? stored.users.find(({ id }) => id === declaration.members.id)
      if (holder !== before) {
        problems.push(...placed(declaration, [renamed(declaration.id, holder as User)]))
        return { before: undefined, after: undefined }
      }
      const judged = declaredUser(before, declaration, password, context.newId, context.attributes, nowMs)
      const after = judge(declaration, judged)
      const members = before === undefined ? [] : leftToPerson(before, declaration, password, context.attributes)
      if (members.length > 0) left.push({ id: declaration.writtenId, members })
      problems.push(...placed(declaration, namesDeleted('roles', after?.roles ?? [], deletedRoles)))
      return { before, after }
    },
  )

  const declaredIds = new Set([...candidates, ...pruned].map(({ before }) => before?.id))
  const losing = (scope: string): Losers => {
    const losers = stored.clients.filter(({ id, scopes }) => scopes.includes(scope) && !declaredIds.has(id))
    return { names: losers.map(({ id }) => id), count: losers.length }
  }

  const changes = [
    ...scopesAfter.map((pair) => {
      const change = changeOf('scopes', pair, ({ name }) => name, shownScope, 'scope')
      return change?.action === 'delete' ? { ...change, takenFrom: losing(change.id) } : change
    }),
    ...resources.map((pair) => changeOf('resources', pair, ({ identifier }) => identifier, shownResource, 'resource')),
    ...roles.map((pair) => changeOf('roles', pair, ({ name }) => name, shownRole, 'role')),
    ...clients.map((pair) =>
      changeOf(
        'clients',
        pair,
        ({ id }) => id,
        (one) => shownClient(one, nowMs),
        'client',
      ),
    ),
    ...users.map((pair) =>
      changeOf(
        'users',
        pair,
        ({ name }) => name,
        (one) => shownUser(one, nowMs),
        'user',
      ),
    ),
  ].filter((change) => change !== undefined)
  const after = {
    scopes: allScopes,
    resources: replaced(stored.resources, resources),
    roles: allRoles,
    clients: clientsAfter,
    users: replaced(stored.users, users),
    catalogueVersion: stored.catalogueVersion,
  }
  return { changes, left, problems, after }
}

/** Problems of a record that names what the same files delete. */
function namesDeleted(member: 'scope' | 'roles', names: readonly string[], deleted: readonly string[]): Problem[] {
  const noun = member === 'scope' ? 'scope' : 'role'
  return deleted
    .filter((name) => names.includes(name))
    .map((name) => problem(member, `The ${noun} ${name}`, 'would be deleted, because no file declares it'))
}

/** An account is more than what files say of it: it is not deleted and made anew under another name. */
function renamed(name: string, { id, name: stored }: User): Problem {
  return problem(
    'id',
    `The id ${id}`,
    `belongs to ${stored}. Rename the account first: latchkey user set ${stored} username=${name}`,
  )
}

function changeOf<T extends object, K extends RecordChange['kind']>(
  kind: Kind,
  { before, after }: Pair<T>,
  idOf: (record: T) => string,
  show: (record: T) => Shown,
  noun: K,
): Change | undefined {
  const record = after ?? before
  if (record === undefined || before === after) return undefined
  const shownBefore = before === undefined ? null : show(before)
  const shownAfter = after === undefined ? null : show(after)
  const members = changedMembers(shownBefore, shownAfter)
  const secret = after && secretOf(after)
  const isSecretNew = before !== undefined && secret !== undefined && secret !== secretOf(before)
  if (isSecretNew) members.push(kind === 'users' ? 'password' : 'client_secret')
  if (members.length === 0) return undefined
  const action = before === undefined ? 'create' : after === undefined ? 'delete' : 'update'
  const change = { kind: noun, before, after } as unknown as RecordChange
  return { action, kind, id: idOf(record), before: shownBefore, after: shownAfter, members, record: change }
}

/** Returns the hash of the record's secret; undefined: it has none. Compared, never shown. */
function secretOf(record: object): string | undefined {
  const { authentication, passwordHash } = record as Partial<Client & User>
  return authentication?.method === 'client_secret' ? authentication.secretHash : (passwordHash ?? undefined)
}

function changedMembers(before: Shown | null, after: Shown | null): string[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return names.filter((name) => JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]))
}

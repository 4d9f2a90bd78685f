/** Compares what files declare with what is stored. */
import { type Judged, type Problem, problem, type Rejection } from '../problem.ts'
import type { StoredBrand } from '../protocol/branding/brand.ts'
import type { Resource } from '../protocol/claims/resource-rules.ts'
import type { Client } from '../protocol/client/client.ts'
import type { RegistrationContext } from '../protocol/client/client-registration.ts'
import { adminScopes, builtInRoles } from '../protocol/scope/admin-scopes.ts'
import type { Scope } from '../protocol/scope/scope.ts'
import { shellWord } from '../protocol/shell-word.ts'
import { isRefusal } from '../refusal.ts'
import type { AttributeRules } from '../users/attribute-changes.ts'
import type { Attribute } from '../users/attributes.ts'
import { type Group, pathOf } from '../users/groups.ts'
import { ruleOf } from '../users/role-changes.ts'
import type { Role } from '../users/roles.ts'
import { normalizeName, type User } from '../users/user.ts'
import { attributeProblems, declaredAttribute } from './attributes.ts'
import { brandPairs, plannedBrand } from './branding.ts'
import { type Change, changeOf, type Losers } from './changes.ts'
import { changedRuleProblems, rulesAfter } from './claim-rules.ts'
import { referencesWith } from './client-references.ts'
import { type DeclaredSecret, declaredClient } from './clients.ts'
import { type Declaration, type Declarations, placed } from './declaration.ts'
import { planGroups } from './groups.ts'
import { idsOf, matched, replaced, undeclared } from './matching.ts'
import { goingRoles, ownerProblems, undeclaredClients } from './roles-of-clients.ts'
import { declaredResource, declaredRole, declaredScope, roleRuleProblems } from './scopes-and-roles.ts'
import { shownAttribute, shownClient, shownGroup, shownResource, shownRole, shownScope, shownUser } from './shown.ts'
import { type DeclaredPassword, declaredUser, leftToPerson } from './users.ts'

export type Stored = {
  readonly attributes: readonly Attribute[]
  readonly scopes: readonly Scope[]
  readonly resources: readonly Resource[]
  readonly roles: readonly Role[]
  /** By id. */
  readonly groups: ReadonlyMap<string, Group>
  readonly clients: readonly Client[]
  /** The roles that belong to the clients that would be deleted, described or not. */
  readonly goingRoles: readonly string[]
  /** The version of the catalogue that what roles include is decided on. */
  readonly catalogueVersion: number
  readonly brand: StoredBrand
  /** At least those whom the files declare. */
  readonly users: readonly User[]
}

export type PlanContext = Omit<RegistrationContext, 'registeredScopes' | 'newSecretHash'> & {
  /** By client id. */
  readonly secrets: ReadonlyMap<string, DeclaredSecret>
  /** By user name. */
  readonly passwords: ReadonlyMap<string, DeclaredPassword>
  readonly newId: () => string
  /** How values of people are compared with patterns, and why a pattern is none. */
  readonly patterns: Pick<AttributeRules, 'matches'> & { readonly fault: (pattern: string) => string | undefined }
  /** Whether records that the files leave out are deleted. */
  readonly prune: boolean
  /** Roles that may newly be neither included nor everybody's. */
  readonly guardedRoles: readonly string[]
  readonly nowMs: number
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

  const attributes = matched(declared, 'attributes', stored.attributes, ({ name }) => name, context.prune).map(
    ({ before, declaration }) => ({
      before,
      after: declaration && judge(declaration, declaredAttribute(before, declaration, context.patterns.fault, nowMs)),
    }),
  )
  const allAttributes = replaced(stored.attributes, attributes)
  const byName = new Map(allAttributes.map((one) => [one.name, one]))
  const values: AttributeRules = { declared: byName, matches: context.patterns.matches }

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
  const rules = rulesAfter(byName, allScopes, replaced(stored.resources, resources))

  const pruned = context.prune ? undeclaredClients(declared, stored.clients) : []
  const clientIds = new Set([
    ...stored.clients.map(({ id }) => id).filter((id) => !pruned.some(({ before }) => before?.id === id)),
    ...idsOf(declared, 'clients'),
  ])

  const matchedRoles = matched(declared, 'roles', stored.roles, ({ name }) => name, context.prune)
    // Only the description of a built-in role is a record: nobody loses the role for want of one.
    .filter(({ before, declaration }) => declaration !== undefined || !builtInRoles.includes(before?.name ?? ''))
    .concat(goingRoles(declared, stored, context.prune && declared.kinds.has('roles')))
  const deletedRoles = undeclared(matchedRoles)
  const roles = matchedRoles.map(({ before, declaration }) => ({
    before,
    after: declaration === undefined ? undefined : judge(declaration, declaredRole(before, declaration, nowMs)),
  }))
  const allRoles = replaced(stored.roles, roles)
  for (const [at, { declaration }] of matchedRoles.entries()) {
    const { before, after } = roles[at] ?? {}
    if (declaration === undefined || after === undefined) continue
    problems.push(
      ...placed(declaration, [
        ...roleRuleProblems({ before, after }, allRoles, context.guardedRoles),
        ...ownerProblems({ before, after }, clientIds, stored),
        ...namesDeleted('includes', after.includes ?? [], deletedRoles),
      ]),
    )
  }

  const groups = planGroups(declared, stored.groups, {
    ...context,
    rules: new Map(allRoles.map((role) => [role.name, ruleOf(role)])),
    deletedProblems: (names) => namesDeleted('roles', names, deletedRoles),
  })
  problems.push(...groups.problems)

  // Those with a fault of their own, and those that are deleted, are reported as what they are.
  const known = [...stored.scopes.map(({ name }) => name), ...idsOf(declared, 'scopes')]
  const references = referencesWith(declared, context, context.guardedRoles, { pruned, clientIds, roles: allRoles })
  const registration = { ...context, ...references, registeredScopes: [...known, ...adminScopes], rules }
  const candidates = matched(declared, 'clients', stored.clients, ({ id }) => id, false)
  const clients = [...candidates, ...pruned].map(({ before, declaration }) => {
    if (declaration === undefined) return { before, after: undefined }
    const secret = context.secrets.get(declaration.id)
    const { scope } = declaration.members
    const deleted = namesDeleted('scope', typeof scope === 'string' ? scope.split(' ') : [], undeclared(scopes))
    problems.push(...placed(declaration, deleted))
    const judging = { ...registration, newSecretHash: secret?.hash ?? '' }
    const after = judge(declaration, declaredClient(before, declaration, judging, secret, nowMs))
    const held = after?.metadata.service_account_roles ?? []
    problems.push(...placed(declaration, namesDeleted('service_account_roles', held, deletedRoles)))
    return { before, after }
  })

  const clientsAfter = replaced(stored.clients, clients)
  const judged = { scopes: allScopes, clients: clientsAfter, rules }
  problems.push(...changedRuleProblems(scopesAfter, resources, judged))

  problems.push(...attributeProblems(attributes, allAttributes.length, judged))

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
      const judged = declaredUser(before, declaration, password, context.newId, values, nowMs)
      const after = judge(declaration, judged)
      const members = before === undefined ? [] : leftToPerson(before, declaration, password, values)
      if (members.length > 0) left.push({ id: declaration.writtenId, members })
      problems.push(...placed(declaration, namesDeleted('roles', after?.roles ?? [], deletedRoles)))
      return { before, after }
    },
  )

  const brand = brandPairs(declared, stored.brand, judge)

  const declaredIds = new Set([...candidates, ...pruned].map(({ before }) => before?.id))
  const losing = (scope: string): Losers => {
    const losers = stored.clients.filter(({ id, scopes }) => scopes.includes(scope) && !declaredIds.has(id))
    return { names: losers.map(({ id }) => id), count: losers.length }
  }

  const [showClient, showUser] = [(one: Client) => shownClient(one, nowMs), (one: User) => shownUser(one, nowMs)]
  // Those that go are in it as well.
  const allGroups = new Map([...stored.groups, ...groups.after])
  const showGroup = (group: Group) => shownGroup(group, allGroups)
  const pathIn = (group: Group) => pathOf(group, allGroups)
  const changes = [
    ...attributes.map((pair) => changeOf('attributes', pair, ({ name }) => name, shownAttribute, 'attribute')),
    ...scopesAfter.map((pair) => {
      const change = changeOf('scopes', pair, ({ name }) => name, shownScope, 'scope')
      return change?.action === 'delete' ? { ...change, takenFrom: losing(change.id) } : change
    }),
    ...resources.map((pair) => changeOf('resources', pair, ({ identifier }) => identifier, shownResource, 'resource')),
    ...roles.map((pair) => changeOf('roles', pair, ({ name }) => name, shownRole, 'role')),
    ...groups.pairs.map((pair) => changeOf('groups', pair, pathIn, showGroup, 'group')),
    ...clients.map((pair) => changeOf('clients', pair, ({ id }) => id, showClient, 'client')),
    ...users.map((pair) => changeOf('users', pair, ({ name }) => name, showUser, 'user')),
    ...brand.map((pair) => changeOf('branding', pair, () => 'branding', plannedBrand, 'brand')),
  ].filter((change) => change !== undefined)
  const after = {
    attributes: allAttributes,
    scopes: allScopes,
    resources: replaced(stored.resources, resources),
    roles: allRoles,
    groups: groups.after,
    clients: clientsAfter,
    users: replaced(stored.users, users),
    goingRoles: [],
    brand: brand[0]?.after ?? stored.brand,
    catalogueVersion: stored.catalogueVersion,
  }
  return { changes, left, problems, after }
}

/** Problems of a record that names what the same files delete. */
function namesDeleted(
  member: 'scope' | 'roles' | 'includes' | 'service_account_roles',
  names: readonly string[],
  deleted: readonly string[],
): Problem[] {
  const noun = member === 'scope' ? 'scope' : 'role'
  return deleted
    .filter((name) => names.includes(name))
    .map((name) => problem(member, `The ${noun} ${name}`, 'would be deleted, because no file declares it'))
}

/** An account is more than what files say of it: it is not deleted and made anew under another name. */
function renamed(name: string, { id, name: stored }: User): Problem {
  const command = `latchkey user set ${shellWord(stored)} ${shellWord(`username=${name}`)}`
  return problem('id', `The id ${id}`, `belongs to ${stored}. Rename the account first: ${command}`)
}

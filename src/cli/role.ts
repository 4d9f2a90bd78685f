/** `latchkey role …`: what roles there are, what they include, and which of them everybody has. */

import type { Command } from 'commander'
import { clientPartOf, ownerlessProblem } from '../protocol/claims/client-roles.ts'
import { builtInRoles } from '../protocol/scope/admin-scopes.ts'
import { shellWord } from '../protocol/shell-word.ts'
import { Refused } from '../server/refused.ts'
import type { Storage } from '../storage/port/storage.ts'
import { giversOf, linkedRoles, linksOf } from '../users/effective-roles.ts'
import { changeRole, type RoleMembers } from '../users/role-changes.ts'
import { type Role, roleRecord, undescribedRole } from '../users/roles.ts'
import { type CommandContext, Misused, withCommonOptions, withStorage } from './context.ts'
import { confirmLoss, removeAll, yesOption } from './removing.ts'
import { record, table } from './text.ts'

type Options = { readonly description?: string; readonly allowAdmin?: boolean }

export const allowAdminOption = [
  '--allow-admin',
  `also the roles ${builtInRoles.join(' and ')}, which give rights over the whole service`,
] as const

export function register(parent: Command, context: CommandContext): void {
  const role = withCommonOptions(
    parent.command('role').description('roles: descriptions, included roles, roles of everybody'),
  )
  const leaf = (signature: string, description: string) =>
    withCommonOptions(role.command(signature).description(description))

  leaf('add <name> [assignments...]', 'describe a role; assignments as of role set')
    .option('--description <text>', 'what it is for')
    .option(...allowAdminOption)
    .action((name: string, assignments: string[], options: Options, command: Command) => {
      const members = { ...membersOf(assignments), ...(options.description !== undefined && options) }
      return withStorage(context, command, async ({ storage, event, print }) => {
        const added = await change(context, storage, { name, members, isNew: true }, options, () => [
          event('role_added', {}, { name }),
        ])
        print(
          roleRecord(added),
          `Added ${name}. Give it to somebody with: latchkey user add-role USER ${shellWord(name)}`,
        )
      })
    })

  leaf('list', 'list the roles').action((_options, command: Command) =>
    withStorage(context, command, async ({ storage, print }) => {
      const [described, held, ofAccounts, catalogue] = await Promise.all([
        storage.roles.list(),
        storage.userSearch.heldRoles(),
        storage.clientReferences.accountRoles(),
        storage.catalogue.now(),
      ])
      const byName = new Map(
        [...held, ...ofAccounts, ...linkedRoles(catalogue), ...builtInRoles].map((name) => [
          name,
          undescribedRole(name),
        ]),
      )
      for (const one of described) byName.set(one.name, one)
      const roles = [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
      const rows = roles.map(({ name, includes = [], isDefault, description }) => [
        ...[name, includes.join(', '), isDefault === true ? 'everybody' : '', description ?? ''],
      ])
      print(roles.map(roleRecord), table(['NAME', 'INCLUDES', 'WHO', 'DESCRIPTION'], rows))
    }),
  )

  leaf('show <name>', 'show one role').action((name: string, _options, command: Command) =>
    withStorage(context, command, async ({ storage, print }) => {
      const found = await requireRole(storage, name)
      const { includes = [], description, isDefault } = found
      const who = isDefault === true ? 'everybody has it' : 'who is given it'
      const rows = [
        ['name', name],
        ['includes', includes],
        ['who', who],
        ['description', description ?? 'none'],
      ] as const
      print(roleRecord(found), record(rows))
    }),
  )

  leaf('set <name> [assignments...]', 'change a role: includes=author,viewer, default=true or false, description=TEXT')
    .option(...allowAdminOption)
    .action((name: string, assignments: string[], options: Options, command: Command) => {
      const members = membersOf(assignments)
      if (Object.keys(members).length === 0) throw new Misused('Say what to change, such as includes=author,viewer.')
      return withStorage(context, command, async ({ storage, event, print }) => {
        await requireRole(storage, name)
        const changed = await change(context, storage, { name, members, isNew: false }, options, () => [
          event('role_changed', {}, { name, members: assignments.map((one) => one.slice(0, one.indexOf('='))) }),
        ])
        print(roleRecord(changed), `Changed ${name}. It is in the next token of everybody whom it concerns.`)
      })
    })

  leaf('delete <name>', 'take a role from everybody, from groups, from other roles and from service accounts')
    .addOption(yesOption())
    .action((name: string, { yes = false }: { yes?: boolean }, command: Command) =>
      withStorage(context, command, async ({ storage, event, print }) => {
        if (builtInRoles.includes(name)) throw new Refused(`The role ${name} is built in and cannot be deleted.`)
        const { isDefault } = await requireRole(storage, name)
        const count = await countHolders(storage, name)
        const given =
          count === 0 ? 'which nobody was given' : `which ${count} ${count === 1 ? 'person has' : 'people have'}`
        const held = isDefault === true ? 'which everybody has' : given
        const accounts = await storage.clientReferences.withAccountRole(name)
        const links = [
          ...linksOf(name, await storage.catalogue.now()),
          ...accounts.map((id) => `the service account of ${id}`),
        ]
        const taken = links.length === 0 ? '' : `, and takes it from ${links.join(', ')}`
        await confirmLoss(context, `This deletes the role ${name}, ${held}${taken}.`, yes)
        const recorded = event('role_deleted', {}, { name, ...(count > 0 && { takenFrom: count }) })
        await storage.roles.deleteEverywhere(name, context.clock(), [recorded])
        await removeAll(storage)
        print({ name, deleted: true }, `Deleted ${name}.`)
      }),
    )
}

/** Throws `Refused` for a role that would belong to a client that is not there. */
export async function requireOwners({ clientReferences }: Pick<Storage, 'clientReferences'>, roles: readonly string[]) {
  const ownerless = await clientReferences.ownerlessAmong(roles)
  if (ownerless.length > 0) throw Refused.because(ownerless.map((role) => ownerlessProblem('roles', role)))
}

async function requireRole(storage: Storage, name: string): Promise<Role> {
  const found = await storage.roles.find(name)
  if (found !== undefined) return found
  const isLinked = builtInRoles.includes(name) || linkedRoles(await storage.catalogue.now()).has(name)
  const isGiven = isLinked || (await storage.userSearch.isHeld(name))
  if (isGiven || (await storage.clientReferences.withAccountRole(name)).length > 0) return undescribedRole(name)
  throw new Refused(
    `There is no role called ${name}. See: latchkey role list, or add it with: latchkey role add ${shellWord(name)}`,
  )
}

/** How many people have the role by themselves, by a group or by another role; of very many, those who have it themselves. */
async function countHolders({ catalogue, roles, userSearch }: Storage, name: string): Promise<number> {
  const found = await userSearch.given({ ...giversOf(name, await catalogue.now()), isEverybodys: false })
  return found?.length ?? (await roles.dependents(name)).count
}

type Asked = Pick<Parameters<typeof changeRole>[0], 'name' | 'members' | 'isNew'>

async function change(
  context: CommandContext,
  storage: Storage,
  asked: Asked,
  { allowAdmin = false }: Options,
  events: NonNullable<Parameters<Storage['roles']['change']>[1]>,
): Promise<Role> {
  const given = { ...asked, guarded: allowAdmin ? [] : builtInRoles, nowMs: context.clock() }
  const owner = asked.isNew ? clientPartOf(asked.name) : undefined
  await requireOwners(storage, asked.members.includes ?? [])
  const { role, refused, problems } = await storage.roles.change((known) => changeRole(given, known), events, owner)
  if (problems !== undefined) throw Refused.because(problems)
  if (refused === 'exists')
    throw new Refused(`The role ${asked.name} is there already. Change it with: latchkey role set`)
  if (role === undefined) throw new Refused(`The role ${asked.name} is being deleted. Try again in a moment.`)
  return role
}

/** Reads `includes=author,viewer default=true description=TEXT`. An empty text removes. */
function membersOf(assignments: readonly string[]): RoleMembers {
  const members: { -readonly [Member in keyof RoleMembers]: RoleMembers[Member] } = {}
  for (const assignment of assignments) {
    const at = assignment.indexOf('=')
    const [member, value] = [assignment.slice(0, Math.max(at, 0)), assignment.slice(at + 1)]
    if (member === 'includes') members.includes = value === '' ? [] : value.split(',')
    else if (member === 'description') members.description = value === '' ? null : value
    else if (member === 'default' && ['true', 'false'].includes(value)) members.isDefault = value === 'true'
    else throw new Misused(`${assignment} is none of includes=A,B, default=true, default=false and description=TEXT.`)
  }
  return members
}

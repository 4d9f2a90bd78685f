/** `latchkey group …`: groups of people, the roles that they give, and their members. */
import type { Command } from 'commander'
import type { AuditEvents } from '../audit/entry.ts'
import { builtInRoles } from '../protocol/scope/admin-scopes.ts'
import { shellWord } from '../protocol/shell-word.ts'
import { uuidv7 } from '../secrets/opaque.ts'
import { Refused } from '../server/refused.ts'
import type { Storage } from '../storage/port/storage.ts'
import {
  changeGroup,
  type DecidedGroup,
  deleteGroup,
  type GroupMembers,
  groupRecord,
  makeGroup,
} from '../users/group-changes.ts'
import { type Group, pathOf, splitPath } from '../users/groups.ts'
import { groupProblems } from '../users/role-changes.ts'
import { accepted, type CommandContext, collect, Misused, withCommonOptions, withStorage } from './context.ts'
import { registerMembers, requireGroup } from './group-members.ts'
import { removeAll } from './removing.ts'
import { allowAdminOption, requireOwners } from './role.ts'
import { record, table } from './text.ts'

type Options = {
  readonly role?: readonly string[]
  readonly description?: string
  readonly allowAdmin?: boolean
}

export function register(parent: Command, context: CommandContext): void {
  const group = withCommonOptions(parent.command('group').description('groups of people, their roles and members'))
  const leafOf = (of: Command) => (signature: string, description: string) =>
    withCommonOptions(of.command(signature).description(description))
  const leaf = leafOf(group)

  leaf('add <path>', 'add a group, such as /staff/berlin')
    .option('--role <name>', 'a role that its members have; repeatable', collect)
    .option('--description <text>', 'what it is for')
    .option(...allowAdminOption)
    .action((path: string, { role: roles = [], ...options }: Options, command: Command) => {
      const members = { ...accepted(splitPath(path)), roles, description: options.description ?? null }
      return withStorage(context, command, async ({ storage, event, print }) => {
        await requireOwners(storage, roles)
        const start = { id: uuidv7(context.clock(), context.random), createdAtMs: context.clock() }
        const decide = (groups: Groups) => makeGroup(members, start, groups)
        const made = await change(storage, path, decide, options, () => [
          event('group_added', {}, { group: path, roles }),
        ])
        print(made, `Added ${made.path}. Add somebody with: latchkey group member add ${shellWord(made.path)} USER`)
      })
    })

  leaf('list', 'list the groups')
    .option('--under <path>', 'those in this group alone')
    .action(({ under }: { readonly under?: string }, command: Command) =>
      withStorage(context, command, async ({ storage, print }) => {
        const { groups } = await storage.catalogue.now()
        const within = under === undefined ? undefined : groupRecord(requireGroup(under, groups), groups).path
        const all = [...groups.values()].map((one) => groupRecord(one, groups))
        const shown = all
          .filter(({ path }) => within === undefined || path.startsWith(`${within}/`))
          .sort((a, b) => (a.path < b.path ? -1 : 1))
        const rows = shown.map(({ path, roles, description }) => [path, roles.join(', '), description ?? ''])
        const empty = 'There are no groups here. Add one with: latchkey group add /NAME'
        print(shown, shown.length === 0 ? empty : table(['PATH', 'ROLES', 'DESCRIPTION'], rows))
      }),
    )

  leaf('show <path>', 'show one group').action((path: string, _options, command: Command) =>
    withStorage(context, command, async ({ storage, print }) => {
      const { groups, effectiveRolesOf } = await storage.catalogue.now()
      const found = requireGroup(path, groups)
      const given = effectiveRolesOf({ roles: [], groupIds: [found.id] }).map(
        ({ role, from }) => `${role} (${from.join(', ')})`,
      )
      const shown = groupRecord(found, groups)
      print(
        shown,
        record([
          ['path', shown.path],
          ['id', shown.id],
          ['roles', shown.roles],
          ['members have', given],
          ['description', shown.description ?? 'none'],
        ]),
      )
    }),
  )

  leaf('set <path> <assignments...>', 'change a group: name=TEXT, parent=PATH (empty: top level), description=TEXT')
    .option(...allowAdminOption)
    .action((path: string, assignments: string[], options: Options, command: Command) => {
      const members = membersOf(assignments)
      return withStorage(context, command, async ({ storage, event, print }) => {
        const decide = (groups: Groups) => changeGroup(path, () => members, groups)
        const recorded = event('group_changed', {}, { group: path, members: Object.keys(members) })
        const changed = await change(storage, path, decide, options, () => [recorded])
        print(changed, `Changed ${changed.path}.`)
      })
    })

  const role = leafOf(withCommonOptions(group.command('role').description('the roles that a group gives')))
  for (const [verb, about] of [
    ['add', 'give a role to the members of a group'],
    ['remove', 'take a role from a group'],
  ] as const) {
    role(`${verb} <path> <role>`, about)
      .option(...allowAdminOption)
      .action((path: string, name: string, options: Options, command: Command) =>
        withStorage(context, command, async ({ storage, event, print }) => {
          if (verb === 'add') await requireOwners(storage, [name])
          const decide = (groups: Groups) =>
            changeGroup(
              path,
              ({ roles }) => ({ roles: verb === 'add' ? [...roles, name] : roles.filter((one) => one !== name) }),
              groups,
            )
          const recorded = event(
            'group_changed',
            {},
            { group: path, members: ['roles'], change: `role_${verb === 'add' ? 'added' : 'removed'}`, role: name },
          )
          const changed = await change(storage, path, decide, options, () => [recorded])
          print(changed, `The roles of ${changed.path}: ${changed.roles.join(', ') || 'none'}.`)
        }),
      )
  }

  registerMembers(group, context)

  leaf('delete <path>', 'delete a group')
    .option('--yes', 'also with members')
    .option('--recursive', 'with the groups in it')
    .action(
      (path: string, { yes = false, recursive = false }: { yes?: boolean; recursive?: boolean }, command: Command) =>
        withStorage(context, command, async ({ storage, event, print }) => {
          const { groups } = await storage.catalogue.now()
          const found = requireGroup(path, groups)
          const isEmpty =
            deleteGroup(path, false, groups).refused === undefined &&
            (await storage.groups.members(found.id)).length === 0
          const isConfirmed = yes && recursive
          if (!isEmpty && !isConfirmed)
            throw new Refused(`${path} has members or groups in it. To delete all of it, add --yes --recursive.`)
          const eventsOf = ({ changes = [] }: DecidedGroup) =>
            changes.map(({ id }) =>
              event('group_deleted', {}, { group: groups.has(id) ? pathOf(groups.get(id) as Group, groups) : id }),
            )
          const { refused } = await storage.groups.change((known) => deleteGroup(path, isConfirmed, known), eventsOf)
          if (refused !== undefined) throw new Refused(`${path} has another group in it by now, or is gone. Try again.`)
          await removeAll(storage)
          print({ path, deleted: true }, `Deleted ${path}.`)
        }),
    )
}

type Groups = ReadonlyMap<string, Group>

/** Commits what is decided, unless it gives a role of administrators that nobody allowed. Returns the record afterwards. */
async function change(
  storage: Storage,
  path: string,
  decide: (groups: Groups) => DecidedGroup,
  { allowAdmin = false }: Options,
  events: (decided: DecidedGroup) => AuditEvents,
) {
  const guarded = allowAdmin ? [] : builtInRoles
  const { problems, group } = await storage.groups.change((groups, roles): DecidedGroup => {
    const decided = decide(groups)
    if (decided.group === undefined || decided.changes === undefined) return decided
    const after = new Map(groups).set(decided.group.id, decided.group)
    const exceeding = groupProblems(decided.group.id, groups, after, roles, guarded)
    return exceeding.length > 0 ? { problems: exceeding } : decided
  }, events)
  if (problems !== undefined) throw Refused.because(problems)
  if (group === undefined) throw new Refused(`There is no group ${path}. See: latchkey group list`)
  const { groups } = await storage.catalogue.now()
  return groupRecord(group, groups)
}

/** Reads `name=TEXT parent=PATH description=TEXT`. */
function membersOf(assignments: readonly string[]): GroupMembers {
  const members: { -readonly [Member in keyof GroupMembers]: GroupMembers[Member] } = {}
  for (const assignment of assignments) {
    const at = assignment.indexOf('=')
    const [member, value] = [assignment.slice(0, Math.max(at, 0)), assignment.slice(at + 1)]
    if (member === 'name') members.name = value
    else if (member === 'parent') members.parent = value === '' || value === '/' ? null : value
    else if (member === 'description') members.description = value === '' ? null : value
    else throw new Misused(`${assignment} is none of name=TEXT, parent=PATH and description=TEXT.`)
  }
  return members
}

/** `latchkey group member …`, `group members`: who is in a group. */
import type { Command } from 'commander'
import type { AuditEvents } from '../audit/entry.ts'
import { Refused } from '../server/refused.ts'
import { membersAtOnce } from '../storage/port/groups.ts'
import { findGroup } from '../users/group-changes.ts'
import { type Group, groupsOfPersonAtMost, pathOf } from '../users/groups.ts'
import type { User } from '../users/user.ts'
import { type CommandContext, withCommonOptions, withStorage } from './context.ts'
import { table } from './text.ts'
import { requireUser } from './user-lookup.ts'

export function requireGroup(path: string, groups: ReadonlyMap<string, Group>): Group {
  const found = findGroup(path, groups)
  if (found === undefined) throw new Refused(`There is no group ${path}. See: latchkey group list`)
  return found
}

export function registerMembers(group: Command, context: CommandContext): void {
  const leafOf = (of: Command) => (signature: string, description: string) =>
    withCommonOptions(of.command(signature).description(description))
  const leaf = leafOf(group)
  const member = leafOf(withCommonOptions(group.command('member').description('who is in a group')))
  member('add <path> <users...>', 'add people to a group: all of them or none').action(
    (path: string, names: string[], _options, command: Command) =>
      withStorage(context, command, async ({ storage, event, print }) => {
        const { groups } = await storage.catalogue.now()
        const found = requireGroup(path, groups)
        const people = await Promise.all(names.map((name) => requireUser(storage, name)))
        const eventsOf = (added: readonly string[]): AuditEvents =>
          added.map((userId) => event('group_member_added', { userId }, { group: pathOf(found, groups) }))
        const outcome = await storage.groups.addMembers(
          found.id,
          people.map(({ id }) => id),
          eventsOf,
        )
        if (outcome.outcome !== 'added') throw new Refused(notAdded(outcome, people, path))
        const shown = people.filter(({ id }) => outcome.added.includes(id)).map(({ name }) => name)
        print({ group: path, added: shown }, `Added ${shown.join(', ') || 'nobody: they are in it'}.`)
      }),
  )
  member('remove <path> <users...>', 'take people out of a group').action(
    (path: string, names: string[], _options, command: Command) =>
      withStorage(context, command, async ({ storage, event, print }) => {
        const { groups } = await storage.catalogue.now()
        const found = requireGroup(path, groups)
        const people = await Promise.all(names.map((name) => requireUser(storage, name)))
        const removed: string[] = []
        for (const { id: userId, name } of people) {
          const recorded = event('group_member_removed', { userId }, { group: pathOf(found, groups) })
          if (await storage.groups.removeMember(found.id, userId, [recorded])) removed.push(name)
        }
        print({ group: path, removed }, `Removed ${removed.join(', ') || 'nobody: they are not in it'}.`)
      }),
  )

  leaf('members <path>', 'list who is in a group directly').action((path: string, _options, command: Command) =>
    withStorage(context, command, async ({ storage, print }) => {
      const { groups } = await storage.catalogue.now()
      const { id } = requireGroup(path, groups)
      const people: User[] = []
      for (let page = await storage.groups.members(id); page.length > 0; ) {
        people.push(...page)
        page = page.length < membersAtOnce ? [] : await storage.groups.members(id, page.at(-1)?.id)
      }
      const json = people.map((user) => ({ id: user.id, username: user.name }))
      print(
        json,
        people.length === 0
          ? `Nobody is in ${path}.`
          : table(
              ['NAME', 'E-MAIL'],
              people.map(({ name, email }) => [name, email]),
            ),
      )
    }),
  )
}

function notAdded(
  { outcome, userId }: { outcome: string; userId: string },
  people: readonly User[],
  path: string,
): string {
  const name = people.find(({ id }) => id === userId)?.name ?? userId
  if (outcome === 'too_many')
    return `${name} is in ${groupsOfPersonAtMost} groups, as many as one person can be. Nobody was added.`
  return outcome === 'no_group'
    ? `There is no group ${path} any more.`
    : `There is no user called ${name} any more. Nobody was added.`
}

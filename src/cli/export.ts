/** `latchkey export`: writes the stored configuration as files that `apply` takes. */
import { type Command, InvalidArgumentError } from 'commander'
import { type Kind, kinds, nouns } from '../configuration/declaration.ts'
import {
  type Documents,
  isConfigured,
  shownAttribute,
  shownClient,
  shownGroup,
  shownResource,
  shownRole,
  shownScope,
  shownUser,
  toFile,
  toYaml,
} from '../configuration/shown.ts'
import type { Storage } from '../storage/port/storage.ts'
import { pathOf } from '../users/groups.ts'
import { type CommandContext, withCommonOptions, withStorage } from './context.ts'

/** People are many, and their data is for few: they are written if asked for. */
const byDefault: readonly Kind[] = kinds.filter((kind) => kind !== 'users')

export function register(parent: Command, context: CommandContext): void {
  withCommonOptions(parent.command('export'))
    .description(
      'write clients, scopes, roles, groups and attributes as YAML that latchkey apply takes; without secrets',
    )
    .option('--kind <kind>', `${kinds.join(', ')}; repeatable; default: all but users`, kindOf)
    .action(({ kind = byDefault }: { kind?: readonly Kind[] }, command: Command) =>
      withStorage(context, command, async ({ storage, print }) => {
        const documents: Record<string, Documents[Kind]> = {}
        for (const one of kinds) if (kind.includes(one)) documents[one] = await readers[one](storage, context.clock())
        print(toFile(documents), toYaml(documents).trimEnd())
      }),
    )
}

/** Clients that registered themselves look after their registration themselves. */
const readers: { readonly [K in Kind]: (storage: Storage, nowMs: number) => Promise<NonNullable<Documents[K]>> } = {
  attributes: async (storage) => [...(await storage.attributes.all()).known.values()].map(shownAttribute),
  scopes: async (storage) => (await storage.scopes.list()).map(shownScope),
  resources: async (storage) => [...(await storage.resources.all()).known.values()].map(shownResource),
  roles: async (storage) => (await storage.roles.list()).map(shownRole),
  groups: async (storage) => {
    const { known } = await storage.groups.all()
    const sorted = [...known.values()].map((group) => ({ group, path: pathOf(group, known) }))
    return sorted.sort((a, b) => (a.path < b.path ? -1 : 1)).map(({ group }) => shownGroup(group, known))
  },
  clients: async (storage, nowMs) =>
    (await storage.clients.list()).filter(isConfigured).map((client) => shownClient(client, nowMs)),
  users: async (storage, nowMs) => (await storage.users.list()).map((user) => shownUser(user, nowMs)),
}

function kindOf(text: string, previous: readonly Kind[] = []): Kind[] {
  const found = kinds.find((kind) => kind === text || nouns[kind] === text)
  if (found === undefined) throw new InvalidArgumentError(`These are: ${kinds.join(', ')}.`)
  return [...previous, found]
}

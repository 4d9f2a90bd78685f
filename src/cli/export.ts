/** `latchkey export`: writes the stored configuration as files that `apply` takes. */
import { type Command, InvalidArgumentError } from 'commander'
import { type Kind, kinds, nouns } from '../configuration/declaration.ts'
import {
  type Documents,
  isConfigured,
  shownAttribute,
  shownBrand,
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
import { visible } from '../text.ts'
import { pathOf } from '../users/groups.ts'
import { type CommandContext, Misused, withCommonOptions, withStorage } from './context.ts'

/** People are many, and their data is for few: they are written if asked for. */
const byDefault: readonly Kind[] = kinds.filter((kind) => kind !== 'users')

export function register(parent: Command, context: CommandContext): void {
  withCommonOptions(parent.command('export [system] [file]'))
    .description(
      'write clients, scopes, roles, groups, attributes and the branding as YAML that latchkey apply takes, without secrets; or everybody as a file for users or keycloak, with password hashes',
    )
    .option('--kind <kind>', `${kinds.join(', ')}; repeatable; default: all but users`, kindOf)
    .option('--realm <name>', 'with keycloak: the name of the realm; default: the host of the issuer')
    .addHelpText(
      'after',
      '\nSystems: users (JSON lines), keycloak (a realm). Without a file, to standard output. What an import of that kind takes.',
    )
    .action(async (system: string | undefined, file: string | undefined, options: Options, command: Command) => {
      if (system === undefined) {
        if (options.realm !== undefined) throw new Misused('--realm is for keycloak alone.')
        return configuration(context, command, options)
      }
      const { exportPeople, systems } = await import('./export-people.ts')
      if (!systems.includes(system)) {
        throw new Misused(`There is no system "${visible(system)}". These are: ${systems.join(', ')}.`)
      }
      if (options.kind !== undefined) throw new Misused('--kind is for configuration alone.')
      if (options.realm !== undefined && system !== 'keycloak') throw new Misused('--realm is for keycloak alone.')
      return exportPeople(context, command, system, file, options)
    })
}

type Options = { readonly kind?: readonly Kind[]; readonly realm?: string }

function configuration(context: CommandContext, command: Command, { kind = byDefault }: Options): Promise<void> {
  return withStorage(context, command, async ({ storage, print }) => {
    const documents: Record<string, Documents[Kind]> = {}
    for (const one of kinds) if (kind.includes(one)) documents[one] = await readers[one](storage, context.clock())
    print(toFile(documents), toYaml(documents).trimEnd())
  })
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
  branding: async (storage) => {
    const brand = await storage.branding.find()
    return brand.version === 0 ? [] : [shownBrand(brand)]
  },
  users: async (storage, nowMs) => (await storage.users.list()).map((user) => shownUser(user, nowMs)),
}

function kindOf(text: string, previous: readonly Kind[] = []): Kind[] {
  const found = kinds.find((kind) => kind === text || nouns[kind] === text)
  if (found === undefined) throw new InvalidArgumentError(`These are: ${kinds.join(', ')}.`)
  return [...previous, found]
}

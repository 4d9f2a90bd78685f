/** `latchkey scope …`: what clients may ask for. */
import type { Command } from 'commander'
import { builtInScopes, type Scope } from '../protocol/scope.ts'
import { type CommandContext, collect, Refused, withCommonOptions, withStorage } from './context.ts'
import { isoTime, lineFault, table } from './text.ts'

type AddOptions = {
  readonly displayName?: string
  readonly description?: string
  readonly resource: readonly string[]
}

/** Audiences of one scope; every access token with the scope carries them. */
const resourcesAtMost = 10
const resourceLengthAtMost = 256

export function register(parent: Command, context: CommandContext): void {
  const scope = withCommonOptions(parent.command('scope').description('scopes that clients may ask for'))
  const leaf = (signature: string, description: string) =>
    withCommonOptions(scope.command(signature).description(description))

  leaf('add <name>', 'register a scope')
    .option('--display-name <text>', 'its name on the consent page')
    .option('--description <text>', 'what allowing it means, for the consent page')
    .option('--resource <uri>', 'an audience of its access tokens; may be repeated', collect, [])
    .action((name: string, options: AddOptions, command: Command) => {
      const { displayName = null, description = null, resource } = options
      checkScope(name, displayName, description)
      if (resource.length > resourcesAtMost) throw new Refused(`A scope has at most ${resourcesAtMost} resources.`)
      for (const uri of resource) checkResource(uri)
      return withStorage(context, command, async ({ storage, event, print }) => {
        const added: Scope = {
          name,
          displayName,
          description,
          resources: [...new Set(resource)],
          createdAtMs: context.clock(),
        }
        const recorded = event('scope_added', {}, { name, resources: added.resources })
        if (!(await storage.scopes.create(added, [recorded])))
          throw new Refused(`There is a scope called ${name} already.`)
        print(scopeJson(added), `Added ${name}. Let a client ask for it with: latchkey client add ID … --scope ${name}`)
      })
    })

  leaf('list', 'list the registered scopes').action((_options, command: Command) =>
    withStorage(context, command, async ({ storage, print }) => {
      const scopes = await storage.scopes.list()
      const rows = scopes.map(({ name, displayName, description }) => [name, displayName ?? '', description ?? ''])
      const empty = `Only ${builtInScopes.join(' and ')}, which are built in. Add one with: latchkey scope add NAME`
      print(scopes.map(scopeJson), scopes.length === 0 ? empty : table(['NAME', 'DISPLAY NAME', 'DESCRIPTION'], rows))
    }),
  )

  leaf('delete <name>', 'remove a scope').action((name: string, _options, command: Command) =>
    withStorage(context, command, async ({ storage, event, print }) => {
      if (!(await storage.scopes.delete(name, [event('scope_deleted', {}, { name })]))) {
        throw new Refused(`There is no scope called ${name}. See: latchkey scope list`)
      }
      print({ name, deleted: true }, `Deleted ${name}.`)
    }),
  )
}

function checkScope(name: string, displayName: string | null, description: string | null): void {
  if (builtInScopes.includes(name)) throw new Refused(`The scope ${name} is built in and needs no registration.`)
  // RFC 6749 §3.3: the characters of a scope-token.
  if (!/^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/.test(name)) {
    throw new Refused('The name of a scope must have 1 to 100 characters of ASCII, no spaces, quotes or backslashes.')
  }
  const fault = displayName === null ? undefined : lineFault(displayName, 200)
  if (fault !== undefined) throw new Refused(`The display name ${fault}.`)
  const descriptionFault = description === null ? undefined : lineFault(description, 1000)
  if (descriptionFault !== undefined) throw new Refused(`The description ${descriptionFault}.`)
}

/** RFC 9068 §3 with RFC 8707 §2: an absolute URI without a fragment. */
function checkResource(uri: string): void {
  if (uri.length > resourceLengthAtMost) {
    throw new Refused(`A resource must have at most ${resourceLengthAtMost} characters; one has ${uri.length}.`)
  }
  if (!URL.canParse(uri) || /[#\s]/.test(uri)) {
    throw new Refused(`The resource ${JSON.stringify(uri)} must be an absolute URI without a fragment.`)
  }
}

function scopeJson({ name, displayName, description, resources, createdAtMs }: Scope) {
  return { name, displayName, description, resources, createdAt: isoTime(createdAtMs) }
}

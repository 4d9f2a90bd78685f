/** The commands, as the library for command lines sees them. Loads only the group in use. */
import { Command, CommanderError } from 'commander'
import { packageVersion } from '../package.ts'
import { type CommandContext, type CommandGroup, Exit, Misused, withCommonOptions } from './context.ts'

export const commandGroups: Readonly<Record<string, { readonly about: string; load(): Promise<CommandGroup> }>> = {
  serve: { about: 'run the service', load: () => import('./serve-command.ts') },
  setup: { about: 'the first administrator of a new installation', load: () => import('./setup.ts') },
  user: { about: 'user accounts', load: () => import('./user.ts') },
  group: { about: 'groups of people, their roles and members', load: () => import('./group.ts') },
  role: { about: 'roles: what they include, and who has them', load: () => import('./role.ts') },
  branding: { about: 'the looks and links of pages and mails', load: () => import('./branding.ts') },
  attribute: { about: 'fields of people that you declare', load: () => import('./attribute.ts') },
  client: { about: 'registered applications', load: () => import('./client.ts') },
  import: { about: 'people and applications of another system', load: () => import('./import.ts') },
  scope: { about: 'scopes that clients may request', load: () => import('./scope.ts') },
  resource: { about: 'resources that access tokens are for', load: () => import('./resource.ts') },
  apply: { about: 'make clients, scopes and roles what files say', load: () => import('./apply.ts') },
  export: { about: 'write clients, scopes and roles as files', load: () => import('./export.ts') },
  provider: { about: 'external providers of the settings', load: () => import('./provider.ts') },
  keys: { about: 'signing keys and secrets', load: () => import('./keys.ts') },
  db: { about: 'the database: schema, backups, moving', load: () => import('./db.ts') },
  mail: { about: 'mails to people: what waits, what failed', load: () => import('./mail.ts') },
  audit: { about: 'the audit trail: who did what', load: () => import('./audit.ts') },
  authorizations: { about: 'stored consents of users', load: () => import('./authorizations.ts') },
  explain: { about: 'explain why a request was refused', load: () => import('./explain.ts') },
  doctor: {
    about: 'check settings, database, keys, clock, mail and outgoing requests',
    load: () => import('./doctor.ts'),
  },
}

/**
 * Runs the command of `argv`, which is in the group `named`. Throws `Exit` if it ends early with a code of its own, and `Misused`
 * for wrong usage, which is printed by then unless `--json` asks for a record.
 */
export async function runCommand(
  argv: readonly string[],
  named: string | undefined,
  context: CommandContext,
): Promise<void> {
  const asJson = argv.includes('--json')
  let usage = ''
  const program = withCommonOptions(new Command('latchkey'))
    .description('An OpenID Connect / OAuth 2.0 identity provider.')
    .version(packageVersion(), '--version', 'print the version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr(text) {
        usage += text
        if (!asJson) context.stderr.write(text)
      },
      outputError(text, write) {
        write(
          /^error: unknown option '-[^-]/.test(text)
            ? `${text}Put -- before a name that begins with a hyphen.\n`
            : text,
        )
      },
    })
  for (const [name, group] of Object.entries(commandGroups)) {
    if (name === named) (await group.load()).register(program, context)
    else program.command(name).description(group.about)
  }
  try {
    await program.parseAsync(argv, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) throw new Exit(0)
    if (!asJson && error.code !== 'commander.help') context.stderr.write(usageOf(program, argv))
    throw new Misused(usage.replace(/^error: /, '').trim(), true)
  }
}

/** Returns how to give the command that `argv` names, and where its help is. */
function usageOf(program: Command, argv: readonly string[]): string {
  let command = program
  for (const word of argv) {
    const named = command.commands.find((one) => one.name() === word)
    if (named) command = named
    else if (!word.startsWith('-')) break
  }
  const usage = command.createHelp().commandUsage(command)
  return `Usage: ${usage}\nHelp:  ${usage.slice(0, usage.search(/ [[<]|$/))} --help\n`
}

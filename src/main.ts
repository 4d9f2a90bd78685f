/** The command line. Selects a command; loads only the group in use. */
import { Command, CommanderError } from 'commander'
import { type CommandContext, type CommandGroup, Exit, Misused, withCommonOptions } from './cli/context.ts'
import { packageVersion } from './package.ts'
import { pooledRandom } from './secrets/random.ts'
import { endSoon } from './server/log-output.ts'
import { Refused } from './server/refused.ts'
import { visibleJson, visibleLines } from './text.ts'

export const commandGroups: Readonly<Record<string, { readonly about: string; load(): Promise<CommandGroup> }>> = {
  serve: { about: 'run the service', load: () => import('./cli/serve.ts') },
  user: { about: 'user accounts', load: () => import('./cli/user.ts') },
  client: { about: 'registered applications', load: () => import('./cli/client.ts') },
  import: { about: 'people and applications of another system', load: () => import('./cli/import.ts') },
  scope: { about: 'scopes that clients may request', load: () => import('./cli/scope.ts') },
  apply: { about: 'make clients, scopes and roles what files say', load: () => import('./cli/apply.ts') },
  export: { about: 'write clients, scopes and roles as files', load: () => import('./cli/export.ts') },
  keys: { about: 'signing keys and secrets', load: () => import('./cli/keys.ts') },
  db: { about: 'the database: schema, backups, moving', load: () => import('./cli/db.ts') },
  mail: { about: 'mails to people: what waits, what failed', load: () => import('./cli/mail.ts') },
  audit: { about: 'the audit trail: who did what', load: () => import('./cli/audit.ts') },
  authorizations: { about: 'consents that users gave', load: () => import('./cli/authorizations.ts') },
  explain: { about: 'explain why a request was refused', load: () => import('./cli/explain.ts') },
  doctor: { about: 'check settings, database, keys, clock and mail', load: () => import('./cli/doctor.ts') },
}

/** Errors with a message for the operator. */
const plainErrors = [
  'Refused',
  'Misused',
  'StorageUnavailable',
  'KeyRingProblem',
  'UnusableLogo',
  'UnusableManufacturers',
]

/**
 * Runs one command. `argv`: the arguments after the program's name. Resolves to the exit code: 0 success, 1 refused, 2
 * misused.
 */
export async function main(argv: readonly string[], context: CommandContext = processContext()): Promise<number> {
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
    })
  const named = groupIn(argv)
  for (const [name, group] of Object.entries(commandGroups)) {
    if (name === named) (await group.load()).register(program, context)
    else program.command(name).description(group.about)
  }
  try {
    await program.parseAsync(argv, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0
    if (error instanceof Exit) return error.code
    const isMisuse = error instanceof CommanderError || error instanceof Misused
    if (asJson) {
      const message = error instanceof CommanderError ? usage.replace(/^error: /, '').trim() : messageOf(error)
      context.stderr.write(`${visibleJson(JSON.stringify(failureRecord(error, message)))}\n`)
    } else if (!(error instanceof CommanderError)) {
      // commander has already written its message.
      context.stderr.write(`error: ${visibleLines(messageOf(error))}\n`)
    }
    return isMisuse ? 2 : 1
  }
}

/** Returns the first word that is neither an option nor an option's value. */
function groupIn(argv: readonly string[]): string | undefined {
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? ''
    if (word === '--config') index += 1
    else if (!word.startsWith('-')) return word
  }
  return undefined
}

function messageOf(error: unknown): string {
  const isPlain = error instanceof Error && plainErrors.includes(error.name)
  return isPlain ? error.message : explainBug(error)
}

/** Returns a failure for `--json`. `errors`: the problems by member, as in the admin API. */
function failureRecord(error: unknown, message: string) {
  const members = error instanceof Refused ? error.members : undefined
  const errors = members?.map((problem) => ({ path: `/${problem.member}`, message: problem.message }))
  const kind = error instanceof CommanderError || error instanceof Misused ? 'misused' : failureKind(error)
  return { error: kind, message: message.replaceAll('\nerror: ', '\n'), ...(errors && { errors }) }
}

function failureKind(error: unknown): string {
  if (!(error instanceof Error) || !plainErrors.includes(error.name)) return 'failed'
  return error.name === 'StorageUnavailable' ? 'unavailable' : 'refused'
}

function explainBug(error: unknown): string {
  return `something unexpected happened. ${error instanceof Error ? error.stack : String(error)}`
}

function processContext(): CommandContext {
  const { stdin, stdout, stderr } = process
  return { stdin, stdout, stderr, clock: Date.now, random: pooledRandom() }
}

/** A reader such as `head` may have seen enough. Then a command ends quietly, like programs that SIGPIPE ends. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
  process.exit()
}

/** Runs the command that this process was started with. The image calls it, too (deploy/image/latchkey). */
export async function run(): Promise<void> {
  const words = process.argv.slice(2)
  // A server goes on without a reader of its log.
  if (groupIn(words) !== 'serve') process.stdout.on('error', endWithReader)
  process.exitCode = await main(words)
  // Neither a stalled reader nor a database that does not answer keeps a stopped server alive.
  if (groupIn(words) === 'serve') endSoon()
}

if (import.meta.main) await run()

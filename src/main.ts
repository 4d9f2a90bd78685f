/** The command line. The service is started without the library that parses the other commands. */
import { type CommandContext, Exit, Misused } from './cli/context.ts'
import { pooledRandom } from './secrets/random.ts'
import { endSoon } from './server/log-output.ts'
import { Refused } from './server/refused.ts'
import { inSources } from './stack.ts'
import { visibleJson, visibleLines } from './text.ts'

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
  try {
    const group = groupIn(argv)
    const service = group === 'serve' ? await import('./cli/serve.ts') : undefined
    const options = service?.readServeOptions(argv)
    if (service && options) await service.startService(context, options)
    else await (await import('./cli/program.ts')).runCommand(argv, group, context)
    return 0
  } catch (error) {
    if (error instanceof Exit) return error.code
    if (asJson) {
      context.stderr.write(`${visibleJson(JSON.stringify(failureRecord(error, messageOf(error))))}\n`)
    } else if (!(error instanceof Misused && error.isPrinted)) {
      context.stderr.write(`error: ${visibleLines(messageOf(error))}\n`)
    }
    return error instanceof Misused ? 2 : 1
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
  const kind = error instanceof Misused ? 'misused' : failureKind(error)
  return { error: kind, message: message.replaceAll('\nerror: ', '\n'), ...(errors && { errors }) }
}

function failureKind(error: unknown): string {
  if (!(error instanceof Error) || !plainErrors.includes(error.name)) return 'failed'
  return error.name === 'StorageUnavailable' ? 'unavailable' : 'refused'
}

function explainBug(error: unknown): string {
  return `something unexpected happened. ${error instanceof Error ? inSources(error.stack ?? '') : String(error)}`
}

function processContext(): CommandContext {
  const { stdin, stdout, stderr } = process
  return { stdin, stdout, stderr, clock: Date.now, random: pooledRandom() }
}

/** A reader such as `head` may have seen enough. Then a command ends quietly, like programs that SIGPIPE ends. A full disk is an error. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit()
  process.stderr.write(`error: Standard output cannot be written (${error.code}).\n`)
  process.exit(1)
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

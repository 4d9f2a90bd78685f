/** `latchkey serve` as the library for command lines sees it: its help, and what is wrong with its options. */
import { type Command, Option } from 'commander'
import { type CommandContext, withCommonOptions } from './context.ts'
import { startService } from './serve.ts'

export function register(parent: Command, context: CommandContext): void {
  withCommonOptions(parent.command('serve').description('run the service'))
    .option('--demo', 'add a demo client, scope and user; on loopback addresses only')
    .option('--check', 'start, then stop at once; exit code 0 if the service can run')
    .option('--new', 'start as a new provider although the master key of an earlier database exists')
    .option('--workers <number>', 'run this many processes on one port')
    .addOption(new Option('--worker <number>').hideHelp())
    .action((_options, command: Command) => startService(context, command.optsWithGlobals()))
}

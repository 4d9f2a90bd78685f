/** Makes the reference of the command line, from what each group declares. */
import { Command } from 'commander'
import type { CommandContext } from '../src/cli/context.ts'
import { commandGroups } from '../src/cli/program.ts'

/** Groups are registered and never run, so they read nothing of it. */
const context: CommandContext = {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  clock: () => 0,
  random: (bytes) => new Uint8Array(bytes),
  env: {},
}

/** Returns `docs/commands.md`. */
export async function commandReference(): Promise<string> {
  const program = new Command('latchkey')
  for (const group of Object.values(commandGroups)) (await group.load()).register(program, context)
  const sections = program.commands.flatMap((group) => [
    `## ${group.name()}`,
    '',
    `${sentence(commandGroups[group.name()]?.about ?? group.description())}.`,
    '',
    '| Command | What it does | Options |',
    '|---|---|---|',
    ...leaves(group, `latchkey ${group.name()}`),
    '',
  ])
  return [
    '# Commands',
    '',
    'Generated from the declarations in `src/cli/`; change them there. `latchkey COMMAND --help` prints the same.',
    '',
    'Every command takes `--config FILE` (the settings) and `--json`. Exit codes: 0 success, 1 refused or failed, 2 wrong usage.',
    '',
    ...sections,
  ].join('\n')
}

function leaves(command: Command, path: string): string[] {
  if (command.commands.length > 0) return command.commands.flatMap((one) => leaves(one, `${path} ${one.name()}`))
  const values = command.registeredArguments.map((one) => {
    const name = one.variadic ? `${one.name()}…` : one.name()
    return one.required ? `<${name}>` : `[${name}]`
  })
  const options = command.options
    .filter((one) => !one.hidden && one.long !== '--config' && one.long !== '--json')
    .map((one) => `\`${cell(one.flags)}\` ${cell(one.description)}`)
  return [`| \`${cell([path, ...values].join(' '))}\` | ${cell(command.description())} | ${options.join('<br>')} |`]
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** Text that a cell of a table can hold. */
function cell(text: string): string {
  return text.replaceAll('\n', ' ').replaceAll('|', '\\|')
}

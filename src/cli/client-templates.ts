/** `latchkey client templates`, and what `client add --for` prints. */
import type { Command } from 'commander'
import type { Scope } from '../protocol/scope/scope.ts'
import type { Setup } from '../protocol/templates/template.ts'
import { type CommandContext, printResult, type Workspace } from './context.ts'
import { table } from './text.ts'

export async function listTemplates(context: CommandContext, command: Command): Promise<void> {
  const { clientTemplates, templateRecord } = await import('../protocol/templates/index.ts')
  const rows = clientTemplates.map(({ id, title, developedAt }) => [id, title, developedAt])
  const text = `${table(['TEMPLATE', 'FOR', 'URL WHILE IT IS DEVELOPED'], rows)}\nUse one with: latchkey client add ID --for TEMPLATE --url ADDRESS`
  printResult(context, command.optsWithGlobals(), clientTemplates.map(templateRecord), text)
}

/** Returns the audit events of scopes that are stored with a client. */
export const scopeEvents = (event: Workspace['event'], scopes: readonly Scope[]) =>
  scopes.map(({ name, resources }) => event('scope_added', {}, { name, resources }))

export function scopeLines(scopes: readonly Scope[]): readonly string[] {
  const names = scopes.map(({ name }) => name).join(', ')
  return scopes.length === 0 ? [] : [`Added the ${scopes.length === 1 ? 'scope' : 'scopes'} ${names}.`]
}

export function setupLines({ title, code, environment, install, run, notes }: Setup): readonly string[] {
  const block = (name: string, text: string | undefined) =>
    text === undefined ? [] : [`${name}:`, '', ...text.split('\n').map((line) => (line === '' ? '' : `  ${line}`)), '']
  return [
    '',
    ...block('Install', install),
    ...block(title, code),
    ...block(environment?.title ?? '', environment?.code),
    ...block('Start', run),
    ...notes.map((note) => `- ${note}`),
  ]
}

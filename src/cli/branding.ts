/** `latchkey branding …`: the looks and links of pages and mails. */
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { readFixedBrand } from '../branding/fixed-brand.ts'
import { keptBrand } from '../branding/kept-brand.ts'
import { type BrandMembers, brandMembers } from '../protocol/branding/brand.ts'
import { changeBrand } from '../protocol/branding/brand-changes.ts'
import { storedLogoBytes } from '../protocol/branding/brand-image.ts'
import { Refused } from '../server/refused.ts'
import { readAtMost } from './bounded-file.ts'
import { accepted, type CommandContext, Misused, type Workspace, withCommonOptions, withStorage } from './context.ts'
import { parseMembers } from './member-values.ts'
import { record } from './text.ts'

export function register(parent: Command, context: CommandContext): void {
  const branding = withCommonOptions(parent.command('branding').description('the looks and links of pages and mails'))
  const leaf = (signature: string, description: string) =>
    withCommonOptions(branding.command(signature).description(description))

  leaf('show', 'show the brand in force, and which settings fix some of it').action((_options, command: Command) =>
    withStorage(context, command, async (workspace) => {
      const kept = await keptFor(context, workspace)
      const inForce = await kept.now()
      const fixed = Object.fromEntries(kept.fixed)
      const rows = brandMembers.map((member) => [member, textOf(inForce, member, kept.fixed.get(member))] as const)
      workspace.print({ ...inForce, fixed }, record(rows))
    }),
  )

  leaf(
    'set <member=value...>',
    'change the brand; a member without a value takes its default, and a logo is the name of a file',
  ).action((words: readonly string[], _options, command: Command) =>
    withStorage(context, command, async (workspace) => {
      const { storage, event, print } = workspace
      const changes = changesOf(context, words)
      const stored = await storage.branding.find()
      const kept = await keptFor(context, workspace)
      const next = accepted(changeBrand(stored.members, changes, kept.fixed, kept.with(stored)))
      const members = brandMembers.filter((member) => next[member] !== stored.members[member])
      const events = [event('branding_changed', {}, { members })]
      if (members.length > 0 && !(await storage.branding.change(stored, next, context.clock(), events))) {
        throw new Refused('The branding was changed meanwhile. Nothing was done.')
      }
      const done = members.length === 0 ? 'Nothing to change.' : `Changed ${members.join(', ')}.`
      print(kept.with({ version: 0, members: next }), done)
    }),
  )
}

async function keptFor(context: CommandContext, { storage, settings }: Workspace) {
  return keptBrand(await readFixedBrand(settings), storage.branding, context.clock)
}

function changesOf(context: CommandContext, words: readonly string[]): Record<string, unknown> {
  const given = parseMembers(words)
  const other = given.find(({ operation }) => operation !== 'set')
  if (other !== undefined) throw new Misused(`${other.member} is set with =`)
  return Object.fromEntries(given.map(({ member, text }) => [member, givenOf(context, member, text)]))
}

function givenOf({ cwd = process.cwd() }: CommandContext, member: string, text: string): unknown {
  if (text === '') return null
  if (member === 'corner_radius') return /^\d{1,3}$/.test(text) ? Number(text) : text
  if (member === 'show_name') return text === 'true' ? true : text === 'false' ? false : text
  if (!member.startsWith('logo') || text.startsWith('data:')) return text
  const bytes = contentOf(resolve(cwd, text), text)
  if (bytes === undefined) throw new Refused(`${member}: ${text} is larger than ${storedLogoBytes / 1024} KiB.`)
  return `data:;base64,${bytes.toString('base64')}`
}

function contentOf(path: string, text: string): Buffer | undefined {
  try {
    return readAtMost(path, storedLogoBytes)
  } catch {
    throw new Refused(`${text} cannot be read.`)
  }
}

function textOf(brand: BrandMembers, member: keyof BrandMembers, setting: string | undefined): string {
  const value = brand[member]
  const written = value === null ? '(default)' : String(value)
  // The type of a logo, without its content.
  const [text = ''] = member.startsWith('logo') ? written.split(',', 1) : [written]
  return setting === undefined ? text : `${text} (${setting})`
}

/** `latchkey attribute …`: fields of people that this installation declares. */
import { type Command, Option } from 'commander'
import { loadPatterns, type Patterns } from '../patterns.ts'
import { Refused } from '../server/refused.ts'
import { AttributeBeingDeleted, ValuesChanged, ValuesShared } from '../storage/port/attributes.ts'
import type { Storage } from '../storage/port/storage.ts'
import {
  type AttributeMember,
  attributeMembers,
  attributeRecord,
  changeAttribute,
  changesKind,
  newAttribute,
} from '../users/attribute-record.ts'
import { valueFault } from '../users/attribute-values.ts'
import { type Attribute, attributeTypes, countProblems, editors, viewers } from '../users/attributes.ts'
import { registerDeletion, required } from './attribute-deletion.ts'
import { accepted, type CommandContext, Misused, withCommonOptions, withStorage } from './context.ts'
import { parseMembers } from './member-values.ts'
import { record, table } from './text.ts'

type Members = Readonly<Record<string, unknown>>

export function register(parent: Command, context: CommandContext): void {
  const attribute = withCommonOptions(parent.command('attribute').description('fields of people that you declare'))
  const leaf = (signature: string, description: string) =>
    withCommonOptions(attribute.command(signature).description(description))

  leaf('add <name> [member=value...]', 'declare a field that people have')
    .addOption(new Option('--type <type>', 'the type of its values; default: text').choices(attributeTypes))
    .option('--many', 'a list of values')
    .option('--choices <values>', 'what can be chosen, separated by commas; implies --type choice')
    .option('--label <text>', 'its name on pages; default: the name')
    .option('--required', 'people must have a value')
    .addOption(new Option('--edited-by <who>', 'who changes values; default: operator').choices(editors))
    .addOption(new Option('--seen-by <who>', 'who sees values; default: person').choices(viewers))
    .option('--unique', 'no two people have the same value')
    .option('--pattern <pattern>', 'a pattern in RE2 syntax for the whole value')
    .option('--searchable', 'people are found by it')
    .action((name: string, words: readonly string[], options: AddOptions, command: Command) =>
      add(context, name, { ...membersOf(options), ...parsed(words) }, command),
    )

  leaf('list', 'list the declared fields').action((_options, command: Command) =>
    withStorage(context, command, async ({ storage, print }) => {
      const declared = [...(await storage.attributes.all()).known.values()]
      const rows = declared.map((one) => [one.name, typeOf(one), one.editedBy, one.seenBy, traitsOf(one)])
      const empty = 'There are none yet. Declare one with: latchkey attribute add NAME'
      const headings = ['NAME', 'TYPE', 'EDITED BY', 'SEEN BY', '']
      print(declared.map(attributeRecord), declared.length === 0 ? empty : table(headings, rows))
    }),
  )

  leaf('show <name>', 'show a declared field').action((name: string, _options, command: Command) =>
    withStorage(context, command, async ({ storage, print }) => {
      const shown = attributeRecord(await required(storage, name))
      const rows = Object.entries(shown).filter(([, value]) => value !== null)
      print(shown, record(rows.map(([member, value]) => [member, textOf(value)])))
    }),
  )

  leaf(
    'set <name> <member=value...>',
    'change the declaration of a field; a member without a value takes its default',
  ).action((name: string, words: readonly string[], _options, command: Command) =>
    set(context, name, parsed(words), command),
  )

  registerDeletion(leaf, context)
}

type AddOptions = {
  readonly type?: string
  readonly many?: boolean
  readonly choices?: string
  readonly label?: string
  readonly required?: boolean
  readonly editedBy?: string
  readonly seenBy?: string
  readonly unique?: boolean
  readonly pattern?: string
  readonly searchable?: boolean
}

function membersOf({
  editedBy,
  seenBy,
  choices,
  type,
  config: _,
  json: __,
  ...others
}: AddOptions & {
  readonly config?: string
  readonly json?: boolean
}): Members {
  return {
    ...others,
    ...(choices !== undefined && { type: 'choice', choices: choices.split(',').map((one) => one.trim()) }),
    ...(type !== undefined && { type }),
    ...(editedBy !== undefined && { edited_by: editedBy }),
    ...(seenBy !== undefined && { seen_by: seenBy }),
  }
}

/** Text as it is, everything else as JSON; choices also separated by commas. An empty text is the default. */
function parsed(words: readonly string[]): Members {
  const given = parseMembers(words)
  const other = given.find(({ operation }) => operation !== 'set')
  if (other !== undefined) throw new Misused(`${other.member} is set with =`)
  return Object.fromEntries(given.map(({ member, text }) => [member, text === '' ? null : jsonOf(member, text)]))
}

function jsonOf(member: string, text: string): unknown {
  const kind = attributeMembers[member.replace(/#.*/, '') as AttributeMember]
  if (kind === 'choices' && !text.startsWith('[')) return text.split(',').map((one) => one.trim())
  if (kind === undefined || kind === 'text' || typeof kind !== 'string') return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function add(context: CommandContext, name: string, members: Members, command: Command): Promise<void> {
  return withStorage(context, command, async ({ storage, event, print }) => {
    const patterns = await loadPatterns()
    const attribute = accepted(changeAttribute(newAttribute(name, context.clock()), members, patterns.fault))
    const decided = await changing(
      storage.attributes.change(
        (known) => {
          if (known.has(name)) return { refused: `There is an attribute called ${name} already.` }
          const problems = countProblems(known.size + 1)
          return problems.length > 0
            ? { refused: problems[0]?.message ?? '' }
            : { changes: [{ name, after: attribute }] }
        },
        [event('attribute_added', {}, { name })],
      ),
    )
    if ('refused' in decided) throw new Refused(decided.refused)
    print(attributeRecord(attribute), `Added ${name}. Set it with: latchkey user set USER ${name}=VALUE`)
  })
}

function set(context: CommandContext, name: string, members: Members, command: Command): Promise<void> {
  return withStorage(context, command, async ({ storage, event, print }) => {
    const patterns = await loadPatterns()
    const before = await required(storage, name)
    const planned = accepted(changeAttribute(before, members, patterns.fault))
    const checked = await requireFitting(storage, before, planned, patterns)
    const decided = await changing(
      storage.attributes.change(
        (known) => {
          const current = known.get(name)
          if (current?.version !== before.version)
            return { refused: `${name} was changed meanwhile. Nothing was done.` }
          return { changes: [{ name, after: planned, ...checked }] }
        },
        [event('attribute_changed', {}, { name, members: Object.keys(members) })],
      ),
    )
    if ('refused' in decided) throw new Refused(decided.refused)
    print(attributeRecord(planned), `Changed ${name}.`)
  })
}

/** Throws `Refused` with the first people whose values do not fit. Returns what the change carries. */
async function requireFitting(
  { attributes }: Storage,
  before: Attribute,
  after: Attribute,
  { matches }: Patterns,
): Promise<{ readonly checked?: number }> {
  if (!changesKind(before, after)) return {}
  const { people, checked } = await attributes.misfits(
    before.name,
    (value) => valueFault(after, value, matches) === undefined,
  )
  if (people.length > 0) {
    throw new Refused(`The values of these people do not fit, perhaps of others, too: ${people.join(', ')}.`)
  }
  return { checked }
}

async function changing<T>(change: Promise<T>): Promise<T> {
  try {
    return await change
  } catch (error) {
    const isKnown = [ValuesShared, ValuesChanged, AttributeBeingDeleted].some((one) => error instanceof one)
    throw isKnown ? new Refused((error as Error).message) : error
  }
}

const typeOf = ({ type, many }: Attribute): string => (many ? `${type}, many` : type)

function traitsOf({ required, unique, searchable }: Attribute): string {
  const traits = { required, unique, searchable }
  return Object.entries(traits)
    .flatMap(([trait, has]) => (has ? [trait] : []))
    .join(', ')
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** `latchkey attribute delete`. */
import type { Command } from 'commander'
import { attributeDeletion } from '../protocol/claims/attribute-deletion.ts'
import { namesOf } from '../protocol/claims/rule-changes.ts'
import { Refused } from '../server/refused.ts'
import type { Storage } from '../storage/port/storage.ts'
import type { Attribute } from '../users/attributes.ts'
import { eventsOf } from './claim-rules.ts'
import { type CommandContext, withStorage } from './context.ts'
import { confirmLoss, countsOf, removeAll, yesOption } from './removing.ts'

type Options = { readonly withRules?: boolean; readonly yes?: boolean }

export function registerDeletion(leaf: (signature: string, about: string) => Command, context: CommandContext): void {
  leaf('delete <name>', 'delete a field with the values that people have')
    .option('--with-rules', 'delete the rules of claims that use it, too')
    .addOption(yesOption())
    .action((name: string, options: Options, command: Command) => remove(context, name, options, command))
}

function remove(
  context: CommandContext,
  name: string,
  { withRules = false, yes = false }: Options,
  command: Command,
): Promise<void> {
  return withStorage(context, command, async (workspace) => {
    const { storage, event, print } = workspace
    await required(storage, name)
    const people = await storage.attributes.count(name)
    const counted = countsOf([[people, 'person', 'people']]) ?? 'nobody'
    const of = `of which ${counted} ${people > 1 ? 'have' : 'has'} a value`
    // What is deleted is what was confirmed.
    let confirmed: string | undefined
    for (;;) {
      const { rules, changes } = await storage.claimRules.change(
        (stored) => {
          const deletion = attributeDeletion(name, stored)
          if (deletion.changes === undefined) throw unknown(name)
          const rules = namesOf(deletion.uses)
          if (rules.length > 0 && !withRules) throw used(name, rules)
          return { ...deletion, rules, changes: rules.join() === confirmed ? deletion.changes : [] }
        },
        ({ uses }) => [
          event('attribute_deleted', {}, { name, people }),
          ...uses.flatMap(({ kind, id, claims }) => eventsOf(workspace, kind, id)(claims, [])),
        ],
      )
      if (changes.length > 0) {
        await removeAll(storage)
        print({ name, deleted: true, people, ...(rules.length > 0 && { rules }) }, `Deleted ${name}.`)
        return
      }
      const and = rules.length === 0 ? '' : `, and the rules ${rules.join(', ')}`
      await confirmLoss(context, `This deletes the attribute ${name}, ${of}${and}.`, yes)
      confirmed = rules.join()
    }
  })
}

function used(name: string, rules: readonly string[]): Refused {
  const what = `The attribute ${name} is used by rules of claims: ${rules.join(', ')}.`
  return new Refused(`${what} Nothing was done. To delete them with it, add --with-rules.`)
}

export async function required({ attributes }: Storage, name: string): Promise<Attribute> {
  const found = (await attributes.all()).known.get(name)
  if (found === undefined) throw unknown(name)
  return found
}

const unknown = (name: string) => new Refused(`There is no attribute called ${name}. See: latchkey attribute list`)

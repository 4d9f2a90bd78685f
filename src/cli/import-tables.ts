/** Options of `latchkey import` for sources with tables: which table is meant, and what columns of a company mean. */
import type { Command } from 'commander'
import type { ReaderOptions } from '../import/source.ts'
import { visible } from '../text.ts'
import { collect, Misused } from './context.ts'

export type TableOptions = {
  readonly table: readonly string[]
  readonly disabledIf: readonly string[]
  readonly claim: readonly string[]
}

export function withTableOptions(command: Command): Command {
  return command
    .option(
      '--table <name=table>',
      'the table or file that is meant: AspNetUsers=users; without a name after =, there is none; repeatable',
      collect,
      [],
    )
    .option(
      '--disabled-if <column=value>',
      'people with this value in a column of AspNetUsers cannot sign in; repeatable',
      collect,
      [],
    )
    .option('--claim <column=claim>', 'a column of AspNetUsers is this claim; repeatable', collect, [])
}

/** Throws `Misused` for what is no pair. */
export function tablesOf({ table, disabledIf, claim }: TableOptions): ReaderOptions {
  return {
    tables: new Map(table.map((text) => pairIn('--table', text))),
    disabledIf: disabledIf.map((text) => pairIn('--disabled-if', text)),
    claimColumns: claim.map((text) => pairIn('--claim', text)),
  }
}

function pairIn(option: string, text: string): readonly [string, string] {
  const at = text.indexOf('=')
  if (at < 1) throw new Misused(`${option} takes a name, = and a value, and not ${visible(text)}.`)
  return [text.slice(0, at), text.slice(at + 1)]
}

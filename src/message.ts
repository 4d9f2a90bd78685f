/** Texts with places, as `scripts/messages.ts` compiles them for pages and mails. */
import type { Message } from '#messages'

/** What is said by a plural form or a number such as `=0`; with `select` by a value. */
export type Cases = readonly [name: string, cases: Readonly<Record<string, Compiled>>, by?: 'select']
export type Compiled = string | readonly (string | Cases)[]

/** What stands in the places of a text. Numbers are written as the language writes them. */
export type Values<Value, Names extends string, Counts extends string> = Readonly<
  Record<Names, Value> & Record<Counts, number>
>

/** Returns the pieces of a text, every second of which is a value. */
export function fillMessage<Value, Names extends string = never, Counts extends string = never>(
  message: string | Message<Names, Counts>,
  values: Values<Value, Names, Counts>,
  language: string,
): (string | Value)[] {
  const all: Readonly<Record<string, Value | number>> = values
  const say = (name: string): string | Value => {
    const value = all[name]
    return typeof value === 'number' ? new Intl.NumberFormat(language).format(value) : (value as Value)
  }
  const fill = (compiled: Compiled): (string | Value)[] =>
    typeof compiled === 'string'
      ? compiled.split(/\{(\w+)\}/).map((part, index) => (index % 2 ? say(part) : part))
      : compiled.flatMap((part) => (typeof part === 'string' ? fill(part) : fill(chosen(part))))
  const chosen = ([name, cases, by]: Cases): Compiled => {
    const value = `${all[name]}`
    const form = by ? value : new Intl.PluralRules(language).select(Number(value))
    return cases[`=${value}`] ?? cases[form] ?? cases.other ?? ''
  }
  return fill(message as unknown as Compiled)
}

/** Texts with places, as `scripts/messages.ts` compiles them for pages and mails. */
import type { Message } from '#messages'

/** By a plural form, by a number such as `=0`, or by a value: what is said in that case. */
export type Cases = readonly [name: string, cases: Readonly<Record<string, Compiled>>]
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
  const chosen = ([name, cases]: Cases): Compiled => {
    const value = all[name]
    const form = typeof value === 'number' ? new Intl.PluralRules(language).select(value) : `${value}`
    return cases[`=${value}`] ?? cases[form] ?? cases.other ?? ''
  }
  return fill(message as unknown as Compiled)
}

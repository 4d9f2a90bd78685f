import type { ComponentChild } from 'preact'
import type { Message, Messages } from '#messages'
import { fillMessage, type Values } from '../src/message.ts'

/** The texts of the language, with the parts that this page needs (`vite.config.ts`). They are read while a page renders, never before. */
export let texts: Messages

/** Loads the texts that the server chose for this page. The browser has begun to load them with the page. */
export async function loadTexts(): Promise<void> {
  const { href } = document.getElementById('texts') as HTMLLinkElement
  texts = (await import(/* @vite-ignore */ href)).default
}

type Text<Names extends string, Counts extends string> = string | Message<Names, Counts>

/** Puts plain values in the places of a text: `fill('At {host}', { host: 'example.com' })`. */
export function fill<Names extends string = never, Counts extends string = never>(
  text: Text<Names, Counts>,
  values: Values<string, Names, Counts>,
): string {
  return fillMessage(text, values, document.documentElement.lang).join('')
}

/** As `fill`, with elements as values. */
export function fillNodes<Names extends string = never, Counts extends string = never>(
  text: Text<Names, Counts>,
  values: Values<ComponentChild, Names, Counts>,
): ComponentChild[] {
  return fillMessage<ComponentChild, Names, Counts>(text, values, document.documentElement.lang)
}

/** A name for a text that has no elements, such as a window's title: from right to left it must not turn what follows. */
export function isolated(name: string): string {
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(name) ? `\u2068${name}\u2069` : name
}

/** The entry of a table under a key that came from outside, or the other value when the table has none of its own. */
export function entry<T>(table: Record<string, T>, key: string | null | undefined, other: T): T {
  return key && Object.hasOwn(table, key) ? (table[key] as T) : other
}

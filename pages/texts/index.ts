import type { ComponentChild } from 'preact'
import type { Texts } from './en.ts'

/**
 * The catalogue in use, with the parts that this page needs (`vite.config.ts`). It is read while a page renders, never
 * before.
 */
export let texts: Texts

/** Loads the texts that the server chose for this page. The browser has begun to load them with the page. */
export async function loadTexts(): Promise<void> {
  const { href } = document.getElementById('texts') as HTMLLinkElement
  texts = (await import(/* @vite-ignore */ href)).default
}

/** Puts plain values in the places of a text: `fill('At {host}', { host: 'example.com' })`. */
export function fill(template: string, values: Record<string, string>): string {
  return fillNodes(template, values).join('')
}

/** As `fill`, with elements as values. */
export function fillNodes(template: string, values: Record<string, ComponentChild>): ComponentChild[] {
  return template.split(/\{(\w+)\}/).map((part, index) => (index % 2 ? values[part] : part))
}

/** A name for a text that has no elements, such as a window's title: from right to left it must not turn what follows. */
export function isolated(name: string): string {
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(name) ? `\u2068${name}\u2069` : name
}

/** The entry of a table under a key that came from outside, or the other value when the table has none of its own. */
export function entry<T>(table: Record<string, T>, key: string | null | undefined, other: T): T {
  return key && Object.hasOwn(table, key) ? (table[key] as T) : other
}

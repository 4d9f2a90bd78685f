import type { ComponentChild } from 'preact'
import en, { type Texts } from './en.ts'

/** Every catalogue beside English, loaded only by those who read it. The file name is the language tag: `de.ts`, `pt-BR.ts`. */
const others = import.meta.glob<Texts>(['./*.ts', '!./en.ts', '!./index.ts'], { import: 'default' })

/** The catalogue in use. It is read while a page renders, never before. */
export let texts: Texts = en

/** Picks the first of the visitor's languages that has a catalogue, the region first (`de-AT`, then `de`), else English. */
export async function chooseTexts(languages: readonly string[]): Promise<void> {
  for (const language of languages) {
    const parts = language.split('-')
    for (let length = parts.length; length > 0; length--) {
      const tag = parts.slice(0, length).join('-').toLowerCase()
      if (tag === 'en') return
      const file = Object.keys(others).find((name) => name.toLowerCase() === `./${tag}.ts`)
      const catalogue = file && (await others[file]?.().catch(() => null))
      if (!catalogue) continue
      texts = catalogue
      document.documentElement.lang = file.slice(2, -3)
      document.documentElement.dir = catalogue.direction
      return
    }
  }
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

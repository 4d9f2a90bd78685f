import type { ComponentChildren } from 'preact'
import type { Message } from '#messages'
import { fillNodes } from '../texts.ts'

const language = (): string => document.documentElement.lang

/** A moment in the visitor's language and time zone. `iso`: as the service writes it. */
export function When({ iso, dayOnly }: { iso: string; dayOnly?: boolean }) {
  const format = new Intl.DateTimeFormat(language(), {
    dateStyle: 'medium',
    ...(!dayOnly && { timeStyle: 'short' }),
  })
  return <time dateTime={iso}>{format.format(new Date(iso))}</time>
}

/** A text with a moment in the place `{when}`. */
export const withWhen = (text: Message<'when'>, iso: string, dayOnly = true): ComponentChildren =>
  fillNodes(text, { when: <When iso={iso} dayOnly={dayOnly} /> })

/** “7 days”, “12 hours”, “30 minutes”. */
export function durationInWords(seconds: number): string {
  const [unit, size] = (
    [
      ['day', 86_400],
      ['hour', 3600],
      ['minute', 60],
      ['second', 1],
    ] as const
  ).find(([, each]) => seconds >= each) ?? ['second', 1]
  const value = Math.round(seconds / size)
  return new Intl.NumberFormat(language(), { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}

export const listInWords = (items: readonly string[]): string => new Intl.ListFormat(language()).format(items)
export const numberInWords = (value: number): string => new Intl.NumberFormat(language()).format(value)

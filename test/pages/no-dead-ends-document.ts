/** docs/no-dead-ends.md as the tests read it: what is written there has to be what they meet. */
import { readFileSync } from 'node:fs'
import type { Arrival } from './dead-end.ts'

export const documented = readFileSync(new URL('../../docs/no-dead-ends.md', import.meta.url), 'utf8')

/** The headings of the tables of accounts. */
export const accountSections = [
  'The way into an account',
  'The way back in',
  'Steps of a sign-in',
  'The account area',
] as const

export type AccountSection = (typeof accountSections)[number]

/** The headings of the tables. */
export type Section = 'What happens, and where' | 'Error pages' | AccountSection

/** The table below that heading, row by row, its head first, without the line that separates the head. */
export function documentedTable(section: Section): string[][] {
  const text = documented.split('\n## ').find((part) => part.startsWith(section)) ?? ''
  const lines = text.split('\n').filter((line) => line.startsWith('|') && !line.startsWith('|--'))
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

/** Undefined: there is no such cell. */
export function documentedOutcome(section: Section, row: string, column: string): string | undefined {
  const [head = [], ...rows] = documentedTable(section)
  return rows.find(([name]) => name === row)?.[head.indexOf(column)]
}

/** What the person was told on the way, in a word or two each, and where it ended. */
export function outcomeOf({ told, end }: Arrival): string {
  return [...told.map(inShort), end].join(' → ')
}

function inShort(message: string): string {
  return words.find(([pattern]) => pattern.test(message))?.[1] ?? message
}

const words: readonly (readonly [RegExp, string])[] = [
  [/code or link (is wrong|has expired)|^This code is wrong/, 'wrong code'],
  [/too many wrong/, 'too many'],
  [/A new email is on its way/, 'sent again'],
  [/invitation has expired or was used/, 'invitation gone'],
  [/This sign-in took too long/, 'took too long'],
  [/username is taken/, 'name taken'],
  [/No passkey was (used|made)/, 'no passkey'],
  [/passkey could not be used/, 'passkey refused'],
  [/account is locked at the moment/, 'locked'],
  [/You have signed in again/, 'go on'],
  [/This code is not known/, 'unknown code'],
  [/not your current password/, 'wrong password'],
  [/For your safety, please enter your password again/, 'password first'],
  [/Something changed in another tab/, 'changed'],
  [/expires after five minutes/, 'run out'],
  [/took too long, was already finished/, 'start again'],
  [/nothing was saved/, 'provider failed'],
  [/not registered for it/, 'wrong address'],
  [/without everything that is needed/, 'incomplete'],
  [/nothing at this address/, 'nothing there'],
  [/that this service cannot accept/, 'not accepted'],
  [/does not answer|did not answer/, 'no answer'],
  [/taking long to load/, 'load again'],
  [/username or password is not correct/, 'refused'],
  [/sign in again to continue/, 'once more'],
  [/asks you to enter your password again|too long ago for/, 'asked again'],
  [/signed in as \S+\. Continue as/, 'signed in by now'],
  [/is not registered with this service/, 'unknown client'],
]

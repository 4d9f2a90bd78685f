/** The outcome of every cell (no-dead-ends.yaml): what is written there has to be what the tests meet. */
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { Arrival } from './dead-end.ts'

/** The pages of accounts. */
export const accountSections = [
  'The way into an account',
  'The way back in',
  'Steps of a sign-in',
  'The account area',
] as const

export type AccountSection = (typeof accountSections)[number]

export type Section = 'What happens, and where' | 'Error pages' | AccountSection

export type Expectations = {
  /** Where a person may end, and what that means. */
  readonly outcomes: Readonly<Record<string, string>>
  /** What a person is told on the way, in short and in full. */
  readonly messages: Readonly<Record<string, string>>
  /** Outcomes by page and by what happens there. */
  readonly cells: Readonly<Record<Section, Readonly<Record<string, Readonly<Record<string, string>>>>>>
}

export const expectations = parse(readFileSync(new URL('./no-dead-ends.yaml', import.meta.url), 'utf8')) as Expectations

/** Undefined: there is no such cell. */
export function expectedOutcome(section: Section, page: string, event: string): string | undefined {
  return expectations.cells[section][page]?.[event]
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

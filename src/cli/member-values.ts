/** Parses `MEMBER=VALUE` arguments: text as it is, everything else as JSON. */

import type { MemberKind } from '../protocol/client/member-kinds.ts'
import { Refused } from '../server/refused.ts'
import { Misused } from './context.ts'

type TextKind = 'text' | 'list' | 'words' | 'flag'

export type MemberText = {
  readonly member: string
  readonly operation: 'set' | 'add' | 'remove'
  readonly text: string
}

const operations = { '': 'set', '+': 'add', '-': 'remove' } as const

/** Parses `MEMBER=VALUE`, `MEMBER+=VALUE` and `MEMBER-=VALUE`. Throws `Misused`. */
export function parseMembers(words: readonly string[]): MemberText[] {
  return words.map((word) => {
    const [, member, sign, text] = /^([A-Za-z][\w#]*(?:-\w+)*?)([+-]?)=(.*)$/s.exec(word) ?? []
    if (member === undefined || text === undefined) throw new Misused(`${JSON.stringify(word)} is not MEMBER=VALUE.`)
    return { member, operation: operations[sign as keyof typeof operations], text }
  })
}

/** Converts the value of a member. An empty text is an empty list. Throws `Refused` if it is of the wrong kind. */
export function toValue(kind: TextKind, { member, text }: MemberText): string | boolean | readonly string[] {
  switch (kind) {
    case 'flag':
      if (text === 'true' || text === 'false') return text === 'true'
      throw Refused.because([{ member, message: `${member} must be true or false.` }])
    case 'list':
      if (text === '') return []
      return text.startsWith('[') ? listIn(member, text) : [text]
    default:
      return text
  }
}

/** Converts the value of a client's member to JSON. An empty text, as in `MEMBER=`, is null: the default. */
export function toJsonValue(kind: MemberKind, given: MemberText): unknown {
  if (given.text === '' && given.operation === 'set') return null
  switch (kind) {
    case 'flag':
    case 'list':
      return toValue(kind, given)
    case 'seconds':
      return jsonIn(given, 'a number of seconds')
    case 'object':
      return jsonIn(given, 'a JSON object')
    case 'rules':
      return jsonIn(given, 'a JSON list of rules')
    default:
      return given.text
  }
}

function jsonIn({ member, text }: MemberText, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw Refused.because([{ member, message: `${member} must be ${what}.` }])
  }
}

function listIn(member: string, text: string): readonly string[] {
  try {
    const list: unknown = JSON.parse(text)
    if (Array.isArray(list) && list.every((item) => typeof item === 'string')) return list
  } catch {
    // Refused below.
  }
  throw Refused.because([{ member, message: `${member} must be a string, or a JSON array of strings.` }])
}

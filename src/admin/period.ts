/** The parameters `since` and `until`. */

import type { MemberFault } from '../http/answers.ts'
import type { Faults } from './operation.ts'
import { Type } from './type.ts'

const instant = (description: string) => Type.Optional(Type.String({ format: 'date-time', maxLength: 64, description }))

export const since = instant('From this time on, such as `2030-01-31T12:00:00Z`.')
export const until = instant('Up to this time.')

/** In epoch milliseconds, both inclusive. */
export type Period = { readonly sinceMs?: number; readonly untilMs?: number }

/** Faults: a value is no time. */
export function periodOf(query: { readonly since?: string; readonly until?: string }): Period | Faults {
  const faults: MemberFault[] = []
  const at = (member: 'since' | 'until'): number | undefined => {
    const text = query[member]
    const ms = text === undefined ? undefined : instantMs(text)
    if (text !== undefined && ms === undefined) {
      const message = `${member} must be a time such as 2030-01-31T12:00:00Z; a + in an offset is sent as %2B.`
      faults.push({ member, code: 'member_invalid', message })
    }
    return ms
  }
  const [sinceMs, untilMs] = [at('since'), at('until')]
  if (faults.length > 0) return { faults }
  return { ...(sinceMs !== undefined && { sinceMs }), ...(untilMs !== undefined && { untilMs }) }
}

/** The time in epoch milliseconds of an ISO 8601 or RFC 9557 text; undefined: it is none. */
export function instantMs(text: string): number | undefined {
  try {
    return Temporal.Instant.from(text).epochMilliseconds
  } catch {
    return undefined
  }
}

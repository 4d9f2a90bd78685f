/** What is typed into the form of a record. */
import { type Dispatch, type StateUpdater, useEffect, useRef, useState } from 'preact/hooks'
import type { Result } from './api.ts'

/** The members of a draft that are texts. */
type TextMember<D> = { [M in keyof D]: D[M] extends string ? M : never }[keyof D] & string

/**
 * The form of a stored record, as it is typed. Where the record changes, each member follows it that still shows what was
 * stored or what was sent; what was typed while a save was under way stays. `sent`: takes what the service has accepted.
 */
export function useDraft<D extends object>(
  stored: D,
): [draft: D, set: Dispatch<StateUpdater<D>>, sent: (draft: D) => void] {
  const [draft, set] = useState(stored)
  const known = useRef([stored])
  const key = JSON.stringify(stored)
  useEffect(() => {
    const before = known.current
    known.current = [stored]
    set((now) => followed(now, before, stored))
  }, [key])
  return [draft, set, (accepted) => known.current.push(accepted)]
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const isGroup = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `before`: what was stored, and what was sent. What belongs together, such as the texts by language, is gone through. */
function followed<D extends object>(now: D, before: readonly D[], stored: D): D {
  const follow = (member: keyof D): unknown => {
    const [typed, value] = [now[member], stored[member]]
    const known: unknown[] = before.map((one) => one[member])
    if (known.some((one) => isSame(one, typed))) return value
    return isGroup(typed) && isGroup(value) ? followed<object>(typed, known.filter(isGroup), value) : typed
  }
  const members = (Object.keys({ ...now, ...stored }) as (keyof D)[]).map((member) => [member, follow(member)] as const)
  return Object.fromEntries(members.filter(([, value]) => value !== undefined)) as D
}

/** What the boxes of a form take: each is named after its member, whose messages stand there. */
export const boxesOf =
  <D extends object>(draft: D, set: (draft: D) => void, result: Result<unknown> | null) =>
  (member: TextMember<D>) => ({
    name: member,
    value: draft[member] as string,
    result,
    onInput: (value: string) => set({ ...draft, [member]: value }),
  })

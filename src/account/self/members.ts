/** Reads the JSON body of a change: exactly the members that the endpoint names, each of its type. */
import type { MemberFault } from '../../http/answers.ts'
import { readJsonObject } from '../../http/body.ts'
import type { Request } from '../../http/request.ts'
import { isObject } from '../../protocol/json-value.ts'
import { type Refusal, refuse } from '../../protocol/refusals/index.ts'

/** Reads one member. `fault`: the end of a sentence that begins with the name of the member. */
export type MemberReader<Value> = {
  readonly read: (value: unknown) => { readonly value: Value } | { readonly fault: string }
  readonly isOptional: boolean
}

// biome-ignore lint/suspicious/noExplicitAny: each reader has a type of its own
export type MemberReaders = Readonly<Record<string, MemberReader<any>>>
export type Members<Readers extends MemberReaders> = {
  readonly [Name in keyof Readers]: Readers[Name] extends MemberReader<infer Value> ? Value : never
}

/** More than any of the bodies needs; a passkey with its attestation is the largest. */
const bodyLengthAtMost = 32 * 1024

/** A text of at most that many UTF-16 code units. */
export function text(lengthAtMost: number): MemberReader<string> {
  return required((value) => {
    if (typeof value !== 'string') return { fault: 'must be a text' }
    // Neither NUL nor half of a surrogate pair can be stored as text.
    if (value.includes('\0') || !value.isWellFormed()) return { fault: 'must not contain control characters' }
    return value.length > lengthAtMost ? { fault: `must have at most ${lengthAtMost} characters` } : { value }
  })
}

export const flag: MemberReader<boolean> = required((value) =>
  typeof value === 'boolean' ? { value } : { fault: 'must be true or false' },
)

export const object: MemberReader<Readonly<Record<string, unknown>>> = required((value) =>
  isObject(value) ? { value } : { fault: 'must be an object' },
)

/** Any JSON value, which a rule judges later. */
export const anything: MemberReader<unknown> = required((value) => ({ value }))

/** Undefined where the member is absent. */
export function optional<Value>({ read }: MemberReader<Value>): MemberReader<Value | undefined> {
  return { read, isOptional: true }
}

function required<Value>(read: MemberReader<Value>['read']): MemberReader<Value> {
  return { read, isOptional: false }
}

/** Returns the members, or what is wrong with each of them. Refuses unknown members by name. */
export function readMembers<Readers extends MemberReaders>(
  request: Request,
  readers: Readers,
): { readonly members: Members<Readers> } | Refusal | { readonly faults: readonly MemberFault[] } {
  const body = readJsonObject(request, bodyLengthAtMost)
  if (body === undefined) return refuse('json_body_malformed')
  const known = Object.keys(readers).join(', ')
  const faults: MemberFault[] = Object.keys(body)
    .filter((member) => !Object.hasOwn(readers, member))
    .map((member) => {
      const name = member.slice(0, 64)
      return { member: name, code: 'member_unknown', message: `${name} is not known here. The members are: ${known}.` }
    })
  const members: Record<string, unknown> = {}
  for (const [member, { read, isOptional }] of Object.entries(readers)) {
    if (!Object.hasOwn(body, member)) {
      if (!isOptional) faults.push({ member, code: 'member_missing', message: `${member} is missing.` })
      continue
    }
    const result = read(body[member])
    if ('value' in result) members[member] = result.value
    else faults.push({ member, code: 'member_invalid', message: `${member} ${result.fault}.` })
  }
  return faults.length === 0 ? { members: members as Members<Readers> } : { faults: faults.slice(0, 20) }
}

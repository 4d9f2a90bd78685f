/** What is typed into the forms of an application: from its record, and to the API. */
import {
  type FormMember,
  type FormTab,
  type FormValues,
  formMemberNames,
  formMembers,
  type Written,
  wordsOf,
} from './application-members.ts'
import { linesOf } from './redirect-address.ts'

/** What a person has typed and not saved; a member that is absent shows what is stored. */
export type Draft = { [M in FormMember]?: string }

/** What the field of a member shows. A member that has its default may be absent. */
export function typedOf(values: Partial<FormValues>, member: FormMember): string {
  const { form, values: [byDefault] = [''] }: Written = formMembers[member]
  const value = values[member] ?? byDefault
  if (Array.isArray(value)) return value.join(form === 'lines' ? '\n' : ' ')
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value)
}

/** The member as the API takes it; null sets the default. */
export function sentOf(member: FormMember, typed: string): string | number | object | null {
  const { form } = formMembers[member]
  if (form === 'lines') return linesOf(typed)
  if (form === 'scopeList') return wordsOf(typed)
  if (form === 'json') return parsed(typed)
  // What is no number is sent as it is, and the service says so.
  if (form === 'seconds' && /^\d+$/.test(typed.trim())) return Number(typed)
  return form === 'line' || form === 'seconds' ? typed.trim() || null : typed
}

/** What is no JSON is sent as a text, and the service says what is wrong. */
function parsed(typed: string): object | string | null {
  if (typed.trim() === '') return null
  try {
    return JSON.parse(typed)
  } catch {
    return typed
  }
}

/** Forms of one value, which replaces another. */
const isOne: readonly string[] = ['line', 'seconds', 'choice', 'json']

/** What another part of the page adds to the application joins what is typed. */
export function joined(draft: Draft, before: FormValues, now: FormValues): Draft {
  const members = formMemberNames.map((member) => {
    const typed = draft[member]
    const { form } = formMembers[member]
    if (typed === undefined || isOne.includes(form)) return [member, typed]
    const [split, separator] = form === 'lines' ? [linesOf, '\n'] : [wordsOf, ' ']
    const [had, has, kept] = [split(typedOf(before, member)), split(typedOf(now, member)), split(typed)]
    return [member, [...kept, ...has.filter((one) => !had.includes(one) && !kept.includes(one))].join(separator)]
  })
  return Object.fromEntries(members.filter(([, typed]) => typed !== undefined))
}

/** The members of one form. */
export const membersOf = (tab: FormTab): FormMember[] =>
  formMemberNames.filter((member) => formMembers[member].tab === tab)

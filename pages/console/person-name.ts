/** A person as the API describes them, what they are called, and where they are. */
import { type FieldsWith, fieldEntries, type PersonRecord } from '../../src/person-fields.ts'
import type { AttributeValues } from '../attribute-values.ts'
import type { Tell } from '../kit/said.tsx'
import type { Loaded } from './loaded.tsx'

/** The fields that the form shows, in their places. */
export const claims: readonly FieldsWith<{ console: number }>[] = fieldEntries
  .flatMap(([name, field]) => ('console' in field ? [{ name, place: field.console ?? 0 }] : []))
  .sort((a, b) => a.place - b.place)
  .map(({ name }) => name as FieldsWith<{ console: number }>)

/** `from`: `own`, the path of a group, `included by ROLE`, `everybody`. */
export type EffectiveRole = { role: string; from: string[] }
export type Person = PersonRecord & { attributes?: AttributeValues; effective_roles?: EffectiveRole[] }

/** What a part of the page of a person is given. */
export type PartProps = { person: Person; loaded: Loaded<Person>; say: Tell }

/** As the search sees it: the full name, or else first and last name; empty: none is set. */
export const fullNameOf = ({ name, given_name = '', family_name = '' }: Person): string =>
  name ?? `${given_name} ${family_name}`.trim()

export const pathOf = (id: string, ...below: string[]): string =>
  ['/users', encodeURIComponent(id), ...below.map(encodeURIComponent)].join('/')

/** One in each line, or separated by spaces. */
export const rolesOf = (typed: string): string[] => typed.split(/\s+/).filter((role) => role !== '')

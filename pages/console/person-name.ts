/** A person as the API describes them, what they are called, and where they are. */

import { type FieldsWith, fieldEntries, type PersonRecord } from '../../src/person-fields.ts'
import { type Agent, agentInWords } from '../agent-words.ts'
import type { AttributeValues } from '../attribute-values.ts'
import type { toast } from '../kit/toast.tsx'
import type { Loaded } from './loaded.tsx'
import { words } from './texts.ts'

/** The fields that the form shows, in their places. */
export const claims: readonly FieldsWith<{ console: number }>[] = fieldEntries
  .flatMap(([name, field]) => ('console' in field ? [{ name, place: field.console ?? 0 }] : []))
  .sort((a, b) => a.place - b.place)
  .map(({ name }) => name as FieldsWith<{ console: number }>)

/** `from`: `own`, the path of a group, `included by ROLE`, `everybody`. */
export type EffectiveRole = { role: string; from: string[] }
export type Person = PersonRecord & { attributes?: AttributeValues; effective_roles?: EffectiveRole[] }

/** `/users/{id}/overview`. */
export type Overview = {
  password: { changed_at: string | null } | null
  passkeys: number
  second_factor_keys: number
  authenticator_apps: { name: string | null; created_at: string }[]
  recovery_codes: number
  external_logins: number
  sessions: number
  applications: number
  authorizations: number
  last_sign_in: { at: string; address: string | null; browser: string | null; system: string | null } | null
}

/** What a part of the page of a person is given. */
export type PartProps = { person: Person; loaded: Loaded<Person>; say: typeof toast }

/** As the search sees it: the full name, or else first and last name; empty: none is set. */
export const fullNameOf = ({ name, given_name = '', family_name = '' }: Person): string =>
  name ?? `${given_name} ${family_name}`.trim()

export const pathOf = (id: string, ...below: string[]): string =>
  ['/users', encodeURIComponent(id), ...below.map(encodeURIComponent)].join('/')

/** What the next sign-in asks for, in words. */
export function askedInWords(actions: readonly string[]): string {
  const inWords: Readonly<Record<string, string>> = words().people.actions
  return actions.map((action) => inWords[action] ?? action).join(', ')
}

/** Separated by spaces or lines. */
export const rolesOf = (typed: string): string[] => typed.split(/\s+/).filter((role) => role !== '')

/** “Firefox on Windows”, or that the browser is unknown. */
export const deviceInWords = (agent: Agent): string =>
  agentInWords(agent, { browserOn: words().activity.browserOn, unknownBrowser: words().people.items.unknown })

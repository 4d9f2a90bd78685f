/**
 * What configuration files declare.
 *
 * Belongs here: configuration as code: reading files, comparing them with what is stored, and writing them.
 * Belongs elsewhere: the rules that records must meet (`protocol/`, `users/`), and storing them (`storage/`).
 */
import type { Problem } from '../problem.ts'
import { normalizeName } from '../users/user.ts'
import type { Referred } from './references.ts'

/** The kinds of records that files may have, in the order of their dependence. */
export const kinds = ['attributes', 'scopes', 'resources', 'roles', 'groups', 'clients', 'users', 'branding'] as const

export type Kind = (typeof kinds)[number]

/** The member that identifies a record of the kind. */
export const identifiers = {
  attributes: 'name',
  scopes: 'name',
  resources: 'identifier',
  roles: 'name',
  groups: 'name',
  clients: 'client_id',
  users: 'username',
  // It is one record, in a place of its own.
  branding: 'branding',
} as const satisfies Readonly<Record<Kind, string>>

/** Members whose values are secrets. They must come from the environment or from files of their own. */
export const secretMembers: Readonly<Record<Kind, readonly string[]>> = {
  attributes: [],
  scopes: [],
  resources: [],
  roles: [],
  groups: [],
  clients: ['client_secret'],
  users: ['password'],
  branding: [],
}

/** A record as a file declares it, with its references resolved. */
export type Declaration = {
  readonly kind: Kind
  readonly id: string
  /** Without the identifier and without secrets. */
  readonly members: Readonly<Record<string, unknown>>
  /** The values of `secretMembers`. */
  readonly secrets: Readonly<Record<string, string>>
  /** The identifier (of a group its path), and members with references, as the file writes them. */
  readonly writtenId: string
  readonly written: Readonly<Record<string, unknown>>
  /** What the references stand for, secrets included. */
  readonly referred: readonly Referred[]
  readonly place: Place
}

export type Place = {
  readonly file: string
  readonly line: number
  /** JSON pointer without the leading slash, such as `clients/0`. */
  readonly path: string
}

export type Declarations = {
  /** The kinds that the files mention, with or without records. */
  readonly kinds: ReadonlySet<Kind>
  readonly records: readonly Declaration[]
}

/**
 * Returns what identifies the record among those of its kind: people by the normal form of their name, groups by that of their path.
 * Without members, the id of a group is its path.
 */
export function keyOf({ kind, id, members }: Pick<Declaration, 'kind' | 'id'> & Partial<Declaration>): string {
  if (kind === 'groups') return pathKey(members === undefined ? id : `${parentIn(members.parent)}/${id}`)
  return kind === 'users' ? normalizeName(id) : id
}

/** Returns a path with the normal form of each name. */
export const pathKey = (path: string): string => path.split('/').map(normalizeName).join('/')

/** The path of a parent as files write it; empty: top level, or none that can be. */
export const parentIn = (parent: unknown): string => (typeof parent === 'string' ? parent : '')

/** Returns the problems of a rule with the place of the record. */
export function placed({ kind, writtenId, place }: Declaration, problems: readonly Problem[]): Problem[] {
  return problems.map(({ member, message }) => ({
    member: `${place.path}/${pointerStep(member)}`,
    message: `${place.file}, line ${place.line}, ${titleOf(kind, writtenId)}: ${message}`,
  }))
}

/** The singular of each kind. */
export const nouns: Readonly<Record<Kind, string>> = {
  attributes: 'attribute',
  scopes: 'scope',
  resources: 'resource',
  roles: 'role',
  groups: 'group',
  clients: 'client',
  users: 'user',
  branding: 'branding',
}

/** Returns what a record is called. */
export const titleOf = (kind: Kind, id: string): string => (kind === 'branding' ? nouns[kind] : `${nouns[kind]} ${id}`)

/** Escapes a step of a JSON pointer (RFC 6901 §3). */
export function pointerStep(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** What the deletion of an attribute takes with it: the rules that read it. */
import type { Client } from '../client/client.ts'
import type { Scope } from '../scope/scope.ts'
import type { Resource } from './resource-rules.ts'
import { type RuledOwner, usesOf, withoutAttribute } from './rule-changes.ts'

type Records<A> = {
  /** By name. */
  readonly attributes: ReadonlyMap<string, A>
  readonly scopes: readonly Scope[]
  /** By identifier. */
  readonly resources: ReadonlyMap<string, Resource>
  readonly clients: readonly Client[]
}
type Change<Kind extends string, T> = { readonly kind: Kind; readonly before: T; readonly after: T | undefined }

export type AttributeDeletion<A> = {
  /** The rules that read it. */
  readonly uses: readonly RuledOwner[]
  /** What deletes it with them; undefined: there is no such attribute. */
  readonly changes:
    | readonly (
        | Change<'attribute', A>
        | Change<'scope', Scope>
        | Change<'resource', Resource>
        | Change<'client', Client>
      )[]
    | undefined
}

export function attributeDeletion<A extends object>(name: string, records: Records<A>): AttributeDeletion<A> {
  const attribute = records.attributes.get(name)
  if (attribute === undefined) return { uses: [], changes: undefined }
  const uses = usesOf(name, records)
  const isUsing = (kind: RuledOwner['kind'], id: string) => uses.some((one) => one.kind === kind && one.id === id)
  return {
    uses,
    changes: [
      ...records.scopes
        .filter((scope) => isUsing('scope', scope.name))
        .map((before) => {
          const after = { ...before, claims: withoutAttribute(before.claims, name) }
          return { kind: 'scope', before, after } as const
        }),
      ...[...records.resources.values()]
        .filter(({ identifier }) => isUsing('resource', identifier))
        .map((before) => {
          const claims = withoutAttribute(before.claims, name)
          return { kind: 'resource', before, after: claims.length === 0 ? undefined : { ...before, claims } } as const
        }),
      ...records.clients
        .filter(({ id }) => isUsing('client', id))
        .map((before) => {
          const metadata = { ...before.metadata, claims: withoutAttribute(before.metadata.claims, name) }
          return { kind: 'client', before, after: { ...before, metadata } } as const
        }),
      { kind: 'attribute', before: attribute, after: undefined },
    ],
  }
}

/** What rules of claims are judged with, and what changes them. */
import type { KnownRules } from '../../protocol/claims/known-rules.ts'
import type { Resource } from '../../protocol/claims/resource-rules.ts'
import type { Client } from '../../protocol/client/client.ts'
import type { Scope } from '../../protocol/scope/scope.ts'
import type { Attribute } from '../../users/attributes.ts'
import type { RecordChange } from './configuration.ts'

/** All of them, as they are stored: `RuledRecords`. */
export type StoredRules = {
  readonly attributes: ReadonlyMap<string, Attribute>
  readonly scopes: readonly Scope[]
  readonly resources: ReadonlyMap<string, Resource>
  readonly clients: readonly Client[]
}

/** What a client is judged with. `stored`: the same as records. */
export type JudgingRules = KnownRules & { readonly stored: Omit<StoredRules, 'clients'> }

/** What records were judged with, and the version of the catalogue that it is of. */
export type JudgedOn = { readonly version: number; readonly rules: JudgingRules }

/** A change of what has rules, or of what they read. */
export type RuledChange = Exclude<RecordChange, { readonly kind: 'role' | 'group' | 'user' | 'brand' }>

/** Thrown where a new scope has the name of one that is still being taken from consents and grants; nothing was stored. */
export class ScopeBeingDeleted extends Error {
  override readonly name = 'ScopeBeingDeleted'
  readonly scope: string

  constructor(scope: string) {
    super(`The deleted scope ${scope} is still being taken from consents and grants. Try again in a moment.`)
    this.scope = scope
  }
}

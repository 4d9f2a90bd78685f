/** What changes declared attributes, and what refuses their values. */
import type { Attribute } from '../../users/attributes.ts'

/** An attribute that is declared or changed; `after` undefined: deleted. Its version is set by the verb. */
export type AttributeChange = { readonly name: string; readonly after: Attribute | undefined }

/** Thrown by a verb that would have given a person a value that may not be; nothing was stored. */
export class ValueRefused extends Error {
  override readonly name = 'ValueRefused'
  readonly attribute: string
  /** `taken`: another person has it. `undeclared`: the attribute was deleted. */
  readonly reason: 'taken' | 'undeclared'

  constructor(attribute: string, reason: 'taken' | 'undeclared') {
    super(reason === 'taken' ? `Somebody else has this ${attribute}.` : `The attribute ${attribute} is not declared.`)
    this.attribute = attribute
    this.reason = reason
  }
}

/** Thrown where values of a deleted attribute are still being removed; nothing was stored. */
export class AttributeBeingDeleted extends Error {
  override readonly name = 'AttributeBeingDeleted'
  readonly attribute: string

  constructor(attribute: string) {
    super(`The values of the deleted attribute ${attribute} are still being removed. Try again in a moment.`)
    this.attribute = attribute
  }
}

/** Thrown where an attribute would have become unique although people have the same value; nothing was stored. */
export class ValuesShared extends Error {
  override readonly name = 'ValuesShared'
  readonly attribute: string
  /** User names of the first of them, at most ten. */
  readonly people: readonly string[]

  constructor(attribute: string, people: readonly string[]) {
    super(`Several people have the same ${attribute}: ${people.join(', ')}`)
    this.attribute = attribute
    this.people = people
  }
}

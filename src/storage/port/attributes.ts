/** What changes declared attributes, and what refuses their values. */
import type { Attribute } from '../../users/attributes.ts'

/**
 * An attribute that is declared or changed; `after` undefined: deleted. Its version is set by the verb. `checked`: the check of its values
 * (`misfits`), after which none may have been stored.
 */
export type AttributeChange = {
  readonly name: string
  readonly after: Attribute | undefined
  readonly checked?: number
}

/** Thrown where values were stored after the check that a change rests on; nothing was stored. Check again. */
export class ValuesChanged extends Error {
  override readonly name = 'ValuesChanged'

  constructor(attribute: string) {
    super(`Values of ${attribute} are being changed. Nothing was done; try again.`)
  }
}

/** Thrown by a verb that would have given a person a value that may not be; nothing was stored. */
export class ValueRefused extends Error {
  override readonly name = 'ValueRefused'
  readonly attribute: string
  /** `taken`: another person has it. `undeclared`: the attribute was deleted. `unfit`: its type was changed. */
  readonly reason: 'taken' | 'undeclared' | 'unfit'

  constructor(attribute: string, reason: 'taken' | 'undeclared' | 'unfit') {
    const messages = {
      taken: `Somebody else has this ${attribute}.`,
      undeclared: `The attribute ${attribute} is not declared.`,
      unfit: `The type of ${attribute} was changed meanwhile, and this value does not fit.`,
    }
    super(messages[reason])
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

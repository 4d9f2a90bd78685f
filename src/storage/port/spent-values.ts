/** Single-use values. */
import type { AuditEvents } from '../../audit/entry.ts'

/** A value that may be used once, such as the `jti` of an assertion. */
export type SpentValue = {
  /** Begins with the kind of the value, so that values of different kinds never collide. */
  readonly id: string
  /** When the value itself expires. */
  readonly expiresAtMs: number
}

/** The id of a value that was used before. */
export type SpentBefore = { readonly spentBefore: string }

export type SpentValues = {
  /** Marks a value as used. True for exactly one caller until `expiresAtMs`, when the value itself has expired. */
  spend(id: string, expiresAtMs: number, events?: AuditEvents): Promise<boolean>
}

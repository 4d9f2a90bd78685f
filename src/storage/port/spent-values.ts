/** Single-use values. */
import type { AuditEvents } from '../../audit/entry.ts'

export type SpentValues = {
  /** Marks a value as used. True for exactly one caller until `expiresAtMs`, when the value itself has expired. */
  spend(id: string, expiresAtMs: number, events?: AuditEvents): Promise<boolean>
}

/** Values that count once. */
import type { AuditEvents } from '../../audit/entry.ts'

export type SpentValues = {
  /** Marks a one-time value as used. True for exactly one caller until `expiresAtMs`, when the value itself is too old. */
  spend(id: string, expiresAtMs: number, events?: AuditEvents): Promise<boolean>
}

/** Descriptions of roles, and who has them. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { Role } from '../../users/roles.ts'

/** Holders of a role whom a refusal to delete it names. */
export const namedHoldersAtMost = 100

export type Roles = {
  find(name: string): Promise<Role | undefined>
  /** Ascending by name. */
  list(): Promise<Role[]>
  /** Returns false if the role is described already. */
  create(role: Role, events?: AuditEvents): Promise<boolean>
  /** Sets the description if the role is still as given in `before`. Returns false otherwise. */
  describe(before: Role, description: string | null, events?: AuditEvents): Promise<boolean>
  /**
   * Returns how many people have the role, and the user names of some of them, at most `namedHoldersAtMost`, ascending. Reads all
   * people, in windows between which other work goes on.
   */
  dependents(name: string): Promise<{ readonly count: number; readonly users: readonly string[] }>
  /** Deletes the description, and takes the role from everybody. Returns false if there was neither. Scans all people. */
  deleteEverywhere(name: string, nowMs: number, events?: AuditEvents): Promise<boolean>
}

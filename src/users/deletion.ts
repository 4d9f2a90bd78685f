/** The deletion of an account that its owner asks for. Times are epoch milliseconds. */
import { normalizeName, type User } from './user.ts'

/** Whether the typed name is the user's. */
export function isOwnName(user: User, typed: string): boolean {
  return normalizeName(typed.trim()) === normalizeName(user.name)
}

/** Plans the deletion. A planned one keeps its time: asking again neither hastens nor delays it. */
export function planDeletion(user: User, delaySeconds: number, nowMs: number): User & { deletionDueAtMs: number } {
  return { ...user, deletionDueAtMs: user.deletionDueAtMs ?? nowMs + delaySeconds * 1000, updatedAtMs: nowMs }
}

export function cancelDeletion(user: User, nowMs: number): User {
  return user.deletionDueAtMs === null ? user : { ...user, deletionDueAtMs: null, updatedAtMs: nowMs }
}

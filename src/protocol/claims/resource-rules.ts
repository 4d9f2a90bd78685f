/** Resources that put claims of their own into access tokens for them. */
import type { ClaimRule } from './claim-rules.ts'

/** A resource with rules. Scopes name resources as well, which need no record. */
export type Resource = {
  /** An absolute URI without a fragment (RFC 8707 §2). */
  readonly identifier: string
  readonly claims: readonly ClaimRule[]
  /** Incremented by every change. A change commits only on the version it was decided on. */
  readonly version: number
}

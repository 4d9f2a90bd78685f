/** What changes resources with rules. */
import type { Resource } from '../../protocol/claims/resource-rules.ts'

/** A resource that gets rules, or others; `after` undefined: it has none any more. Its version is set by the verb. */
export type ResourceChange = { readonly identifier: string; readonly after: Resource | undefined }

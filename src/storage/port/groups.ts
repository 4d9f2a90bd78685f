/** What changes groups. */
import type { Group } from '../../users/groups.ts'

/** A group that is made or changed; `after` undefined: deleted. Its version is set by the verb. */
export type GroupChange = { readonly id: string; readonly after: Group | undefined }

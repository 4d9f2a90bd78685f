/** What is read of groups, and what changes them. */
import type { Group } from '../../users/groups.ts'

/** By id. `version`: raised by every change of a group, and of whatever else is looked up for every person. */
export type Groups = { readonly version: number; readonly groups: ReadonlyMap<string, Group> }

/** A group that is made or changed; `after` undefined: deleted. Its version is set by the verb. */
export type GroupChange = { readonly id: string; readonly after: Group | undefined }

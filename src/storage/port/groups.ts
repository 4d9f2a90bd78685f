/** What changes groups. */
import type { Group } from '../../users/groups.ts'

/** A group that is made or changed; `after` undefined: deleted. Its version is set by the verb. */
export type GroupChange = { readonly id: string; readonly after: Group | undefined }

/** `added`: who was not in the group before. Otherwise nobody was added, because of this person. */
export type AddedMembers =
  | { readonly outcome: 'added'; readonly added: readonly string[] }
  | { readonly outcome: 'no_group' | 'no_user' | 'too_many'; readonly userId: string }

/** The members of a page. */
export const membersAtOnce = 100

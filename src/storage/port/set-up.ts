/**
 * What was done to set an installation up. `ended`: there is, or was, an account, so that nobody becomes the first administrator in
 * a browser any more. `hidden`: the console leaves the list of what is to do out. The others: an operator has seen to it, and says so.
 */
export const setUpMarks = ['ended', 'hidden', 'mail', 'backup', 'keys'] as const

export type SetUpMark = (typeof setUpMarks)[number]

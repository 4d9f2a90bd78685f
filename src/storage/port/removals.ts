/**
 * Deleted clients, scopes and roles that rows still have. Their deletion is one small commit, and holds from then on; the rows
 * follow in small commits. Until they have, the id or name cannot be given anew.
 */
export type Removal = { readonly kind: 'client' | 'scope' | 'role'; readonly name: string }

export type Removals = {
  /** Returns those whose rows are not all done, in no particular order. */
  list(): Promise<Removal[]>
  /**
   * Goes on until nothing is left or `mayGoOn` says no, which is asked before each commit. Returns whether nothing is left. Several
   * processes may do it at once.
   */
  goOn(mayGoOn: () => boolean): Promise<boolean>
}

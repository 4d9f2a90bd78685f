/** What is wrong at one place of a trail. */
export type Fault = {
  /**
   * `changed`: an entry or a checkpoint is not as it was written. `removed`: it is missing. `moved`: it is not in its place.
   * `forged`: it was put in later, or the chain was made anew.
   */
  readonly kind: 'changed' | 'removed' | 'moved' | 'forged'
  /** The first that is bad; absent when a checkpoint is. */
  readonly entry?: { readonly writer: string; readonly seq: number; readonly atMs: number | null }
  readonly checkpoint?: number
  /** A plain sentence about it. */
  readonly what: string
}

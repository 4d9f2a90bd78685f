/** A fault at one place of a trail. */
export type Fault = {
  /**
   * `changed`: the content of an entry or checkpoint was altered. `removed`: it is missing. `moved`: it is out of
   * place. `forged`: it was inserted later, or the chain was rebuilt.
   */
  readonly kind: 'changed' | 'removed' | 'moved' | 'forged'
  /** The first faulty entry; absent if a checkpoint is faulty. */
  readonly entry?: { readonly writer: string; readonly seq: number; readonly atMs: number | null }
  readonly checkpoint?: number
  /** A sentence that describes the fault. */
  readonly what: string
}

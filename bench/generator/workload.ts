/** What a connection does in each operation. */
export type Workload = {
  /** Makes what `count` operations use up; does nothing for those that use up nothing. */
  supply(count: number): Promise<void>
  /** One operation on the connection number `at`. False: the supply is used up. Rejects when the answer is wrong. */
  run(at: number): Promise<boolean>
  /** Wrong answers are what is measured. */
  readonly isAttacked?: boolean
}

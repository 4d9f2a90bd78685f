import type { Problem } from '../problem.ts'

/** A refused or failed operation: one line on standard error and exit code 1. Several lines only for several faults. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly problems: readonly string[]
  /** The faults by member; undefined if the refusal does not concern a record. */
  readonly members: readonly Problem[] | undefined

  /** One message per fault. */
  constructor(...problems: readonly string[]) {
    super(problems.join('\nerror: '))
    this.problems = problems
  }

  static because(members: readonly Problem[]): Refused {
    return Object.assign(new Refused(...members.map(({ message }) => message)), { members })
  }
}

import type { Problem } from '../problem.ts'

/** A refused or failed operation: one line on standard error, exit code 1. Several lines only for several faults. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly problems: readonly string[]
  /** What a rule found, by member; absent where no rule of a record refused. */
  readonly members: readonly Problem[] | undefined

  /** One message for each fault. */
  constructor(...problems: readonly string[]) {
    super(problems.join('\nerror: '))
    this.problems = problems
  }

  static because(members: readonly Problem[]): Refused {
    return Object.assign(new Refused(...members.map(({ message }) => message)), { members })
  }
}

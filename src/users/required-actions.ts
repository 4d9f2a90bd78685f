/** What a person does at the next sign-in before there is a session. */
import { type RequiredAction, requiredActions } from '../person-fields.ts'
import { type Problem, problem } from '../problem.ts'
import { everythingEnded, type User } from './user.ts'

/** Returns the actions in their order, each once; undefined: one is none. */
export function readActions(texts: readonly string[]): readonly RequiredAction[] | undefined {
  const isKnown = (text: string) => (requiredActions as readonly string[]).includes(text)
  return texts.every(isKnown) ? requiredActions.filter((action) => texts.includes(action)) : undefined
}

const actionsRule = `must be a list of: ${requiredActions.join(', ')}`

export function askedProblems(asked: readonly string[] | undefined): Problem[] {
  const isKnown = asked === undefined || readActions(asked) !== undefined
  return isKnown ? [] : [problem('required_actions', 'required_actions', actionsRule)]
}

/**
 * Sets what the next sign-in asks for. With more than before, sessions and refresh tokens end: nobody goes on without it.
 * Undefined: unchanged.
 */
export function withAsked(
  user: User,
  actions: readonly RequiredAction[] | undefined,
  hadFactor: boolean | undefined,
  nowMs: number,
): User {
  const { requiredActions: before = [], hadSecondFactor, ...rest } = user
  const [asked, had] = [actions ?? before, hadFactor ?? hadSecondFactor === true]
  const isMore = asked.some((one) => !before.includes(one)) || (had && hadSecondFactor !== true)
  return {
    ...rest,
    ...(asked.length > 0 && { requiredActions: asked }),
    ...(had && { hadSecondFactor: true }),
    ...(isMore && everythingEnded(user, nowMs)),
  }
}

/** Returns the user without what was done in this sign-in. */
export function withoutAsked(user: User, ...done: readonly (RequiredAction | 'had_second_factor')[]): User {
  const { requiredActions = [], hadSecondFactor, ...rest } = user
  const left = requiredActions.filter((action) => !done.includes(action))
  return {
    ...rest,
    ...(left.length > 0 && { requiredActions: left }),
    ...(hadSecondFactor === true && !done.includes('had_second_factor') && { hadSecondFactor }),
  }
}

/** Begins the sign-in, which takes the longest, before the rest of the console has loaded. */
import { signedIn } from './session.ts'
import { keepTestAnswer } from './test-answer.ts'

/** Whether this is the window beside the console, which only takes the answer. */
export const isBeside: boolean = /^\/admin\/signed-in\/?$/.test(location.pathname)

// Before the sign-in looks at the address.
keepTestAnswer()

/** The sign-in of this page; the window beside has none. A failure is told by `begin`, which waits for it. */
export const firstSignIn = isBeside ? undefined : signedIn()
firstSignIn?.catch(() => {})

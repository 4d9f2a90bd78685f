/** Begins the sign-in, which takes the longest, before the rest of the console has loaded. */
import { type PageScript, scripts } from './page-scripts.ts'
import { signedIn, signInBegun } from './session.ts'
import { keepTestAnswer } from './test-answer.ts'

/** Whether this is the window beside the console, which only takes the answer. */
export const isBeside: boolean = /^\/admin\/signed-in\/?$/.test(location.pathname)

// Before the sign-in looks at the address.
keepTestAnswer()

/** The sign-in of this page; the window beside has none. A failure is told by `begin`, which waits for it. */
export const firstSignIn = isBeside ? undefined : signedIn()
firstSignIn?.catch(() => {})

/** The page that was opened, by the first segment of its address; its script comes while the console signs in. */
export const [opened = ''] = location.pathname.split('/').filter(Boolean).slice(1)
export const openedScript: Promise<PageScript> | undefined =
  isBeside || !Object.hasOwn(scripts, opened) ? undefined : signInBegun.then(scripts[opened])
openedScript?.catch(() => {})

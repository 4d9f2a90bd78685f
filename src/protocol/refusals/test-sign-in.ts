/** Refusals of test sign-ins, which administrators begin in the console. */
import type { RefusalEntry } from './entry.ts'

export const testSignInRefusals = {
  test_sign_in_invalid: {
    error: 'invalid_grant',
    id: 'ID9671',
    description: 'The test sign-in cannot be ended here.',
    why: 'It belongs to the administrator who began it, in the name of one application and for ten minutes, and that person has to be the one who signs in: nobody is shown what somebody else signed in for.',
    fix: 'Begin another one in the set-up of the application. What tokens say about other people is in the token preview.',
    source: 'a rule of this service',
  },
} as const satisfies Record<string, RefusalEntry>

/** Refusals by the JSON endpoints of the account area (`/Account/Self`). */
import type { RefusalEntry } from './entry.ts'

export const selfRefusals = {
  sign_in_too_old: {
    error: 'reauthentication_required',
    id: 'ID9365',
    description: 'This needs a sign-in of the last minutes. Sign in again, then repeat the request.',
    why: 'Credentials, e-mail address and second factors are changed, and data is exported and deleted, only shortly after a sign-in, so that a browser that was left open is not enough.',
    fix: 'Send the person to /Account/Login with ReturnUrl and reauthenticate=true. The setting Accounts:RecentSignIn says how old the sign-in may be.',
    source: 'a rule of this service',
  },
  json_body_malformed: {
    error: 'invalid_request',
    id: 'ID9366',
    description: 'The body must be one JSON object in UTF-8, with the content type application/json.',
    why: 'Only the content type says how to read the body, and browsers send it to another origin only with permission. Deeply nested values are refused.',
    fix: 'Send one JSON object with Content-Type: application/json.',
    source: 'RFC 8259 §8.1',
  },
  members_invalid: {
    error: 'invalid_request',
    id: 'ID9367',
    description: 'A member of the body is missing, unknown or not valid.',
    why: 'A member that is not known might be expected to have an effect, so it is refused and not ignored. Nothing was changed.',
    fix: 'Correct each member that the list errors names.',
    source: 'a rule of this service',
  },
  second_factor_missing: {
    error: 'second_factor_missing',
    id: 'ID9311',
    description: 'There is no second factor that recovery codes could stand in for.',
    why: 'Recovery codes take the place of an authenticator app or a passkey that was lost.',
    fix: 'Set up an authenticator app or add a passkey first.',
    source: 'a rule of this service',
  },
  second_factor_paused: {
    error: 'too_many_attempts',
    id: 'ID9312',
    description: 'Too many codes were wrong. For five minutes none is checked.',
    why: 'A code has six digits; without a pause somebody who knows the password could try them all.',
    fix: 'Wait five minutes, then enter a new code.',
    source: 'RFC 6238 §5.2, NIST SP 800-63B §3.2.2',
  },
  last_sign_in_method: {
    error: 'last_sign_in_method',
    id: 'ID9368',
    description: 'This is the last way to sign in to the account.',
    why: 'Without a password, a passkey or a linked provider nobody could sign in any more.',
    fix: 'Set a password, add a passkey or link another provider first.',
    source: 'a rule of this service',
  },
  self_item_unknown: {
    error: 'not_found',
    id: 'ID9369',
    description: 'The account has nothing of that id. It may have been removed meanwhile.',
    why: 'Only what belongs to the signed-in person is found: sessions, browsers, applications and linked accounts of others do not exist here.',
    fix: 'Read the list again.',
    source: 'RFC 9110 §15.5.5',
  },
  self_session_missing: {
    error: 'login_required',
    id: 'ID9370',
    description: 'Sign in first: this browser has no valid session.',
    why: 'The account area answers the person who is signed in. The session ended, was ended elsewhere, or the cookie was not sent.',
    fix: 'Sign in at the login page, then repeat the request.',
    source: 'RFC 9110 §15.5.2',
  },
} as const satisfies Record<string, RefusalEntry>

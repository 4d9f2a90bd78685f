/** Refusals of a request to sign out (OpenID Connect RP-Initiated Logout 1.0 §2). */
import type { RefusalEntry } from './entry.ts'

export const signOutRefusals = {
  end_session_client_unknown: {
    error: 'invalid_request',
    id: 'ID2052',
    description: 'The client_id is not known.',
    why: 'Without a known client there is no registered address to return to.',
    fix: 'Check the client_id, or register the client: latchkey client add.',
    source: 'RP-Initiated Logout §2',
  },
  post_logout_redirect_uri_unregistered: {
    error: 'invalid_request',
    id: 'ID2052',
    description: 'The post_logout_redirect_uri is not registered.',
    why: 'Users are redirected to registered addresses only, compared as whole strings; anything looser would make this service an open redirector.',
    fix: 'Register the address, or send it exactly as registered: every character counts, a trailing slash too.',
    source: 'RP-Initiated Logout §3',
  },
  end_session_request_too_long: {
    error: 'invalid_request',
    id: 'ID9141',
    description: 'The request to sign out is too long.',
    why: 'The page that asks the user is given the whole request in its address, which is bounded to protect headers and logs.',
    fix: 'Leave out what is not needed. Keep state in the application, and send a reference to it.',
    source: 'a limit of this service',
  },
} as const satisfies Record<string, RefusalEntry>

/** Refusals of people for whom no operator stored a consent (`consent` external). */
import type { RefusalEntry } from './entry.ts'

export const operatorConsentRefusals = {
  consent_of_operator_missing: {
    error: 'consent_required',
    id: 'ID9124',
    description: 'Nobody stored a consent of this person for this client and these scopes.',
    why: 'The client has consent=external: only an operator gives people access to it, and the person cannot be asked.',
    fix: 'Store the consent: latchkey authorizations add --user NAME --client ID --scope S. A consent counts for its scopes and fewer.',
    source: 'OpenID Connect Core §3.1.2.6',
  },
  exchange_consent_missing: {
    error: 'invalid_request',
    id: 'ID9232',
    description: 'Nobody stored a consent of the person of this token for the client that exchanges it.',
    why: 'The client has consent=external: only an operator gives people access to it, whichever way their tokens come.',
    fix: 'Store the consent: latchkey authorizations add --user NAME --client ID --scope S.',
    source: 'RFC 8693 §2.2.2',
  },
} as const satisfies Record<string, RefusalEntry>

/** Refusals of passkeys (WebAuthn Level 3). */
import type { RefusalEntry } from './entry.ts'

export const passkeyRefusals = {
  passkey_invalid: {
    error: 'passkey_invalid',
    id: 'ID9330',
    description: 'The passkey could not be verified.',
    why: 'A passkey is accepted from a page of this service, made by an authenticator that verified the person, for the host of the issuer, with ES256, EdDSA or RS256. What was sent is not such a credential.',
    fix: 'Pass the options to navigator.credentials unchanged, and send what toJSON() of the result returns. Pages of other origins need Accounts:PasskeyRelatedOrigins.',
    source: 'WebAuthn Level 3 §7',
  },
  passkey_challenge_invalid: {
    error: 'passkey_challenge_invalid',
    id: 'ID9331',
    description: 'The challenge of the passkey is not valid any more.',
    why: 'A challenge is valid for five minutes, once, in the browser that requested it, for one purpose.',
    fix: 'Request new options and ask for the passkey again.',
    source: 'WebAuthn Level 3 §13.4.3',
  },
  passkey_taken: {
    error: 'passkey_taken',
    id: 'ID9332',
    description: 'This passkey is registered already.',
    why: 'A credential id names one passkey of one person.',
    fix: 'Use the passkey that there is, or create one in another authenticator.',
    source: 'WebAuthn Level 3 §7.1 step 26',
  },
  passkeys_full: {
    error: 'too_many_passkeys',
    id: 'ID9333',
    description: 'The account has as many passkeys as it may have.',
    why: 'A person has at most twenty passkeys.',
    fix: 'Remove one that is not used any more.',
    source: 'a rule of this service',
  },
  passkey_unknown: {
    error: 'not_found',
    id: 'ID9334',
    description: 'The account has no passkey of that id.',
    why: 'It was removed, or belongs to another account.',
    fix: 'Read the list of passkeys again.',
    source: 'a rule of this service',
  },
} as const satisfies Record<string, RefusalEntry>

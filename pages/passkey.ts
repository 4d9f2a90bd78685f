import { fetchToken } from './antiforgery.ts'
import { type AntiforgeryToken, askForJson } from './api.ts'
import { site } from './site.ts'

/** `cancelled`: the visitor closed the dialog, or there was no passkey to choose. */
export type Passkey = { kind: 'ok'; credential: string } | { kind: 'cancelled' } | { kind: 'unreachable' }

type Asking = {
  /** Offers passkeys in the autofill of a field whose `autocomplete` ends with `webauthn`, without a dialog. */
  conditional?: boolean
  signal?: AbortSignal
  token?: AntiforgeryToken | null
}

/** Whether the service takes passkeys and this browser has them. There are none for addresses without a host name. */
export const passkeysWork: boolean =
  site.passkeys === true &&
  'PublicKeyCredential' in window &&
  'parseRequestOptionsFromJSON' in PublicKeyCredential &&
  !/^[\d.]+$|:/.test(location.hostname)

/**
 * Asks the visitor for a passkey; the credential is the text that the service reads. Rejects only for `signal`. Options
 * are fetched each time, because a challenge is good for five minutes.
 */
export async function askForPasskey(
  purpose: 'signin' | 'second_factor',
  { conditional = false, signal, token }: Asking = {},
): Promise<Passkey> {
  const options = await fetchOptions(purpose, token)
  signal?.throwIfAborted()
  if (!options) return { kind: 'unreachable' }
  try {
    const found = await navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
      ...(conditional && { mediation: 'conditional' }),
      ...(signal && { signal }),
    })
    return found ? { kind: 'ok', credential: JSON.stringify(found) } : { kind: 'cancelled' }
  } catch {
    signal?.throwIfAborted()
    return { kind: 'cancelled' }
  }
}

async function fetchOptions(
  purpose: string,
  token?: AntiforgeryToken | null,
): Promise<PublicKeyCredentialRequestOptionsJSON | null> {
  const held = token ?? (await freshToken())
  if (!held) return null
  const answer = await askForJson<PublicKeyCredentialRequestOptionsJSON>('/Account/PasskeyOptions', {
    method: 'POST',
    headers: { 'content-type': 'application/json', RequestVerificationToken: held.token },
    body: JSON.stringify({ purpose }),
  })
  if (answer.kind === 'ok') return answer.value
  // Somebody signed in or out in another tab since the token was issued.
  return token && answer.kind === 'refused' ? fetchOptions(purpose) : null
}

async function freshToken(): Promise<AntiforgeryToken | null> {
  const answer = await fetchToken()
  return answer.kind === 'ok' ? answer.value : null
}

import { fetchToken } from './antiforgery.ts'
import { getJson } from './api.ts'
import { site } from './site.ts'

/**
 * `cancelled`: the visitor closed the dialog, or there was no passkey to choose. `refused`: there is no sign-in any more to
 * which the passkey would belong.
 */
export type Passkey =
  | { kind: 'ok'; credential: string }
  | { kind: 'cancelled' }
  | { kind: 'unreachable' }
  | { kind: 'refused' }

type Asking = {
  /** Offers passkeys in the autofill of a field whose `autocomplete` ends with `webauthn`, without a dialog. */
  conditional?: boolean
  signal?: AbortSignal
  /** Whether an anti-forgery token was fetched lately, and with it the cookie that the challenge is bound to. */
  isFresh?: boolean
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
  { conditional = false, signal, isFresh = false }: Asking = {},
): Promise<Passkey> {
  const ask = () => getJson<PublicKeyCredentialRequestOptionsJSON>(`/Account/PasskeyOptions?purpose=${purpose}`)
  if (!isFresh) await fetchToken()
  let answer = await ask()
  if (answer.kind === 'refused' && isFresh) {
    // The cookie may be gone.
    await fetchToken()
    answer = await ask()
  }
  signal?.throwIfAborted()
  if (answer.kind !== 'ok') return { kind: answer.kind }
  try {
    const found = await navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(answer.value),
      ...(conditional && { mediation: 'conditional' }),
      ...(signal && { signal }),
    })
    return found ? { kind: 'ok', credential: JSON.stringify(found) } : { kind: 'cancelled' }
  } catch {
    signal?.throwIfAborted()
    return { kind: 'cancelled' }
  }
}

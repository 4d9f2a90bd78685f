import { passkeysWork } from '../passkey.ts'

/** The answer of `POST /Account/Self/passkeys/options`. */
export type CreationOptions = PublicKeyCredentialCreationOptionsJSON

/**
 * `credential` is what `POST /Account/Self/passkeys` takes. `cancelled`: the person closed the dialog, or it took too long.
 * `exists`: the authenticator has a passkey of this account already. `unsupported`: this browser or authenticator cannot
 * make one.
 */
export type Creation =
  | { kind: 'ok'; credential: unknown }
  | { kind: 'cancelled' }
  | { kind: 'exists' }
  | { kind: 'unsupported' }

/** The answer of `GET /Account/Self/passkeys`, as far as browsers are told of it. */
export type PasskeyList = { items: readonly { credential_id: string }[]; rp_id: string; user_handle: string }

/** Whether this browser can make passkeys for this service. */
export const canCreatePasskeys: boolean = passkeysWork && 'parseCreationOptionsFromJSON' in PublicKeyCredential

/** Asks the person to make a passkey. Call it soon after a press: some browsers demand one. Never rejects. */
export async function createPasskey(options: CreationOptions): Promise<Creation> {
  if (!canCreatePasskeys) return { kind: 'unsupported' }
  try {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
    const created = await navigator.credentials.create({ publicKey })
    return created ? { kind: 'ok', credential: JSON.parse(JSON.stringify(created)) } : { kind: 'cancelled' }
  } catch (error) {
    return { kind: kinds[(error as DOMException).name] ?? 'unsupported' }
  }
}

const kinds: Readonly<Record<string, 'cancelled' | 'exists'>> = {
  NotAllowedError: 'cancelled',
  AbortError: 'cancelled',
  InvalidStateError: 'exists',
}

/** Tells the browser which passkeys there are, so that it forgets removed ones where it listens. Never rejects. */
export async function signalPasskeys({ items, rp_id: rpId, user_handle: userId }: PasskeyList): Promise<void> {
  if (!passkeysWork || !('signalAllAcceptedCredentials' in PublicKeyCredential)) return
  const allAcceptedCredentialIds = items.map(({ credential_id: id }) => id)
  await PublicKeyCredential.signalAllAcceptedCredentials({ rpId, userId, allAcceptedCredentialIds }).catch(() => {})
}

type UserAgentData = { readonly platform?: string }

/** The name of the operating system, where the browser tells it. */
export function systemName(): string {
  const { userAgentData } = navigator as Navigator & { readonly userAgentData?: UserAgentData }
  return userAgentData?.platform ?? ''
}

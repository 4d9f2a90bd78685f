/** Names an authenticator app to people and operators. */
import { createHash } from 'node:crypto'

/** Says nothing of the secret, which is sealed. */
export function appId({ sealedSecret }: { readonly sealedSecret: string }): string {
  return createHash('sha256').update(sealedSecret).digest('base64url').slice(0, 22)
}

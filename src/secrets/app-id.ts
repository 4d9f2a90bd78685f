/** Names an authenticator app to people and operators. */
import { createHash } from 'node:crypto'

/** Says nothing of the secret, which is sealed. Hexadecimal, so that no command takes one for an option. */
export function appId({ sealedSecret }: { readonly sealedSecret: string }): string {
  return createHash('sha256').update(sealedSecret).digest('hex').slice(0, 22)
}

/** What is filled into the settings of a library. */
import type { Client } from '../client/client.ts'
import type { ChosenTemplate } from './index.ts'
import type { Setup } from './template.ts'

/** Returns the fault of a client id, as the end of a sentence. It is printed into shell commands and configuration files of many kinds. */
export function idFault(id: string): string | undefined {
  return /^[\w.~@:/+-]+$/.test(id)
    ? undefined
    : 'must have letters, digits and . _ ~ @ : / + - alone, which mean the same in the settings of every library'
}

/** What a setup holds that nobody else may know. `client`: empty where it has none. `session`: `sessionSecret` of `Values`. */
export type SetupSecrets = { readonly client: string; readonly session: string }

export const setupFor = (
  { template, base }: ChosenTemplate,
  client: Client,
  issuer: string,
  secrets: SetupSecrets,
): Setup =>
  template.setup({
    issuer,
    clientId: client.id,
    secret: secrets.client,
    sessionSecret: secrets.session,
    base,
    redirectUri: client.redirectUris[0] ?? '',
    scope: ['openid', ...client.scopes.filter((one) => one !== 'openid')].join(' '),
  })

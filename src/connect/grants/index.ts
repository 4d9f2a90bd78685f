/**
 * The registry of grant types, one file each, which parses, reads, decides, commits and answers. Token issuance shared
 * by several is in `issue.ts`. A grant type in `protocol/grant-types.ts` that is missing here does not compile.
 *
 * Belongs here: one file for each grant type of the token endpoint.
 * Belongs elsewhere: the rules of a grant type (`protocol/`).
 */
import type { GrantType } from '../../protocol/grant-types.ts'
import { authorizationCode } from './authorization-code.ts'
import { clientCredentials } from './client-credentials.ts'
import { deviceCode } from './device-code.ts'
import type { GrantFacts, GrantHandler } from './grant-handler.ts'
import { refreshToken } from './refresh-token.ts'
import { tokenExchange } from './token-exchange.ts'

export const grantHandlers: Readonly<Record<GrantType, GrantHandler<unknown, GrantFacts>>> = {
  authorization_code: authorizationCode,
  refresh_token: refreshToken,
  client_credentials: clientCredentials,
  'urn:ietf:params:oauth:grant-type:device_code': deviceCode,
  'urn:ietf:params:oauth:grant-type:token-exchange': tokenExchange,
}

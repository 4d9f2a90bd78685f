/**
 * The registry of grant types, one file each, which parses, reads, decides, commits and answers. Token issuance shared
 * by several is in `issue.ts`. A grant type in `protocol/grant/grant-types.ts` that is missing here does not compile.
 *
 * Belongs here: one file for each grant type of the token endpoint.
 * Belongs elsewhere: the rules of a grant type (`protocol/`).
 */
import { onDemand } from '../../on-demand.ts'
import type { GrantType } from '../../protocol/grant/grant-types.ts'
import { authorizationCode } from './authorization-code.ts'
import type { GrantFacts, GrantHandler } from './grant-handler.ts'
import { refreshToken } from './refresh-token.ts'

type Handler = GrantHandler<unknown, GrantFacts>

/** Provides the handler of each grant type. Those that many installations never use are loaded when they are first requested. */
export const grantHandlers: Readonly<Record<GrantType, () => Handler | Promise<Handler>>> = {
  authorization_code: () => authorizationCode,
  refresh_token: () => refreshToken,
  client_credentials: onDemand<Handler>(async () => (await import('./client-credentials.ts')).clientCredentials),
  'urn:ietf:params:oauth:grant-type:device_code': onDemand<Handler>(
    async () => (await import('./device-code.ts')).deviceCode,
  ),
  'urn:ietf:params:oauth:grant-type:token-exchange': onDemand<Handler>(
    async () => (await import('./token-exchange.ts')).tokenExchange,
  ),
}

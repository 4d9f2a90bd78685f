/**
 * The registry of grant types, one file each, which parses, reads, decides, commits and answers. Token issuance shared
 * by several is in `issue.ts`; rules are in `protocol/`. A grant type in `protocol/grant-types.ts` that is missing here
 * does not compile.
 */
import type { GrantType } from '../../protocol/grant-types.ts'
import { authorizationCode } from './authorization-code.ts'
import type { GrantFacts, GrantHandler } from './grant-handler.ts'
import { refreshToken } from './refresh-token.ts'

export const grantHandlers: Readonly<Record<GrantType, GrantHandler<unknown, GrantFacts>>> = {
  authorization_code: authorizationCode,
  refresh_token: refreshToken,
}

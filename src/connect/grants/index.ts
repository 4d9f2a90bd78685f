/**
 * The registry of grant types: a file for each, which parses, reads, decides, commits and answers. What several of them share
 * about issuing tokens is in `issue.ts`; rules are in `protocol/`. A grant type that is named in `protocol/grant-types.ts`
 * and missing here does not compile.
 *
 * Belongs here: one file for each grant type of the token endpoint.
 * Belongs elsewhere: the rules of a grant type (`protocol/`).
 */
import type { GrantType } from '../../protocol/grant-types.ts'
import { authorizationCode } from './authorization-code.ts'
import type { GrantFacts, GrantHandler } from './grant-handler.ts'
import { refreshToken } from './refresh-token.ts'

export const grantHandlers: Readonly<Record<GrantType, GrantHandler<unknown, GrantFacts>>> = {
  authorization_code: authorizationCode,
  refresh_token: refreshToken,
}

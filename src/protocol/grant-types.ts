import { type Refusal, refuse } from './refusals/index.ts'

/**
 * The grant types of this service (RFC 6749 §1.3), as far as rules know them. What each does at the token endpoint is a file
 * in `connect/grants/`. Discovery, registration and the token endpoint take their lists from here.
 */
export const grantTypes = ['authorization_code', 'refresh_token'] as const

export type GrantType = (typeof grantTypes)[number]

/** The grant type that a request names; a refusal when the service has no such one (RFC 6749 §5.2). */
export function findGrantType(name: string): GrantType | Refusal {
  const found = grantTypes.find((type) => type === name)
  return found ?? refuse('grant_type_unsupported', 'grant_type', { received: name, supported: grantTypes })
}

/** The kinds of clients, told by their registration: where they run, and for whom they get tokens. */
import type { GrantType } from '../grant/grant-types.ts'

export const clientKinds = ['spa', 'server', 'native', 'machine', 'device'] as const
export type ClientKind = (typeof clientKinds)[number]

const device: GrantType = 'urn:ietf:params:oauth:grant-type:device_code'

/** By the names of RFC 7591 §2 and OpenID Connect Registration §2. */
type Registered = {
  readonly grant_types: readonly string[]
  readonly application_type?: string | undefined
  readonly token_endpoint_auth_method: string
}

/** One with the code flow is known by that, whatever other grants it has. */
export function kindOf({ grant_types, application_type, token_endpoint_auth_method }: Registered): ClientKind {
  if (grant_types.includes('authorization_code')) {
    if (application_type === 'native') return 'native'
    return token_endpoint_auth_method === 'none' ? 'spa' : 'server'
  }
  return grant_types.includes(device) ? 'device' : 'machine'
}

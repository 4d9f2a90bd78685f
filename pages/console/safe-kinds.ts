/** The kinds of applications, and what makes each safe. */

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

const withCode = { grant_types: ['authorization_code', 'refresh_token'], require_pkce: true }

/** The members that make each kind safe. */
export const kinds = {
  spa: { ...withCode, token_endpoint_auth_method: 'none' },
  server: { ...withCode, token_endpoint_auth_method: 'client_secret_basic' },
  native: { ...withCode, token_endpoint_auth_method: 'none', application_type: 'native' },
  machine: { grant_types: ['client_credentials'], token_endpoint_auth_method: 'client_secret_basic' },
  device: { grant_types: [deviceGrant, 'refresh_token'], token_endpoint_auth_method: 'none' },
} as const

export type Kind = keyof typeof kinds
export const kindNames = Object.keys(kinds) as Kind[]

export const redirects = (kind: Kind): boolean => kind !== 'machine' && kind !== 'device'

export { kindOf } from '../../src/protocol/client/client-kind.ts'

import type { FormValues } from './application-members.ts'
import type { ClaimRule } from './claim-rule.ts'

/** An application as the admin API has it, by the names of RFC 7591 §2. */
export type Application = FormValues & {
  client_id: string
  /** In seconds since 1970. */
  client_id_issued_at: number
  grant_types: string[]
  token_endpoint_auth_method: string
  require_pkce: boolean
  /** Who registered it; absent: an operator. */
  registration?: string
  application_type?: string
  previous_secret_expires_at?: number
  /** The id of the template that it was registered for. */
  template?: string
  /** Absent: `scopes`. */
  id_token_claims?: string
  claims?: ClaimRule[]
  /** In English. */
  warnings?: string[]
}

/** The same with a secret, which the API shows once. */
export type WithSecret = Application & { client_secret?: string; setup?: Setup }

/** The settings of a library for one application. `notes` are in English. */
export type Setup = {
  title: string
  language: string
  code: string
  environment?: { title: string; code: string }
  install?: string
  run?: string
  notes: string[]
}

/** A library or product that an application can be registered for. `default_url` is absent where it has no address. */
export type Template = {
  id: string
  title: string
  kind: 'server' | 'browser' | 'product' | 'installed' | 'api'
  takes: 'application' | 'api' | 'scheme' | 'nothing'
  default_url?: string
}

/** The path of an application in the API. */
export const pathOf = (id: string): string => `/clients/${encodeURIComponent(id)}`

export const hasSecret = ({ token_endpoint_auth_method: method }: Application): boolean =>
  method.startsWith('client_secret')

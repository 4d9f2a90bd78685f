import type { ExternalProvider } from './api.ts'

/** What the server says about itself in every page: its name, what it offers, and the languages that it speaks. */
export type Site = {
  name: string
  /** The issuer; only in the console, if it has a port of its own. */
  issuer?: string
  /** What the console signs in by: members of discovery (OpenID Connect Discovery §3); there alone. */
  service?: {
    issuer: string
    authorization_endpoint: string
    token_endpoint: string
    authorization_response_iss_parameter_supported: boolean
    id_token_signing_alg_values_supported: string[]
  }
  /** The operator's logo, its width at a height of 32 pixels, the address of that of the dark theme, and whether the name is only read out; absent: none. */
  logo?: { src: string; width: number; dark?: string; alone?: true }
  /** The letter in its place; absent: our mark. */
  initial?: string
  /** Where people find help, the terms of service, the privacy policy, and who runs the service. */
  support?: string
  terms?: string
  privacy?: string
  imprint?: string
  /** Tags of the languages that there are catalogues for. */
  languages: string[]
  /** Whether anybody can create an account here. */
  registration?: boolean
  /** Whether mail can be sent, which a forgotten password needs. */
  mail?: boolean
  /** Other services with which people can sign in; only in the console. */
  providers?: ExternalProvider[]
  /** Whether people can sign in with passkeys. */
  passkeys?: boolean
}

/** Whether this browser may be signed in: it has a cookie for that, which may be of no use any more. */
export const mayBeSignedIn = document.documentElement.dataset.session !== undefined

export const site: Site = JSON.parse(document.getElementById('site')?.textContent ?? '')

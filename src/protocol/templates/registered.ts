/** The settings of a library for a client that was registered before. */
import { type Judged, problem, type Rejection } from '../../problem.ts'
import { asRefusal, isRefusal } from '../../refusal.ts'
import type { Client } from '../client/client.ts'
import { type ChosenTemplate, chooseTemplate } from './index.ts'
import type { Setup, Template } from './template.ts'
import { idFault, setupFor } from './values.ts'

/** Stand where the secrets belong. */
const places = { client: 'YOUR_CLIENT_SECRET', session: 'YOUR_SESSION_SECRET' }

/** Without the secret. `template` null: none is known. */
export type LaterSetup = { readonly template: string | null; readonly setup: Setup | null }

/** Returns the settings of the template that is asked for, or of the one that the client was registered for. */
export function laterSetup(client: Client, asked: string | undefined, issuer: string): Judged<LaterSetup> {
  const id = asked ?? client.metadata.template
  if (id === null) return { template: null, setup: null }
  const chosen = chooseTemplate(id, undefined, { template: 'template', base: 'template' })
  if (isRefusal<ChosenTemplate | Rejection>(chosen)) {
    // A stored one may be of another version of the service.
    return asked === undefined ? { template: null, setup: null } : chosen
  }
  const fault = idFault(client.id)
  if (fault !== undefined)
    return asRefusal({ problems: [problem('template', 'The id of a client of a template', fault)] })
  const { template } = chosen
  const secrets = client.authentication.method === 'client_secret' ? places : { ...places, client: '' }
  const base = baseOfClient(template, client)
  return { template: template.id, setup: setupFor({ template, base }, client, issuer, secrets) }
}

/** Returns what the template takes, as the addresses of the client say it. Where they say nothing: where the library runs in development. */
function baseOfClient(template: Template, client: Client): string {
  const { takes, developedAt } = template
  const [redirectUri = ''] = client.redirectUris
  if (takes === 'nothing' || developedAt === '') return ''
  if (takes === 'api') return client.metadata.resources[0] ?? developedAt
  if (takes === 'scheme') return redirectUri.replace(/(?::\/|\/)callback$/, '') || developedAt
  return baseOfAddress(template, client.redirectUris) ?? originOf(redirectUri) ?? developedAt
}

/** The start of the first address that ends as one of the template does. */
function baseOfAddress({ members }: Template, addresses: readonly string[]): string | undefined {
  const { redirect_uris: ends } = members('')
  for (const end of Array.isArray(ends) ? ends.map(String) : []) {
    const found = addresses.find((one) => one.endsWith(end) && isBase(one.slice(0, -end.length)))
    if (found !== undefined) return found.slice(0, -end.length)
  }
  return undefined
}

/** It becomes part of files in a dozen languages, none of which gives a meaning to these characters. */
const isBase = (text: string): boolean => /^https?:\/\/[\w:/.~%[\]-]+$/i.test(text) && URL.canParse(text)

function originOf(address: string): string | undefined {
  const { origin } = URL.parse(address) ?? {}
  return origin !== undefined && isBase(origin) ? origin : undefined
}

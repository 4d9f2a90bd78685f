/** How the response reaches the client (OAuth 2.0 Multiple Response Types §2.1, JARM §2.3). */
import type { ParameterReader } from '../parameters.ts'
import { refuse } from '../refusals/index.ts'

/** How a browser takes the response to the client. */
type Delivery = 'query' | 'fragment' | 'form_post'
/** `.jwt`: the response is one signed JWT (JARM §2.3). */
export type ResponseMode = Delivery | `${Delivery}.jwt`

/** By their names in requests. `jwt` stands for the default of the response type (JARM §2.3.4). */
const responseModes: Readonly<Record<string, ResponseMode>> = {
  query: 'query',
  form_post: 'form_post',
  fragment: 'fragment',
  jwt: 'query.jwt',
  'query.jwt': 'query.jwt',
  'form_post.jwt': 'form_post.jwt',
  'fragment.jwt': 'fragment.jwt',
}
/** As listed in `response_modes_supported`. */
export const responseModeNames: readonly string[] = Object.keys(responseModes)

export function deliveryOf(mode: ResponseMode): { readonly delivery: Delivery; readonly signed: boolean } {
  return { delivery: mode.replace('.jwt', '') as Delivery, signed: mode.endsWith('.jwt') }
}

/** Reads `response_mode`. The default of the code flow is `query`. */
export function parseResponseMode(reader: ParameterReader): ResponseMode {
  const value = reader.optional('response_mode')
  if (value === null) return 'query'
  const mode = Object.hasOwn(responseModes, value) ? responseModes[value] : undefined
  if (mode !== undefined) return mode
  const detail = { received: value, supported: responseModeNames }
  reader.refuse(refuse('response_mode_unsupported', 'response_mode', detail))
  return 'query'
}

/** Requests about a token that its sender presents: revocation (RFC 7009 §2.1) and introspection (RFC 7662 §2.1). */
import { readForm } from '../http/parameters.ts'
import type { Request } from '../http/request.ts'
import { type ClientCredentials, readClientCredentials } from '../protocol/client-authentication/index.ts'
import { ParameterReader } from '../protocol/parameters.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'

/** Returns the token and the credentials of the client, neither of them verified. */
export function readTokenRequest(
  request: Request,
): { readonly token: string; readonly credentials: ClientCredentials } | Refusal {
  const form = readForm(request)
  if (isRefusal(form)) return form
  const reader = new ParameterReader(form)
  const token = reader.mandatory('token') ?? ''
  // Only a hint: the token itself shows its kind.
  reader.optional('token_type_hint')
  if (reader.fault !== undefined) return reader.fault
  const credentials = readClientCredentials(reader, request.headers.authorization, () => refuse('client_id_missing'))
  return isRefusal(credentials) ? credentials : { token, credentials }
}

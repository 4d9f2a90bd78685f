import type { Request } from '../../http/request.ts'
import type { RequestingClient } from '../../protocol/client/client.ts'
import type { AuthenticatedClient } from '../../protocol/client-authentication/index.ts'
import type { ParameterReader } from '../../protocol/parameters.ts'
import type { Refusal } from '../../protocol/refusals/index.ts'
import type { Confirmation } from '../../protocol/token/confirmation.ts'
import type { Service } from '../../service.ts'
import type { TokenResponse } from '../../tokens/mint.ts'
import type { Spend } from '../single-use.ts'

/** The context of a token request while facts are gathered. */
export type RequestContext = {
  readonly service: Service
  readonly http: Request
  /** As sent; not authenticated yet when facts are gathered. */
  readonly clientId: string
  /** When the whole request had been read. In epoch milliseconds. */
  readonly presentedAtMs: number
}

/** The context of a token request whose client is authenticated. */
export type GrantContext = RequestContext & {
  /** The key whose possession the client proved; null: none. Issued access tokens are bound to it. */
  readonly confirmation: Confirmation | null
  /** Values of the request that may be used once. The commit that issues the tokens uses them up. */
  readonly spends: readonly Spend[]
}

/** Facts of every grant type: the client is read with them, in one round trip. */
export type GrantFacts = { readonly client: RequestingClient | undefined }

/**
 * Another request won the race, so this one is decided again on new facts. `refusal`: the answer if that happens too
 * often.
 */
export type Overtaken = { readonly overtaken: Refusal }

/**
 * A grant type at the token endpoint. The endpoint parses, gathers, authenticates the client and exchanges, in this
 * order: it reveals nothing about a code or token before the client is authenticated.
 */
export type GrantHandler<Parameters, Facts extends GrantFacts> = {
  /** Returns the refusal of a request that names no client. */
  refuseWithoutClient(): Refusal
  /** Reads the parameters of the grant type. Faults stay in the reader, and the result is then ignored. */
  parse(reader: ParameterReader): Parameters
  /** Reads all facts for the decision, the client included. */
  gather(context: RequestContext, parameters: Parameters): Promise<Facts>
  /** Decides, commits and answers. `client`: the authenticated client among the facts. */
  exchange(
    context: GrantContext,
    parameters: Parameters,
    facts: Facts,
    client: AuthenticatedClient,
  ): Promise<TokenResponse | Refusal | Overtaken>
}

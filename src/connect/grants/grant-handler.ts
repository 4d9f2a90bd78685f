import type { Request } from '../../http/request.ts'
import type { Client } from '../../protocol/client.ts'
import type { ParameterReader } from '../../protocol/parameters.ts'
import type { Refusal } from '../../protocol/refusals/index.ts'
import type { Service } from '../../service.ts'
import type { TokenResponse } from '../../tokens/mint.ts'

/** What every handler is given of a token request. */
export type GrantContext = {
  readonly service: Service
  readonly http: Request
  /** As the request says; not yet authenticated when facts are gathered. */
  readonly clientId: string
}

/** Facts of any grant type: the client is read with them, in one round trip. */
export type GrantFacts = { readonly client: Client | undefined }

/** Another request was faster. It is decided anew, on new facts; `refusal` is the answer when that happens too often. */
export type Overtaken = { readonly overtaken: Refusal }

/**
 * A grant type at the token endpoint. The endpoint parses, gathers, authenticates the client that was read, and exchanges, in
 * this order: nothing is said about a code or a token before the client is known.
 */
export type GrantHandler<Parameters, Facts extends GrantFacts> = {
  /** The refusal of a request that names no client. */
  refuseWithoutClient(): Refusal
  /** Reads the parameters of the grant type. Faults stay in the reader; what is returned then is not used. */
  parse(reader: ParameterReader): Parameters
  /** Reads all that is decided on, the client included. */
  gather(context: GrantContext, parameters: Parameters): Promise<Facts>
  /** Decides, commits and answers. `client` is that of the facts, authenticated. */
  exchange(
    context: GrantContext,
    parameters: Parameters,
    facts: Facts,
    client: Client,
  ): Promise<TokenResponse | Refusal | Overtaken>
}

import type { Refusal } from '../refusals/index.ts'

/** What a request carries about its client, as it came; null: not sent. */
export type PresentedClient = {
  readonly clientId: string | null
  readonly secret: string | null
  /** The Authorization header. */
  readonly authorization: string | undefined
}

/** What verifying needs from outside the rules. */
export type VerificationContext = {
  /** Compares a presented secret with the stored hash in constant time. */
  readonly secretMatches: (secret: string, secretHash: string) => boolean
  readonly nowMs: number
}

/** What a refusal tells about client and credentials; never a secret. */
export type AuthenticationDetail = {
  readonly client: string
  readonly registeredAs: 'public' | 'confidential'
  readonly method: string
}

/**
 * A client authentication method (RFC 6749 §2.3), under its name in `token_endpoint_auth_method`. `Registered` is what the
 * record of a client holds who may use it.
 */
export type ClientAuthenticationMethod<
  Credentials extends { readonly clientId: string },
  Registered extends { readonly method: string },
> = {
  readonly registeredAs: Registered['method']
  /** The credentials; undefined: the request has none of this method. */
  read(presented: PresentedClient): Credentials | Refusal | undefined
  /** undefined: they are right. Asynchronous: keys of the client may have to be fetched. */
  verify(
    credentials: Credentials,
    registered: Registered,
    detail: AuthenticationDetail,
    context: VerificationContext,
  ): Promise<Refusal | undefined>
}

/** A way of authenticating that a client can be registered with. */
export type AuthenticationRegistration<Registered> = {
  /** `token_endpoint_auth_method` of the client. */
  readonly name: string
  /** What else the one who sets it should know, in brackets; empty: nothing. */
  readonly note: string
  /** What the record of the client gets. `before`: what it has, when it is registered so already. */
  register(before: Registered | undefined, newSecretHash: string): Registered
  /** The refusal of credentials of any other method. */
  refuseOther(detail: AuthenticationDetail): Refusal
}

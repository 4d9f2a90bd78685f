import type { ClientAlgorithm, ClientMetadata, JwkSet } from '../client/client-metadata.ts'
import type { Refusal } from '../refusals/index.ts'
import type { PresentedCertificate } from './client-certificate.ts'

/** The client's identification in a request, as sent; null: not sent. */
export type PresentedClient = {
  readonly clientId: string | null
  readonly secret: string | null
  /** `client_assertion` and `client_assertion_type` (RFC 7521 §4.2). */
  readonly assertion: string | null
  readonly assertionType: string | null
  /** The Authorization header, if its scheme is Basic and it has a password. */
  readonly authorization: string | undefined
}

/** What verification needs from outside the rules, and beside the credentials. */
export type VerificationContext = {
  /** The client's. */
  readonly metadata: ClientMetadata
  /** Returns the certificate of the request. */
  readonly certificate: () => PresentedCertificate
  /** Returns why no key of the client fulfils the condition, as a clause for people; undefined: one does. */
  readonly keyFault: (
    fulfils: (key: JwkSet['keys'][number]) => boolean,
    metadata: ClientMetadata,
  ) => Promise<string | undefined>
  readonly issuer: string
  /** Returns the addresses of the token endpoint, and of the endpoint that was called (RFC 7523 §3, RFC 8705 §5). */
  readonly endpoints: () => readonly string[]
  /** Those of client signatures that the service supports. */
  readonly algorithms: readonly ClientAlgorithm[]
  /** Returns why the client did not sign a compact JWS, as a clause for people; undefined: it did. */
  readonly signatureFault: (
    jws: string,
    algorithm: ClientAlgorithm,
    metadata: ClientMetadata,
  ) => Promise<string | undefined>
  /**
   * Whether one of the presented secrets has the stored hash. Compares each in constant time. Returns a promise for a slow
   * hash.
   */
  readonly secretMatches: (secrets: readonly string[], secretHash: string) => boolean | Promise<boolean>
  /**
   * Returns why a stored secret did not sign a compact JWS with an HMAC, as a clause for people; undefined: it did. `leastBytes`: those that
   * the secret needs for the algorithm.
   */
  readonly macFault: (
    jws: string,
    algorithm: 'HS256' | 'HS384' | 'HS512',
    leastBytes: number,
    stored: string,
  ) => string | undefined
  readonly nowMs: number
}

/** Details of a refusal about client and credentials; never a secret. */
export type AuthenticationDetail = {
  readonly client: string
  readonly registeredAs: 'public' | 'confidential'
  readonly method: string
}

/**
 * A client authentication method (RFC 6749 §2.3), by its name in `token_endpoint_auth_method`. `Registered`: what the
 * record of a client with this method contains.
 */
export type ClientAuthenticationMethod<
  Credentials extends { readonly clientId: string },
  Registered extends { readonly method: string },
> = {
  readonly registeredAs: Registered['method']
  /** Returns the credentials; undefined: the request does not use this method. No two methods accept the same request. */
  read(presented: PresentedClient): Credentials | Refusal | undefined
  /**
   * Returns undefined if they are valid. May be asynchronous, because a client's keys may have to be fetched. Absent: the
   * credentials prove nothing.
   */
  verify?(
    credentials: Credentials,
    registered: Registered,
    detail: AuthenticationDetail,
    context: VerificationContext,
  ): Promise<Refusal | undefined> | Refusal | undefined
}

/** A registrable way to authenticate. */
export type AuthenticationRegistration<Registered> = {
  /** Returns what the client's record stores. `before`: the existing value if it is already registered this way. */
  register(before: Registered | undefined, newSecretHash: string): Registered
  /** Refuses credentials of another method. */
  refuseOther(detail: AuthenticationDetail): Refusal
}

/** What the measurement uses of the peer, so that everything type-checks without it being installed. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  export type Payload = Readonly<Record<string, unknown>> & { readonly uid?: string; readonly grantId?: string }

  export interface Adapter {
    upsert(id: string, payload: Payload, expiresInSeconds?: number): Promise<void>
    find(id: string): Promise<Payload | undefined>
    findByUid(uid: string): Promise<Payload | undefined>
    findByUserCode(userCode: string): Promise<Payload | undefined>
    consume(id: string): Promise<void>
    destroy(id: string): Promise<void>
    revokeByGrantId(grantId: string): Promise<void>
  }

  export interface Grant {
    jti: string
    addOIDCScope(scope: string): void
    addResourceScope(resource: string, scope: string): void
    save(seconds: number): Promise<string>
  }

  export default class Provider {
    constructor(issuer: string, configuration: Readonly<Record<string, unknown>>)
    readonly Grant: {
      new (properties: { readonly accountId: string; readonly clientId: string; readonly jti?: string }): Grant
      find(id: string): Promise<Grant | undefined>
    }
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: Readonly<Record<string, unknown>>,
      options?: { readonly mergeWithLastSubmission?: boolean },
    ): Promise<void>
    on(event: string, listener: (context: unknown, error: Error) => void): this
  }
}

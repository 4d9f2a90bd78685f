/** Requests that are carried out once, however often they are sent (`Idempotency-Key`). */

/** The key of one request. */
export type IdempotencyKey = {
  /** Hash of the caller and the key. */
  readonly id: string
  /** Hash of the request that was sent under it. */
  readonly bodyHash: string
  readonly usedAtMs: number
  readonly expiresAtMs: number
}

/** What was answered; never contains a secret. */
export type IdempotentAnswer = { readonly status: number; readonly answer: string }

export type UsedKey = Omit<IdempotencyKey, 'usedAtMs'> & {
  /** Null: the request is under way, or its answer was lost with its process. */
  readonly answered: IdempotentAnswer | null
}

export type Idempotency = {
  find(id: string): Promise<UsedKey | undefined>
  /** Keeps the answer of a request; also of one that changed nothing, whose key is not stored yet. */
  complete(key: Omit<IdempotencyKey, 'usedAtMs'>, answered: IdempotentAnswer): Promise<void>
}

/** Thrown by every verb of `Storage.keyed` if another request has used the key: nothing was stored. */
export class IdempotencyKeyTaken extends Error {
  override readonly name = 'IdempotencyKeyTaken'
}

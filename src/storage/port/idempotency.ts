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

/** Thrown by every verb of `Storage.keyed` if another request has used the key: nothing was stored. */
export class IdempotencyKeyTaken extends Error {
  override readonly name = 'IdempotencyKeyTaken'
}

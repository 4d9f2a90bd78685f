/**
 * `Idempotency-Key`: a POST that is sent again with its key is answered as before, and carried out once. The key is stored
 * in the commit of the change, so that two requests at once cannot both be carried out, and its answer right after.
 */
import { createHash } from 'node:crypto'
import type { Request } from '../http/request.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import { type IdempotencyKey, IdempotencyKeyTaken } from '../storage/port/idempotency.ts'
import type { Storage } from '../storage/port/storage.ts'
import type { Caller } from './caller.ts'
import type { Done, Outcome } from './operation.ts'

const keptMs = 86_400_000

export const idempotencyKeyPattern = String.raw`^[\x21-\x7e]{1,255}$`
const wellFormed = new RegExp(idempotencyKeyPattern)

/** Returns the key of a request; undefined: it has none. Other methods than POST need none. */
export function readKey(request: Request, caller: Caller, nowMs: number): IdempotencyKey | Refusal | undefined {
  const sent = request.headers['idempotency-key']
  if (request.method !== 'POST' || sent === undefined) return undefined
  if (typeof sent !== 'string' || !wellFormed.test(sent)) return refuse('idempotency_key_malformed')
  const { user, clientId } = caller
  const owner = user === undefined ? ['client', clientId] : ['user', user.id]
  const { method, path, query, body } = request
  return {
    id: hash(JSON.stringify([...owner, sent])),
    bodyHash: hash(JSON.stringify([method, path, query]), body),
    usedAtMs: nowMs,
    expiresAtMs: nowMs + keptMs,
  }
}

function hash(text: string, bytes: Uint8Array = new Uint8Array()): string {
  return createHash('sha256').update(text).update('\n').update(bytes).digest('base64url')
}

/** Carries the request out with a storage that knows its key, or repeats the answer that it had. */
export async function once(
  storage: Storage,
  key: IdempotencyKey,
  nowMs: number,
  run: (storage: Storage) => Promise<Outcome>,
): Promise<Outcome> {
  const before = await earlier(storage, key, nowMs)
  if (before !== undefined) return before
  try {
    const outcome = await run(storage.keyed(key))
    if (isDone(outcome)) await storage.idempotency.complete(key, { status: 200, answer: JSON.stringify(kept(outcome)) })
    return outcome
  } catch (error) {
    if (!(error instanceof IdempotencyKeyTaken)) throw error
    return (await earlier(storage, key, nowMs)) ?? refuse('idempotency_key_busy')
  }
}

/** A change that was made: neither refused nor an answer of its own. */
function isDone(outcome: Outcome): outcome is Done {
  return !isRefusal(outcome) && !('refusal' in outcome) && !('faults' in outcome) && !('cookies' in outcome)
}

async function earlier(
  storage: Storage,
  { id, bodyHash }: IdempotencyKey,
  nowMs: number,
): Promise<Outcome | undefined> {
  const used = await storage.idempotency.find(id)
  if (used === undefined || nowMs >= used.expiresAtMs) return undefined
  if (used.bodyHash !== bodyHash) return refuse('idempotency_key_reused')
  return used.answered === null ? refuse('idempotency_key_busy') : (JSON.parse(used.answered.answer) as Done)
}

/** Leaves out what is shown once. */
function kept({ secrets = [], ...done }: Done): Done {
  if (secrets.length === 0) return done
  const shown = Object.entries({ ...(done.body as object) }).filter(([member]) => !secrets.includes(member))
  return { ...done, body: { ...Object.fromEntries(shown), secret_shown: true } }
}

/** `/audit/verify`: proves that the audit trail is intact, or names the first fault. */

import { type Verification, verificationJson } from '../audit/verify.ts'
import { json } from '../http/answer.ts'
import type { BodyStream } from '../http/body-stream.ts'
import { eventStream, eventText } from '../http/event-stream.ts'
import { refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import { type Call, type Operation, type Outcome, operation } from './operation.ts'
import { named, nullable, strictObject, time } from './schemas.ts'
import { Type } from './type.ts'

const place = {
  kind: Type.Enum(['changed', 'removed', 'moved', 'forged']),
  entry: Type.Optional(
    strictObject({ writer: Type.String(), seq: Type.Integer(), at: nullable(time()) }, 'The first faulty entry.'),
  ),
  checkpoint: Type.Optional(Type.Integer()),
  what: Type.String({ description: 'A sentence that describes the fault.' }),
}

const verificationSchema = named(
  'Verification',
  strictObject({
    intact: Type.Boolean(),
    entries: Type.Integer({ description: 'How many are intact, up to the fault.' }),
    writers: Type.Integer({ description: 'Number of chains.' }),
    checkpoints: Type.Integer(),
    from: nullable(time('The time of the oldest entry.')),
    signed_to: nullable(time('The time up to which checkpoints reach.')),
    not_signed: Type.Integer({ description: 'Entries that no checkpoint covers yet.' }),
    missed: strictObject(
      { too_many: Type.Integer(), unwritable: Type.Integer(), unformatted: Type.Integer() },
      'Events that the trail lacks or holds only in part, as it says itself.',
    ),
    acknowledged: Type.Array(strictObject({ ...place, at: time(), actor: Type.String(), reason: Type.String() }), {
      description: 'Faults that operators accepted.',
    }),
    fault: Type.Optional(strictObject(place, 'Absent: the trail is intact.')),
  }),
)

export const auditVerifyOperations: readonly Operation[] = [
  operation({
    method: 'POST',
    path: '/audit/verify',
    permission: 'admin:audit',
    summary:
      'Proves that no entry of the audit trail was changed, removed, moved or inserted; one verification at a time. With `Accept: text/event-stream` events `progress` and a last one `result`',
    status: 200,
    answer: verificationSchema,
    run: verify,
  }),
]

/** A verification that takes longer keeps its connection alive. */
const patienceLooks = 10

async function verify({ request, shared, service }: Call): Promise<Outcome> {
  const { ended, followEveryMs } = service
  const stopping = new AbortController()
  let entries = 0
  const verifying = shared.verify({
    progress(count) {
      entries = count
    },
    signal: AbortSignal.any([stopping.signal, ended]),
  })
  if (verifying === undefined) return refuse('audit_verification_busy')
  const stop = (): void => stopping.abort()
  if (/\btext\/event-stream\b/i.test(request.headers.accept ?? '')) {
    const working = () => eventText({ entries }, { event: 'progress' })
    const result = (found: Verification) => eventText(verificationJson(found), { event: 'result' })
    return eventStream(bodyOf(verifying, { everyMs: followEveryMs, stop, working, result }))
  }
  const everyMs = patienceLooks * followEveryMs
  const found = await atMost(verifying, everyMs).catch((error: unknown) => {
    if (ended.aborted) return refuse('temporarily_unavailable')
    throw error
  })
  if (found !== undefined) return isRefusal(found) ? found : { body: verificationJson(found) }
  // White space before a JSON text means nothing (RFC 8259 §2).
  const result = (late: Verification) => JSON.stringify(verificationJson(late))
  return { ...json({}), body: bodyOf(verifying, { everyMs, stop, working: () => '\n', result }) }
}

type Words = {
  readonly everyMs: number
  /** Called when nobody waits for the result. */
  readonly stop: () => void
  /** Returns what is sent while the verification goes on. */
  readonly working: () => string
  readonly result: (found: Verification) => string
}

function bodyOf(verifying: Promise<Verification>, { everyMs, stop, working, result }: Words): BodyStream {
  let isTold = false
  // Nobody may be waiting when it is stopped.
  verifying.catch(() => {})
  return {
    async next() {
      if (isTold) return undefined
      const found = await atMost(verifying, everyMs)
      isTold = found !== undefined
      return found === undefined ? working() : result(found)
    },
    close: stop,
  }
}

/** Resolves to undefined if the work takes longer. */
async function atMost<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), ms)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

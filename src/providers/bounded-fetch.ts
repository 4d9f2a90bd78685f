/** Bounds requests to providers in time and size. */
import type { CustomFetch } from 'openid-client'
import type { Send } from '../outbound/send.ts'

const maxAnswerBytes = 1024 * 1024

/** Returns a fetch whose requests share one deadline, starting now, and read at most 1 MiB each. `send`: the way that they take. */
export function boundedFetch(deadlineMs: number, send: Send): CustomFetch {
  const deadline = AbortSignal.timeout(deadlineMs)
  return async (url, init) => {
    const { method, headers, body: given } = init
    const content = typeof given === 'string' || given instanceof Uint8Array ? given : given?.toString()
    // Follows no redirect, which would send the client secret to another host.
    const response = await send(url, { method, headers, body: content, signal: deadline })
    const body = await readBounded(response)
    const bodyless = response.status === 204 || response.status === 304
    return new Response(bodyless ? null : body, { status: response.status, headers: response.headers })
  }
}

async function readBounded(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > maxAnswerBytes) throw new Error('the answer of the provider is larger than 1 MiB')
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

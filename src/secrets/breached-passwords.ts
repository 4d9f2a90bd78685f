/** Looks passwords up in a range API of breached passwords (k-anonymity): only five hexadecimal digits leave. */
import { hash } from 'node:crypto'
import { sendBy } from '../outbound/send.ts'
import type { WayOptions } from '../outbound/way-out.ts'

const deadlineMs = 1000
/** A range has about a thousand lines of some 40 characters; padding at most doubles that. */
const answerBytesAtMost = 1024 * 1024
const digitsSent = 5

/**
 * Whether the password is known from a breach. `address`: of the API, to which the first digits of the SHA-1 are
 * appended; `way`: the one that the request takes. False if the API does not answer properly within a second: a failure refuses no one.
 */
export async function isBreachedPassword(address: string, password: string, way: WayOptions): Promise<boolean> {
  const digest = hash('sha1', password, 'hex').toUpperCase()
  try {
    const lines = await range(address + digest.slice(0, digitsSent), way)
    return lines.some((line) => {
      const [suffix = '', count = ''] = line.trim().split(':', 2)
      // A count of zero is padding.
      return suffix.toUpperCase() === digest.slice(digitsSent) && Number.parseInt(count, 10) > 0
    })
  } catch {
    return false
  }
}

async function range(url: string, way: WayOptions): Promise<string[]> {
  const response = await sendBy(way)(url, {
    signal: AbortSignal.timeout(deadlineMs),
    headers: { 'add-padding': 'true', accept: 'text/plain' },
  })
  if (response.status !== 200) {
    await response.body?.cancel()
    return []
  }
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > answerBytesAtMost) return []
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('latin1').split('\n')
}

/** The `/.well-known/*` documents: discovery (OpenID Connect Discovery §3, RFC 8414) and the key set (RFC 7517 §5). */
import { type Answer, cacheable } from '../http/answer.ts'
import type { Endpoint } from '../http/request.ts'
import { metadataFor } from '../protocol/metadata.ts'
import type { Service } from '../service.ts'

/** Changes with the settings alone, and no client is lost for the time being when it reads the old ones. */
const discoveryMaxAgeSeconds = 300
/** Less than half of the five minutes for which a new key is published at the least before it signs. */
const keySetMaxAgeSeconds = 120

export function discovery({ settings }: Service): Endpoint {
  const document = Buffer.from(JSON.stringify(metadataFor(settings.oauth)))
  const answer = cacheable(publicFor(discoveryMaxAgeSeconds), 'application/json', document)
  return async () => answer
}

/** Another process may have rotated the keys, so a reading of the ring is trusted for a moment only. */
const ringMaxAgeMs = 100

export function keySet({ keys }: Service): Endpoint {
  let text = ''
  const answerWith = (document: string): Answer =>
    cacheable(publicFor(keySetMaxAgeSeconds), 'application/json', Buffer.from(document))
  let answer = answerWith(text)
  return async () => {
    await keys.refresh(ringMaxAgeMs)
    // The ring hands out the same text until something changes.
    if (keys.keySet() !== text) {
      text = keys.keySet()
      answer = answerWith(text)
    }
    return answer
  }
}

/** Any cache may keep the answer: it is the same for everybody. */
function publicFor(seconds: number): string {
  return `public, max-age=${seconds}`
}

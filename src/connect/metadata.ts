/** The `/.well-known/*` documents: discovery (OpenID Connect Discovery §3, RFC 8414) and the key set (RFC 7517 §5). */
import { type Answer, cacheable } from '../http/answer.ts'
import type { Endpoint } from '../http/request.ts'
import { metadataFor } from '../protocol/metadata.ts'
import type { Service } from '../service.ts'

/** Depends on the settings only, and clients keep working with an old copy for a while. */
const discoveryMaxAgeSeconds = 300
/** Less than half of the minimum time for which a new key is published before it signs. */
const keySetMaxAgeSeconds = 120

export function discovery({ settings }: Service): Endpoint {
  const document = Buffer.from(JSON.stringify(metadataFor(settings.oauth)))
  const answer = cacheable(publicFor(discoveryMaxAgeSeconds), 'application/json', document)
  return async () => answer
}

/** Another process may have rotated the keys, so the cached ring is used only briefly. */
const ringMaxAgeMs = 100

export function keySet({ keys }: Service): Endpoint {
  let text = ''
  const answerWith = (document: string): Answer =>
    cacheable(publicFor(keySetMaxAgeSeconds), 'application/json', Buffer.from(document))
  let answer = answerWith(text)
  return async () => {
    await keys.refresh(ringMaxAgeMs)
    // The ring returns the same text until something changes.
    if (keys.keySet() !== text) {
      text = keys.keySet()
      answer = answerWith(text)
    }
    return answer
  }
}

/** Cacheable by anyone, because the answer is the same for everybody. */
function publicFor(seconds: number): string {
  return `public, max-age=${seconds}`
}

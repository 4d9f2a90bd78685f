/** The `/.well-known/*` documents: discovery (OpenID Connect Discovery §3, RFC 8414) and the key set (RFC 7517 §5). */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { metadataFor } from '../protocol/metadata.ts'
import type { Service } from '../service.ts'

/** Changes with the settings alone, and no client is lost for the time being when it reads the old ones. */
const discoveryMaxAgeSeconds = 300
/** Less than half of the five minutes for which a new key is published at the least before it signs. */
const keySetMaxAgeSeconds = 120

export function discovery({ settings }: Service) {
  const document = Buffer.from(JSON.stringify(metadataFor(settings.oauth)))
  return async (_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    publicFor(reply, discoveryMaxAgeSeconds).type('application/json').send(document)
}

/** Another process may have rotated the keys, so a reading of the ring is trusted for a moment only. */
const ringMaxAgeMs = 100

export function keySet({ keys }: Service) {
  let text = ''
  let document = Buffer.alloc(0)
  return async (_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    await keys.refresh(ringMaxAgeMs)
    // The ring hands out the same text until something changes.
    if (keys.keySet() !== text) {
      text = keys.keySet()
      document = Buffer.from(text)
    }
    return publicFor(reply, keySetMaxAgeSeconds).type('application/json').send(document)
  }
}

/** Any cache may keep the answer: it is the same for everybody. */
function publicFor(reply: FastifyReply, seconds: number): FastifyReply {
  return reply.header('cache-control', `public, max-age=${seconds}`)
}

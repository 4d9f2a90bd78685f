/** The `/.well-known/*` documents: discovery (OpenID Connect Discovery §3, RFC 8414) and the key set (RFC 7517 §5). */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { metadataFor } from '../protocol/metadata.ts'
import type { Service } from '../service.ts'

export function discovery({ settings }: Service) {
  const document = Buffer.from(JSON.stringify(metadataFor(settings.oauth)))
  return async (_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    reply.type('application/json').send(document)
}

/** Another process may have rotated the keys, so a reading of the ring is trusted for a moment only. */
const keySetMaxAgeMs = 100

export function keySet({ keys }: Service) {
  let text = ''
  let document = Buffer.alloc(0)
  return async (_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    await keys.refresh(keySetMaxAgeMs)
    // The ring hands out the same text until something changes.
    if (keys.keySet() !== text) {
      text = keys.keySet()
      document = Buffer.from(text)
    }
    return reply.type('application/json').send(document)
  }
}

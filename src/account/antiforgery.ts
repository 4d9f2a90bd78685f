/** `GET /Account/Antiforgery`: every form-posting page asks here first. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { antiforgeryField } from '../http/antiforgery.ts'
import { neverCached } from '../http/redirects.ts'
import type { Service } from '../service.ts'

export function antiforgery(service: Service) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const signedIn = await service.sessions.current(request)
    const token = service.antiforgery.issue(request, reply, signedIn?.user.id ?? null)
    return neverCached(reply).send({ token, formFieldName: antiforgeryField })
  }
}

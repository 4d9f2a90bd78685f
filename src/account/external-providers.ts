/** `GET /Account/ExternalProviders`: what the login page offers beside the password. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Service } from '../service.ts'

export function externalProviders({ settings }: Service) {
  const providers = settings.oauth.external.map(({ name, displayName }) => ({ name, displayName: displayName ?? name }))
  return async (_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    reply.header('cache-control', 'no-store').send(providers)
}

import type { FastifyReply } from 'fastify'
import type { Parameters } from '../protocol/parameters.ts'
import { toQuery } from './parameters.ts'

/**
 * Sends the browser on with a 302. Characters that a header cannot hold are percent-encoded; everything else stays as
 * it is, so that an address is never changed in meaning.
 */
export function redirect(reply: FastifyReply, location: string): FastifyReply {
  return redirectWith(302, reply, location)
}

/** Sends the browser on with a 303: it gets the address, whatever it did here (RFC 9110 §15.4.4). */
export function seeOther(reply: FastifyReply, location: string): FastifyReply {
  return redirectWith(303, reply, location)
}

function redirectWith(status: 302 | 303, reply: FastifyReply, location: string): FastifyReply {
  const safe = location.replace(/[^\x21-\x7e]/gu, (character) => encodeURIComponent(character))
  return neverCached(reply).code(status).header('location', safe).send()
}

/** RFC 6749 §5.1: nothing that carries tokens, codes or a person's state may be stored by a cache. */
export function neverCached(reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'no-store').header('pragma', 'no-cache')
}

/** Adds query parameters to an address that may have some already. */
export function withQuery(address: string, parameters: Parameters): string {
  const query = toQuery(parameters).slice(1)
  if (query === '') return address
  return `${address}${address.includes('?') ? '&' : '?'}${query}`
}

/** Those that have a value: an empty one says no more than an absent one. */
export function withoutEmpty(parameters: Parameters): Parameters {
  return parameters.filter(([, value]) => value !== '')
}

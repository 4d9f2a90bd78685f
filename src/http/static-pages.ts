/** The pages, and what answers a path that nothing else does. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Refusal, refuse } from '../protocol/refusals.ts'
import type { Answers } from './answers.ts'
import type { Pages } from './pages.ts'

/** Below these segments an unknown path is a true 404, never a page. */
const withoutFallback = /^\/(?:api|connect|callback|assets)(?:\/|$)/i

/**
 * Serves the assets, and the single-page shell for every path that matches no file and no endpoint. `/assets` itself
 * is no file, and so the shell too.
 */
export function servePages(
  app: FastifyInstance,
  { pages, answers }: { readonly pages: Pages; readonly answers: Answers },
): void {
  app.get<{ Params: { name: string } }>(
    '/assets/:name',
    async (request, reply) =>
      (await pages.sendAsset(request, reply, request.params.name)) ?? answers.fail(request, reply, notFound(request)),
  )
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? ''
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!isRead || (withoutFallback.test(path) && path.toLowerCase() !== '/assets')) {
      return answers.fail(request, reply, notFound(request))
    }
    return pages.sendShell(request, reply)
  })
}

/** Without the query, which may hold anything. */
function notFound(request: FastifyRequest): Refusal {
  return refuse('not_found', '', { method: request.method, path: request.url.split('?', 1)[0] })
}

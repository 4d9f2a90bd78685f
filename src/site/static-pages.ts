/** Serves the pages, and answers every path that no route matches. */

import type { Answers } from '../http/answers.ts'
import type { Endpoint, Request } from '../http/request.ts'
import { plainPath } from '../http/router.ts'
import { isWellKnown } from '../http/well-known.ts'
import { pathOf } from '../protocol/discovery/issuer.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import type { Pages } from './pages.ts'

type Parts = { readonly pages: Pages; readonly answers: Answers }
type Issuer = { readonly settings: { readonly oauth: { readonly issuer: string } } }

/** Below these prefixes an unknown path is a 404, never a page (specification 4.9, rule 1). */
const withoutFallback = /^\/(?:api|connect|callback|account\/self|admin)(?:\/|$)/i
/** Every answer there is JSON (RFC 9457). */
const belowSelf = /^\/account\/self(?:\/|$)/i
/** Endpoints of issuers with another path, at another system. */
const foreignProtocol = /\/protocol\/openid-connect(?:\/|$)/i
/** A missing asset is a 404 as well; the folder itself falls back to the index page (rule 2). */
const belowAssets = /^\/assets\/./i

/** `GET /assets/:name`: a built file. */
export function asset({ pages, answers }: Parts): Endpoint {
  return async (request) => {
    const file = await pages.asset(request, request.params.name ?? '')
    return file ?? answers.fail(request, notFound(request))
  }
}

/** `GET /branding.css`: the design tokens of the brand; empty: they are the default ones. */
export function brandSheet({ pages }: Pick<Parts, 'pages'>): Endpoint {
  return (request) => pages.brandSheet(request)
}

/** `GET /favicon.ico`. */
export function favicon({ pages, answers }: Parts): Endpoint {
  return async (request) => (await pages.favicon(request)) ?? answers.fail(request, notFound(request))
}

/** Answers unmatched requests: the single-page shell for GET and HEAD outside the excluded prefixes, otherwise 404. */
export function unmatched({ pages, answers, settings }: Parts & Issuer): Endpoint {
  const [, folder] = pathOf(settings.oauth.issuer).toLowerCase().split('/')
  const isForPrograms = (path: string): boolean =>
    isWellKnown(path) || foreignProtocol.test(path) || path.toLowerCase().split('/')[1] === folder
  return async (request) => {
    const path = plainPath(request.path)
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (belowSelf.test(path)) return answers.refuseAsProblem(request, notFound(request))
    if (isForPrograms(path)) return answers.refuseAsJson(request, notFound(request))
    const hasNoPage = withoutFallback.test(path) || belowAssets.test(path)
    return !isRead || hasNoPage ? answers.fail(request, notFound(request)) : pages.shell(request)
  }
}

/** Answers unmatched requests of a listener without pages. */
export function nowhere({ answers }: Pick<Parts, 'answers'>): Endpoint {
  return async (request) => answers.fail(request, notFound(request))
}

/** Omits the query, which may hold secrets. */
function notFound({ method, path }: Request): Refusal {
  return refuse('not_found', '', { method, path })
}

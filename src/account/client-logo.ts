/** The logos of clients on the consent page, from this origin: browsers request nothing from other sites. */
import { type Answer, cacheable, empty } from '../http/answer.ts'
import { networksOf } from '../http/networks.ts'
import { readQuery } from '../http/parameters.ts'
import type { Endpoint, Request } from '../http/request.ts'
import { type LogoType, logoTypes, logoUriOf, recognizeLogo } from '../protocol/client/client-logo.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'

/** `found`: the image, or why there is none, as a clause for people. `size`: what counts against the memory of all. */
type Held = { readonly found: Image | string; readonly size: number; readonly freshUntilMs: number }
type Image = { readonly type: LogoType; readonly extension: string; readonly body: Buffer }

/** A file is used for at least this long, whatever its headers say. In milliseconds. */
const freshAtLeastMs = 5 * 60 * 1000
/** How long a fetch that failed is not repeated. In milliseconds. */
const failureCachedMs = 60_000
/** How long browsers keep a logo: a changed `logo_uri` shows after that. */
const browserMaxAgeSeconds = 300
/** The memory of all files in bytes. Beyond it, those unused longest are dropped. */
const heldAtMost = 4 * 1024 * 1024
/** What an entry without an image counts. */
const entrySize = 1024

/** SVG is a document: opened by itself, it runs no script, loads nothing and has no origin. */
const headers = {
  'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
  'cross-origin-resource-policy': 'same-origin',
  vary: 'Accept-Language',
}

/**
 * `GET /Account/ClientLogo?client_id=…`: the image at the `logo_uri` that an operator registered, in the language of
 * the request. 404 for every other client, known or not, and for a file that cannot be fetched or is no image.
 */
export function clientLogo(service: Service): Endpoint {
  const { answers, clock, logoRequests: budget, outbound, storage } = service
  const files = new Map<string, Held>()
  const underWay = new Map<string, Promise<Held>>()

  /** Entries are in the order of their last use. */
  function used(uri: string, held: Held): Held {
    files.delete(uri)
    files.set(uri, held)
    return held
  }

  function added(uri: string, held: Held): Held {
    used(uri, held)
    let total = 0
    for (const [name, { size }] of [...files].reverse()) {
      total += size
      if (total > heldAtMost) files.delete(name)
    }
    return held
  }

  async function fetchLogo(uri: string, client: string): Promise<Held> {
    const file = await outbound.getFile(uri, logoTypes.join(', '), 'operator', client)
    const nowMs = clock()
    if ('failed' in file) {
      const found = `the logo cannot be fetched: ${file.failed}`
      return added(uri, { found, size: entrySize, freshUntilMs: nowMs + failureCachedMs })
    }
    const freshUntilMs = Math.max(file.freshUntilMs, nowMs + freshAtLeastMs)
    const recognized = recognizeLogo(file.type, file.body)
    if (recognized === undefined) {
      return added(uri, { found: 'the file at logo_uri is no image', size: entrySize, freshUntilMs })
    }
    const { body } = file
    return added(uri, { found: { ...recognized, body }, size: entrySize + body.length, freshUntilMs })
  }

  /** Only requests that cause a fetch count against their address. */
  async function logoAt(uri: string, { address }: Request, client: string): Promise<Image | string> {
    const known = files.get(uri)
    if (known !== undefined && clock() < known.freshUntilMs) return used(uri, known).found
    const shared = underWay.get(uri)
    if (shared !== undefined) return (await shared).found
    const networks = networksOf(address)
    if (!budget.hasRoom(networks)) return 'the address caused too many fetches of logos'
    budget.begin(networks)(true)
    const fetching = fetchLogo(uri, client).finally(() => underWay.delete(uri))
    underWay.set(uri, fetching)
    return (await fetching).found
  }

  async function find(request: Request, parameters: Parameters): Promise<Image | string> {
    const [id, ...others] = parameters.filter(([name]) => name === 'client_id').map(([, value]) => value)
    if (id === undefined || others.length > 0) return 'client_id is missing or repeated'
    const client = await storage.clients.find(id)
    const uri = client === undefined ? null : logoUriOf(client, request.headers['accept-language'] ?? '')
    return uri === null ? 'no client with this id has a logo' : logoAt(uri, request, id)
  }

  return async (request) => {
    const parameters = readQuery(request)
    if (isRefusal(parameters)) return answers.refuseAsJson(request, parameters)
    const found = await find(request, parameters)
    if (typeof found !== 'string') return answerWith(found)
    const { method, path } = request
    // The log alone says why.
    return answers.recorded(request, refuse('not_found', '', { method, path, rule: found }), empty(404))
  }
}

function answerWith({ type, extension, body }: Image): Answer {
  return cacheable(`public, max-age=${browserMaxAgeSeconds}`, type, body, {
    ...headers,
    // A browser that opens the address saves the file instead of showing it on this origin.
    'content-disposition': `attachment; filename="logo.${extension}"`,
  })
}

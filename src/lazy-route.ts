/** Lines of the table of routes (`routes.ts`). */
import type { Endpoint } from './http/request.ts'
import type { Route } from './http/router.ts'
import { onDemand } from './on-demand.ts'

export function get(path: string, endpoint: Endpoint): Route {
  return { method: 'GET', path, endpoint, body: 'none', crossOrigin: false }
}

export function post(path: string, endpoint: Endpoint): Route {
  return { method: 'POST', path, endpoint, body: 'form', crossOrigin: false }
}

/** Returns a route whose endpoint is loaded by its first request. */
export function lazy(route: typeof get, path: string, load: () => Promise<Endpoint>): Route {
  const endpoint = onDemand(load)
  return route(path, (request) => {
    const loaded = endpoint()
    return loaded instanceof Promise ? loaded.then((answer) => answer(request)) : loaded(request)
  })
}

/** Scripts of other origins may call it, and its answer is the same for everybody. */
export function sharedByAll(route: Route): Route {
  return { ...route, crossOrigin: 'public' }
}

/** Scripts of other origins may call it. Its endpoint notes the client that it answers for (`answeredFor`). */
export function shared(route: Route): Route {
  return { ...route, crossOrigin: true }
}

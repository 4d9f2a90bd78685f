/** A person at a browser: follows every redirect from an application to the service and back, and answers its pages. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { password } from '../support/service.ts'

export type Page = { readonly url: URL; readonly status: number; readonly text: string }

export class Visitor {
  /** Cookies by host: a browser sends those of a host to each of its ports. */
  readonly #cookies = new Map<string, string>()

  /**
   * Opens an address and answers sign-in, consent and sign-out on the way; returns the page at the end. `until`: the
   * origin whose first address after a page of the service is the end.
   */
  async open(address: string, init: RequestInit = {}, until?: string): Promise<Page> {
    let isAnswered = false
    let next: { readonly url: string; readonly init: RequestInit } = { url: address, init }
    for (let steps = 0; steps < 20; steps += 1) {
      const response = await this.fetch(next.url, next.init)
      const location = response.headers.get('location')
      const url = new URL(location ?? '', next.url)
      if (location === null || response.status < 300 || response.status > 399) {
        return { url: new URL(next.url), status: response.status, text: await response.text() }
      }
      await response.body?.cancel()
      if (isAnswered && url.origin === until) return { url, status: response.status, text: '' }
      const answer = await this.#answer(url)
      isAnswered ||= answer !== undefined
      next = answer ?? { url: url.href, init: {} }
    }
    throw new Error(`redirected for ever, at last to ${next.url}`)
  }

  async fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers({ accept: 'text/html,*/*;q=0.8', ...init.headers })
    if (this.#cookies.size > 0) {
      headers.set('cookie', [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    }
    headers.set('sec-fetch-mode', 'navigate')
    const response = await send(url, init.method ?? 'GET', headers, init.body)
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '' || /max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    return response
  }

  /** Posts the first form of a page with what it holds already, as its button does. */
  async press({ url, text }: Page): Promise<Page> {
    const [form = ''] = /<form[\s\S]*?<\/form>/.exec(text) ?? []
    const action = /action="([^"]*)"/.exec(form)?.[1] ?? ''
    const fields = [...form.matchAll(/<input[^>]*>/g)].map(([input]) => {
      const attribute = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(input)?.[1] ?? ''
      return [attribute('name'), attribute('value')]
    })
    return this.open(new URL(action, url).href, { method: 'POST', body: new URLSearchParams(fields) })
  }

  /** Fills in a page of the service; undefined: the address is none of them. */
  async #answer(url: URL): Promise<{ readonly url: string; readonly init: RequestInit } | undefined> {
    const parameters = [...url.searchParams]
    switch (url.pathname) {
      case '/Account/Login':
        return this.#form(url, '/Account/Login', [
          ['ReturnUrl', url.searchParams.get('ReturnUrl') ?? ''],
          ['username', 'alice'],
          ['password', password],
        ])
      case '/Account/Consent':
        return this.#form(url, '/connect/authorize', [...parameters, ['submit.Accept', 'Yes']])
      case '/Account/Logout':
        return this.#form(url, '/connect/logout', [...parameters, ['Confirm', 'Yes']])
      default:
        return undefined
    }
  }

  async #form(page: URL, path: string, fields: readonly (readonly [string, string])[]) {
    const answer = await this.fetch(new URL('/Account/Antiforgery', page).href)
    assert.equal(answer.status, 200)
    const { token } = (await answer.json()) as { token: string }
    const body = new URLSearchParams(
      [...fields, ['__RequestVerificationToken', token]].map(([a, b]) => [a ?? '', b ?? '']),
    )
    return { url: new URL(path, page).href, init: { method: 'POST', body } }
  }
}

/** `fetch` says of itself that no person navigates, and some applications then answer no redirect. */
async function send(url: string, method: string, headers: Headers, body: RequestInit['body']): Promise<Response> {
  const content = body instanceof URLSearchParams ? body.toString() : ''
  if (content !== '') headers.set('content-type', 'application/x-www-form-urlencoded')
  const { hostname, port, pathname, search } = new URL(url)
  const options = { method, headers: Object.fromEntries(headers), signal: AbortSignal.timeout(60_000) }
  const [answer] = (await once(
    request({ hostname, port, path: `${pathname}${search}`, ...options }).end(content),
    'response',
  )) as [IncomingMessage]
  const { statusCode: status = 0, rawHeaders } = answer
  const pairs = rawHeaders.flatMap((name, at): [string, string][] => (at % 2 ? [] : [[name, rawHeaders[at + 1] ?? '']]))
  const text = Buffer.concat(await answer.toArray()).toString('utf8')
  return new Response(status === 204 || status === 304 ? null : text, { status, headers: pairs })
}

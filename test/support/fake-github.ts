/** GitHub's three endpoints as they behave: errors with status 200, scopes in the token answer, addresses beside the user. */

import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { after } from 'node:test'
import { type Browser, locationOf } from './browser.ts'

export type FakeGithub = {
  /** Without a trailing slash. */
  readonly origin: string
  /** The user that is signed in there. Other providers than GitHub name people by texts. */
  user: { id: number | string; login: string; name: string | null; email: string | null }
  emails: { email: string; primary: boolean; verified: boolean }[]
  /** What the endpoints do instead of their work; 'asks': the person has to press a link first. */
  behaviour:
    | 'normal'
    | 'asks'
    | 'no_emails'
    | 'denies'
    | 'wrong_code'
    | 'nonsense'
    | 'no_user'
    | 'huge'
    | 'redirects'
    | 'hangs'
  /** What came to the token endpoint. */
  readonly tokenRequests: URLSearchParams[]
  /** Settings of a service that uses it as its GitHub. */
  readonly env: Readonly<Record<string, string>>
  stop(): Promise<void>
}

export async function startFakeGithub(): Promise<FakeGithub> {
  const codes = new Map<string, { challenge: string; redirectUri: string }>()
  const accessTokens = new Set<string>()
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no address')
  const origin = `http://127.0.0.1:${address.port}`
  const fake: FakeGithub = {
    origin,
    user: { id: 583231, login: 'octocat', name: 'The Octocat', email: null },
    emails: [
      { email: 'private@example.com', primary: false, verified: true },
      { email: 'octocat@example.com', primary: true, verified: true },
    ],
    behaviour: 'normal',
    tokenRequests: [],
    env: {
      OAuth__External__GitHub__ClientId: 'github-client',
      OAuth__External__GitHub__ClientSecret: 'github-secret',
      OAuth__External__GitHub__AuthorizationEndpoint: `${origin}/login/oauth/authorize`,
      OAuth__External__GitHub__TokenEndpoint: `${origin}/login/oauth/access_token`,
      OAuth__External__GitHub__UserInfoEndpoint: `${origin}/user`,
    },
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', origin)
    const json = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
    }
    if (url.pathname === '/login/oauth/authorize') {
      const back = new URL(url.searchParams.get('redirect_uri') ?? '')
      back.searchParams.set('state', url.searchParams.get('state') ?? '')
      if (fake.behaviour === 'denies') {
        back.searchParams.set('error', 'access_denied')
        back.searchParams.set('error_description', 'The user has denied your application access.')
      } else {
        const code = randomBytes(10).toString('hex')
        codes.set(code, {
          challenge: url.searchParams.get('code_challenge') ?? '',
          redirectUri: url.searchParams.get('redirect_uri') ?? '',
        })
        back.searchParams.set('code', code)
      }
      if (fake.behaviour === 'asks') {
        const link = `<a href="${back.href.replaceAll('&', '&amp;')}">Authorize</a>`
        response.writeHead(200, { 'content-type': 'text/html' })
        response.end(`<!doctype html><html lang="en"><title>GitHub</title><h1>GitHub</h1><main>${link}</main>`)
        return
      }
      response.writeHead(302, { location: back.href }).end()
      return
    }
    if (fake.behaviour === 'hangs') return
    if (fake.behaviour === 'redirects') {
      response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
      return
    }
    if (fake.behaviour === 'huge') {
      response.writeHead(200, { 'content-type': 'application/json' }).end(`"${'x'.repeat(2_000_000)}"`)
      return
    }
    if (fake.behaviour === 'nonsense') {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>unicorn</html>')
      return
    }
    if (url.pathname === '/login/oauth/access_token') {
      const form = new URLSearchParams(await readBody(request))
      fake.tokenRequests.push(form)
      const known = codes.get(form.get('code') ?? '')
      codes.delete(form.get('code') ?? '')
      const { createHash } = await import('node:crypto')
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url')
      const good =
        known !== undefined && challenge === known.challenge && form.get('redirect_uri') === known.redirectUri
      if (!good || form.get('client_secret') !== 'github-secret' || fake.behaviour === 'wrong_code') {
        json(200, {
          error: 'bad_verification_code',
          error_description: 'The code passed is incorrect or expired.',
          error_uri: 'https://docs.github.com/apps/troubleshooting#bad-verification-code',
        })
        return
      }
      const accessToken = `gho_${randomBytes(18).toString('hex')}`
      accessTokens.add(accessToken)
      json(200, { access_token: accessToken, scope: 'read:user,user:email', token_type: 'bearer' })
      return
    }
    const bearer = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
    if (!accessTokens.has(bearer)) {
      json(401, { message: 'Bad credentials' })
      return
    }
    if (url.pathname === '/user') json(200, fake.behaviour === 'no_user' ? { message: 'odd' } : fake.user)
    else if (url.pathname === '/user/emails' && fake.behaviour === 'no_emails')
      json(403, { message: 'Resource not accessible' })
    else if (url.pathname === '/user/emails')
      json(
        200,
        fake.emails.map((email) => ({ ...email, visibility: null })),
      )
    else json(404, { message: 'Not Found' })
  }
  return fake
}

/** Starts one that all tests of a file share, and that stops after the last of them. */
export async function githubForFile(): Promise<FakeGithub> {
  const github = await startFakeGithub()
  after(() => github.stop())
  return github
}

/** Takes the browser through a sign-in at GitHub and back, and returns where it is led on to. */
export async function throughGithub(browser: Browser, returnUrl = '/'): Promise<URL> {
  const begun = await browser.submit(`/Account/ExternalLogin?returnUrl=${encodeURIComponent(returnUrl)}`, {
    provider: 'GitHub',
  })
  const atGithub = await fetch(locationOf(begun), { redirect: 'manual' })
  const called = await browser.fetch(locationOf(atGithub).href)
  return locationOf(await browser.fetch(locationOf(called).href))
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += chunk
  return body
}

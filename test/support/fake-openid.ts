/** An OpenID Connect provider that behaves, and of which a test can make every answer wrong in one way. */

import { randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { after } from 'node:test'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'
import { type Browser, locationOf } from './browser.ts'

/** What came to an endpoint. */
export type ProviderRequest = {
  readonly path: string
  readonly method: string
  readonly headers: IncomingHttpHeaders
  /** Of the query or the body. */
  readonly form: URLSearchParams
}

/** `body`: sent as JSON, or as it is if it is text. */
export type ProviderAnswer = { status?: number; type?: string; body: unknown }

export type Signer = { readonly privateKey: CryptoKey; readonly alg: string; readonly jwk: JWK }

/** How the provider behaves. Each member changes one thing that it would do right. */
export type Behaviour = {
  /** Members of its metadata; undefined removes one. */
  metadata: Record<string, unknown>
  /** The key set that it publishes. */
  keys: () => unknown
  /** Claims of the id token; undefined removes one. */
  claims: (claims: JWTPayload) => JWTPayload
  /** Signs the id token. */
  idToken: (claims: JWTPayload) => Promise<string>
  /** The answer of the token endpoint. `form`: what was sent. */
  token: (answer: Record<string, unknown>, request: ProviderRequest) => ProviderAnswer
  /** The answer of the userinfo endpoint. */
  userInfo: (claims: Record<string, unknown>) => ProviderAnswer | Promise<ProviderAnswer>
  /** The parameters of the authorization response. */
  response: (parameters: Record<string, string | undefined>) => Record<string, string | undefined>
  /** The answer of the endpoint for pushed requests. */
  pushed: (answer: Record<string, unknown>) => ProviderAnswer
}

export type FakeOpenid = {
  /** Without a trailing slash; also the issuer. */
  readonly origin: string
  /** What it does. */
  readonly does: Behaviour
  /** What came, in order. */
  readonly requests: ProviderRequest[]
  /** Behaves again, and forgets what came. */
  reset(): void
  /** The key that it signs with. */
  readonly signer: Signer
  /** Settings of a service that uses it under this name. */
  env(name: string, more?: Readonly<Record<string, string>>): Readonly<Record<string, string>>
  stop(): Promise<void>
}

export async function signerFor(alg = 'RS256', kid: string | undefined = randomBytes(6).toString('hex')) {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  const jwk: JWK = { ...(await exportJWK(publicKey)), alg, use: 'sig', ...(kid !== undefined && { kid }) }
  return { privateKey, alg, jwk } satisfies Signer
}

/** `kid`: of the header; null leaves it out. Default: that of the key. */
export function signed(claims: JWTPayload, { privateKey, alg, jwk }: Signer, kid: string | null | undefined = jwk.kid) {
  return new SignJWT(claims).setProtectedHeader({ alg, ...(kid && { kid }) }).sign(privateKey)
}

/** That of every provider. */
export const ownSigner = await signerFor()

export async function startFakeOpenid(): Promise<FakeOpenid> {
  const codes = new Map<string, URLSearchParams>()
  const pushed = new Map<string, URLSearchParams>()
  const requests: ProviderRequest[] = []
  const does = {} as Behaviour
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no address')
  const origin = `http://127.0.0.1:${address.port}`

  function reset(): void {
    requests.length = 0
    Object.assign(does, {
      metadata: {},
      keys: () => ({ keys: [ownSigner.jwk] }),
      claims: (claims) => claims,
      idToken: (claims) => signed(claims, ownSigner),
      token: (body) => ({ body }),
      userInfo: (body) => ({ body }),
      response: (parameters) => parameters,
      pushed: (body) => ({ status: 201, body }),
    } satisfies Behaviour)
  }
  reset()

  const endpoints: Readonly<Record<string, (request: ProviderRequest) => ProviderAnswer | Promise<ProviderAnswer>>> = {
    '/.well-known/openid-configuration': () => ({
      body: {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        userinfo_endpoint: `${origin}/userinfo`,
        jwks_uri: `${origin}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        ...does.metadata,
      },
    }),
    '/keys': () => ({ body: does.keys() }),
    async '/token'(request) {
      const asked = codes.get(request.form.get('code') ?? '')
      codes.delete(request.form.get('code') ?? '')
      if (asked === undefined) return { status: 400, body: { error: 'invalid_grant' } }
      const seconds = Math.floor(Date.now() / 1000)
      const claims = does.claims({
        iss: origin,
        sub: 'somebody',
        aud: asked.get('client_id') ?? '',
        nonce: asked.get('nonce') ?? '',
        iat: seconds,
        exp: seconds + 300,
      })
      const body = {
        access_token: 'provider-access-token',
        token_type: 'Bearer',
        id_token: await does.idToken(claims),
      }
      return does.token(body, request)
    },
    '/userinfo': () => does.userInfo({ sub: 'somebody', email: 'somebody@example.com', name: 'Some Body' }),
    '/par'(request) {
      const uri = `urn:ietf:params:oauth:request_uri:${randomBytes(8).toString('hex')}`
      pushed.set(uri, request.form)
      return does.pushed({ request_uri: uri, expires_in: 60 })
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', origin)
    let text = ''
    for await (const chunk of request) text += chunk
    const form = request.method === 'POST' ? new URLSearchParams(text) : url.searchParams
    const one = { path: url.pathname, method: request.method ?? '', headers: request.headers, form }
    requests.push(one)
    if (url.pathname === '/authorize') {
      const asked = pushed.get(form.get('request_uri') ?? '') ?? form
      const code = randomBytes(10).toString('hex')
      codes.set(code, asked)
      const back = new URL(asked.get('redirect_uri') ?? '')
      const parameters = does.response({ code, state: asked.get('state') ?? '' })
      for (const [name, value] of Object.entries(parameters)) {
        if (value !== undefined) back.searchParams.set(name, value)
      }
      response.writeHead(302, { location: back.href }).end()
      return
    }
    const endpoint = endpoints[url.pathname]
    const { status = 200, type = 'application/json', body } = (await endpoint?.(one)) ?? { status: 404, body: {} }
    response.writeHead(status, { 'content-type': type }).end(typeof body === 'string' ? body : JSON.stringify(body))
  }

  return {
    origin,
    does,
    requests,
    reset,
    signer: ownSigner,
    env: (name, more = {}) => ({
      [`OAuth__External__${name}__ClientId`]: 'latchkey-here',
      [`OAuth__External__${name}__Issuer`]: origin,
      ...Object.fromEntries(Object.entries(more).map(([part, value]) => [`OAuth__External__${name}__${part}`, value])),
    }),
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** One for the tests of a file. */
export async function openidForFile(): Promise<FakeOpenid> {
  const provider = await startFakeOpenid()
  after(() => provider.stop())
  return provider
}

/** Through the provider `name` up to the answer of the callback, or that of the start if it leads nowhere. */
export async function throughProvider(browser: Browser, name: string, returnUrl = '/after'): Promise<Response> {
  const start = `/Account/ExternalLogin?returnUrl=${encodeURIComponent(returnUrl)}`
  const started = await browser.submit(start, { provider: name })
  if (started.status !== 302) return started
  const { pathname, search } = locationOf(await fetch(locationOf(started), { redirect: 'manual' }))
  return browser.get(pathname + search)
}

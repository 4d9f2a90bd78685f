/** Applications of a realm as they were written for Keycloak: each knows its own record of the export, its secret, and the former addresses. */
import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { assertionClaims, assertionFields, type ClientKey } from '../support/assertions.ts'
import { type Browser, claimsOf, locationOf, pkcePair, postToken, type TokenAnswer } from '../support/browser.ts'
import { certificate, oids } from '../support/certificates.ts'
import { DpopKey } from '../support/dpop.ts'
import type { TestService } from '../support/service.ts'
import type { Json } from './keycloak-tokens.ts'

/** What all applications of a test share. */
export type World = {
  readonly service: TestService
  readonly realm: Json
  readonly issuer: string
  readonly secretOf: (client: string) => string
  /** Of clients that sign with a key of their own. */
  readonly key: ClientKey
}

export type Fields = Readonly<Record<string, string>>
type Headers = Readonly<Record<string, string>>
/** How a request says who the client is. */
export type Proof = { readonly fields: Fields; readonly headers: Headers }
export type Issued = {
  readonly access: string
  readonly id: string
  readonly refresh: string | undefined
  readonly body: Json
}

export const certificateHeader = 'X-Client-Cert'

export class Application {
  readonly id: string
  readonly client: Json
  readonly world: World
  readonly dpop: DpopKey | undefined
  /** As a proxy passes it on. */
  readonly certificate: string

  constructor(world: World, client: Json) {
    this.id = client.clientId
    this.client = client
    this.world = world
    this.certificate = certificateOf('web-mtls', 'Acme', world.service.now())
    this.dpop = this.says('dpop.bound.access.tokens') === 'true' ? new DpopKey() : undefined
  }

  says(attribute: string): string | undefined {
    return this.client.attributes[attribute]
  }
  /** The address of an endpoint there. */
  at(path: string): string {
    return `${this.world.issuer}/protocol/openid-connect/${path}`
  }
  get redirect(): string {
    const [uri = ''] = this.redirects
    return uri
  }
  /** Relative ones are below the root; a wildcard takes any path. */
  get redirects(): readonly string[] {
    const all: string[] = this.client.redirectUris
    return all.map((uri) => (uri.startsWith('/') ? `${this.client.rootUrl}${uri}` : uri).replace(/\*$/, 'callback'))
  }

  /** `##` is between them, `+` stands for the redirect addresses. */
  get logoutAddresses(): readonly string[] {
    const all = (this.says('post.logout.redirect.uris') ?? '').split('##').filter((uri) => uri !== '' && uri !== '-')
    const absolute = (uri: string) => (uri.startsWith('/') ? `${this.client.rootUrl}${uri}` : uri)
    return all.flatMap((uri) => (uri === '+' ? this.redirects : [absolute(uri).replace(/\*$/, 'after')]))
  }

  /** As the client is set up there, or by another way. */
  async proof(method: string = this.method, secret = this.world.secretOf(this.id)): Promise<Proof> {
    const { service, key } = this.world
    const own = { client_id: this.id }
    const none = { fields: own, headers: {} }
    switch (method) {
      case 'none':
        return none
      case 'client-secret': {
        const encoded = [this.id, secret].map((text) => new URLSearchParams({ x: text }).toString().slice(2)).join(':')
        return { fields: {}, headers: { authorization: `Basic ${btoa(encoded)}` } }
      }
      case 'post':
        return { fields: { ...own, client_secret: secret }, headers: {} }
      case 'client-jwt':
        return {
          fields: assertionFields(await key.sign(assertionClaims(this.id, this.at('token'), service.now()))),
          headers: {},
        }
      case 'client-secret-jwt': {
        const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
        const claims = { ...assertionClaims(this.id, this.at('token'), service.now()), jti: randomUUID() }
        const content = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`
        const mac = createHmac('sha256', secret).update(content).digest('base64url')
        return { fields: assertionFields(`${content}.${mac}`), headers: {} }
      }
      case 'client-x509':
        return { fields: own, headers: { [certificateHeader]: this.certificate } }
      default:
        return assert.fail(method)
    }
  }
  get method(): string {
    return this.client.publicClient ? 'none' : this.client.clientAuthenticatorType
  }

  /** A request of the token endpoint there, with what the client always sends. */
  async token(fields: Fields, proof?: Proof, path = 'token'): Promise<TokenAnswer> {
    const { service } = this.world
    const shown = proof ?? (await this.proof())
    const url = this.at(path)
    const dpop: Headers = this.dpop === undefined ? {} : { DPoP: this.dpop.proof({ url, nowMs: service.now() }) }
    const first = await postToken(service, { ...fields, ...shown.fields }, { ...shown.headers, ...dpop }, url)
    if (this.dpop === undefined || first.body?.error !== 'use_dpop_nonce') return first
    const nonce = first.headers.get('dpop-nonce') ?? ''
    const again = { DPoP: this.dpop.proof({ url, nowMs: service.now(), claims: { nonce } }) }
    const second = proof ?? (await this.proof())
    return postToken(service, { ...fields, ...second.fields }, { ...second.headers, ...again }, url)
  }

  /** What it asks for at the authorization endpoint; undefined members are left out. */
  request(change: Readonly<Record<string, string | undefined>> = {}): {
    readonly fields: Fields
    readonly verifier: string
  } {
    const { verifier, challenge } = pkcePair()
    const usual: Readonly<Record<string, string | undefined>> = {
      ...{ client_id: this.id, redirect_uri: this.redirect, response_type: 'code', scope: 'openid', state: 'state-1' },
      ...{ nonce: 'nonce-1', code_challenge: challenge, code_challenge_method: 'S256', ...change },
    }
    const fields = Object.entries(usual).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    )
    return { fields: Object.fromEntries(fields), verifier }
  }

  /** Sends the request as the client does, by a pushed one where it has to. */
  async authorize(browser: Browser, fields: Fields, pushes = this.pushes): Promise<Response> {
    if (!pushes) return browser.get(`${this.at('auth')}?${new URLSearchParams(fields)}`)
    const { status, body } = await this.token(fields, undefined, 'ext/par/request')
    assert.equal(status, 201, `${this.id}: ${JSON.stringify(body)}`)
    const query = new URLSearchParams({ client_id: this.id, request_uri: body.request_uri })
    return browser.get(`${this.at('auth')}?${query}`)
  }
  get pushes(): boolean {
    return this.says('require.pushed.authorization.requests') === 'true'
  }

  /** The way of a person to the code: with a consent where the page for one is shown. */
  async code(browser: Browser, change: Readonly<Record<string, string | undefined>> = {}) {
    const { fields, verifier } = this.request(change)
    const asked = await this.authorize(browser, fields)
    const page = locationOf(asked)
    const hasAsked = page.pathname === '/Account/Consent' || asked.status === 200
    const answered = hasAsked
      ? await browser.submit('/connect/authorize', { ...fields, 'submit.Accept': 'Yes' })
      : asked
    return { fields, verifier, hasAsked, location: locationOf(answered), status: answered.status }
  }

  async tokens(browser: Browser, change: Readonly<Record<string, string | undefined>> = {}): Promise<Issued> {
    const { fields, verifier, location, status } = await this.code(browser, change)
    const code = location.searchParams.get('code')
    assert.ok(code, `${this.id}: ${status} ${location.href}`)
    const answer = await this.token({
      ...{ grant_type: 'authorization_code', code, redirect_uri: fields.redirect_uri ?? '' },
      ...(fields.code_challenge !== undefined && { code_verifier: verifier }),
    })
    assert.equal(answer.status, 200, `${this.id}: ${JSON.stringify(answer.body)}`)
    return issuedOf(answer)
  }

  async refresh(token: string | undefined): Promise<TokenAnswer> {
    return this.token({ grant_type: 'refresh_token', refresh_token: token ?? '' })
  }

  /** What userinfo says: JSON, or the payload of a JWT. */
  async userinfo(access: string): Promise<{ readonly status: number; readonly type: string; readonly claims: Json }> {
    const url = this.at('userinfo')
    const { service } = this.world
    const bound = this.dpop?.proof({ method: 'GET', url, accessToken: access, nowMs: service.now() })
    const headers: Headers =
      bound === undefined ? { authorization: `Bearer ${access}` } : { authorization: `DPoP ${access}`, DPoP: bound }
    const shown = { ...headers, ...(this.method === 'client-x509' && (await this.proof()).headers) }
    let response = await fetch(url, { headers: shown })
    const nonce = response.headers.get('dpop-nonce')
    if (this.dpop !== undefined && response.status === 401 && nonce !== null) {
      const again = this.dpop.proof({
        method: 'GET',
        url,
        accessToken: access,
        nowMs: service.now(),
        claims: { nonce },
      })
      response = await fetch(url, { headers: { authorization: `DPoP ${access}`, DPoP: again } })
    }
    const type = response.headers.get('content-type')?.split(';')[0] ?? ''
    const text = await response.text()
    const claims = type === 'application/jwt' ? claimsOf(text) : text === '' ? undefined : JSON.parse(text)
    return { status: response.status, type, claims }
  }
}

/** `CN=cn,O=o` as a text has it, which names the last part first (RFC 4514 §2.1). */
export function certificateOf(cn: string, o: string, nowMs: number): string {
  const [from, until] = [new Date(nowMs - 3_600_000), new Date(nowMs + 365 * 86_400_000)]
  return certificate({ subject: [[[oids.o, o]], [[oids.cn, cn]]], from, until }).escapedPem
}

export function issuedOf({ body }: TokenAnswer): Issued {
  return { access: body.access_token, id: body.id_token, refresh: body.refresh_token, body }
}

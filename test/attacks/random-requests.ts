/**
 * Random requests that know what this service reads: real paths, real parameter names, values that were valid a moment
 * ago, and then one to four changes of the kind that an attacker or a broken program makes. The same seed makes the
 * same decisions.
 */
import { authorizeParameters, codeFields, refreshFields } from '../support/browser.ts'
import type { DpopKey } from '../support/dpop.ts'
import { providerDrafts } from './random-provider-requests.ts'
import type { Draft, Pair } from './request-draft.ts'
import type { WireAnswer } from './wire.ts'

/** What a signed-in browser holds. */
export type SignedIn = { readonly cookies: string; readonly antiforgeryToken: string }

/** `key`: that of the clients that sign. `leaving`: another browser, whose session the requests may end. */
export type Credentials = SignedIn & {
  readonly issuer: string
  readonly key: DpopKey
  readonly leaving: SignedIn
}

export type RandomRequests = {
  /** The bytes of the next request. */
  next(): Buffer
  /** Codes and tokens of an answer are used in later requests. */
  learn(answer: WireAnswer): void
}

const strange = [
  '',
  ' ',
  '0',
  '-1',
  '1e999',
  'null',
  'true',
  '[]',
  '{}',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '//evil.test',
  '/\\evil.test',
  'javascript:alert(1)',
  'https://evil.test/',
  "' OR 1=1 --",
  '"><script>alert(1)</script>',
  '\r\nX-Evil: 1',
  '\u0000',
  '\u202e\u0007\u001b[31m',
  '\ud83d\ude00'.repeat(50),
  'K\u0131\u017f\u212a',
  'a'.repeat(300),
  'a'.repeat(5000),
  'openid openid  openid',
  'S256',
  'none login',
  'query',
  'form_post',
  'fragment',
  '9'.repeat(15),
] as const

/** What percent-encoding looks like when it is not right. */
const rawNonsense = ['%', '%z', '%zz', '%c0%af', '%ff', '%00', '%ed%a0%80', '+', '&', '=', '==', ';', '#'] as const

export function randomRequests(seed: number, credentials: Credentials): RandomRequests {
  const chance = generator(seed)
  const below = (bound: number): number => Math.floor(chance() * bound)
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T
  const known = {
    ...{ codes: ['x'], refreshTokens: ['x'], accessTokens: ['x'] },
    ...{ deviceCodes: ['x'], userCodes: ['x'], requestUris: ['x'] },
  }
  const remember = (list: string[], value: string | undefined | null): void => {
    if (value === undefined || value === null || value === '') return
    list.push(value)
    if (list.length > 20) list.shift()
  }

  const pairs = (fields: Readonly<Record<string, string>>): Pair[] => Object.entries(fields)
  const request = (): Pair[] => {
    const change = pick([
      {},
      {},
      { prompt: 'none' },
      { prompt: 'login' },
      { prompt: 'consent' },
      { max_age: '600' },
      { nonce: 'n' },
    ])
    return pairs(authorizeParameters({ ...change, response_mode: pick(['query', 'query', 'fragment', 'form_post']) }))
  }
  const guarded = (fields: Pair[]): Pair[] => [...fields, ['__RequestVerificationToken', credentials.antiforgeryToken]]
  const logout = (): Pair[] =>
    pairs({ client_id: 'demo', post_logout_redirect_uri: 'http://localhost:5081/', state: 's' })
  const bearer = (): Pair[] => [['authorization', `Bearer ${pick(known.accessTokens)}`]]
  const get = (path: string, query: Pair[] = [], headers: Pair[] = []): Draft => ({
    method: 'GET',
    path,
    query,
    form: undefined,
    headers,
  })
  const post = (path: string, form: Pair[], query: Pair[] = []): Draft => ({
    method: 'POST',
    path,
    query,
    form,
    headers: [],
  })

  /** Requests as they should be. None signs the other requests' browser out, and none has a right password or state. */
  const drafts: readonly (() => Draft)[] = [
    () => get('/connect/authorize', request()),
    () => get('/connect/authorize', request()),
    () => post('/connect/authorize', guarded([...request(), ['submit.Accept', 'Yes']])),
    () => post('/connect/authorize', guarded([...request(), ['submit.Deny', 'No']])),
    () => post('/connect/authorize', guarded(request())),
    () => post('/connect/token', pairs(codeFields(pick(known.codes)))),
    () => post('/connect/token', pairs(refreshFields(pick(known.refreshTokens)))),
    () => post('/connect/token', pairs(refreshFields(pick(known.refreshTokens), { scope: 'openid' }))),
    () =>
      post(
        '/connect/revocation',
        pairs({ token: pick([...known.refreshTokens, ...known.accessTokens]), client_id: 'demo' }),
      ),
    () => get('/connect/logout', logout(), [['cookie', credentials.leaving.cookies]]),
    () => ({
      ...post('/connect/logout', [
        ...logout(),
        ['Confirm', 'Yes'],
        ['__RequestVerificationToken', credentials.leaving.antiforgeryToken],
      ]),
      // Any token ends the session that it belongs to, and the other requests need theirs.
      headers: [['cookie', credentials.leaving.cookies]],
    }),
    () =>
      post(
        '/Account/Login',
        guarded(pairs({ username: 'victim', password: 'wrong', ReturnUrl: '/x', rememberMe: 'on' })),
      ),
    () => get('/Account/Antiforgery'),
    () => get('/Account/Session'),
    () => get('/Account/ConsentContext', request()),
    () => get('/Account/ClientLogo', request()),
    () => get('/Account/LogoutContext', logout()),
    () => get('/Account/ExternalProviders'),
    () => post('/Account/ExternalLogin', guarded([['provider', 'GitHub']]), [['returnUrl', '/x']]),
    () => get('/Account/ExternalLoginCallback', [['returnUrl', '/x']]),
    () => get('/Account/ExternalLoginPending'),
    () => post('/Account/ExternalLoginRegister', guarded(pairs({ email: 'x@example.com', ReturnUrl: '/x' }))),
    () => get('/callback/login/GitHub', pairs({ code: 'x', state: 'A'.repeat(32) })),
    () => get('/weatherforecast', [], bearer()),
    () =>
      get(
        pick([
          '/',
          '/Account/Login',
          '/Account/Consent',
          '/errors',
          '/assets/x.js',
          '/connect/x',
          '/healthz',
          '/favicon.ico',
        ]),
      ),
    () =>
      get(pick(['/.well-known/openid-configuration', '/.well-known/jwks', '/.well-known/oauth-authorization-server'])),
  ]
  const further = providerDrafts({
    ...{ issuer: credentials.issuer, key: credentials.key, below, pick },
    token: () => pick([...known.accessTokens, ...known.refreshTokens, ...known.codes]),
    deviceCode: () => pick(known.deviceCodes),
    userCode: () => pick(known.userCodes),
    requestUri: () => pick(known.requestUris),
    strange: () => pick(strange),
  })

  /** One character exchanged, a piece cut out, or a piece doubled. */
  function spoil(value: string): string {
    const at = below(value.length + 1)
    switch (below(4)) {
      case 0:
        return value.slice(0, at)
      case 1:
        return `${value.slice(0, at)}${String.fromCharCode(below(0x180))}${value.slice(at + 1)}`
      case 2:
        return value.slice(0, at) + value.slice(Math.max(0, at - 5))
      default:
        return pick([value.toUpperCase(), value.toLowerCase(), `${value} `, ` ${value}`, `${value}\t`, `${value}/`])
    }
  }

  const changes: readonly ((draft: Draft, list: Pair[]) => void)[] = [
    (_, list) => void list.splice(below(list.length), 1),
    (_, list) => void list.push([...pick(list)]),
    (_, list) => void list.push([pick(list)[0], pick(strange)]),
    (_, list) => {
      pick(list)[1] = pick(strange)
    },
    (_, list) => {
      const pair = pick(list)
      pair[1] = spoil(pair[1])
    },
    (_, list) => {
      const pair = pick(list)
      pair[1] = spoil(pair[1])
    },
    (_, list) => {
      const pair = pick(list)
      pair[0] = pick([pair[0].toUpperCase(), `${pair[0]}[]`, `${pair[0]} `, spoil(pair[0]), pick(strange)])
    },
    (_, list) => {
      const [one, other] = [pick(list), pick(list)]
      const value = one[1]
      one[1] = other[1]
      other[1] = value
    },
    (draft) => {
      draft.path = pick([
        spoil(draft.path),
        draft.path.toUpperCase(),
        `${draft.path}/`,
        `/${draft.path}`,
        `${draft.path}%2e%2e/`,
      ])
    },
    (draft) => {
      draft.method = pick(['GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND'])
    },
    (draft) =>
      void draft.headers.push(['accept', pick(['text/html', '*/*;q=0', 'text/html;;;', spoil('application/json')])]),
    (draft) => void draft.headers.push(['origin', pick(['null', 'http://localhost:5081', 'https://evil.test', ''])]),
    (draft) =>
      void draft.headers.push(['authorization', pick([...basics, `Bearer ${spoil(pick(known.accessTokens))}`])]),
    (draft) =>
      void draft.headers.push(['accept-encoding', pick(['br', 'gzip', 'br;q=0', 'identity', 'x'.repeat(100)])]),
    (draft) =>
      void draft.headers.push(['content-type', pick(['application/json', 'text/plain', 'multipart/form-data', 'x'])]),
    (draft) => void draft.headers.push(['requestverificationtoken', pick([credentials.antiforgeryToken, '', 'x'])]),
    (draft) => void draft.headers.push(['x-forwarded-for', pick(['1.2.3.4', '::1, x', 'x'.repeat(1000)])]),
    (draft) => void draft.headers.push(['cookie', spoil(credentials.cookies)]),
    (draft) =>
      void draft.headers.push([
        'cookie',
        pick(['latchkey.session=x', '=;;=', 'latchkey.challenge.x=a.b.c', 'a'.repeat(2000)]),
      ]),
  ]

  function encode(list: readonly Pair[]): string {
    // Now and then something that no encoder would write.
    const text = list.map((pair) => pair.map(encodeComponent).join('=')).join('&')
    return below(25) === 0 ? `${text}${pick(rawNonsense)}` : text
  }

  function bytesOf({ method, path, query, form, json, headers }: Draft): Buffer {
    const body = json ?? (form === undefined ? '' : encode(form))
    const target = `${encodePath(path)}${query.length === 0 ? '' : `?${encode(query)}`}`
    const named = (name: string): boolean => headers.some(([candidate]) => candidate === name)
    const lines = [`${method} ${target} HTTP/1.1`, 'host: localhost']
    // One visitor in five is not signed in.
    if (!named('cookie') && below(5) > 0) lines.push(`cookie: ${credentials.cookies}`)
    if (form !== undefined && !named('content-type')) lines.push('content-type: application/x-www-form-urlencoded')
    if (body !== '' || method === 'POST') lines.push(`content-length: ${Buffer.byteLength(body)}`)
    for (const [name, value] of headers) lines.push(`${name}: ${value.replace(/[^\x20-\x7e]/g, '')}`)
    return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`)
  }

  return {
    next() {
      const draft = pick(below(3) === 0 ? further : drafts)()
      // One in four stays as it should be.
      for (let count = Math.max(0, below(6) - 1); count > 0; count -= 1) {
        const list = below(3) === 0 ? draft.query : (draft.form ?? draft.query)
        const change = pick(changes)
        // Those that change a list need something in it; the others take the draft alone.
        if (list.length > 0 || change.length === 1) change(draft, list)
      }
      return bytesOf(draft)
    },
    learn({ headers, body }) {
      const location = headers.get('location')
      if (location?.includes('code=') === true) remember(known.codes, /[?&#]code=([^&]+)/.exec(location)?.[1])
      if (!/^\{"(?:access_token|device_code|request_uri)"/.test(body)) return
      const learned = JSON.parse(body) as Readonly<Record<string, string | undefined>>
      remember(known.accessTokens, learned.access_token)
      remember(known.refreshTokens, learned.refresh_token)
      remember(known.deviceCodes, learned.device_code)
      remember(known.userCodes, learned.user_code)
      remember(known.requestUris, learned.request_uri)
    },
  }
}

const basics = ['Basic', 'Basic ZGVtbzo=', 'Basic ZGVtbzp4', 'Basic JTAwOng=', 'Basic !!!', 'Digest x', 'Bearer', '']

function encodeComponent(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

function encodePath(path: string): string {
  return path.replace(/[^\x21-\x7e]/gu, (character) => encodeComponent(character)).replaceAll('?', '%3f')
}

/** Mulberry32: small, fast, and the same everywhere. Numbers from 0 up to 1. */
function generator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The client, the person and the request that every measurement uses, and where each product has its endpoints. */
import type { Target } from '../records.ts'
import { type Answer, Connection } from './connection.ts'
import { codeOf, type Fields, locationOf, unexpected, type Visitor } from './visitor.ts'

export const person = { username: 'alice', password: 'Passw0rd!' }
const clientId = 'demo'
const redirectUri = 'http://localhost:5081/callback'
/** RFC 7636 Appendix B. */
const codeVerifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const request: Fields = {
  client_id: clientId,
  redirect_uri: redirectUri,
  response_type: 'code',
  scope: 'openid offline_access demo_api',
  state: 'af0ifjsldkj',
  nonce: 'n-0S6_WzA2Mj',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
}

/** How a product is talked to. */
export type Dialect = {
  readonly tokenPath: string
  readonly authorizePath: string
  /** Where requests are pushed to. */
  readonly parPath: string
  readonly discoveryPath: string
  readonly keySetPath: string
  readonly userinfoPath: string
  readonly introspectionPath: string
  /** Gives a code for an access token that both of these take. */
  readonly openAuthorizePath: string
  /** From an authorization request without a session over the password to the code, as the product's pages do it. */
  signIn(visitor: Visitor): Promise<string>
}

export function dialectOf({ product, issuer }: Target): Dialect {
  return product === 'peer' ? peer(issuer) : latchkey(issuer)
}

function latchkey(issuer: string): Dialect {
  const authorizePath = `/connect/authorize?${new URLSearchParams(request)}`
  const submit = async (visitor: Visitor, path: string, fields: Fields) => {
    const token = antiforgeryTokenOf(await visitor.get('/Account/Antiforgery'))
    return visitor.post(path, { ...fields, __RequestVerificationToken: token })
  }
  return {
    authorizePath,
    parPath: '/connect/par',
    tokenPath: '/connect/token',
    discoveryPath: '/.well-known/openid-configuration',
    keySetPath: '/.well-known/jwks',
    userinfoPath: '/connect/userinfo',
    introspectionPath: '/connect/introspect',
    openAuthorizePath: authorizePath,
    async signIn(visitor) {
      const loginPage = locationOf(await visitor.get(authorizePath), issuer)
      const returnUrl = new URL(loginPage, issuer).searchParams.get('ReturnUrl')
      if (returnUrl === null) throw new Error(`not the login page: ${loginPage}`)
      const signedIn = await submit(visitor, '/Account/Login', { ...person, ReturnUrl: returnUrl })
      const answer = await visitor.get(locationOf(signedIn, issuer))
      if (!locationOf(answer, issuer).startsWith('/Account/Consent')) return codeOf(answer)
      return codeOf(await submit(visitor, '/connect/authorize', { ...request, 'submit.Accept': 'Yes' }))
    },
  }
}

/** The anti-forgery token of Latchkey. Throws when there is none. */
export function antiforgeryTokenOf(answer: Answer): string {
  const token = /"token":"([^"]+)"/.exec(answer.body)?.[1]
  if (token === undefined) throw unexpected('an anti-forgery token', answer)
  return token
}

function peer(issuer: string): Dialect {
  const authorizePath = `/auth?${new URLSearchParams(request)}`
  return {
    authorizePath,
    parPath: '/request',
    tokenPath: '/token',
    discoveryPath: '/.well-known/openid-configuration',
    keySetPath: '/jwks',
    userinfoPath: '/me',
    introspectionPath: '/token/introspection',
    openAuthorizePath: `/auth?${new URLSearchParams({ ...request, scope: 'openid offline_access' })}`,
    async signIn(visitor) {
      const loginPage = locationOf(await visitor.get(authorizePath), issuer)
      const signedIn = await visitor.post(loginPage, person)
      return codeOf(await visitor.get(locationOf(signedIn, issuer)))
    },
  }
}

export function codeFields(code: string): Fields {
  return {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    redirect_uri: redirectUri,
    code_verifier: codeVerifier,
  }
}

export function refreshFields(refreshToken: string): Fields {
  return { grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken }
}

/** Opens `count` connections, shared out among the processes of the target. */
export async function openConnections({ ports }: Target, count: number): Promise<Connection[]> {
  const connections = Array.from({ length: count }, (_, at) => new Connection(ports[at % ports.length] as number))
  await Promise.all(connections.map((connection) => connection.opened()))
  return connections
}

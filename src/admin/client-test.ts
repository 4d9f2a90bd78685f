/** `/clients/{client_id}/test-sign-in`: a real authorization of an application, whose tokens are shown without signatures. */
import { type BegunTest, beginTest, redeemTest, testOfMachine } from '../connect/test-sign-in.ts'
import { judgeTest, type TestSignIn, testSeconds, testUri } from '../protocol/authorization-request/test-sign-in.ts'
import { consoleClientId } from '../protocol/client/client.ts'
import { baseOf } from '../protocol/discovery/issuer.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import type { TokenResponse } from '../tokens/mint.ts'
import { openTest } from '../tokens/test-sign-in.ts'
import { unknownClient } from './client-facts.ts'
import { type Call, type Operation, type Outcome, operation } from './operation.ts'
import { named, nullable, strictObject, text } from './schemas.ts'
import { Type } from './type.ts'

const decoded = named(
  'DecodedToken',
  strictObject({
    header: Type.Record(Type.String(), Type.Unknown()),
    claims: Type.Record(Type.String(), Type.Unknown()),
  }),
)

const testedTokens = named(
  'TestedTokens',
  strictObject({
    id_token: nullable(decoded),
    access_token: nullable(decoded),
    token_type: Type.String(),
    expires_in: Type.Integer({ description: 'In seconds.' }),
    scope: nullable(Type.String()),
    has_refresh_token: Type.Boolean(),
  }),
)

const begun = named(
  'BegunTestSignIn',
  strictObject({
    authorization_url: nullable(
      Type.String({
        description: 'To be opened in the browser in which the caller is signed in; null: nobody signs in.',
      }),
    ),
    state: nullable(Type.String({ description: 'The `state` of the answer that comes to the console.' })),
    expires_in: Type.Integer({ description: 'In seconds.' }),
    tokens: nullable(testedTokens),
  }),
)

const body = strictObject({
  code: text(10_000, 'As it came to the console.'),
  state: text(10_000, 'As it came to the console.'),
})

const one = { permission: 'admin:clients', status: 200, refusals: [404] } as const

export const clientTestOperations: readonly Operation[] = [
  operation({
    ...one,
    method: 'POST',
    path: '/clients/:client_id/test-sign-in',
    summary:
      'Begins a test sign-in by the person who calls; an application that acts for itself gets its token at once',
    answer: begun,
    run: begin,
  }),
  operation({
    ...one,
    method: 'POST',
    path: '/clients/:client_id/test-sign-in/result',
    summary: 'Ends a test sign-in: returns its tokens, decoded and without signatures. They are revoked',
    body,
    answer: testedTokens,
    run: end,
  }),
]

const eventOf = ({ event }: Call, clientId: string, grant: string) =>
  event('client_test_sign_in', { clientId }, { type: grant })

async function begin(call: Call): Promise<Outcome> {
  const { service, params, caller, request, nowMs } = call
  const client = await service.storage.clients.find(params.client_id ?? '')
  if (client === undefined) return unknownClient(params.client_id)
  const expires_in = testSeconds
  if (!client.grantTypes.includes('authorization_code') && client.grantTypes.includes('client_credentials')) {
    const tokens = await testOfMachine(service, request, client, eventOf(call, client.id, 'client_credentials'))
    return isRefusal<TokenResponse | Refusal>(tokens)
      ? tokens
      : { body: { authorization_url: null, state: null, expires_in, tokens: shown(tokens) } }
  }
  if (caller.user === undefined) return refuse('test_sign_in_invalid', '', { client: client.id, rule: noPerson })
  const test: TestSignIn = {
    clientId: client.id,
    userId: caller.user.id,
    redirectUri: testUri(await consoleAddress(call), client.id),
    verifier: Buffer.from(service.random(32)).toString('base64url'),
    expiresAtMs: nowMs + testSeconds * 1000,
  }
  const begun = await beginTest(service, client, test)
  if (isRefusal<BegunTest | Refusal>(begun)) return begun
  const authorization_url = new URL(begun.path, service.settings.oauth.issuer).href
  return { body: { authorization_url, state: begun.state, expires_in, tokens: null } }
}

const noPerson = 'a program began it, and a person has to sign in'

/** The first page of the console, which its client is registered with. */
async function consoleAddress({ service }: Call): Promise<string> {
  const console = await service.storage.clients.find(consoleClientId)
  return console?.redirectUris[0] ?? `${baseOf(service.settings.oauth.issuer)}admin/`
}

async function end(call: Call<unknown, { readonly code: string; readonly state: string }>): Promise<Outcome> {
  const { service, params, caller, request, body, nowMs } = call
  const client = await service.storage.clients.find(params.client_id ?? '')
  if (client === undefined) return unknownClient(params.client_id)
  const test = judgeTest(openTest(body.state, service.keys), client.id, caller.user?.id, nowMs)
  if (isRefusal(test)) return test
  const event = eventOf(call, client.id, 'authorization_code')
  const tokens = await redeemTest(service, request, test, body.code, event)
  return isRefusal<TokenResponse | Refusal>(tokens) ? tokens : { body: shown(tokens) }
}

const shown = ({ id_token, access_token, token_type, expires_in, scope, refresh_token }: TokenResponse) => ({
  id_token: id_token === undefined ? null : decodedJwt(id_token),
  access_token: decodedJwt(access_token),
  token_type,
  expires_in,
  scope: scope ?? null,
  has_refresh_token: refresh_token !== undefined,
})

/** Header and claims of a JWT (RFC 7519 §3); null for an opaque token. The signature stays here. */
function decodedJwt(token: string) {
  const [header = '', claims = '', signature] = token.split('.')
  if (signature === undefined) return null
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  return { header: read(header), claims: read(claims) }
}

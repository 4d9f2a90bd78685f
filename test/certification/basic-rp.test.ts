/**
 * The modules of the certification plans 'Basic RP' and 'Config RP': Latchkey is the relying party of a provider that does
 * right, or one thing wrong.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { JWTPayload } from 'jose'
import { Browser, locationOf } from '../support/browser.ts'
import {
  type Behaviour,
  type FakeOpenid,
  openidForFile,
  ownSigner,
  signed,
  signerFor,
  throughProvider,
} from '../support/fake-openid.ts'
import { serviceForFile } from '../support/service.ts'

const signer = ownSigner
const [next, foreign, curve] = await Promise.all([signerFor(), signerFor('RS256', signer.jwk.kid), signerFor('ES256')])
const withoutKid = ({ kid: _kid, ...jwk }: Record<string, unknown>) => jwk

const nothing = () => {}
const claim = (change: Record<string, unknown>) => (does: Behaviour) => {
  does.claims = (claims) => ({ ...claims, ...change }) as JWTPayload
}
const unsigned = async (claims: JWTPayload): Promise<string> => {
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${encode({ alg: 'none' })}.${encode(claims)}.`
}

type Module = readonly [
  name: string,
  provider: (does: Behaviour) => unknown,
  outcome: 'succeeds' | { readonly fails: string },
]

const modules: readonly Module[] = [
  ['oidcc-client-test', nothing, 'succeeds'],
  ['oidcc-client-test-idtoken-sig-rs256', nothing, 'succeeds'],
  ['oidcc-client-test-discovery-openid-config', nothing, 'succeeds'],
  [
    'oidcc-client-test-discovery-jwks-uri-keys',
    (does) => (does.keys = () => ({ keys: [curve.jwk, signer.jwk] })),
    'succeeds',
  ],
  [
    'oidcc-client-test-discovery-issuer-mismatch',
    (does) => (does.metadata = { issuer: 'https://evil.test' }),
    { fails: 'issuer of the metadata' },
  ],
  [
    'oidcc-client-test-kid-absent-single-jwks',
    (does) => {
      does.keys = () => ({ keys: [withoutKid(signer.jwk)] })
      does.idToken = (claims) => signed(claims, signer, null)
    },
    'succeeds',
  ],
  [
    'oidcc-client-test-kid-absent-multiple-jwks',
    (does) => {
      does.keys = () => ({ keys: [curve.jwk, next.jwk, signer.jwk].map(withoutKid) })
      does.idToken = (claims) => signed(claims, signer, null)
    },
    'succeeds',
  ],
  [
    'oidcc-client-test-invalid-sig-rs256',
    (does) => (does.idToken = (claims) => signed(claims, foreign)),
    { fails: 'signature' },
  ],
  ['oidcc-client-test-idtoken-sig-none', (does) => (does.idToken = unsigned), { fails: 'signature' }],
  ['oidcc-client-test-invalid-iss', claim({ iss: 'https://evil.test' }), { fails: 'iss' }],
  ['oidcc-client-test-invalid-aud', claim({ aud: 'somebody-else' }), { fails: 'aud' }],
  ['oidcc-client-test-missing-aud', claim({ aud: undefined }), { fails: 'aud' }],
  ['oidcc-client-test-missing-iat', claim({ iat: undefined }), { fails: 'iat' }],
  ['oidcc-client-test-missing-sub', claim({ sub: undefined }), { fails: 'sub' }],
  ['oidcc-client-test-nonce-invalid', claim({ nonce: 'of another sign-in' }), { fails: 'nonce' }],
  [
    'oidcc-client-test-userinfo-invalid-sub',
    (does) => (does.userInfo = (body) => ({ body: { ...body, sub: 'somebody else' } })),
    { fails: 'sub of userinfo' },
  ],
]

const rest = ['basic', 'claims', 'rotation', 'rotation-just-before']
/** Each module has a provider of its own. */
const providers = new Map<string, FakeOpenid>()
for (const name of [...modules.map(([module]) => module), ...rest]) providers.set(name, await openidForFile())
const named = (module: string) => `S-${module.replace('oidcc-client-test', '')}`
const secret = { ClientSecret: 'a-secret' }
const service = await serviceForFile(
  Object.assign({}, ...[...providers].map(([module, provider]) => provider.env(named(module), secret))),
)
const through = (module: string, browser = new Browser(service)) => throughProvider(browser, named(module))

function providerOf(module: string): FakeOpenid {
  const provider = providers.get(module)
  if (provider === undefined) throw new Error(`no provider for ${module}`)
  return provider
}

describe('the plan for relying parties', () => {
  it('has all modules that are about refusing, accepting and keys', () => assert.equal(modules.length, 16))

  for (const [name, provide, outcome] of modules) {
    const ends = outcome === 'succeeds' ? 'succeeds' : `fails the check of ${outcome.fails}`
    it(`${name}: ${ends}`, async () => {
      provide(providerOf(name).does)
      const browser = new Browser(service)
      const response = await through(name, browser)
      if (outcome === 'succeeds') {
        assert.equal(locationOf(response).pathname, '/Account/ExternalLoginCallback')
        return
      }
      assert.equal(response.status, 502)
      assert.equal((await browser.get('/Account/ExternalLoginPending')).status, 404)
      const traceId = response.headers.get('x-trace-id')
      const refused = service.log.findLast((line) => 'refusal' in line && line.traceId === traceId)?.refusal as
        | Record<string, string>
        | undefined
      assert.equal(refused?.check, outcome.fails)
    })
  }

  it('oidcc-client-test-client-secret-basic: the secret is in the header alone', async () => {
    const provider = providerOf('basic')
    provider.does.metadata = { token_endpoint_auth_methods_supported: ['client_secret_basic'] }
    assert.equal((await through('basic')).status, 302)
    const token = provider.requests.find(({ path }) => path === '/token')
    const credentials = Buffer.from('latchkey%2Dhere:a%2Dsecret').toString('base64')
    assert.equal(token?.headers.authorization, `Basic ${credentials}`)
    assert.equal(token?.form.get('client_secret'), null)
  })

  it('oidcc-client-test-scope-userinfo-claims, -userinfo-bearer-header: requests scopes, and asks userinfo with the token in the header', async () => {
    const provider = providerOf('claims')
    const browser = new Browser(service)
    assert.equal((await through('claims', browser)).status, 302)
    const asked = provider.requests.find(({ path }) => path === '/authorize')
    assert.deepEqual(asked?.form.get('scope')?.split(' '), ['openid', 'profile', 'email'])
    const userInfo = provider.requests.find(({ path }) => path === '/userinfo')
    assert.equal(userInfo?.method, 'GET')
    assert.equal(userInfo?.headers.authorization, 'Bearer provider-access-token')
    const pending = (await (await browser.get('/Account/ExternalLoginPending')).json()) as Record<string, string>
    assert.equal(pending.email, 'somebody@example.com')
  })

  it('oidcc-client-test-signing-key-rotation: uses the new key', async () => {
    const { does } = providerOf('rotation')
    assert.equal((await through('rotation')).status, 302)
    does.keys = () => ({ keys: [next.jwk] })
    does.idToken = (claims) => signed(claims, next)
    assert.equal((await through('rotation')).status, 302)
  })

  it('oidcc-client-test-signing-key-rotation-just-before-signing: uses the new key in the same sign-in', async () => {
    const { does } = providerOf('rotation-just-before')
    assert.equal((await through('rotation-just-before')).status, 302)
    does.idToken = async (claims) => {
      does.keys = () => ({ keys: [next.jwk] })
      return signed(claims, next)
    }
    assert.equal((await through('rotation-just-before')).status, 302)
  })
})

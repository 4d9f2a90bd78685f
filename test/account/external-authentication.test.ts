/** How the service authenticates at a provider (OpenID Connect Core §9, Discovery §3). */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkProviders } from '../../src/server/doctor/provider-checks.ts'
import { Browser, locationOf } from '../support/browser.ts'
import { openidForFile, throughProvider } from '../support/fake-openid.ts'
import { serviceForFile } from '../support/service.ts'
import { settingsProblems } from '../support/settings.ts'

const secret = 'a secret/with: signs+'
const all = ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none']

/** What the provider announces, what the settings say, and what it is sent. */
const cases: readonly {
  readonly announced?: readonly string[]
  readonly secret?: string
  readonly set?: string
  readonly sent: 'basic' | 'post' | 'assertion' | 'none'
}[] = [
  { secret, sent: 'basic' },
  { announced: all, secret, sent: 'basic' },
  { announced: ['client_secret_post', 'private_key_jwt'], secret, sent: 'post' },
  { announced: ['client_secret_jwt'], secret, sent: 'basic' },
  { announced: [], secret, sent: 'basic' },
  { sent: 'none' },
  { announced: ['client_secret_basic', 'none'], sent: 'none' },
  { announced: all, secret, set: 'client_secret_post', sent: 'post' },
  { announced: ['client_secret_post'], secret, set: 'client_secret_basic', sent: 'basic' },
  { announced: all, secret, set: 'none', sent: 'none' },
  { announced: ['private_key_jwt', 'none'], secret, sent: 'assertion' },
  { announced: ['private_key_jwt'], sent: 'assertion' },
  { announced: ['private_key_jwt', 'none'], sent: 'none' },
  { announced: all, secret, set: 'private_key_jwt', sent: 'assertion' },
]
const providers = await Promise.all(cases.map(() => openidForFile()))
const service = await serviceForFile(
  Object.assign(
    {},
    ...cases.map(({ announced, secret = '', set = '' }, index) => {
      const provider = providers[index]
      if (provider === undefined) throw new Error('no provider')
      provider.does.metadata = { token_endpoint_auth_methods_supported: announced }
      return provider.env(`P${index}`, { ClientSecret: secret, TokenEndpointAuthMethod: set })
    }),
  ),
)

describe('the authentication at the token endpoint of a provider', () => {
  it('has a case for each row of the table', () => assert.equal(cases.length, 14))

  for (const [index, { announced, secret: given, set, sent }] of cases.entries()) {
    const says = announced === undefined ? 'no methods' : `[${announced}]`
    it(`is ${sent} ${given ? 'with' : 'without'} a secret where it announces ${says}${set ? ` and the settings say ${set}` : ''}`, async () => {
      const browser = new Browser(service)
      assert.equal(locationOf(await throughProvider(browser, `P${index}`)).pathname, '/Account/ExternalLoginCallback')
      const request = providers[index]?.requests.find(({ path }) => path === '/token')
      // RFC 6749 §2.3.1: both halves are encoded as in a form.
      const basic = `Basic ${Buffer.from(`latchkey%2Dhere:${encodedSecret}`).toString('base64')}`
      assert.equal(request?.headers.authorization, sent === 'basic' ? basic : undefined)
      assert.equal(request?.form.get('client_secret'), sent === 'post' ? secret : null)
      assert.equal(request?.form.has('client_assertion'), sent === 'assertion')
      assert.equal(request?.form.get('client_id'), sent === 'basic' ? null : 'latchkey-here')
    })
  }

  it('cannot be by assertion at a provider without an issuer', () => {
    const env = {
      OAuth__External__GitHub__ClientId: 'id',
      OAuth__External__GitHub__TokenEndpointAuthMethod: 'private_key_jwt',
    }
    const [problem = ''] = settingsProblems(env)
    assert.match(problem, /^OAuth:External:GitHub:TokenEndpointAuthMethod must not be private_key_jwt without Issuer/)
  })

  it('needs a secret for the methods that send one', () => {
    const base = { OAuth__External__Acme__ClientId: 'id', OAuth__External__Acme__Issuer: 'https://a.example' }
    for (const method of ['client_secret_basic', 'client_secret_post']) {
      const problems = settingsProblems({ ...base, OAuth__External__Acme__TokenEndpointAuthMethod: method })
      assert.deepEqual(problems, [
        `OAuth:External:Acme:ClientSecret must be set when TokenEndpointAuthMethod is ${method}.`,
      ])
    }
    const [problem = ''] = settingsProblems({ ...base, OAuth__External__Acme__TokenEndpointAuthMethod: 'tls' })
    assert.match(problem, /^OAuth:External:Acme:TokenEndpointAuthMethod .* must be one of client_secret_basic, /)
  })

  it('is warned of by the check of the installation where the provider announces another', async () => {
    const findings = await checkProviders(service.settings, service.now)
    assert.equal(findings.length, cases.length)
    const warned = findings.flatMap(({ status }, index) => (status === 'ok' ? [] : [index]))
    assert.deepEqual(warned, [3, 4, 8])
    assert.match(
      findings[3]?.message ?? '',
      /^The provider P3 is sent client_secret_basic .* announces client_secret_jwt\.$/,
    )
    assert.equal(findings[3]?.advice, 'Set OAuth:External:P3:TokenEndpointAuthMethod to one that it takes.')
  })
})

const encodedSecret = 'a+secret%2Fwith%3A+signs%2B'

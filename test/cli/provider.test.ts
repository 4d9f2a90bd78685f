import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openidForFile } from '../support/fake-openid.ts'
import { placeAfter } from './run.ts'

const provider = await openidForFile()

describe('latchkey provider show', () => {
  it('shows what to register, with the keys for private_key_jwt, which stay the same', async (t) => {
    const env = provider.env('Acme', { TokenEndpointAuthMethod: 'private_key_jwt', DisplayName: 'Acme Inc.' })
    const place = await placeAfter(t, 'keys rotate')
    const { code, stdout } = await place.run('provider show acme --json', { env })
    assert.equal(code, 0)
    const shown = JSON.parse(stdout)
    const [key, ...others] = shown.jwks.keys
    assert.deepEqual(others, [])
    assert.deepEqual(Object.keys(key).sort(), ['alg', 'e', 'kid', 'kty', 'n', 'use'])
    assert.deepEqual(
      { ...shown, jwks: null },
      {
        name: 'Acme',
        display_name: 'Acme Inc.',
        issuer: provider.origin,
        client_id: 'latchkey-here',
        redirect_uri: 'http://localhost:5080/callback/login/Acme',
        token_endpoint_auth_method: 'private_key_jwt',
        jwks_uri: 'http://localhost:5080/connect/rp-jwks',
        jwks: null,
      },
    )
    const text = (await place.run('provider show Acme', { env })).stdout
    assert.match(text, /^name +Acme$/m)
    assert.ok(text.includes(`"kid":"${key.kid}"`))
  })

  it('says the method that the metadata leads to, and warns when they cannot be read', async (t) => {
    const place = await placeAfter(t, 'keys rotate')
    const env = provider.env('Acme', { ClientSecret: 'a-secret' })
    provider.does.metadata = { token_endpoint_auth_methods_supported: ['client_secret_post'] }
    const shown = JSON.parse((await place.run('provider show Acme --json', { env })).stdout)
    assert.equal(shown.token_endpoint_auth_method, 'client_secret_post')
    assert.equal(shown.jwks, null)
    provider.does.metadata = { issuer: 'https://evil.test' }
    const { code, stdout, stderr } = await place.run('provider show Acme --json', { env })
    assert.equal(code, 0)
    assert.equal(JSON.parse(stdout).token_endpoint_auth_method, null)
    assert.match(stderr, /^warning: The metadata of the provider Acme cannot be read: /)
  })

  it('names those of the settings when there is no such provider', async (t) => {
    const place = await placeAfter(t, 'keys rotate')
    const none = await place.run('provider show GitHub')
    assert.equal(none.code, 1)
    assert.match(none.stderr, /There is no external provider GitHub\. The settings have none\./)
    const { stderr } = await place.run('provider show GitHub', { env: provider.env('Acme') })
    assert.match(stderr, /There is no external provider GitHub\. The settings have: Acme\./)
  })
})

describe('latchkey provider accept', () => {
  it('lets links count with the source that the settings name now, with an entry, once', async (t) => {
    const place = await placeAfter(t, 'keys rotate')
    const accept = async (env: Readonly<Record<string, string>>) =>
      JSON.parse((await place.run('provider accept acme --json', { env })).stdout)
    const source = provider.origin
    assert.deepEqual(await accept(provider.env('Acme')), { name: 'Acme', source, before: null })
    const bySubject = provider.env('Acme', { SubjectClaim: 'oid' })
    for (const before of [source, `${source} oid`]) {
      assert.deepEqual(await accept(bySubject), { name: 'Acme', source: `${source} oid`, before })
    }
    const { stdout } = await place.run('audit list --kind provider_accepted --json')
    assert.equal(stdout.match(/"provider_accepted"/g)?.length, 2)
  })
})

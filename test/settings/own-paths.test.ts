/** Further paths of endpoints, which cannot be paths that the service has already. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { routesOf } from '../../src/routes.ts'
import type { Service } from '../../src/service.ts'
import { isOwnPath } from '../../src/settings/own-paths.ts'
import { settingsFrom, settingsProblems } from '../support/settings.ts'

const issuer = 'https://sso.acme.example/realms/acme'

/** The table of routes with everything that settings can add. */
function routesWith(env: Readonly<Record<string, string>>) {
  const settings = settingsFrom({ OAuth__DynamicRegistration: 'open', ...env })
  const keys = { algorithms: () => [] }
  const service = { settings, keys, mail: { enabled: true }, providers: { list: [{ name: 'GitHub' }] } }
  return routesOf(service as unknown as Service, { isStopping: false })
}

describe('an alias of an endpoint (OAuth:EndpointAliases)', () => {
  for (const env of [{}, { OAuth__Issuer: issuer }]) {
    it(`is refused where it is a path of the table of routes, of ${env.OAuth__Issuer ?? 'an issuer without a path'}`, () => {
      const { oauth } = settingsFrom(env)
      const paths = [...new Set(routesWith(env).map(({ path }) => path))].filter((path) => !path.includes('//'))
      assert.ok(paths.length > 60)
      for (const path of paths) assert.ok(isOwnPath(path, oauth.issuer), path)
      const free = [
        '/connect/authorize2',
        '/connect/endsession',
        '/.well-known/openid-configuration/jwks',
        '/oauth/token',
      ]
      for (const path of free) assert.ok(!isOwnPath(path, oauth.issuer), path)
    })
  }

  it('refuses the start with a message that names it, whatever the case of its letters', () => {
    for (const path of [
      '/connect/token',
      '/Connect/Authorize',
      '/account/login',
      '/admin',
      '/healthz',
      '/callback/login/x',
    ]) {
      const [problem] = settingsProblems({ OAuth__EndpointAliases__token: path })
      assert.equal(problem, `OAuth:EndpointAliases:token is ${path}, which is a path of the service itself. Remove it.`)
    }
    const below = settingsProblems({ OAuth__Issuer: issuer, OAuth__EndpointAliases__jwks: 'connect/token' })
    assert.match(
      below[0] ?? '',
      /^OAuth:EndpointAliases:jwks is \/realms\/acme\/connect\/token, which is a path of the service/,
    )
    const page = { OAuth__EndpointAliases__Preset: 'keycloak', OAuth__EndpointAliases__token: 'account' }
    assert.match(
      settingsProblems({ OAuth__Issuer: issuer, ...page })[0] ?? '',
      /token is \/realms\/acme\/account, which is/,
    )
  })

  it('is refused where two endpoints have it', () => {
    const two = { OAuth__EndpointAliases__token: '/oauth', OAuth__EndpointAliases__userinfo: '/OAuth' }
    assert.deepEqual(settingsProblems(two), [
      'OAuth:EndpointAliases:userinfo is /OAuth, as is that of token. Remove one of the two.',
    ])
  })

  it('is a plain path, and of an endpoint that there is', () => {
    for (const path of ['https://x.example/token', '/a?b', '/a/', '/a//b', '/a/../b', '/:a', '/*', '/']) {
      assert.match(settingsProblems({ OAuth__EndpointAliases__token: path })[0] ?? '', /must be a path such as/, path)
    }
    assert.match(settingsProblems({ OAuth__EndpointAliases__tokens: '/a' })[0] ?? '', /is not a setting\. Did you mean/)
    assert.match(settingsProblems({ OAuth__EndpointAliases__Preset: 'okta' })[0] ?? '', /must be one of none, keycloak/)
  })

  it('is below the issuer without a slash in front, and comes before that of the preset', () => {
    const env = { OAuth__Issuer: issuer, OAuth__EndpointAliases__Preset: 'keycloak' }
    const { aliases } = settingsFrom({
      ...env,
      OAuth__EndpointAliases__token: 'token',
      OAuth__EndpointAliases__jwks: '/keys',
    }).oauth
    assert.deepEqual(aliases.token, ['/realms/acme/token', '/realms/acme/protocol/openid-connect/token'])
    assert.deepEqual(aliases.jwks, ['/keys', '/realms/acme/protocol/openid-connect/certs'])
    assert.deepEqual(aliases.userinfo, ['/realms/acme/protocol/openid-connect/userinfo'])
  })
})

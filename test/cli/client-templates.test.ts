/** Clients that are registered for a library: what each template sets, and the settings that are printed for it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { workplace } from './run.ts'

const ids =
  `nextjs-authjs react vue angular express fastify spring-boot spring-boot-3 spring-api quarkus aspnetcore aspnetcore-api go
  oauth2-proxy django-allauth mozilla-django-oidc flask-authlib rails-omniauth laravel wordpress grafana gitlab nextcloud rust-axum
  mobile desktop cli machine mcp-server other-web other-spa`.split(/\s+/)

type Shown = Readonly<Record<string, unknown>> & {
  readonly setup: { readonly title: string; readonly language: string; readonly code: string; readonly notes: string[] }
}

describe('templates of clients', () => {
  it('are those of the contract, each once', async (t) => {
    const listed = (await workplace(t).json('client templates')) as { readonly id: string }[]
    assert.deepEqual(listed.map(({ id }) => id).toSorted(), ids.toSorted())
  })

  it('take the address where the application runs, and what is given in place of theirs', async (t) => {
    const place = workplace(t)
    const add = 'client add shop --for spring-boot-3 --url https://shop.example/ --name Shop'
    const printed = (await place.json(`${add} require_pkce=true --scope roles`)) as Shown
    assert.deepEqual(
      [
        printed.redirect_uris,
        printed.post_logout_redirect_uris,
        printed.scope,
        printed.require_pkce,
        printed.client_name,
      ],
      [
        ['https://shop.example/login/oauth2/code/latchkey'],
        ['https://shop.example/'],
        'openid profile email offline_access roles',
        true,
        'Shop',
      ],
    )
    const other = (await place.json(
      'client add other --for spring-boot-3 --redirect-uri https://o.example/cb',
    )) as Shown
    assert.deepEqual([other.redirect_uris, other.require_pkce], [['https://o.example/cb'], false])
    const developed = (await place.json('client add developed --for spring-boot-3')) as Shown
    assert.deepEqual(developed.redirect_uris, ['http://localhost:8080/login/oauth2/code/latchkey'])
  })

  it('print for people what was added, the secret, the settings and what else is to be done', async (t) => {
    const place = workplace(t)
    const { stdout } = await place.run('client add shop --for oauth2-proxy --url https://proxy.example')
    assert.match(
      stdout,
      /^Added shop\.\nIts secret, shown only once: \S{43}\nAdded the scopes profile, email\.\n\nCommand line:\n\n {2}oauth2-proxy \\/,
    )
    assert.match(stdout, /--redirect-url='https:\/\/proxy\.example\/oauth2\/callback' \\\n/)
    assert.match(stdout, /\n- Keep the secret out of version control\.\n$/)
    await place.run('scope add reports')
    const machine = await place.run('client add nightly --for machine --scope reports')
    assert.match(machine.stdout, /--data-urlencode 'scope=reports'\n/)
    assert.doesNotMatch(machine.stdout, /SCOPE/)
    const list = await place.run('client templates')
    assert.match(list.stdout, /\nspring-boot +Spring Boot 4 +http:\/\/localhost:8080\n/)
  })

  it('say how the library is installed and started, with secrets in a file of variables and nowhere else', async (t) => {
    const place = workplace(t)
    const { stdout } = await place.run('client add shop --for express')
    const secret = /shown only once: (\S{43})/.exec(stdout)?.[1]
    const places = ['Install', 'server.js', '.env', 'Start'].map((name) => stdout.indexOf(`\n${name}:\n\n  `))
    assert.ok(!places.includes(-1), stdout)
    assert.deepEqual(
      places,
      places.toSorted((one, other) => one - other),
    )
    assert.match(stdout, /\n {2}npm install express express-openid-connect\n/)
    assert.match(stdout, new RegExp(`\n {2}CLIENT_SECRET=${secret}\n {2}SESSION_SECRET=[0-9a-f]{64}\n`))
    assert.match(stdout, /\n {2}node --env-file=\.env server\.js\n/)
    assert.equal(stdout.split(String(secret)).length, 3)
    const grafana = (await place.json('client add charts --for grafana')) as Shown
    assert.deepEqual(Object.keys(grafana.setup), ['title', 'language', 'code', 'notes'])
  })

  it('give an API a scope for its address, and a client that may introspect', async (t) => {
    const place = workplace(t)
    for (const [id, template] of [
      ['orders', 'aspnetcore-api'],
      ['stock', 'spring-api'],
    ]) {
      const { resources, grant_types } = (await place.json(
        `client add ${id} --for ${template} --url https://${id}.example`,
      )) as Shown
      assert.deepEqual([resources, grant_types], [[`https://${id}.example`], ['client_credentials']])
    }
    const scopes = (await place.json('scope list')) as { readonly name: string; readonly resources: string[] }[]
    assert.deepEqual(
      scopes.map(({ name, resources }) => [name, resources]),
      [
        ['orders', ['https://orders.example']],
        ['stock', ['https://stock.example']],
      ],
    )
    await place.json('client add invoices --for spring-api --url https://b.example')
    const asGiven = (await place.json('client add exact --for spring-api --url https://b.example/')) as Shown
    assert.deepEqual(asGiven.resources, ['https://b.example/'])
    const types = (await place.json('scope list')) as { readonly name: string; readonly access_token_type?: string }[]
    assert.equal(types.find(({ name }) => name === 'invoices')?.access_token_type, 'JWT')
    await place.run('scope add taken')
    await place.refuses('client add taken --for spring-api --url https://b.example', /The scope taken is there already/)
  })

  it('change a scheme or a loopback address into that of a native application (RFC 8252 §7)', async (t) => {
    const place = workplace(t)
    const mobile = (await place.json('client add m --for mobile --url com.example.notes')) as Shown
    assert.deepEqual([mobile.redirect_uris, mobile.application_type], [['com.example.notes:/callback'], 'native'])
    const desktop = (await place.json('client add d --for desktop --url http://[::1]')) as Shown
    assert.deepEqual(desktop.redirect_uris, ['http://[::1]/callback'])
  })

  it('are refused under an unknown name, and with an address that they do not take; nothing is stored', async (t) => {
    const place = workplace(t)
    for (const [line, message] of [
      ['--for spring-bot', /The template "spring-bot" is not known\. The nearest one is spring-boot\./],
      ['--for nothing-like-that', /The template "nothing-like-that" is not known\. These are: nextjs-authjs, /],
      ['--for react --url app.example', /must be an http or https address/],
      ['--for react --url https://app.example/?a=b', /must have no query, fragment, user or other signs/],
      ['--for react --url https://app.example/?', /must have no query, fragment, user or other signs/],
      ['--for react --url https://app.example#', /must have no query, fragment, user or other signs/],
      ['--for react --url https://u:p@app.example/', /must have no query, fragment, user or other signs/],
      ['--for react --url https://app.example/$(id)', /must have no query, fragment, user or other signs/],
      ['--for react --url https:app.example', /must be an http or https address/],
      ['--for react --url javascript:alert(1)', /must be an http or https address/],
      ['--for mobile --url myapp', /must be a scheme with a dot/],
      ['--for mobile --url http://app.example', /must be a scheme with a dot/],
      ['--for cli --url https://app.example', /is not needed: leave it out/],
      ['--for machine --url https://app.example', /is not needed: leave it out/],
      ['--for mcp-server --url https://app.example', /is not needed: leave it out/],
      ['--for react --scope unknown', /The scope unknown is not registered/],
      [`--for react --url https://${'a'.repeat(400)}.example`, /must have at most 400 characters/],
    ] as const) {
      await place.refuses(`client add app ${line}`, message)
    }
    for (const [id, message] of [
      ['a$(id)', /The id of a client of a template must have letters/],
      ['a`b', /The id of a client of a template must have letters/],
      ['openid', /The scope openid is built in/],
      ['admin:write', /The scope admin:write is built in/],
      ['new', /must not be/],
    ] as const) {
      await place.refuses(`client add ${id} --for spring-api`, message)
    }
    // The rules of claims are judged with what is stored, and not with the members alone.
    await place.refuses(
      'client add app --for react claims=[{"claim":"team","from":"attribute:of-nobody"}]',
      /of-nobody/,
    )
    const misused = await place.run('client add app --url https://app.example')
    assert.deepEqual([misused.code, /'--url <address>' needs '--for <template>'/.test(misused.stderr)], [2, true])
    assert.deepEqual([await place.json('client list'), await place.json('scope list')], [[], []])
  })
})

/** `latchkey import keycloak` of a real realm: what comes, and that nothing is lost without a word (connections, section 7). */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { subjectIdentifier } from '../../src/protocol/client/sector.ts'
import { registeredMethod } from '../../src/protocol/client-authentication/registration.ts'
import { foreignSecretMatches } from '../../src/secrets/client-secrets.ts'
import { hashSecret } from '../../src/secrets/opaque.ts'
import { verifyPassword } from '../../src/secrets/password.ts'
import { find, placeWith, type Result, result } from './import-place.ts'
import { expected, realm, realmPlace } from './keycloak-data.ts'

const findingsOf = ({ findings }: Result, source: string) => findings.filter((one) => one.source === source)
const said = (found: Result, source: string) =>
  findingsOf(found, source).map(({ severity, member }) => `${severity} ${member}`)

const matches = async (secret: string, hash: string) =>
  hashSecret(secret) === hash || (await foreignSecretMatches(secret, hash))

describe('latchkey import keycloak, of a real realm', () => {
  it('brings everybody with the same sub and password, and those whose factor cannot come are held', async (t) => {
    const at = realmPlace(t)
    if (at === undefined) return
    const found = await result(at, 'keycloak realm.json')
    const { people } = expected()
    assert.equal(people.length, 44)
    const rounds = new Set(['dave'])
    for (const { username, id, password } of people) {
      const user = await find(at, username)
      assert.equal(user.id, id, username)
      if (password !== undefined && !rounds.has(username)) {
        assert.equal(await verifyPassword(user.passwordHash, password), true, username)
      }
    }
    for (const name of ['otp.hotp', 'key.second']) {
      const { requiredActions, hadSecondFactor } = await find(at, name)
      assert.deepEqual([requiredActions, hadSecondFactor], [['set_up_second_factor'], true], name)
      assert.ok(said(found, name).includes('held credentials'), name)
    }
    assert.deepEqual((await find(at, 'new.hire')).requiredActions, ['update_password'])
    assert.deepEqual((await find(at, 'needs.mail')).requiredActions, ['verify_email'])
    assert.deepEqual((await find(at, 'needs.totp')).requiredActions, ['set_up_second_factor'])
    assert.deepEqual([...said(found, 'otp.two'), ...said(found, 'otp.sha256'), ...said(found, 'otp.mixed')], [])
  })

  it('gives everybody the roles that they had, by groups, composites and defaults, and no rights over Latchkey', async (t) => {
    const at = realmPlace(t)
    if (at === undefined) return
    const found = await result(at, 'keycloak realm.json')
    const isOwn = (role: string) => /^(?:default-roles-.*|offline_access|uma_authorization|latchkey-admin)$/.test(role)
    let judged = 0
    for (const { username, realmRoles, clientRoles = {} } of expected().people) {
      if (realmRoles === undefined) continue
      const ofClients = Object.entries(clientRoles).flatMap(([id, roles]) => roles.map((role) => `${id}:${role}`))
      const there = [...realmRoles.filter((role) => !isOwn(role)), ...ofClients].sort()
      const here: readonly string[] = await at.withStorage(async ({ users, catalogue }) => {
        const user = await users.findByName(username)
        return (await catalogue.now()).rolesOf(user ?? assert.fail(username))
      })
      assert.deepEqual([...here].sort(), there, username)
      judged += 1
    }
    assert.equal(judged, 27)
    assert.deepEqual(said(found, 'evil'), ['lost roles'])
    assert.deepEqual(said(found, 'realm.admin'), ['lost clientRoles'])
  })

  it('keeps the secrets of applications, those from before a rotation too, and what protects them', async (t) => {
    const at = realmPlace(t)
    if (at === undefined) return
    await result(at, 'keycloak realm.json')
    const { clients } = expected()
    await at.withStorage(async (storage) => {
      let kept = 0
      const sealed: string[] = []
      for (const [id, { secret }] of Object.entries(clients)) {
        const client = await storage.clients.find(id)
        if (client?.authentication.method !== 'client_secret') continue
        if (registeredMethod(client) === 'client_secret_jwt') {
          sealed.push(id)
          continue
        }
        assert.ok(await matches(secret, client.authentication.secretHash), id)
        kept += 1
      }
      assert.ok(kept >= 15, `${kept}`)
      assert.deepEqual(sealed, ['web-secret-jwt'])
      const strict = await storage.clients.find('strict')
      const { metadata, requirePkce } = strict ?? assert.fail()
      assert.equal(requirePkce, true)
      assert.equal(metadata.require_pushed_authorization_requests, true)
      assert.equal(metadata.dpop_bound_access_tokens, true)
      assert.equal(metadata.id_token_signed_response_alg, 'ES256')
      assert.equal(metadata.userinfo_signed_response_alg, 'ES256')
      const mtls = (await storage.clients.find('web-mtls')) ?? assert.fail()
      assert.equal(mtls.authentication.method, 'tls_client_auth')
      assert.equal(mtls.metadata.tls_client_auth_subject_dn, 'CN=web-mtls,O=Acme')
      assert.equal(mtls.metadata.tls_client_certificate_bound_access_tokens, true)
      const byAddress = (await storage.clients.find('web-jwt')) ?? assert.fail()
      assert.deepEqual(
        [
          byAddress.authentication.method,
          byAddress.metadata.jwks_uri,
          byAddress.metadata.token_endpoint_auth_signing_alg,
        ],
        ['private_key_jwt', 'http://127.0.0.1:7203/jwks', 'RS256'],
      )
      assert.equal((await storage.clients.find('web-jwt-cert'))?.metadata.jwks?.keys.length, 1)
      const front = (await storage.clients.find('front')) ?? assert.fail()
      assert.equal(front.metadata.frontchannel_logout_uri, 'http://127.0.0.1:7207/front')
      const lifespan = (await storage.clients.find('lifespan')) ?? assert.fail()
      assert.deepEqual([lifespan.metadata.access_token_lifetime, lifespan.metadata.session_lifetime_max], [60, 3600])
      const root = (await storage.clients.find('web-logout-root')) ?? assert.fail()
      assert.deepEqual(root.redirectUris, ['http://127.0.0.1:7202/callback'])
      assert.deepEqual(root.postLogoutRedirectUris, ['http://127.0.0.1:7202/bye', 'http://127.0.0.1:7202/callback'])
      assert.deepEqual((await storage.clients.find('web'))?.postLogoutRedirectUris, [
        'http://127.0.0.1:7202/',
        'http://127.0.0.1:7202/bye',
      ])
      assert.deepEqual((await storage.clients.find('web-box-ticked'))?.grantTypes, ['client_credentials'])
      assert.notEqual(await storage.clients.find('billing-realm'), undefined)
      const shop = (await storage.clients.find('shop')) ?? assert.fail()
      assert.equal(shop.metadata.claim_shape, 'keycloak')
      assert.deepEqual(
        shop.metadata.claims.map(({ claim, from }) => [claim, from]),
        [
          ['env', 'constant:"prod"'],
          ['upn', 'claim:email'],
        ],
      )
    })
  })

  it('names each application that does not come, with the reason and what to do', async (t) => {
    const at = realmPlace(t)
    if (at === undefined) return
    const found = await result(at, 'keycloak realm.json')
    const names = ['legacy-dag', 'legacy-implicit', 'switched-off', 'https://wiki.acme.example/saml', 'spa-wild']
    for (const name of names) {
      assert.ok(
        findingsOf(found, name).some(({ kind, severity }) => kind === 'client' && severity === 'lost'),
        name,
      )
      assert.equal(await at.withStorage(({ clients }) => clients.find(name)), undefined)
    }
    for (const { source, reason, kind } of found.findings) {
      if (kind !== 'person') assert.ok(reason.includes(source.split(': ')[0] ?? ''), `${source}: ${reason}`)
    }
    for (const { reason } of found.rows) assert.notEqual(reason, '')
  })

  it('says the same in a dry run, which leaves no trace', async (t) => {
    const at = realmPlace(t)
    if (at === undefined) return
    const keys = await at.run('keys list --json')
    const dry = await result(at, 'keycloak realm.json --dry-run')
    assert.equal((await at.run('keys list --json')).stdout, keys.stdout)
    assert.equal(await at.withStorage(async ({ clients }) => (await clients.list()).length), 0)
    assert.deepEqual(await result(at, 'keycloak realm.json'), dry)
  })

  it('makes a finding of every member that it does not know, wherever it is', async (t) => {
    const at = realmPlace(t)
    if (at === undefined) return
    type Any = Record<string, unknown>
    const all = realm() as Any & {
      clients: Any[]
      clientScopes: Any[]
      groups: Any[]
      identityProviders: Any[]
      users: Any[]
    }
    const roles = (all.roles as { realm: Any[] }).realm
    const web = all.clients.find(({ clientId }) => clientId === 'web') ?? assert.fail()
    Object.assign(web.attributes as Any, { 'brand.new.attribute': 'x' })
    const places: readonly (readonly [Any, string])[] = [
      ...[
        [all, 'acme'],
        [web, 'web'],
        [all.clientScopes.find(({ name }) => name === 'orders:read') ?? {}, 'orders:read'],
      ],
      ...[
        [all.groups[0] ?? {}, '/sales'],
        [roles.find(({ name }) => name === 'manager') ?? {}, 'manager'],
      ],
      ...[
        [all.identityProviders[0] ?? {}, 'Azure-AD'],
        [all.users.find(({ username }) => username === 'bob') ?? {}, 'bob'],
      ],
    ] as [Any, string][]
    for (const [place] of places) place.brandNew = 'x'
    const other = realmPlace(t, { 'new.json': JSON.stringify(all) }) ?? assert.fail()
    const found = await result(other, 'keycloak new.json')
    for (const [, source] of places) assert.ok(said(found, source).includes('lost brandNew'), source)
    assert.ok(said(found, 'web').includes('lost attributes.brand.new.attribute'))
    assert.equal(places.length, 7)
  })

  it('takes the addresses that wildcards stood for from a file, or wildcards that end a path if it is told to', async (t) => {
    const redirects =
      'client_id,redirect_uri\nspa-wild,http://127.0.0.1:7201/callback\nspa-wild,https://elsewhere.example/\n'
    const at = realmPlace(t, { 'redirects.csv': redirects })
    if (at === undefined) return
    const listed = await result(at, 'keycloak realm.json --redirects redirects.csv')
    const urisOf = (place: typeof at) =>
      place.withStorage(async ({ clients }) => (await clients.find('spa-wild'))?.redirectUris)
    assert.deepEqual(await urisOf(at), ['http://127.0.0.1:7201/callback'])
    assert.ok(said(listed, 'spa-wild').includes('changed redirectUris'))
    const other = realmPlace(t) ?? assert.fail()
    const wild = await result(other, 'keycloak realm.json --allow-wildcards')
    assert.deepEqual(await urisOf(other), ['http://127.0.0.1:7201/*'])
    assert.ok(said(wild, 'spa-wild').includes('risk redirectUris'))
    assert.match(
      (await other.run('import keycloak realm.json --redirects realm.json')).stderr,
      /the columns are client_id and redirect_uri/,
    )
  })

  it('chooses one realm of a file with several, and names those that there are', async (t) => {
    const realms = ['one', 'two'].map((name) => ({
      realm: name,
      users: [{ username: `user-${name}`, email: `${name}@example.com` }],
    }))
    const at = placeWith(t, { 'all.json': JSON.stringify(realms) })
    const found = await result(at, 'keycloak all.json --realm two')
    assert.equal(found.created, 1)
    await find(at, 'user-two')
    assert.equal(await at.withStorage(({ users }) => users.findByName('user-one')), undefined)
    const { code, stderr } = await at.run('import keycloak all.json --realm three')
    assert.equal(code, 1)
    assert.match(stderr, /all\.json has no realm called three, but one, two/)
  })

  it('remembers the realm that an installation was filled from, and refuses one of another with both names', async (t) => {
    const user = (name: string) => ({ username: name, email: `${name}@example.com` })
    const at = placeWith(t, {
      'one.json': JSON.stringify({ realm: 'one', users: [user('ann')] }),
      'more.json': JSON.stringify({ realm: 'one', users: [user('ben')] }),
      'two.json': JSON.stringify({ realm: 'two', users: [{ ...user('ann'), email: 'other@example.com' }] }),
    })
    assert.equal((await at.run('import keycloak two.json --dry-run')).code, 0)
    assert.equal((await at.run('import keycloak one.json')).code, 0)
    for (const options of ['', ' --dry-run', ' --on-conflict update']) {
      const { code, stderr } = await at.run(`import keycloak two.json${options}`)
      assert.equal(code, 2, options)
      assert.match(
        stderr,
        /filled from the realm one, and the file is of two\. A second realm is an installation of its own/,
      )
    }
    assert.equal((await find(at, 'ann')).email, 'ann@example.com')
    assert.equal((await at.run('import keycloak more.json')).code, 0)
    const mixed = await at.run('import keycloak one.json two.json')
    assert.equal(mixed.code, 2)
    assert.match(mixed.stderr, /of two realms, one and two/)
  })

  it('keeps the subjects by which a pairwise application knows people, byte for byte', async (t) => {
    const at = realmPlace(t)
    if (at === undefined) return
    await result(at, 'keycloak realm.json')
    const alice = await find(at, 'alice')
    const client = await at.withStorage(async ({ clients }) => (await clients.find('pairwise')) ?? assert.fail())
    assert.equal(client.metadata.subject_type, 'pairwise')
    const pairwiseSubjects = await at.withStorage((storage) => storage.pairwiseSubjects.ofUser(alice.id))
    const person = { id: alice.id, ...(pairwiseSubjects && { pairwiseSubjects }) }
    const subject = subjectIdentifier(client, person, () => assert.fail())
    // As that system's tokens have it.
    assert.equal(subject, '2ecfab12-c115-3ca4-8548-be35c74eaf55')
  })
})

/** The page of `latchkey import --report` (connections, section 7). */
import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { placeWith, result } from './import-place.ts'

async function reportOf(t: TestContext, realm: object, options = '') {
  const at = placeWith(t, { 'realm.json': JSON.stringify({ realm: 'shop', ...realm }) })
  const found = await result(at, `keycloak realm.json --report page.html${options}`)
  const file = join(at.folder, 'page.html')
  return { at, found, file, page: readFileSync(file, 'utf8') }
}

describe('the report of an import', () => {
  it('is one page that loads nothing, in which every text of the source is a text', async (t) => {
    const evil = `"><script src="https://evil.example/x.js"></script><img src=x onerror=alert(1)>'\u202e`
    const clients = [{ clientId: evil, publicClient: true, redirectUris: ['https://a.example/*', evil] }]
    const users = [{ username: evil, email: 'e@example.com', [evil]: evil, requiredActions: [evil] }]
    const { page } = await reportOf(t, {
      clients,
      users,
      [evil]: evil,
      displayName: evil,
      organizations: [{ alias: evil }],
    })
    assert.equal(/<script|<img|onerror=alert\(1\)>|\u202e/.exec(page)?.[0], undefined)
    assert.match(page, /&lt;script src=&quot;https:\/\/evil\.example/)
    const attributes = [...page.matchAll(/\s(?:src|href|on\w+|action)\s*=/g)].map(([one]) => one)
    // What is text is escaped: no attribute is in a tag.
    const inTags = [...page.matchAll(/<[a-z][^<>]*>/gi)].filter(([tag]) => /\s(?:src|href|on\w+|action)=/.test(tag))
    assert.deepEqual(
      inTags.map(([tag]) => tag),
      [],
      attributes.join(),
    )
    assert.match(page, /default-src 'none'/)
    assert.doesNotMatch(page, /@import|url\(/)
  })

  it('says what came, what did not and why, what to do, and what each application will notice', async (t) => {
    const clients = [
      { clientId: 'saml-app', protocol: 'saml' },
      { clientId: 'spa', publicClient: true, redirectUris: ['https://spa.example/cb'], brandNew: 'x' },
    ]
    const users = [
      { username: 'eve', email: 'eve@example.com', realmRoles: ['latchkey-admin'], attributes: { team: ['a'] } },
    ]
    const { page, found } = await reportOf(t, { clients, users }, ' --dry-run')
    assert.match(page, /What this import would do/)
    assert.match(page, /nothing was stored/)
    for (const { reason } of found.findings) assert.ok(page.includes(reason.replaceAll("'", '&#39;')), reason)
    const [, commands = ''] = /<h3>Commands<\/h3><pre>([^<]*)<\/pre>/.exec(page) ?? []
    assert.ok(commands.split('\n').includes('latchkey attribute add team'), commands)
    // Nobody pastes rights over the whole service together with the rest.
    assert.doesNotMatch(commands, /latchkey-admin/)
    assert.match(page, /<pre>latchkey user add-role eve latchkey-admin<\/pre>/)
    assert.match(page, /<summary>spa /)
    assert.match(page, /prefers-color-scheme:dark/)
    assert.match(page, /@media print/)
  })

  it('says how the environment spells a provider whose name has a dash or _', async (t) => {
    const named = (alias: string) => ({
      alias,
      providerId: 'oidc',
      config: { clientId: 'c', issuer: 'https://e.example' },
    })
    const { page } = await reportOf(t, { identityProviders: ['Entra-ID', 'old_idp'].map(named) })
    assert.match(page, /In the environment _ stands for -, as in OAuth__External__Entra_ID__ClientSecret\./)
    assert.match(
      page,
      /old_idp is set in latchkey\.json.*Name it in the file: in the environment alone _ stands for -\./,
    )
  })

  it('is for nobody else on the machine, has no secret, and a place that cannot be written is refused', async (t) => {
    const secret = 'a secret of 32 characters or more'
    const identityProviders = [{ alias: 'corp', providerId: 'oidc', config: { clientId: 'c', clientSecret: secret } }]
    const clients = [{ clientId: 'web', secret, redirectUris: ['https://web.example/cb'] }]
    const { page, file, at } = await reportOf(t, { identityProviders, clients })
    assert.doesNotMatch(page, /_ stands for -/)
    assert.equal(statSync(file).mode & 0o077, 0)
    assert.ok(!page.includes(secret))
    const { code, stderr } = await at.run('import keycloak realm.json --report none/page.html --on-conflict skip')
    assert.equal(code, 1)
    assert.match(stderr, /none\/page\.html cannot be written \(ENOENT\)/)
  })
})

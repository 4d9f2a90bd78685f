/** `latchkey import` of other systems, from data made by their algorithms in their formats (administration.md §4). */
import assert from 'node:assert/strict'
import { argon2Sync, pbkdf2Sync, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import bcrypt from 'bcryptjs'
import { openKeyRing } from '../../src/keys/ring.ts'
import { foreignSecretMatches } from '../../src/secrets/client-secrets.ts'
import { hashSecret } from '../../src/secrets/opaque.ts'
import { verifyPassword } from '../../src/secrets/password.ts'
import { recoveryCodeMatcher } from '../../src/secrets/recovery-codes.ts'
import { unsealTotpSecret } from '../../src/secrets/totp.ts'
import { aspNetV2, aspNetV3, openIddictSecret } from '../fixtures/foreign-hashes.ts'
import { secretOf } from '../support/clients.ts'
import { settingsFrom } from '../support/settings.ts'
import { countsOf, find, lines, placeWith, type Result, result } from './import-place.ts'
import type { Workplace } from './run.ts'
import { wholeFolder } from './whole-tables.ts'

const password = 'Passw0rd!'
const totpSecret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

type Rows = readonly Readonly<Record<string, string | number | null>>[]

/** The schema of the framework, as far as the columns go. */
const identityColumns: Readonly<Record<string, string>> = {
  AspNetUsers:
    'Id,UserName,NormalizedUserName,Email,NormalizedEmail,EmailConfirmed,PasswordHash,SecurityStamp,ConcurrencyStamp,PhoneNumber,PhoneNumberConfirmed,TwoFactorEnabled,LockoutEnd,LockoutEnabled,AccessFailedCount',
  AspNetRoles: 'Id,Name,NormalizedName,ConcurrencyStamp',
  AspNetUserRoles: 'UserId,RoleId',
  AspNetUserLogins: 'LoginProvider,ProviderKey,ProviderDisplayName,UserId',
  AspNetUserTokens: 'UserId,LoginProvider,Name,Value',
  AspNetUserClaims: 'Id,UserId,ClaimType,ClaimValue',
  AspNetRoleClaims: 'Id,RoleId,ClaimType,ClaimValue',
}
const openIddictColumns: Readonly<Record<string, string>> = {
  OpenIddictApplications:
    'Id,ApplicationType,ClientId,ClientSecret,ClientType,ConsentType,DisplayName,JsonWebKeySet,Permissions,PostLogoutRedirectUris,RedirectUris,Requirements,Settings',
  OpenIddictScopes: 'Id,Name,DisplayName,Description,Resources',
}

function sqliteWith(at: Workplace, columns: Readonly<Record<string, string>>, tables: Readonly<Record<string, Rows>>) {
  const db = new DatabaseSync(join(at.folder, 'source.db'))
  for (const [table, names] of Object.entries(columns)) {
    db.exec(`create table "${table}" (${names})`)
    for (const row of tables[table] ?? []) {
      const given = Object.keys(row)
      const marks = given.map(() => '?').join(', ')
      db.prepare(`insert into "${table}" (${given.join(', ')}) values (${marks})`).run(...Object.values(row))
    }
  }
  db.close()
}

function csvOf(columns: string, rows: Rows, missing: string): string {
  const field = (value: string | number | null | undefined) =>
    value === null || value === undefined ? missing : `"${String(value).replaceAll('"', '""')}"`
  const lineOf = (row: Rows[number]) =>
    columns
      .split(',')
      .map((name) => field(row[name]))
      .join(',')
  return [columns, ...rows.map(lineOf)].join('\n')
}

const people: Readonly<Record<string, Rows>> = {
  AspNetUsers: [
    {
      ...{
        Id: '0b9f2a1e-4c61-4f0e-8a54-1d8f6f3e7a10',
        UserName: 'alice',
        Email: 'alice@example.com',
        EmailConfirmed: 1,
      },
      ...{ PasswordHash: aspNetV3(password, 2, 100_000).slice(7), TwoFactorEnabled: 1, LockoutEnabled: 1 },
      ...{ PhoneNumber: '+49 30 1234567', PhoneNumberConfirmed: 1, LockoutEnd: '2020-01-01 00:00:00+00:00' },
    },
    {
      ...{ Id: 'bob-id', UserName: 'bob', Email: 'bob@example.com', EmailConfirmed: 0, PhoneNumber: 'call me' },
      ...{ PasswordHash: aspNetV2(password).slice(7), TwoFactorEnabled: 0, LockoutEnabled: 1 },
      ...{ LockoutEnd: '2028-05-06 07:08:09.1234567 +02:00' },
    },
    {
      ...{ Id: 'eve-id', UserName: 'eve', Email: 'eve@example.com', EmailConfirmed: 0, PasswordHash: null },
      ...{ TwoFactorEnabled: 0, LockoutEnabled: 1, LockoutEnd: '9999-12-31 23:59:59.9999999+00:00' },
    },
    { Id: 'none-id', UserName: 'none', Email: null, EmailConfirmed: 0, TwoFactorEnabled: 0, LockoutEnabled: 0 },
  ],
  AspNetRoles: [
    { Id: 'r1', Name: 'Editors' },
    { Id: 'r2', Name: 'Sales' },
  ],
  AspNetUserRoles: [
    { UserId: '0b9f2a1e-4c61-4f0e-8a54-1d8f6f3e7a10', RoleId: 'r1' },
    { UserId: '0b9f2a1e-4c61-4f0e-8a54-1d8f6f3e7a10', RoleId: 'r2' },
  ],
  AspNetUserLogins: [{ LoginProvider: 'github', ProviderKey: '583231', UserId: 'bob-id' }],
  AspNetUserTokens: [
    ...[
      ['0b9f2a1e-4c61-4f0e-8a54-1d8f6f3e7a10', 'AuthenticatorKey', totpSecret],
      ['0b9f2a1e-4c61-4f0e-8a54-1d8f6f3e7a10', 'RecoveryCodes', 'B2CDF-GHJKM;3d5c9a01'],
      ['bob-id', 'AuthenticatorKey', totpSecret],
    ].map(([UserId = '', Name = '', Value = '']) => ({ UserId, LoginProvider: '[AspNetUserStore]', Name, Value })),
  ],
}

async function assertAspNetPeople(at: Workplace): Promise<void> {
  const github = { OAuth__External__GitHub__ClientId: 'x', OAuth__External__GitHub__ClientSecret: 'y' }
  const { code, stdout } = await at.run('import aspnet-identity source.db --json', { env: github })
  const found = JSON.parse(stdout)
  assert.equal(code, 0)
  assert.deepEqual(countsOf(found), [4, 4, 0, 0, 0])
  assert.equal((await find(at, 'none')).email, '')
  const [alice, bob, eve] = [await find(at, 'alice'), await find(at, 'bob'), await find(at, 'eve')]
  assert.equal(alice.id, people.AspNetUsers?.[0]?.Id)
  assert.deepEqual(alice.roles, ['Editors', 'Sales'])
  assert.deepEqual([alice.emailConfirmed, bob.emailConfirmed], [true, false])
  assert.deepEqual(
    [alice.lockedUntilMs, bob.lockedUntilMs, bob.disabled],
    [null, Date.UTC(2028, 4, 6, 5, 8, 9, 123), false],
  )
  assert.equal(eve.disabled, true)
  assert.deepEqual([alice.claims.phone_number, alice.claims.phone_number_verified], ['+49 30 1234567', true])
  assert.equal(bob.claims.phone_number, undefined)
  for (const one of [alice, bob]) assert.equal(await verifyPassword(one.passwordHash, password), true)
  assert.equal(eve.passwordHash, null)
  await at.withStorage(async (storage) => {
    assert.deepEqual(
      (await storage.externalLogins.list(bob.id)).map(({ provider, subject }) => [provider, subject]),
      [['github', '583231']],
    )
    const settings = settingsFrom({}, at.folder)
    const keys = await openKeyRing({ storage, settings, clock: () => at.nowMs, random: randomBytes })
    const factors = await storage.secondFactors.find(alice.id)
    assert.equal(unsealTotpSecret(keys, factors?.totp?.sealedSecret ?? ''), totpSecret)
    const isKept = (typed: string) => factors?.recoveryHashes.some(recoveryCodeMatcher(keys, alice.id, typed))
    // That of an earlier version can be guessed.
    assert.deepEqual([isKept('b2cdf-ghjkm'), isKept('3D5C9A01')], [true, false])
    assert.equal((await storage.secondFactors.find(bob.id))?.totp ?? null, null)
    assert.equal(await storage.weakPasswords.count(), 2)
  })
}

describe('latchkey import aspnet-identity', () => {
  it('keeps ids, hashes of both versions, lockouts, roles, authenticator apps, recovery codes and logins', async (t) => {
    const at = placeWith(t, {})
    sqliteWith(at, identityColumns, people)
    await assertAspNetPeople(at)
  })

  it('reads the same tables as CSV files in a folder', async (t) => {
    const files = Object.entries(identityColumns).map(([table, columns], index) => [
      `source.db/${table}.csv`,
      csvOf(columns, people[table] ?? [], index % 2 === 0 ? 'NULL' : ''),
    ])
    await assertAspNetPeople(placeWith(t, Object.fromEntries(files)))
  })
})

describe('latchkey import aspnet-identity, from CSV files', () => {
  it('reports what is left out of a person, and a second factor that does not come along', async (t) => {
    const at = placeWith(
      t,
      wholeFolder('tables', {
        AspNetUsers: 'Id,UserName,Email,TwoFactorEnabled\n1,ann,ann@example.com,1\n',
        AspNetUserLogins: 'LoginProvider,ProviderKey,ProviderDisplayName,UserId\nGitHub,99,Git, the hub,1\n',
      }),
    )
    const found = (await result(at, 'aspnet-identity tables')) as Result & {
      readonly not_kept?: object
      readonly findings: readonly { readonly member: string; readonly severity: string }[]
    }
    assert.deepEqual(countsOf(found), [2, 1, 0, 0, 1])
    assert.match(found.rows[0]?.reason ?? '', /^AspNetUserLogins: /)
    assert.equal(found.not_kept, undefined)
    assert.deepEqual(
      found.findings.map(({ member, severity }) => [member, severity]),
      [['TwoFactorEnabled', 'held']],
    )
  })

  it('reports rows that belong to nobody, and people with a role that has no name', async (t) => {
    const at = placeWith(
      t,
      wholeFolder('tables', {
        AspNetUsers: 'Id,UserName,Email\n1,ann,ann@example.com\n2,ben,ben@example.com\n',
        AspNetRoles: 'Id,Name\n7,\n8,staff\n',
        AspNetUserRoles: 'UserId,RoleId\n1,7\n1,9\n1,8\n,8\n2,8\n',
      }),
    )
    const found = (await result(at, 'aspnet-identity tables')) as Result & { readonly not_kept: object }
    assert.deepEqual(countsOf(found), [3, 2, 0, 0, 1])
    assert.deepEqual(found.rows, [
      { line: 5, reason: 'AspNetUserRoles: The row has no UserId.', table: 'AspNetUserRoles' },
    ])
    assert.deepEqual(found.not_kept, { AspNetUserRoles: 1 })
    assert.deepEqual((await find(at, 'ann')).roles, ['staff'])
  })
})

describe('latchkey import openiddict', () => {
  const long = '901564A5-E7FE-42CB-B10D-61EF6A8F3654'
  const applications: Rows = [
    {
      ...{ Id: '1', ClientId: 'spa', ClientType: 'public', ConsentType: 'explicit', DisplayName: 'The shop' },
      RedirectUris: '["https://shop.example/callback"]',
      PostLogoutRedirectUris: '["https://shop.example/"]',
      Permissions: JSON.stringify([
        ...[
          'ept:authorization',
          'ept:token',
          'ept:end_session',
          'gt:authorization_code',
          'gt:refresh_token',
          'rst:code',
        ],
        ...['scp:email', 'scp:profile', 'scp:shop_api'],
      ]),
      Requirements: '["ft:pkce"]',
    },
    {
      ...{ Id: '2', ClientId: 'job', ClientType: 'confidential', ClientSecret: openIddictSecret(long) },
      Permissions: '["ept:token","gt:client_credentials","scp:shop_api"]',
    },
    { Id: '3', ClientId: 'old', ClientType: 'public', Permissions: '["gt:password"]' },
    { Id: '4', ClientId: 'bad', ClientType: 'public', Permissions: 'nonsense' },
    {
      Id: '5',
      ClientId: 'web',
      ClientType: 'confidential',
      Permissions: '["gt:authorization_code"]',
      RedirectUris: '[]',
    },
  ]
  const scopes: Rows = [
    { Id: '1', Name: 'shop_api', DisplayName: 'The shop', Resources: '["https://api.shop.example/"]' },
  ]

  it('keeps clients with permissions, requirements, addresses and hashed secrets, and scopes', async (t) => {
    const at = placeWith(t, {})
    sqliteWith(at, openIddictColumns, { OpenIddictApplications: applications, OpenIddictScopes: scopes })
    const dry = await result(at, 'openiddict source.db --dry-run')
    assert.deepEqual(countsOf(dry), [6, 3, 0, 0, 3])
    assert.equal(await at.withStorage(async ({ clients }) => (await clients.list()).length), 0)
    const found = await result(at, 'openiddict source.db')
    assert.deepEqual(countsOf(found), [6, 3, 0, 0, 3])
    assert.match(
      found.rows.map(({ reason }) => reason).join('\n'),
      /\(password\).*\n.*JSON arrays.*\n.*neither a secret nor keys/,
    )
    await at.withStorage(async ({ clients, scopes: stored }) => {
      const [spa, job] = [await clients.find('spa'), await clients.find('job')]
      assert.partialDeepStrictEqual(spa, {
        name: 'The shop',
        authentication: { method: 'none' },
        requirePkce: true,
        consent: 'explicit',
        grantTypes: ['authorization_code', 'refresh_token'],
        redirectUris: ['https://shop.example/callback'],
        postLogoutRedirectUris: ['https://shop.example/'],
        scopes: ['email', 'profile', 'shop_api', 'offline_access'],
      })
      assert.equal(await foreignSecretMatches(long, secretOf(job).secretHash), true)
      assert.equal(await foreignSecretMatches(`${long}x`, secretOf(job).secretHash), false)
      assert.deepEqual(job?.grantTypes, ['client_credentials'])
      assert.deepEqual((await stored.findMany(['shop_api']))[0]?.resources, ['https://api.shop.example/'])
      assert.equal((await stored.findMany(['email', 'profile'])).length, 2)
    })
    assert.deepEqual(countsOf(await result(at, 'openiddict source.db --on-conflict skip')), [6, 0, 0, 3, 3])
    assert.deepEqual(countsOf(await result(at, 'openiddict source.db --on-conflict update')), [6, 0, 3, 0, 3])
    const again = await result(at, 'openiddict source.db')
    assert.match(again.rows[0]?.reason ?? '', /There is a scope called shop_api already/)
  })

  it('takes resources that are names, and a scope without those that are nothing, and reports them', async (t) => {
    const at = placeWith(t, {})
    const named = [{ Id: '1', Name: 'shop_api', Resources: '["shop-resource","a resource","urn:shop:api"]' }]
    sqliteWith(at, openIddictColumns, { OpenIddictApplications: applications.slice(0, 2), OpenIddictScopes: named })
    const found = await result(at, 'openiddict source.db')
    assert.deepEqual([found.created, found.failed], [3, 0])
    assert.match(
      JSON.stringify(found),
      /"member":"Resources","severity":"lost","reason":"The resource a resource of the scope shop_api must be an absolute URI/,
    )
    const [scope] = await at.withStorage(({ scopes: stored }) => stored.findMany(['shop_api']))
    assert.deepEqual(scope?.resources, ['shop-resource', 'urn:shop:api'])
  })

  it('refuses a secret whose hash is too dear to check', async (t) => {
    const at = placeWith(t, {})
    sqliteWith(at, openIddictColumns, { OpenIddictApplications: applications.slice(1, 2), OpenIddictScopes: scopes })
    const { stdout } = await at.run('import openiddict source.db --json', {
      env: { Accounts__Password__ForeignMaxCost: '1' },
    })
    assert.match(JSON.parse(stdout).rows[0].reason, /The hash of the secret would take/)
  })
})

describe('latchkey import keycloak', () => {
  const salt = randomBytes(16)
  const credential = (algorithm: string, hash: Buffer, iterations: number, additional = {}) => ({
    type: 'password',
    secretData: JSON.stringify({
      value: hash.toString('base64'),
      salt: salt.toString('base64'),
      additionalParameters: {},
    }),
    credentialData: JSON.stringify({ hashIterations: iterations, algorithm, additionalParameters: additional }),
  })
  const argon2 = { hashLength: ['32'], memory: ['7168'], type: ['id'], version: ['1.3'], parallelism: ['1'] }
  const argon2Hash = argon2Sync('argon2id', {
    ...{ message: password, nonce: salt, memory: 7168, passes: 5, parallelism: 1, tagLength: 32 },
  })
  const otp = (data: object) => ({
    type: 'otp',
    secretData: JSON.stringify({ value: 'N3kv8w2mQp5rT9xYzA1b' }),
    credentialData: JSON.stringify({
      subType: 'totp',
      digits: 6,
      counter: 0,
      period: 30,
      algorithm: 'HmacSHA1',
      ...data,
    }),
  })
  const user = (name: string, change: object) => ({
    ...{ id: `id-${name}`, username: name, email: `${name}@example.com`, enabled: true, emailVerified: true },
    ...change,
  })
  const realm = {
    realm: 'shop',
    roles: { realm: [{ name: 'editor' }], client: {} },
    users: [
      user('anna', {
        ...{ firstName: 'Anna', lastName: 'Abel', createdTimestamp: 1_600_000_000_000, attributes: { locale: ['de'] } },
        credentials: [credential('pbkdf2-sha256', pbkdf2Sync(password, salt, 27_500, 64, 'sha256'), 27_500), otp({})],
        realmRoles: ['default-roles-shop', 'offline_access', 'editor'],
        federatedIdentities: [{ identityProvider: 'github', userId: '99', userName: 'anna' }],
      }),
      user('bert', { credentials: [credential('argon2', argon2Hash, 5, argon2)], enabled: false }),
      user('cleo', {
        credentials: [credential('pbkdf2-sha512', pbkdf2Sync(password, salt, 210_000, 64, 'sha512'), 210_000)],
      }),
      user('dana', { credentials: [otp({ digits: 7 })] }),
      user('emil', { credentials: [credential('bcrypt-plugin', randomBytes(16), 1)] }),
      { id: 'service', username: 'service-account-job', serviceAccountClientId: 'job' },
    ],
    clients: [
      { clientId: 'account', publicClient: true },
      {
        ...{ clientId: 'spa', name: 'The shop', publicClient: true, rootUrl: 'https://shop.example' },
        ...{ redirectUris: ['/callback'], attributes: { 'post.logout.redirect.uris': 'https://shop.example/##+' } },
        defaultClientScopes: ['web-origins', 'profile', 'email', 'orders'],
      },
      {
        ...{
          clientId: 'job',
          publicClient: false,
          secret: 'a secret of 32 characters or more',
          serviceAccountsEnabled: true,
        },
        ...{ standardFlowEnabled: false, optionalClientScopes: ['orders'] },
      },
      { clientId: 'short', secret: 'short', serviceAccountsEnabled: true, standardFlowEnabled: false },
      { clientId: 'wild', publicClient: true, redirectUris: ['https://shop.example/*'] },
      { clientId: 'masked', secret: '**********', serviceAccountsEnabled: true, standardFlowEnabled: false },
    ],
    clientScopes: [
      { name: 'profile', protocol: 'openid-connect' },
      { name: 'orders', protocol: 'openid-connect', description: 'Your orders', attributes: {} },
      { name: 'role_list', protocol: 'saml' },
    ],
  }

  it('changes no application with administrative scopes, unless it is told to, and never the console', async (t) => {
    const robot = { clientId: 'robot', secret: 'a secret of 32 characters or more', serviceAccountsEnabled: true }
    const clients = [
      { ...robot, standardFlowEnabled: false },
      { clientId: 'latchkey-console', publicClient: true, redirectUris: ['https://shop.example/callback'] },
    ]
    const site = `clients:
  - client_id: robot
    grant_types: [client_credentials]
    token_endpoint_auth_method: client_secret_basic
    client_secret: \${SECRET}
    scope: admin:read
`
    const at = placeWith(t, { 'realm.json': JSON.stringify({ realm: 'shop', clients }), 'site.yaml': site })
    await at.json('apply site.yaml', { env: { SECRET: 'the secret that the operator gave: 4711' } })
    const before = await at.json('client show robot')
    const found = await result(at, 'keycloak realm.json --on-conflict update')
    assert.deepEqual(countsOf(found), [2, 0, 0, 0, 2])
    assert.match(found.rows[0]?.reason ?? '', /robot has administrative scopes and is changed with --allow-admin only/)
    assert.match(found.rows[1]?.reason ?? '', /latchkey-console is the console of this service/)
    assert.deepEqual(await at.json('client show robot'), before)
    assert.deepEqual(
      countsOf(await result(at, 'keycloak realm.json --on-conflict update --allow-admin')),
      [2, 0, 1, 0, 1],
    )
  })

  it('says that several realms in one file are no export of one', async (t) => {
    const long = { ...realm, attributes: { note: 'x'.repeat(1_100_000) } }
    const at = placeWith(t, {
      'all.json': JSON.stringify([realm, { ...realm, realm: 'other' }]),
      'long.json': JSON.stringify([long, { ...realm, realm: 'other' }], null, 2),
    })
    for (const file of ['all.json', 'long.json']) {
      const found = await result(at, `keycloak ${file}`)
      assert.deepEqual(countsOf(found), [1, 0, 0, 0, 1], file)
      assert.match(
        found.rows[0]?.reason ?? '',
        /^(?:all|long)\.json: The file has several realms: choose one with --realm NAME\.$/,
      )
    }
  })

  it('takes text around a realm for no realm: it is reported once, and the people come in', async (t) => {
    const people = { realm: 'shop', users: [{ username: 'bob', email: 'bob@example.com' }] }
    const at = placeWith(t, { 'realm.json': `exported\n${JSON.stringify(people)}\n` })
    const found = await result(at, 'keycloak realm.json')
    assert.deepEqual(countsOf(found), [2, 1, 0, 0, 1])
    assert.deepEqual(found.rows, [{ line: 1, reason: 'realm.json: The row is not JSON.', file: 'realm.json' }])
    assert.equal((await find(at, 'bob')).email, 'bob@example.com')
  })

  it('keeps people with their credentials, roles and logins, clients and scopes of a realm', async (t) => {
    const at = placeWith(t, { 'realm.json': JSON.stringify(realm, null, 2) })
    const found = await result(at, 'keycloak realm.json')
    const reasons = found.rows.map(({ reason }) => reason).join('\n')
    assert.deepEqual(countsOf(found), [12, 10, 0, 0, 2], reasons)
    const held = found.findings.filter(({ severity }) => severity === 'held')
    assert.deepEqual(
      held.map(({ source, member }) => [source, member]),
      [
        ['dana', 'credentials'],
        ['emil', 'credentials.password'],
      ],
    )
    assert.equal((await find(at, 'emil')).passwordHash, null)
    const { requiredActions, hadSecondFactor } = await find(at, 'dana')
    assert.deepEqual([requiredActions, hadSecondFactor], [['set_up_second_factor'], true])
    assert.match(reasons, /masked is not in the export/)
    const [anna, bert, cleo] = [await find(at, 'anna'), await find(at, 'bert'), await find(at, 'cleo')]
    for (const one of [anna, bert, cleo]) assert.equal(await verifyPassword(one.passwordHash, password), true, one.name)
    assert.deepEqual([anna.id, anna.roles, anna.createdAtMs], ['id-anna', ['editor'], 1_600_000_000_000])
    assert.deepEqual([anna.claims.name, anna.claims.locale, bert.disabled], ['Anna Abel', 'de', true])
    await at.withStorage(async (storage) => {
      const settings = settingsFrom({}, at.folder)
      const keys = await openKeyRing({ storage, settings, clock: () => at.nowMs, random: randomBytes })
      const { totp } = (await storage.secondFactors.find(anna.id)) ?? assert.fail()
      // RFC 4648 of the bytes of the text.
      assert.equal(unsealTotpSecret(keys, totp?.sealedSecret ?? ''), 'JYZWW5RYO4ZG2ULQGVZFIOLYLF5ECMLC')
      assert.equal((await storage.externalLogins.list(anna.id)).length, 1)
      assert.equal(await storage.weakPasswords.count(), 1)
      const spa = await storage.clients.find('spa')
      assert.deepEqual(spa?.redirectUris, ['https://shop.example/callback'])
      assert.deepEqual(spa?.postLogoutRedirectUris, ['https://shop.example/', 'https://shop.example/callback'])
      assert.deepEqual(spa?.scopes, ['profile', 'email', 'orders'])
      assert.equal(
        secretOf(await storage.clients.find('job')).secretHash,
        hashSecret('a secret of 32 characters or more'),
      )
      assert.equal(await foreignSecretMatches('short', secretOf(await storage.clients.find('short')).secretHash), true)
    })
  })
})

describe('latchkey import auth0 and firebase', () => {
  it('keeps the people and bcrypt hashes of Auth0, the hashes from a file of their own', async (t) => {
    const hash = bcrypt.hashSync(password, 10).replace('$2b$', '$2a$')
    const user = {
      ...{ user_id: 'auth0|5f7c8ec7c33c6c004bbafe82', email: 'ann@example.com', email_verified: true, name: 'Ann' },
      ...{ nickname: 'ann', picture: 'https://s.gravatar.com/a.png', created_at: '2020-10-06T15:30:15.000Z' },
      ...{
        identities: [
          { provider: 'auth0', user_id: '5f7c' },
          { provider: 'google-oauth2', user_id: '1234' },
        ],
      },
    }
    const hashes = { _id: { $oid: '5f7c8ec7c33c6c004bbafe82' }, email: 'ann@example.com', passwordHash: hash }
    const blocked = { user_id: 'auth0|2', email: 'bo@example.com', blocked: true, app_metadata: { roles: ['staff'] } }
    const at = placeWith(t, { 'users.json': lines(user, blocked), 'hashes.json': lines(hashes) })
    assert.deepEqual(countsOf(await result(at, 'auth0 users.json')), [2, 2, 0, 0, 0])
    assert.deepEqual(countsOf(await result(at, 'auth0 hashes.json --on-conflict update')), [1, 0, 1, 0, 0])
    const [ann, bo] = [await find(at, 'ann@example.com'), await find(at, 'bo@example.com')]
    assert.deepEqual([ann.id, ann.claims.name, ann.emailConfirmed], [user.user_id, 'Ann', true])
    assert.equal(await verifyPassword(ann.passwordHash, password), true)
    assert.deepEqual([bo.disabled, bo.roles], [true, ['staff']])
    const logins = await at.withStorage(({ externalLogins }) => externalLogins.list(ann.id))
    assert.deepEqual(
      logins.map(({ provider, subject }) => [provider, subject]),
      [['google', '1234']],
    )
  })

  it("keeps the people of Firebase, with the published vector of its hash and the console's parameters", async (t) => {
    const parameters = `hash_config {
  algorithm: SCRYPT,
  base64_signer_key: jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==,
  base64_salt_separator: Bw==,
  rounds: 8,
  mem_cost: 14,
}`
    const user = {
      ...{
        localId: 'kXvMxXqSm9QcUQgkAKE8kBcuWyO2',
        email: 'user1@example.com',
        emailVerified: true,
        createdAt: '1600000000000',
      },
      passwordHash: 'lSrfV15cpx95_sZS2W9c9Kp6i_LVgQNDNC_qzrCnh1SAyZvqmZqAjTdn3aoItz-VHjoZilo78198JAdRuid5lQ==',
      salt: '42xEC-ixf3L2lw==',
      providerUserInfo: [{ providerId: 'google.com', rawId: '777' }, { providerId: 'password' }],
    }
    const json = JSON.stringify({ base64_signer_key: 'AAAA', base64_salt_separator: 'Bw==', rounds: 8, mem_cost: 14 })
    const files = {
      'users.json': JSON.stringify({ users: [user] }),
      'p.txt': parameters,
      'p.json': json,
      'bad.json': '{}',
    }
    const at = placeWith(t, files)
    assert.match((await result(at, 'firebase users.json')).rows[0]?.reason ?? '', /--hash-parameters/)
    await at.refuses('import firebase users.json --hash-parameters bad.json', /must have base64_signer_key/)
    await at.refuses('import firebase users.json --hash-parameters none.json', /there is no file .*none\.json/)
    assert.deepEqual(
      countsOf(await result(at, 'firebase users.json --dry-run --hash-parameters p.json')),
      [1, 1, 0, 0, 0],
    )
    assert.deepEqual(countsOf(await result(at, 'firebase users.json --hash-parameters p.txt')), [1, 1, 0, 0, 0])
    const stored = await find(at, 'user1@example.com')
    assert.deepEqual([stored.id, stored.createdAtMs], [user.localId, 1_600_000_000_000])
    assert.equal(await verifyPassword(stored.passwordHash, 'user1password'), true)
  })
})

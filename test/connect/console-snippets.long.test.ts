/** The code that the console shows for an application runs against the service. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import type { Application } from '../../pages/console/application-kinds.ts'
import { snippetsOf } from '../../pages/console/application-snippets.ts'
import { kinds } from '../../pages/console/safe-kinds.ts'
import { registerClient } from '../../src/protocol/client/client-registration.ts'
import { mintClientSecret } from '../../src/secrets/opaque.ts'
import { startService, testScope } from '../support/service.ts'

const run = promisify(execFile)
const inherited = { PATH: process.env.PATH ?? '' }

test('code for each kind of application and each way to authenticate runs, and curl gets a token', async (t) => {
  await using service = await startService()
  await service.storage.scopes.create(testScope('orders'))
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-snippets-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  symlinkSync(join(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'))
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwks = { keys: [{ ...publicKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' }] }
  const assertion = { token_endpoint_auth_method: 'private_key_jwt', jwks }
  const byPost = { token_endpoint_auth_method: 'client_secret_post' }
  const redirecting = { redirect_uris: ["https://app.example/it's"], scope: 'openid orders' }
  const cases: Record<string, object> = {
    "machine'basic": { ...kinds.machine, scope: 'orders' },
    'machine-post': { ...kinds.machine, ...byPost, scope: 'orders' },
    'machine-key': { ...kinds.machine, ...assertion, scope: 'orders' },
    'server-basic': { ...kinds.server, ...redirecting },
    'server-post': { ...kinds.server, ...byPost, ...redirecting },
    'server-key': { ...kinds.server, ...assertion, ...redirecting },
    native: { ...kinds.native, ...redirecting },
    spa: { ...kinds.spa, ...redirecting },
    device: { ...kinds.device, scope: 'openid orders' },
  }
  for (const [id, members] of Object.entries(cases)) {
    const { secret, hash } = mintClientSecret(randomBytes)
    const changes = Object.entries(members).map(([member, value]) => ({
      member,
      operation: 'set' as const,
      value: member === 'scope' ? String(value).split(' ') : value,
    }))
    const client = registerClient(
      id,
      changes,
      {
        registeredScopes: ['orders'],
        newSecretHash: hash,
        isLoopbackIssuer: true,
        isPostQuantum: false,
        accessTokenScope: service.settings.oauth.accessTokenScope,
        nowMs: service.now(),
      },
      service.now(),
    )
    assert.ok('grantTypes' in client, `${id}: ${JSON.stringify(client)}`)
    await service.storage.clients.create(client)
    const record = {
      client_id: id,
      client_name: id,
      redirect_uris: [],
      ...members,
    } as unknown as Application
    const hasSecret = record.token_endpoint_auth_method.startsWith('client_secret')
    const env = {
      ...inherited,
      ...(hasSecret ? { CLIENT_SECRET: secret } : { CLIENT_KEY: JSON.stringify(privateKey.export({ format: 'jwk' })) }),
    }
    for (const [library, code] of snippetsOf(record, service.issuer)) {
      const where = `${id}, ${library}`
      assert.equal(code.includes('CLIENT_SECRET'), hasSecret && library !== 'oidc-client-ts', where)
      if (library === 'curl') {
        const { stdout } = await run('sh', ['-c', `${code} -s`], { env })
        assert.ok(JSON.parse(stdout).access_token, where)
        continue
      }
      const file = join(folder, 'snippet.mjs')
      // Nobody answers the device: the code runs until it would ask for the answer.
      const [runnable = ''] = code.split('const tokens = await oidc.pollDevice')
      const shown = code.includes('access_token') ? '\nif (!access_token) process.exit(3)' : ''
      writeFileSync(file, `${runnable}${shown}`)
      // This library is for browsers.
      const only = library === 'oidc-client-ts' ? ['--check'] : []
      await assert.doesNotReject(run(process.execPath, [...only, file], { env }), where)
      if (code.includes('address = oidc')) {
        writeFileSync(file, `${code}\nconsole.log(address.href)`)
        const { stdout } = await run(process.execPath, [file], { env })
        const asked = await fetch(stdout.trim(), { redirect: 'manual' })
        assert.match(asked.headers.get('location') ?? '', /\/Account\/Login/, where)
      }
    }
  }
})

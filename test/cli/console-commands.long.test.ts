/** The commands that the console shows do in a shell what its calls do. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { commandOf } from '../../pages/console/commands.ts'
import { appId } from '../../src/secrets/app-id.ts'
import { appsOf } from '../../src/users/second-factor.ts'
import { someFactors } from '../storage/records.ts'
import { placeAfter } from './run.ts'

type Call = Parameters<typeof commandOf>[0]

const bin = join(import.meta.dirname, '../../bin')
const hostile = `O'Brien "$(touch pwned)" \`touch pwned\` $HOME \\ 日本`

test('each command that the console shows runs as printed, whatever the names are', async (t) => {
  const place = await placeAfter(t, 'user list')
  /** Runs what the console shows for a call. */
  function repeat(call: Call): string {
    const command = commandOf(call)
    assert.ok(command, `${call.method} ${call.path} has no command`)
    assert.doesNotMatch(command, /not shown/)
    const env = {
      PATH: `${bin}:${process.env.PATH}`,
      HOME: place.folder,
      PASSWORD: 'a long pass phrase for nobody',
      Mail__Url: 'smtp://127.0.0.1:9',
      Mail__From: 'id@example.com',
    }
    const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { cwd: place.folder, env, encoding: 'utf8' })
    assert.equal(status, 0, `${command}\n${stderr}`)
    return stdout
  }
  const user = (name: string) => place.withStorage((storage) => storage.users.findByName(name))
  const client = (id: string) => place.withStorage((storage) => storage.clients.find(id))

  const name = '-o.brien'
  const path = '/users/any-id'
  const roles = ['editor', 'x$(id)']
  repeat({
    method: 'POST',
    path: '/users',
    body: { username: name, email: 'o@example.com', name: hostile, password: 'not shown', roles },
  })
  assert.match((await user(name))?.passwordHash ?? '', /argon2/)
  assert.deepEqual([(await user(name))?.claims.name, (await user(name))?.roles], [hostile, roles])
  const profile = { email_verified: true, name: null, nickname: hostile }
  repeat({ method: 'PATCH', path, username: name, body: profile })
  assert.equal((await user(name))?.emailConfirmed, true)
  assert.deepEqual([(await user(name))?.claims.name, (await user(name))?.claims.nickname], [undefined, hostile])
  repeat({ method: 'PUT', path: `${path}/roles`, username: name, rolesBefore: roles, body: ['editor', '-writer'] })
  assert.deepEqual((await user(name))?.roles.toSorted(), ['-writer', 'editor'])
  repeat({ method: 'POST', path: `${path}/lock`, username: name, body: { until: '2099-01-01T00:00:00Z' } })
  assert.equal((await user(name))?.lockedUntilMs, Date.UTC(2099, 0, 1))
  repeat({ method: 'POST', path: `${path}/lock`, username: name })
  assert.equal((await user(name))?.disabled, true)
  repeat({ method: 'POST', path: `${path}/unlock`, username: name })
  assert.equal((await user(name))?.disabled, false)
  const hash = (await user(name))?.passwordHash
  repeat({ method: 'POST', path: `${path}/set-password`, username: name, body: { password: 'not shown' } })
  assert.notEqual((await user(name))?.passwordHash, hash)
  const forLibrary = { client_name: "The O'Planner", template: 'go', base_url: 'https://go.example', scope: 'profile' }
  repeat({ method: 'POST', path: '/clients', body: forLibrary })
  const planner = await client('the-o-planner')
  assert.deepEqual([planner?.name, planner?.redirectUris], ["The O'Planner", ['https://go.example/callback']])
  assert.match(repeat({ method: 'POST', path: `${path}/send-reset`, username: name }), /goes to o@example\.com/)
  repeat({ method: 'PATCH', path, username: name, body: { email_verified: false } })
  assert.match(
    repeat({ method: 'POST', path: `${path}/send-confirmation`, username: name }),
    /confirm the address goes to o@example\.com/,
  )
  const asking = { required_actions: ['update_password', 'set_up_second_factor'] }
  repeat({ method: 'PATCH', path, username: name, body: asking })
  assert.deepEqual((await user(name))?.requiredActions, asking.required_actions)
  repeat({ method: 'PATCH', path, username: name, body: { required_actions: [] } })
  assert.equal((await user(name))?.requiredActions, undefined)
  const owner = await user(name)
  assert.ok(owner)
  const [app, ...others] = await place.withStorage(async (storage) => {
    await storage.secondFactors.change(owner.id, () => ({ factors: someFactors(owner), events: [] }))
    return appsOf(await storage.secondFactors.find(owner.id))
  })
  assert.ok(app)
  repeat({ method: 'DELETE', path: `${path}/authenticator-apps/${appId(app)}`, username: name })
  assert.deepEqual(
    await place.withStorage(async (storage) => appsOf(await storage.secondFactors.find(owner.id)).map(appId)),
    others.map(appId),
  )
  repeat({ method: 'POST', path: `${path}/reset-second-factor`, username: name })
  assert.match(
    repeat({ method: 'POST', path: '/invitations', body: { email: "o'hara@example.com", roles: ['editor'] } }),
    /Invited o'hara@example\.com/,
  )
  assert.match(repeat({ method: 'GET', path: '/users' }), /-o\.brien/)

  repeat({
    method: 'POST',
    path: '/scopes',
    body: {
      name: '-orders',
      display_name: '-x',
      description: hostile,
      resources: ['https://a.example/'],
    },
  })
  // A line break reaches the command inside one word, whatever its rules say of it.
  const broken = commandOf({ method: 'POST', path: '/scopes', body: { name: 'a', description: 'one\n$(two)' } })
  const seen = spawnSync('sh', ['-c', `latchkey() { printf '%s|' "$@"; }; ${broken}`], { encoding: 'utf8' })
  assert.equal(seen.stdout, 'scope|add|--description=one\n$(two)|a|')
  repeat({ method: 'GET', path: '/scopes', query: { limit: 500 } })
  repeat({
    method: 'POST',
    path: '/clients',
    body: {
      client_name: hostile,
      grant_types: ['authorization_code', 'refresh_token'],
      require_pkce: true,
      token_endpoint_auth_method: 'client_secret_basic',
      redirect_uris: ["https://a.example/cb?it='s", 'https://a.example/$HOME'],
      scope: 'openid -orders',
    },
  })
  const id = (await place.withStorage((storage) => storage.clients.list()))[0]?.id ?? ''
  assert.deepEqual(
    [(await client(id))?.name, (await client(id))?.redirectUris],
    [hostile, ["https://a.example/cb?it='s", 'https://a.example/$HOME']],
  )
  const at = `/clients/${encodeURIComponent(id)}`
  repeat({ method: 'PATCH', path: at, body: { post_logout_redirect_uris: [], client_name: 'a', scope: '' } })
  assert.equal((await client(id))?.name, 'a')
  assert.match(repeat({ method: 'POST', path: `${at}/rotate-secret`, body: { overlap_seconds: 3600 } }), /works until/)
  repeat({ method: 'GET', path: at })
  repeat({ method: 'GET', path: '/clients' })
  repeat({ method: 'GET', path: '/audit', query: { kind: 'client_changed', client_id: id } })
  repeat({ method: 'POST', path: '/keys/rotate' })
  repeat({ method: 'GET', path: '/keys' })
  repeat({ method: 'GET', path: '/explain/ID2052' })
  repeat({ method: 'DELETE', path: '/scopes/-orders' })
  repeat({ method: 'DELETE', path: at })
  assert.equal(await client(id), undefined)
  repeat({ method: 'DELETE', path, username: name })
  assert.equal(await user(name), undefined)
})

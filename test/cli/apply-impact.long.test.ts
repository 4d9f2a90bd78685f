/** The impact that a plan tells is what then happens: the same requests are sent under both configurations. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { hashSecret } from '../../src/secrets/opaque.ts'
import {
  authorizePath,
  Browser,
  codeFields,
  locationOf,
  obtainCode,
  postToken,
  refreshFields,
} from '../support/browser.ts'
import { serviceFor } from '../support/lifetime.ts'
import { type TestService, testClient, testScope } from '../support/service.ts'
import { type Workplace, workplace } from './run.ts'

async function beside(t: TestContext): Promise<{ place: Workplace; service: TestService }> {
  const place = workplace(t)
  const service = await serviceFor(t, { Database__Url: `sqlite:${join(place.folder, 'data', 'latchkey.db')}` })
  Object.defineProperty(place, 'nowMs', { get: () => service.now() })
  return { place, service }
}

type Impact = {
  readonly consents: number
  readonly grants: number
  readonly sessions: number
  readonly people: { readonly names: readonly string[]; readonly count: number }
  readonly requests: {
    readonly examined: number
    readonly unclear: number
    readonly different: readonly {
      readonly client_id: string
      readonly before: string
      readonly after: string
      readonly count: number
      readonly trace_id: string
    }[]
  }
}

const secret = 'mVHk2pJ8w6Qd4sT1xZ9cB5nL7fR3gY0a'
const basic = { authorization: `Basic ${Buffer.from(`worker:${secret}`).toString('base64')}` }

describe('the impact of a plan', () => {
  it('is right: recorded requests come out as it says', async (t) => {
    const { place, service } = await beside(t)
    const { storage } = service
    await storage.scopes.create(testScope('read'))
    await storage.clients.create(
      testClient({
        id: 'worker',
        authentication: { method: 'client_secret', secretHash: hashSecret(secret), previousSecret: null },
        grantTypes: ['client_credentials'],
        redirectUris: [],
        scopes: ['read'],
      }),
    )
    const browser = new Browser(service)
    const first = await postToken(service, codeFields(await obtainCode(browser)))
    const refreshed = await postToken(service, refreshFields(first.body.refresh_token))
    const elsewhere = 'https://new.example/cb'
    const late = { client_id: 'later', redirect_uri: elsewhere }
    const read = authorizePath({ scope: 'openid read' })
    /** Each request with what identifies its outcome. Requests of one client with the same outcome count together. */
    const send = {
      'a redirect URI that is not registered': async () =>
        (await browser.get(authorizePath({ redirect_uri: elsewhere }))).status === 400 ? 'refused' : 'accepted',
      'a scope that is not permitted': async () =>
        locationOf(await browser.get(read)).searchParams.get('error') === null ? 'accepted' : 'refused',
      'a client that is not registered': async () =>
        (await browser.get(authorizePath(late))).status === 400 ? 'refused' : 'accepted',
      'client credentials': async () => {
        const fields = { grant_type: 'client_credentials', scope: 'read' }
        return (await postToken(service, fields, basic)).status === 200 ? 'accepted' : 'refused'
      },
      'a registered redirect URI': async () =>
        (await browser.get(authorizePath())).status === 400 ? 'refused' : 'accepted',
      'a refresh': async () =>
        (await postToken(service, refreshFields(refreshed.body.refresh_token))).status === 200 ? 'accepted' : 'refused',
    }
    type Name = keyof typeof send
    const outcomes = async () => {
      const found: Partial<Record<Name, string>> = {}
      for (const name of Object.keys(send) as Name[]) found[name] = await send[name]()
      return found
    }
    assert.deepEqual(await outcomes(), {
      'a redirect URI that is not registered': 'refused',
      'a scope that is not permitted': 'refused',
      'a client that is not registered': 'refused',
      'client credentials': 'accepted',
      'a registered redirect URI': 'accepted',
      'a refresh': 'accepted',
    })
    await storage.audit.flush()
    writeFileSync(
      join(place.folder, 'site.yaml'),
      `
clients:
  - client_id: demo
    redirect_uris: [${elsewhere}]
    scope: openid offline_access demo_api read
  - client_id: later
    redirect_uris: [${elsewhere}]
    scope: openid
  - client_id: worker
    token_endpoint_auth_method: client_secret_basic
    grant_types: [client_credentials]
    scope: openid
`,
    )
    const planned = (await place.json('apply site.yaml --plan')) as { impact: Impact }
    const { requests, people, consents, grants } = planned.impact
    assert.equal(requests.unclear, 0)
    const told = requests.different.map((one) => `${one.client_id}: ${one.before} → ${one.after}, ${one.count}`)
    assert.deepEqual(told.sort(), [
      'demo: accepted → redirect_uri_unregistered, 1',
      'demo: redirect_uri_unregistered → accepted, 1',
      'demo: scope_not_permitted → accepted, 1',
      'later: client_unknown → accepted, 1',
      'worker: accepted → scope_not_permitted, 1',
    ])
    assert.ok(requests.different.every(({ trace_id }) => /^[0-9a-f]{32}$/.test(trace_id)))
    assert.deepEqual([consents, grants, people], [0, 0, { names: [], count: 0 }])
    assert.deepEqual((await outcomes())['a redirect URI that is not registered'], 'refused', 'a plan changes nothing')

    await place.json('apply site.yaml')
    assert.deepEqual(await outcomes(), {
      'a redirect URI that is not registered': 'accepted',
      'a scope that is not permitted': 'accepted',
      'a client that is not registered': 'accepted',
      'client credentials': 'refused',
      'a registered redirect URI': 'refused',
      'a refresh': 'accepted',
    })
  })

  it('names whose consents, grants and sessions end, and they end', async (t) => {
    const { place, service } = await beside(t)
    const browser = new Browser(service)
    const { body } = await postToken(service, codeFields(await obtainCode(browser)))
    writeFileSync(join(place.folder, 'none.yaml'), 'clients: []\nscopes: []\n')
    const { stdout } = await place.run('apply none.yaml --prune --plan')
    assert.match(stdout, /Would end 1 consent and 1 grant, of alice\.\n/)
    // Somebody who loses a role is none of those whose they are.
    await place.run('user add ben --email ben@example.com --no-password --role editor')
    writeFileSync(join(place.folder, 'editor.yaml'), 'roles:\n  - name: editor\n')
    await place.json('apply editor.yaml')
    writeFileSync(join(place.folder, 'fewer.yaml'), 'clients: []\nscopes: []\nroles: []\n')
    const fewer = (await place.run('apply fewer.yaml --prune --plan')).stdout
    assert.match(fewer, /- role editor\n {4}taken from: ben\n/)
    assert.match(fewer, /Would end 1 consent and 1 grant\. Concerned: (?:alice, ben|ben, alice)\.\n/)
    assert.match(stdout, /demo: accepted → ID\d{4} client_unknown_at_token, once \(the last: [0-9a-f]{32}\)/)
    const { impact } = (await place.json('apply none.yaml --prune')) as { impact: Impact }
    assert.deepEqual([impact.consents, impact.grants, impact.people.names], [1, 1, ['alice']])
    assert.equal((await postToken(service, refreshFields(body.refresh_token))).body.error, 'invalid_client')

    writeFileSync(join(place.folder, 'people.yaml'), 'users:\n  - username: ben\n    email: ben@example.com\n')
    const changed = (await place.json('apply people.yaml --prune')) as { impact: Impact }
    assert.deepEqual([changed.impact.sessions, changed.impact.people.names], [1, ['alice']])
    assert.equal(((await (await browser.get('/Account/Session')).json()) as { user: unknown }).user, null)
  })

  it('ends refresh tokens that are bound to nothing when a file makes their client public (RFC 6749 §6)', async (t) => {
    const { place, service } = await beside(t)
    const secretHash = hashSecret(secret)
    const authentication = { method: 'client_secret', secretHash, previousSecret: null } as const
    await service.storage.clients.update('demo', (client) => ({ ...client, authentication }))
    const credentials = { authorization: `Basic ${Buffer.from(`demo:${secret}`).toString('base64')}` }
    const { client_id: _, ...code } = codeFields(await obtainCode(new Browser(service)))
    const { body } = await postToken(service, code, credentials)
    assert.ok(body.refresh_token, JSON.stringify(body))
    const exported = (await place.json('export --kind clients')) as { clients: { client_id: string }[] }
    const clients = exported.clients.map((client) => ({ ...client, token_endpoint_auth_method: undefined }))
    writeFileSync(join(place.folder, 'public.json'), JSON.stringify({ clients }))
    const { stdout } = await place.run('apply public.json')
    assert.match(stdout, /token_endpoint_auth_method: "client_secret_basic" → "none"\n/)
    assert.ok(!stdout.includes('client_secret:'))
    assert.equal((await postToken(service, refreshFields(body.refresh_token))).body.error, 'invalid_grant')
  })
})

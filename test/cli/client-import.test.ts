import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { clientSecretMatches } from '../../src/secrets/opaque.ts'
import { secretOf } from '../support/clients.ts'
import { valuesOf } from '../support/values.ts'
import { placeAfter, type Workplace, workplace } from './run.ts'

const redirect_uris = ['https://app.example.com/cb']

/** Writes `content` to a file of the folder and returns the command that imports it. */
function importing(place: Workplace, content: unknown): string {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  writeFileSync(join(place.folder, 'clients.json'), text)
  return 'client import clients.json'
}

describe('latchkey client import', () => {
  it('registers one object with its client_id', async (t) => {
    const place = workplace(t)
    const document = { client_id: 'app', client_name: 'An App', redirect_uris, 'client_name#de': 'Eine App' }
    assert.match((await place.run(importing(place, document))).stdout, /^Imported app\.\n$/)
    const shown = (await place.json('client show app')) as Record<string, unknown>
    assert.deepEqual([shown.client_name, shown['client_name#de']], ['An App', 'Eine App'])
    const entries = (await place.json('audit list --kind client_added')) as unknown[]
    assert.equal(entries.length, 1)
  })

  it('registers an array, and prints each secret once', async (t) => {
    const place = workplace(t)
    const method = { token_endpoint_auth_method: 'client_secret_post', dpop_bound_access_tokens: true }
    const documents = [
      { client_id: 'a', redirect_uris },
      { client_id: 'b', redirect_uris, ...method },
      { client_id: 'c', redirect_uris, ...method },
    ]
    const printed = (await place.json(importing(place, documents))) as Record<string, unknown>[]
    const secrets = printed.map(({ client_secret }) => client_secret)
    assert.equal(secrets[0], undefined)
    assert.notEqual(secrets[1], secrets[2])
    const stored = await place.withStorage(({ clients }) => clients.find('c'))
    assert.equal(clientSecretMatches(String(secrets[2]), secretOf(stored).secretHash), true)
    assert.equal(stored?.metadata.dpop_bound_access_tokens, true)
  })

  it('takes what client list --json prints', async (t) => {
    const place = await placeAfter(
      t,
      'client add app --redirect-uri https://app.example.com/cb --native default_max_age=60',
      'client add web --redirect-uri https://app.example.com/cb --confidential',
      'client rotate-secret web --overlap 60',
    )
    const listed = (await place.json('client list')) as Record<string, unknown>[]
    await place.run('client delete app --yes')
    await place.run('client delete web --yes')
    await place.run(importing(place, listed))
    const withoutOldSecret = listed.map(({ previous_secret_expires_at: _old, ...client }) => client)
    assert.deepEqual(await place.json('client list'), withoutOldSecret)
  })

  it('says which members it does not take, because nobody sets them, unless they are as they will be', async (t) => {
    const place = workplace(t)
    const document = { client_id: 'app', redirect_uris, client_id_issued_at: 7, registration: 'open' }
    const { code, stderr } = await place.run(importing(place, [document, { client_id: 'web', redirect_uris }]))
    assert.deepEqual(
      [code, stderr],
      [0, 'warning: app: not taken, because nobody sets it: client_id_issued_at, registration\n'],
    )
    const [app] = (await place.json('client list')) as Record<string, unknown>[]
    assert.deepEqual([app?.client_id_issued_at, app?.registration], [place.nowMs / 1000, undefined])
    await place.run('client delete app --yes')
    assert.equal((await place.run(importing(place, app))).stderr, '')
  })

  it('is all or nothing, and names client and member at fault', async (t) => {
    const place = await placeAfter(t, 'client add taken --redirect-uri https://app.example.com/cb')
    const good = { client_id: 'good', redirect_uris }
    for (const [document, why] of [
      [{ client_id: 'x', redirect_uris, colour: 'red' }, /x: colour is not a member of a client/],
      [{ client_id: 'x', redirect_uris, client_secret: 'mine' }, /x: client_secret is generated/],
      [{ client_id: 'x', redirect_uris, require_pkce: false }, /x: A public client must use PKCE/],
      [{ client_id: 'x', redirect_uris, require_pkce: 'false' }, /x: require_pkce must be true or false/],
      [
        JSON.parse(
          '{"client_id": "x", "redirect_uris": ["https://app.example.com/cb"], "__proto__": {"require_pkce": false}}',
        ),
        /x: __proto__ is not a member of a client/,
      ],
      [{ client_id: 'x' }, /x: A client needs at least one redirect URI/],
      [{ client_id: 'x', redirect_uris, scope: 7 }, /x: scope must be words/],
      [{ client_id: 'taken', redirect_uris }, /taken: There is a client with this id already/],
      [good, /good: There is a client with this id already/],
      [{ redirect_uris }, /client 2: The client id must have/],
      [{ client_id: 7, redirect_uris }, /client 2: The client id must have/],
      ['x', /an object with client_id, or an array/],
    ] as const) {
      await place.refuses(importing(place, [good, document]), why)
    }
    for (const text of ['', '[', '"x"', '[]', 'null', '[null]']) {
      await place.refuses(importing(place, text), /contains no JSON|an object with client_id/)
    }
    await place.refuses('client import nothing.json', /there is no file .*nothing\.json/)
    const left = (await place.json('client list')) as { client_id: string }[]
    assert.deepEqual(valuesOf(left, 'client_id'), ['taken'])
  })

  it('refuses private keys without repeating them', async (t) => {
    const place = workplace(t)
    const jwks = { keys: [{ kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA', d: 'very-private' }] }
    const { code, stderr } = await place.run(importing(place, { client_id: 'x', redirect_uris, jwks }))
    assert.equal(code, 1)
    assert.match(stderr, /x: jwks must contain public keys only/)
    assert.ok(!stderr.includes('very-private'))
  })
})

/** Secrets that sign, on the command line and in files: which are sealed, and where each is shown. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { secretOf } from '../support/clients.ts'
import { workplace } from './run.ts'

const machine = 'grant_types=client_credentials token_endpoint_auth_method=client_secret_jwt'

describe('a client with client_secret_jwt on the command line', () => {
  it('gets a long secret once, sealed in storage, when it is added, changed, imported and rotated', async (t) => {
    const place = workplace(t)
    const kept = (id: string) =>
      place.withStorage(async (storage) => secretOf(await storage.clients.find(id)).secretHash)
    const added = (await place.json(`client add signs ${machine}`)) as { client_secret: string }
    assert.ok(added.client_secret.length >= 64)
    assert.match(await kept('signs'), /^sealed:/)
    const rotated = (await place.json('client rotate-secret signs --overlap 60')) as { client_secret: string }
    assert.ok(rotated.client_secret.length >= 64 && rotated.client_secret !== added.client_secret)
    assert.match(await kept('signs'), /^sealed:/)
    const basic = (await place.json('client set signs token_endpoint_auth_method=client_secret_basic')) as object
    assert.ok('client_secret' in basic)
    assert.doesNotMatch(await kept('signs'), /^sealed:/)
    const back = (await place.json('client set signs token_endpoint_auth_method=client_secret_jwt')) as {
      client_secret: string
    }
    assert.ok(back.client_secret.length >= 64)
    const shown = (await place.json('client show signs')) as Record<string, unknown>
    assert.ok(!JSON.stringify(shown).includes('sealed:'))
    writeFileSync(join(place.folder, 'clients.json'), JSON.stringify({ ...shown, client_id: 'copied' }))
    const [copied] = (await place.json('client import clients.json')) as { client_secret: string }[]
    assert.ok((copied?.client_secret.length ?? 0) >= 64)
    assert.match(await kept('copied'), /^sealed:/)
  })

  it('takes its secret from a file of the configuration, which changes nothing the second time', async (t) => {
    const place = workplace(t)
    const secret = 'a-secret-of-chance-0123456789-abcdefghij'
    const client = {
      client_id: 'filed',
      grant_types: ['client_credentials'],
      token_endpoint_auth_method: 'client_secret_jwt',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference of the file
      client_secret: '${SIGNING_SECRET}',
    }
    writeFileSync(join(place.folder, 'all.json'), JSON.stringify({ clients: [client] }))
    const apply = (value: string) => place.run('apply all.json', { env: { SIGNING_SECRET: value } })
    const first = await apply(secret)
    assert.equal(first.code, 0, first.stderr)
    const kept = () => place.withStorage(async (storage) => secretOf(await storage.clients.find('filed')).secretHash)
    const sealed = await kept()
    assert.match(sealed, /^sealed:/)
    assert.equal((await apply(secret)).code, 0)
    assert.equal(await kept(), sealed)
    assert.equal((await apply(`${secret}-another`)).code, 0)
    assert.notEqual(await kept(), sealed)
  })
})

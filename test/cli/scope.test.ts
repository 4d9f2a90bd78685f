/** `latchkey scope add`, and scopes in files. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { workplace } from './run.ts'

describe('latchkey scope add --access-token-type', () => {
  it('registers the type, which export writes and apply sets', async (t) => {
    const at = workplace(t)
    const added = (await at.json('scope add orders --resource https://api.example/ --access-token-type JWT')) as object
    assert.equal((added as { access_token_type: unknown }).access_token_type, 'JWT')
    const { scopes } = (await at.json('export --kind scopes')) as { scopes: Record<string, unknown>[] }
    assert.equal(scopes[0]?.access_token_type, 'JWT')
    const file = join(at.folder, 'scopes.json')
    writeFileSync(file, JSON.stringify({ scopes: [{ ...scopes[0], access_token_type: 'at+jwt' }] }))
    await at.json(`apply ${file}`)
    const [stored] = await at.withStorage((storage) => storage.scopes.findMany(['orders']))
    assert.equal(stored?.accessTokenType, 'at+jwt')
    writeFileSync(file, readFileSync(file, 'utf8').replace('at+jwt', 'jwt'))
    await at.refuses(`apply ${file}`, /access_token_type must be one of at\+jwt, JWT/)
  })

  it('refuses another type, and one for the standard scopes', async (t) => {
    const at = workplace(t)
    await at.misuses('scope add orders --access-token-type jwt', /at\+jwt, JWT/)
    await at.misuses('scope add --standard --access-token-type JWT', /--standard takes no name and no other option/)
  })
})

describe('latchkey scope add --text', () => {
  it('registers texts in languages, which export writes and apply sets', async (t) => {
    const at = workplace(t)
    const texts = '--text display_name#de=Bestellungen --text description#pt-BR=Pedidos --text purpose#de=Wozu'
    const added = (await at.json(`scope add orders ${texts}`)) as Record<string, unknown>
    const members = ['display_name#de', 'description#pt-br', 'purpose#de']
    assert.deepEqual(
      members.map((member) => added[member]),
      ['Bestellungen', 'Pedidos', 'Wozu'],
    )
    const exported = (await at.json('export --kind scopes')) as { scopes: Record<string, unknown>[] }
    assert.equal(exported.scopes[0]?.['display_name#de'], 'Bestellungen')
    const file = join(at.folder, 'scopes.json')
    writeFileSync(file, JSON.stringify(exported))
    assert.deepEqual(((await at.json(`apply ${file}`)) as { changes: object[] }).changes, [])
    writeFileSync(file, JSON.stringify({ scopes: [{ name: 'orders', 'display_name#fr': 'Commandes' }] }))
    await at.json(`apply ${file}`)
    const [stored] = await at.withStorage((storage) => storage.scopes.findMany(['orders']))
    assert.deepEqual(stored?.localized, { 'display_name#fr': 'Commandes' })
  })

  it('refuses what is no text of a scope, and texts for the standard scopes', async (t) => {
    const at = workplace(t)
    await at.misuses('scope add orders --text resources#de=x', /--text takes display_name, description, purpose/)
    await at.misuses('scope add orders --text Bestellungen', /--text takes/)
    await at.misuses('scope add --standard --text display_name#de=x', /--standard takes no name and no other option/)
  })
})

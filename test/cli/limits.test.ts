/** How much of everything a registration may hold (docs/limits.md). */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { workplace } from './run.ts'

const times = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index)).join(' ')
const uris = (count: number) => times(count, (index) => `--redirect-uri https://app.example.com/${index}`)

describe('the limits of a client', () => {
  it('are a hundred addresses of each kind and a hundred scopes', async (t) => {
    const place = workplace(t)
    const { redirect_uris } = (await place.json(`client add full ${uris(100)}`)) as { redirect_uris: string[] }
    assert.equal(redirect_uris.length, 100)
    await place.refuses(`client add more ${uris(101)}`, /at most 100 redirect URIs/)
    const afterwards = times(101, (index) => `--post-logout-redirect-uri https://app.example.com/${index}`)
    await place.refuses(`client add more ${uris(1)} ${afterwards}`, /at most 100 post-logout redirect URIs/)
    const scopes = times(101, (index) => `--scope scope-${index}`)
    await place.refuses(`client add more ${uris(1)} ${scopes}`, /at most 100 scopes/)
  })

  it('are addresses that a request can ask for: 2048 characters', async (t) => {
    const place = workplace(t)
    const address = `https://app.example.com/${'x'.repeat(2048 - 24)}`
    assert.equal((await place.run(`client add long --redirect-uri ${address}`)).code, 0)
    await place.refuses(`client add longer --redirect-uri ${address}x`, /at most 2048 characters; one has 2049/)
    await place.refuses(`client add ${'i'.repeat(201)} ${uris(1)}`, /1 to 200 characters/)
    await place.refuses(`client add named ${uris(1)} --name ${'n'.repeat(201)}`, /at most 200 characters/)
  })
})

describe('the limits of a user', () => {
  it('are fifty roles of a hundred characters, names of 256, addresses of 254', async (t) => {
    const place = workplace(t)
    const add = (rest: string) => `user add bob --email bob@example.com --no-password ${rest}`
    const roles = (count: number) => times(count, (index) => `--role role-${index}`)
    await place.refuses(add(roles(51)), /at most 50 roles/)
    assert.equal((await place.run(add(roles(50)))).code, 0)
    await place.refuses('user add-role bob one-more', /at most 50 roles/)
    assert.equal((await place.run('user add-role bob role-7')).code, 0, 'a role that is there already')
    await place.refuses(`user add-role bob ${'r'.repeat(101)}`, /at most 100 characters/)
    await place.refuses(`user add ${'n'.repeat(257)} --email n@example.com --no-password`, /at most 256 characters/)
    await place.refuses(`user add n --email ${'n'.repeat(243)}@example.com --no-password`, /at most 254 characters/)
  })
})

describe('the limits of a scope', () => {
  it('are ten resources of 256 characters, and a name of a hundred', async (t) => {
    const place = workplace(t)
    const resources = (count: number) => times(count, (index) => `--resource https://api.example.com/${index}`)
    assert.equal((await place.run(`scope add full ${resources(10)}`)).code, 0)
    await place.refuses(`scope add more ${resources(11)}`, /at most 10 resources/)
    await place.refuses(
      `scope add long --resource https://api.example.com/${'x'.repeat(256)}`,
      /at most 256 characters/,
    )
    await place.refuses(`scope add ${'s'.repeat(101)}`, /1 to 100 characters/)
    await place.refuses(`scope add s --display-name ${'d'.repeat(201)}`, /at most 200 characters/)
    await place.refuses(`scope add s --description ${'d'.repeat(1001)}`, /at most 1000 characters/)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aLogin, anEvent, aUser, now } from './records.ts'
import type { StorageFor } from './storage-for.ts'

export function providerSourcesContract(storageFor: StorageFor): void {
  describe('the source of a provider', () => {
    it('is one for twenty who come at once from others to a provider that people are linked to, whatever the case of the name', async (t) => {
      const { providerSources, users, externalLogins } = await storageFor(t)
      const user = aUser()
      await users.create(user)
      await externalLogins.link({ ...aLogin(user), provider: 'Contoso' })
      const sources = Array.from({ length: 20 }, (_, n) => `https://${n}.example`)
      const bound = await Promise.all(
        sources.map((source, n) => providerSources.bind(n % 2 === 0 ? 'Contoso' : 'contoso', source, now)),
      )
      assert.deepEqual(
        bound,
        sources.map(() => bound[0]),
      )
      assert.equal(await providerSources.find('CONTOSO'), bound[0])
    })

    it('gives way to another while nobody is linked, and afterwards to one that is accepted alone', async (t) => {
      const { providerSources, users, externalLogins, audit } = await storageFor(t)
      const user = aUser()
      await users.create(user)
      assert.equal(await providerSources.bind('Contoso', 'https://a.example', now), 'https://a.example')
      assert.equal(await providerSources.bind('Contoso', 'https://b.example', now), 'https://b.example')
      await externalLogins.link({ ...aLogin(user), provider: 'Contoso' })
      assert.equal(await providerSources.bind('Contoso', 'https://b.example', now), 'https://b.example')
      assert.equal(await providerSources.bind('Contoso', 'https://c.example', now), 'https://b.example')
      assert.equal(await providerSources.bind('Fabrikam', 'https://c.example', now), 'https://c.example')
      const before = (await audit.newest({}, 99)).length
      await providerSources.accept('contoso', 'https://c.example', now, [anEvent()])
      assert.equal(await providerSources.bind('Contoso', 'https://c.example', now), 'https://c.example')
      assert.equal((await audit.newest({}, 99)).length, before + 1)
    })
  })
}

/** What a header with languages can cost. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { authorizeParameters, Browser } from '../support/browser.ts'
import { addClient, serviceForFile } from '../support/service.ts'

const service = await serviceForFile()
const localized = { 'client_name#de': 'Notizen' }
await addClient(service, { id: 'notes', name: 'Notes', metadata: { localized } })

describe('Accept-Language on the consent page', () => {
  it('takes no longer for thousands of blanks', async () => {
    const browser = await Browser.signedIn(service)
    const address = `/Account/ConsentContext?${new URLSearchParams(authorizeParameters({ client_id: 'notes' }))}`
    const ask = async (language: string) => {
      const response = await browser.fetch(new URL(address, service.issuer).href, {
        headers: { 'accept-language': language },
      })
      return ((await response.json()) as { client: { name: string } }).client.name
    }
    assert.equal(await ask('en;q=0.5 , de-AT ; q=1'), 'Notizen')
    assert.equal(await ask('de;q=0.5,en'), 'Notes')
    const before = process.cpuUsage()
    for (let time = 0; time < 30; time += 1) assert.equal(await ask(`a${' '.repeat(13_000)}x`), 'Notes')
    // Quadratic time would be several seconds.
    assert.ok(process.cpuUsage(before).user < 2_000_000)
  })
})

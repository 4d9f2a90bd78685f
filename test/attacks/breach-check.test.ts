/** Registrations by strangers, and the service that knows breached passwords. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, it } from 'node:test'
import { Browser } from '../support/browser.ts'
import { serviceForFile } from '../support/service.ts'

const breached = 'kT7-vw2q-breached'
let asked = 0
const ranges = createServer((_, response) => {
  asked += 1
  response.end(`${hash('sha1', breached, 'hex').toUpperCase().slice(5)}:1`)
})
await new Promise<void>((resolve) => ranges.listen(0, '127.0.0.1', resolve))
const service = await serviceForFile({
  Accounts__Registration: 'open',
  Accounts__Password__BreachCheck: `http://127.0.0.1:${(ranges.address() as AddressInfo).port}/`,
  Mail__Url: 'file:/nowhere',
})
after(async () => {
  ranges.close()
})

describe('registrations whose passwords are refused', () => {
  it('ask the other service no more often than a network may ask for confirmations', async () => {
    const browser = new Browser(service)
    const statuses: number[] = []
    for (let at = 0; at < 203; at += 1) {
      const fields = { email: `p${at}@example.com`, username: `p${at}`, password: breached }
      statuses.push((await browser.submit('/Account/Register', fields)).status)
    }
    assert.deepEqual(statuses.slice(199), [302, 429, 429, 429])
    assert.equal(asked, 200)
  })
})

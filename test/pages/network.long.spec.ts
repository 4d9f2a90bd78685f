/** What keeps the browser on this machine, as `test/support/loopback-only.ts` keeps Node.js there. */
import { expect, test } from './fixtures.ts'

// A page of its own: the browser's page about an error is not left like others.
test.use({ expectedErrors: /ERR_NAME_NOT_RESOLVED/, ownPage: true })

for (const address of ['http://192.0.2.1/', 'https://example.com/']) {
  test(`the browser of the tests does not find ${address}`, async ({ page }) => {
    await expect(page.goto(address)).rejects.toThrow(/ERR_NAME_NOT_RESOLVED/)
  })
}

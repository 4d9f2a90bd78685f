/** The console and the account area in Firefox and in WebKit, on a phone and on a desktop, against a real service. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { missing, realBrowsers } from '../support/real-browsers.ts'
import { personAt } from '../support/real-person.ts'
import { addClient, addUser, password, startService, type TestService } from '../support/service.ts'

const sizes = [
  ['a phone', 390, 844],
  ['a desktop', 1280, 800],
] as const

/** Each page of the console below `/admin/`, and words that stand on it once it is there. */
const consolePages = [
  ['people', 'Search people'],
  ['people/invitations', 'Invitations'],
  ['groups', 'Groups'],
  ['attributes', 'Attributes'],
  ['applications', 'Search applications'],
  ['applications/new', 'Next.js'],
  ['scopes', 'Add scope'],
  ['roles', 'Add role'],
  ['keys', 'Signing keys'],
  ['activity', 'Entries'],
  ['mails', 'Emails'],
  ['explain', 'Explain'],
  ['branding', 'Name and logo'],
  ['settings', 'Issuer'],
] as const

let service: TestService

before(async () => {
  service = await startService()
  await addClient(service, { id: 'orchard', name: 'Orchard Planner' })
})
after(() => service.stop())

/** Firefox also names a file that was on its way when the page was left. */
const isOfThePage = (error: string): boolean => !error.includes('error loading dynamically imported module')

for (const kind of realBrowsers) {
  describe(`the console and the account area in ${kind.name}`, () => {
    for (const [device, width, height] of sizes) {
      it(`show every page and change a person on ${device}`, async (t) => {
        const absent = missing(kind.programs)
        if (absent !== undefined) {
          t.skip(`not on this machine: ${absent}`)
          return
        }
        const name = `${kind.name}-${width}`.toLowerCase()
        await addUser(service, `root-${name}`, { roles: ['latchkey-admin'] })
        await addUser(service, name)
        const browser = await kind.start()
        t.after(() => browser.close())
        await browser.resize(width, height)
        const root = personAt(browser, service.issuer)

        await root.open('/admin/')
        await root.sees('Remember me')
        await root.seesProtectedForm()
        await root.fills('Username', `root-${name}`)
        await root.fills('Password', password)
        await root.press('Sign in')
        await root.sees('What to do first')
        for (const [path, words] of consolePages) {
          await root.open(`/admin/${path}`)
          await root.sees(words)
        }

        // Locks somebody, and takes it back.
        const { id } = (await service.storage.users.findByName(name)) ?? assert.fail()
        await root.open(`/admin/people/${id}`)
        await root.sees('At a glance')
        await root.press('Lock')
        await root.press('Lock', 'fieldset')
        await root.press('Undo')
        await root.waitsFor('the end of the lock', `!document.body.innerText.includes('Unlock')`)
        assert.equal((await service.storage.users.findByName(name))?.disabled, false)

        for (const [path, words] of [
          ['', 'Security check-up'],
          ['security', 'Passkeys'],
          ['devices', 'This device'],
          ['applications', 'Applications'],
          ['profile', 'Profile'],
        ] as const) {
          await root.open(`/account/${path}`)
          await root.sees(words)
        }
        if (browser.errors === undefined) t.diagnostic(`${kind.name} does not tell of errors in its console`)
        else assert.deepEqual(browser.errors.filter(isOfThePage), [])
      })
    }
  })
}

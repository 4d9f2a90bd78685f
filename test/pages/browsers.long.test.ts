/** Every page in Firefox and in WebKit, once on a phone and once on a desktop, against a real service. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { authorizePath } from '../support/browser.ts'
import { type FakeGithub, startFakeGithub } from '../support/fake-github.ts'
import { missing, realBrowsers } from '../support/real-browsers.ts'
import { personAt } from '../support/real-person.ts'
import { addClient, addUser, password, startService, type TestService } from '../support/service.ts'

const sizes = [
  ['a phone', 390, 844],
  ['a desktop', 1280, 800],
] as const

let service: TestService
let github: FakeGithub
/** The client's site, on an origin of its own. */
let site: Server
let callback: string
let signedOut: string

before(async () => {
  github = await startFakeGithub()
  service = await startService(github.env)
  site = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<!doctype html><html lang="en"><title>Orchard</title><h1>Welcome to Orchard</h1>')
  }).listen(0, '127.0.0.1')
  await once(site, 'listening')
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  ;[callback, signedOut] = [`${origin}/callback`, `${origin}/signed-out`]
  const client = { id: 'orchard', name: 'Orchard Planner', redirectUris: [callback] }
  await addClient(service, { ...client, postLogoutRedirectUris: [signedOut] })
})

after(async () => {
  site.closeAllConnections()
  site.close()
  await service.stop()
  await github.stop()
})

let visitors = 7000

for (const kind of realBrowsers) {
  describe(`the pages in ${kind.name}`, () => {
    for (const [device, width, height] of sizes) {
      it(`lead through sign-in, consent, sign-out, errors and a new account on ${device}`, async (t) => {
        const absent = missing(kind.programs)
        if (absent !== undefined) {
          t.skip(`not on this machine: ${absent}`)
          return
        }
        const name = `${kind.name}-${width}`.toLowerCase()
        await addUser(service, name)
        visitors += 1
        github.user = { id: visitors, login: `cat-${visitors}`, name: null, email: null }
        github.emails = [{ email: `cat-${visitors}@example.com`, primary: true, verified: true }]
        const browser = await kind.start()
        t.after(() => browser.close())
        await browser.resize(width, height)
        const visitor = personAt(browser, service.issuer)
        assert.deepEqual(await visitor.shows('[innerWidth, innerHeight]'), [width, height])
        const request = authorizePath({ client_id: 'orchard', redirect_uri: callback })

        // A wrong password, then the right one.
        await visitor.open(request)
        await visitor.sees('Remember me')
        await visitor.seesProtectedForm()
        await visitor.fills('Username', name)
        await visitor.fills('Password', 'wrong')
        await visitor.press('Sign in')
        await visitor.sees('not correct')
        assert.match(String(await visitor.shows(`document.querySelector('[role=alert]').innerText`)), /not correct/)
        assert.equal(await visitor.shows('document.forms[0].elements.username.value'), name)
        await visitor.fills('Password', password)
        await visitor.press('Sign in')

        // Consent: denied, then allowed.
        await visitor.sees('Orchard Planner would like to use your account')
        await visitor.seesProtectedForm()
        await visitor.press('Deny')
        assert.equal((await visitor.arrives(callback)).get('error'), 'access_denied')
        await visitor.open(request)
        await visitor.sees('Orchard Planner would like to use your account')
        await visitor.press('Allow')
        const answer = await visitor.arrives(callback)
        assert.ok(answer.get('code'))
        assert.equal(answer.get('iss'), service.issuer)
        await visitor.sees('Welcome to Orchard')

        // The login page knows who is there; the sign-out ends it.
        await visitor.open('/Account/Login')
        await visitor.sees(name)
        const logout = { client_id: 'orchard', post_logout_redirect_uri: signedOut, state: 'a b' }
        await visitor.open(`/connect/logout?${new URLSearchParams(logout)}`)
        await visitor.sees('Orchard Planner asks to end your session')
        await visitor.seesProtectedForm()
        await visitor.press('Sign out')
        assert.equal((await visitor.arrives(signedOut)).get('state'), 'a b')
        await visitor.open('/Account/Login')
        await visitor.sees('Remember me')

        // A token that is not this browser's.
        const forged = { username: name, password, __RequestVerificationToken: 'x'.repeat(150) }
        await visitor.shows(`(() => {
          const form = document.createElement('form')
          Object.assign(form, { method: 'post', action: '/Account/Login' })
          for (const [name, value] of Object.entries(${JSON.stringify(forged)})) {
            form.append(Object.assign(document.createElement('input'), { name, value }))
          }
          document.body.append(form)
          form.submit()
        })()`)
        await visitor.waitsFor('an answer without a form', 'document.forms.length === 0')
        await visitor.open('/Account/Login')
        await visitor.sees('Remember me')

        // Refused requests and unknown paths.
        await visitor.open(authorizePath({ client_id: 'nobody' }))
        await visitor.sees('This request is not known here')
        await visitor.press('Details for developers')
        await visitor.sees('ID2052')
        await visitor.open('/nothing/here')
        await visitor.sees('There is nothing at this address')

        // An account for somebody whom a provider knows.
        await visitor.open('/Account/Login?ReturnUrl=%2FAccount%2FSession')
        await visitor.press('Continue with GitHub')
        await visitor.sees('Create your account')
        await visitor.seesProtectedForm()
        await visitor.press('Create account')
        await visitor.arrives(`${service.issuer}Account/Session`)
        await visitor.open('/Account/Login')
        await visitor.sees(`cat-${visitors}@example.com`)

        if (browser.errors === undefined) t.diagnostic(`${kind.name} does not tell of errors in its console`)
        else assert.deepEqual(browser.errors, [])
      })
    }
  })
}

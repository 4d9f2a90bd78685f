/** The fields of the sign-in form and the cookie that it gives (specification 4.6, 5). */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { authorizePath, Browser, locationOf } from '../support/browser.ts'
import { addUser, password, serviceForFile } from '../support/service.ts'

const service = await serviceForFile({ RateLimit__LoginPerMinute: '1000' })

describe('the form of POST /Account/Login', () => {
  for (const name of ['username', 'password'] as const) {
    it(`takes a missing ${name} for an empty one [S4.6.3, S4.6.4]`, async () => {
      const { [name]: _left, ...fields } = { username: 'nobody', password }
      const response = await new Browser(service).submit('/Account/Login', fields)
      assert.equal(response.status, 302)
      const location = locationOf(response)
      assert.equal(location.searchParams.get('error'), 'invalid_credentials')
      assert.equal(location.searchParams.get('username') ?? '', name === 'username' ? '' : 'nobody')
    })
  }

  it('takes a missing ReturnUrl for / [S4.6.2]', async () => {
    const response = await new Browser(service).submit('/Account/Login', { username: 'alice', password })
    assert.equal(response.headers.get('location'), '/')
  })

  it('goes where it is told to whatever Origin the request names: the anti-forgery token is its defence (5.5) [S4.6.13, S5.5.9]', async () => {
    for (const origin of ['https://evil.test', 'null']) {
      const browser = new Browser(service)
      const fields = { username: 'alice', password, __RequestVerificationToken: await browser.antiforgeryToken() }
      assert.equal((await browser.post('/Account/Login', fields, { origin })).headers.get('location'), '/')
      const without = await new Browser(service).post('/Account/Login', { username: 'alice', password }, { origin })
      assert.equal(without.status, 400)
    }
  })
})

describe('who is named in POST /Account/Login', () => {
  const arrivesAs = async (username: string): Promise<string | undefined> => {
    const browser = await Browser.signedIn(service, { username })
    const session = (await (await browser.get('/Account/Session')).json()) as { user: { name: string } | null }
    return session.user?.name
  }

  it('ignores blanks around the user name [S4.6.3]', async () => {
    for (const username of ['alice ', ' alice', '\talice\r\n', '\u00a0alice\u3000', `${' '.repeat(600)}alice`]) {
      assert.equal(await arrivesAs(username), 'alice', JSON.stringify(username))
    }
    assert.equal(await arrivesAs('al ice'), undefined)
  })

  it('takes the e-mail address in any case, blanks around it ignored [S4.6.3]', async () => {
    for (const username of ['alice@example.com', 'ALICE@Example.COM', ' alice@example.com\t']) {
      assert.equal(await arrivesAs(username), 'alice', JSON.stringify(username))
    }
  })

  it('takes an address that nobody confirmed: the password says whose account it is', async () => {
    await addUser(service, 'unproven', { emailConfirmed: false })
    assert.equal(await arrivesAs('unproven@example.com'), 'unproven')
  })

  it('counts wrong passwords under name and address together', async () => {
    await addUser(service, 'counted')
    for (const username of ['counted', 'counted@example.com', 'COUNTED', ' counted@example.com']) {
      await new Browser(service).signIn({ username, password: 'wrong' })
    }
    assert.equal((await service.storage.users.findByName('counted'))?.failedAttempts, 4)
  })

  it('leads a text that is one user name and another address to the name, whoever has which password', async () => {
    const { users } = service.storage
    await addUser(service, 'owner')
    await addUser(service, 'other', { passwordHash: null })
    const other = await users.findByName('other')
    await users.update(other?.id ?? '', (user) => ({ ...user, name: 'owner@example.com' }))
    assert.equal(await arrivesAs('owner@example.com'), undefined, 'the other account has no password')
    assert.equal(await arrivesAs('owner'), 'owner')
  })

  it('sends back what was typed without the blanks around it (specification 4.6) [S4.6.10]', async () => {
    for (const [typed, echoed] of [
      ['  nobody ', 'nobody'],
      [' Nobody@Example.com\t', 'Nobody@Example.com'],
      ['   ', ''],
    ] as const) {
      const location = locationOf(await new Browser(service).signIn({ username: typed, password: 'wrong' }))
      assert.equal(location.searchParams.get('username') ?? '', echoed)
      assert.equal(location.searchParams.get('error'), 'invalid_credentials')
    }
  })
})

describe('the session cookie', () => {
  const sessionCookie = (browser: Browser) => browser.setCookies.find((line) => line.startsWith('latchkey.session='))

  it('is sent again for another 14 days when a persistent session slides, and stays one of the browser otherwise [S4.6.8]', async () => {
    for (const [fields, attribute] of [
      [{ rememberMe: 'true' }, /; Max-Age=1209600/],
      [{}, /^(?!.*(?:Expires|Max-Age))/i],
    ] as const) {
      const browser = await Browser.signedIn(service, fields)
      await browser.allow()
      assert.equal(sessionCookie(browser), undefined, 'nothing to renew yet')
      service.advance(8 * 86_400)
      await browser.get(authorizePath())
      assert.match(sessionCookie(browser) ?? 'none; Max-Age', attribute)
      assert.match(sessionCookie(browser) ?? '', /; HttpOnly/)
    }
  })
})

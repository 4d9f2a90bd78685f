/** Required fields after a sign-in that no application asked for (claims and groups, section 1). */
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { TOTP } from 'otpauth'
import { authorizePath, Browser, locationOf } from '../support/browser.ts'
import { githubForFile } from '../support/fake-github.ts'
import { addUser, serviceForFile } from '../support/service.ts'
import { textAttribute } from '../support/text-attribute.ts'

const github = await githubForFile()
const service = await serviceForFile({ ...github.env, RateLimit__LoginPerMinute: '1000' })
const { attributes, users } = service.storage

const declare = (isThere: boolean) =>
  attributes.change(() => ({
    changes: [{ name: 'team', after: isThere ? textAttribute('team', { required: true }) : undefined }],
  }))
beforeEach(async () => {
  if (!(await attributes.all()).known.has('team')) await declare(true)
})

const asked = (returnUrl: string) => `/Account/Complete?${new URLSearchParams({ ReturnUrl: returnUrl })}`
const place = (response: Response) => {
  const { pathname, search } = locationOf(response)
  return `${pathname}${search}`
}
const give = (id: string, values: Readonly<Record<string, string>>) =>
  users.update(id, (user) => ({ ...user, attributes: values }))

describe('a sign-in that no application asked for', () => {
  it('leads to what the person has yet to fill in, and from there to where it began', async () => {
    const { id } = await addUser(service, 'ada')
    const browser = new Browser(service)
    const page = '/Account/Profile?a=1'
    assert.equal(place(await browser.signIn({ username: 'ada', ReturnUrl: page })), asked(page))
    assert.equal(place(await new Browser(service).signIn({ username: 'ada' })), asked('/'))
    assert.equal(await browser.userName(), 'ada')
    const { body } = await browser.self('PATCH', '', { attributes: { team: 'blue' } })
    assert.deepEqual([body.attributes, body.missing_attributes], [{ team: 'blue' }, []])
    assert.equal(place(await new Browser(service).signIn({ username: 'ada', ReturnUrl: page })), page)
    await give(id, {})
    await declare(false)
    assert.equal(place(await new Browser(service).signIn({ username: 'ada', ReturnUrl: page })), page)
  })

  it('asks for nothing that operators or sources fill in', async () => {
    await addUser(service, 'bea')
    await declare(false)
    for (const editedBy of ['operator', 'source'] as const) {
      const after = textAttribute('number', { required: true, editedBy })
      await attributes.change(() => ({ changes: [{ name: 'number', after }] }))
      assert.equal(place(await new Browser(service).signIn({ username: 'bea', ReturnUrl: '/Account' })), '/Account')
    }
    await attributes.change(() => ({ changes: [{ name: 'number', after: undefined }] }))
  })

  it('leaves a request of an application to its own rules', async () => {
    await addUser(service, 'cyd')
    const browser = new Browser(service)
    const request = authorizePath()
    assert.equal(place(await browser.signIn({ username: 'cyd', ReturnUrl: request })), request)
    assert.equal(locationOf(await browser.get(request)).pathname, '/Account/Complete')
  })

  it('does so after a second factor as well', async () => {
    const { id } = await addUser(service, 'dan')
    await give(id, { team: 'red' })
    const setUp = await Browser.signedIn(service, { username: 'dan' })
    const { secret } = (await setUp.self('POST', '/totp')).body as { secret: string }
    const code = () => new TOTP({ secret }).generate({ timestamp: service.now() })
    assert.equal((await setUp.self('POST', '/totp/confirm', { code: code() })).status, 200)
    await give(id, {})
    service.advance(60)
    const browser = new Browser(service)
    assert.match(place(await browser.signIn({ username: 'dan', ReturnUrl: '/Account' })), /^\/Account\/SecondFactor/)
    const answer = await browser.submit('/Account/SecondFactor', { method: 'totp', code: code() })
    assert.equal(place(answer), asked('/Account'))
  })

  it('does so after a second factor was set up in it', async () => {
    const { id } = await addUser(service, 'fay')
    await users.update(id, (user) => ({ ...user, requiredActions: ['set_up_second_factor'] }))
    const browser = new Browser(service)
    assert.match(place(await browser.signIn({ username: 'fay', ReturnUrl: '/Account' })), /SecondFactor/)
    const { secret } = (await browser.self('POST', '/totp', {})).body as { secret: string }
    const code = new TOTP({ secret }).generate({ timestamp: service.now() })
    const { status, body } = await browser.self('POST', '/totp/confirm', { code })
    assert.deepEqual([status, body.return_url], [200, asked('/Account')])
  })

  it('does so after the registration by a provider, and after its next sign-in', async () => {
    github.user = { id: 7301, login: 'eve', name: 'Eve', email: null }
    github.emails = [{ email: 'eve@example.com', primary: true, verified: true }]
    const arrive = async (browser: Browser) => {
      const started = await browser.submit('/Account/ExternalLogin?returnUrl=/after', { provider: 'GitHub' })
      const atProvider = await fetch(locationOf(started), { redirect: 'manual' })
      return browser.fetch(locationOf(await browser.fetch(locationOf(atProvider).href)).href)
    }
    const browser = new Browser(service)
    await arrive(browser)
    const fields = { email: 'eve@example.com', ReturnUrl: '/after' }
    assert.equal(place(await browser.submit('/Account/ExternalLoginRegister', fields)), asked('/after'))
    assert.equal(place(await arrive(new Browser(service))), asked('/after'))
  })
})

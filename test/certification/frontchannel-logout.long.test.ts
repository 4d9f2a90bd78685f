/** OpenID Connect Front-Channel Logout 1.0, as certification tests it, and what a registration could try with its frames. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Client } from '../../src/protocol/client/client.ts'
import { authorizePath, Browser, claimsOf, codeFields, locationOf, postToken } from '../support/browser.ts'
import { addClient, serviceForFile } from '../support/service.ts'

const service = await serviceForFile()
const add = (id: string, metadata: Partial<Client['metadata']>) => addClient(service, { id, metadata: { ...metadata } })
await add('framed', { frontchannel_logout_uri: 'https://framed.example/out?keep=1' })
await add('second', { frontchannel_logout_uri: 'https://second.example:8443/out' })

/** Signs in at each client: returns the browser and the `sid` that the clients were told. */
async function visit(...clients: string[]) {
  const browser = await Browser.signedIn(service)
  let sid = ''
  for (const client_id of clients) {
    const code = await browser.allowedCode({ client_id })
    const { body } = await postToken(service, codeFields(code, { client_id }))
    sid = claimsOf(body.id_token).sid
  }
  return { browser, sid }
}

const back = { client_id: 'demo', post_logout_redirect_uri: 'http://localhost:5081/', state: 's"><x>&1' }
const framesIn = (page: string) =>
  [...page.matchAll(/<iframe[^>]* src="([^"]*)"/g)].map(([, src = '']) => new URL(src.replaceAll('&amp;', '&')))

describe('oidcc-frontchannel-rp-initiated-logout', () => {
  it('loads a frame of each client with iss and sid, and goes on to the post-logout address (§3)', async () => {
    const { browser, sid } = await visit('demo', 'framed', 'second')
    const response = await browser.submit('/connect/logout', { ...back, Confirm: 'Yes' })
    assert.equal(response.status, 200)
    assert.match(response.headers.get('content-type') ?? '', /^text\/html/)
    assert.equal(response.headers.get('cache-control'), 'no-store')
    const page = await response.text()
    const frames = framesIn(page).sort((a, b) => (a.host < b.host ? -1 : 1))
    assert.deepEqual(
      frames.map(({ origin, pathname }) => origin + pathname),
      ['https://framed.example/out', 'https://second.example:8443/out'],
    )
    for (const { searchParams } of frames) {
      assert.equal(searchParams.get('iss'), service.issuer)
      assert.equal(searchParams.get('sid'), sid)
    }
    assert.equal(frames[0]?.searchParams.get('keep'), '1')
    assert.match(page, /<h1>You are signed out<\/h1>/)
    const next = 'http://localhost:5081/?state=s%22%3E%3Cx%3E%261'
    assert.ok(
      page.includes(`<meta http-equiv="refresh" content="5; url=${next}">`),
      'without scripts, after five seconds',
    )
    assert.ok(page.includes(`href="${next}"`))
    assert.ok(![...browser.cookies.keys()].some((name) => name.endsWith('session')))
    const silently = locationOf(await browser.get(authorizePath({ prompt: 'none' })))
    assert.equal(silently.searchParams.get('error'), 'login_required')
  })

  it('stays without a post-logout address, says that the user is signed out, and runs no script', async () => {
    const { browser } = await visit('framed')
    const response = await browser.submit('/connect/logout', { Confirm: 'Yes' })
    const page = await response.text()
    assert.match(page, /You are signed out/)
    assert.doesNotMatch(page, /http-equiv|<script/)
    assert.match(response.headers.get('content-security-policy') ?? '', /script-src 'none'/)
  })

  it('states its support in discovery (§3)', async () => {
    const response = await fetch(new URL('.well-known/openid-configuration', service.issuer))
    const metadata = (await response.json()) as Record<string, unknown>
    assert.equal(metadata.frontchannel_logout_supported, true)
    assert.equal(metadata.frontchannel_logout_session_supported, true)
  })
})

describe('the frames', () => {
  it('may come from the registered origins alone, in a sandbox that cannot navigate the page', async () => {
    const { browser } = await visit('framed', 'second')
    const response = await browser.submit('/connect/logout', { Confirm: 'Yes' })
    const policy = response.headers.get('content-security-policy') ?? ''
    const sources = /frame-src ([^;]*)$/.exec(policy)?.[1]?.split(' ').sort()
    assert.deepEqual(sources, ['https://framed.example', 'https://second.example:8443'])
    assert.match(policy, /default-src 'none'/)
    assert.match(policy, /frame-ancestors 'none'/)
    for (const [frame] of (await response.text()).matchAll(/<iframe[^>]*>/g)) {
      assert.match(frame, / sandbox="allow-scripts allow-same-origin" /)
    }
  })

  it('appear at a sign-out alone: not for a stranger, nor in a browser that has no session', async () => {
    const { browser } = await visit('framed')
    for (const other of [new Browser(service), browser]) {
      if (other === browser) await browser.submit('/connect/logout', { Confirm: 'Yes' })
      const response = await other.submit('/connect/logout', { Confirm: 'Yes' })
      assert.equal(response.status, 302)
      assert.equal(response.headers.get('location'), '/')
    }
  })

  it('cannot add a directive to the policy by the name of their host', async () => {
    await add('sandboxing', { frontchannel_logout_uri: 'https://a;sandbox/out' })
    await add('reporting', { frontchannel_logout_uri: 'https://a,b;report-uri/out' })
    const { browser } = await visit('sandboxing', 'reporting', 'framed')
    const response = await browser.submit('/connect/logout', { ...back, Confirm: 'Yes' })
    const policy = response.headers.get('content-security-policy') ?? ''
    assert.match(policy, /; frame-src https:\/\/framed\.example$/)
    assert.deepEqual(
      framesIn(await response.text()).map(({ host }) => host),
      ['framed.example'],
    )
  })

  it('carry nothing of an address or a client name into the markup or the policy', async () => {
    await addClient(service, {
      id: 'hostile',
      name: '"><script>alert(1)</script>',
      metadata: {
        frontchannel_logout_uri: `https://hostile.example/"><script>alert(1)</script>;x?'&"<b>; script-src *`,
      },
    })
    await add('scripted', { frontchannel_logout_uri: 'javascript:alert(1)' })
    const { browser } = await visit('hostile', 'scripted')
    const response = await browser.submit('/connect/logout', { ...back, Confirm: 'Yes' })
    const page = await response.text()
    assert.equal(page.match(/<script/g)?.length, 1)
    assert.equal(page.match(/<iframe/g)?.length, 1)
    assert.doesNotMatch(page, /javascript:|<b>/)
    const policy = response.headers.get('content-security-policy') ?? ''
    assert.match(policy, /; frame-src https:\/\/hostile\.example$/)
    assert.doesNotMatch(policy, /script-src \*/)
  })

  it('are a bounded number, and so is their policy', async () => {
    const ids = Array.from({ length: 60 }, (_, at) => `many-${at}`)
    const label = 'x'.repeat(60)
    for (const [at, id] of ids.entries()) {
      await add(id, { frontchannel_logout_uri: `https://${label}.${label}.${label}.h${at}.example/out` })
    }
    const { browser } = await visit(...ids)
    const response = await browser.submit('/connect/logout', { Confirm: 'Yes' })
    const frames = framesIn(await response.text())
    assert.ok(frames.length <= 50 && frames.length > 10)
    assert.ok((response.headers.get('content-security-policy') ?? '').length < 6000)
  })
})

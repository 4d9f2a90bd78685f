/** Modules of the plans 'Basic OP' and 'Form Post Basic OP' about how requests arrive and where responses go. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type RefusalReason, refusals, refuse } from '../../src/protocol/refusals/index.ts'
import { Browser, locationOf } from '../support/browser.ts'
import { basicOp, flow, redeem, requestPath, type Scene } from './basic-op-scene.ts'

let service: Scene
/** A browser that is signed in and has consented. */
let browser: Browser
before(async () => {
  service = await basicOp()
  browser = (await flow(service)).browser
})
after(() => service.stop())

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const answerTo = async (change: Readonly<Record<string, string>>) => locationOf(await browser.get(requestPath(change)))

/** The members of an error that certification knows. */
const errorMembers = ['error', 'error_description', 'error_uri', 'state', 'iss']

function assertError(address: URL, error: string, state: string | null = 'state-1'): void {
  const { searchParams } = address
  assert.equal(address.origin, 'http://localhost:5081')
  assert.equal(searchParams.get('error'), error)
  assert.equal(searchParams.get('state'), state)
  assert.equal(searchParams.get('iss'), service.issuer)
  for (const name of searchParams.keys()) assert.ok(errorMembers.includes(name), name)
}

describe('authorization requests of the plan Basic OP', () => {
  it('oidcc-response-type-missing: an error at the redirect URI', async () => {
    assertError(await answerTo({ response_type: '' }), 'invalid_request')
  })

  it('oidcc-ensure-registered-redirect-uri: a page, never a redirect', async () => {
    for (const redirect_uri of ['https://unregistered.example/', 'http://localhost:5081/callback?x=1', 'x']) {
      const response = await browser.get(requestPath({ redirect_uri }), { accept: 'text/html' })
      assert.equal(response.status, 400)
      assert.equal(response.headers.get('location'), null)
      assert.match(response.headers.get('content-type') ?? '', /^text\/html/)
    }
  })

  it('oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported: rejected', async () => {
    // The suite repeats the redirect URI outside, and the state is inside alone.
    const request = `${encode({ alg: 'none' })}.${encode({ state: 'inside' })}.`
    assertError(await answerTo({ request, state: '' }), 'request_not_supported', null)
  })

  it('oidcc-ensure-request-object-with-redirect-uri: a page when the one outside is not registered', async () => {
    const request = `${encode({ alg: 'none' })}.${encode({ redirect_uri: 'http://localhost:5081/callback' })}.`
    const response = await browser.get(requestPath({ request, redirect_uri: 'https://unregistered.example/' }))
    assert.equal(response.status, 400)
    assert.equal(response.headers.get('location'), null)
  })

  it('oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported: rejected, and not fetched', async () => {
    const request_uri = 'https://127.0.0.1:1/request.jwt'
    assertError(await answerTo({ request_uri }), 'request_uri_not_supported')
  })

  it('oidcc-ensure-post-request-succeeds', async () => {
    const path = new URL(requestPath(), service.issuer)
    const answered = locationOf(await browser.post(path.pathname, [...path.searchParams]))
    assert.equal(answered.searchParams.get('state'), 'state-1')
    assert.ok((await redeem(service, answered.searchParams.get('code'))).claims.sub)
  })

  it('oidcc-ensure-request-with-unknown-parameter-succeeds', async () => {
    assert.ok((await answerTo({ extra: 'foobar', 'claims[]': 'x' })).searchParams.get('code'))
  })

  it('oidcc-ensure-request-without-nonce-succeeds-for-code-flow', async () => {
    const { claims } = await flow(service, { nonce: '' }, browser)
    assert.ok(!('nonce' in claims))
  })

  it('oidcc-display-page, -display-popup, -ui-locales, -claims-locales: accepted without an error', async () => {
    for (const change of [{ display: 'page' }, { display: 'popup' }, { ui_locales: 'se' }, { claims_locales: 'se' }]) {
      assert.ok((await answerTo(change)).searchParams.get('code'), JSON.stringify(change))
    }
  })

  it('takes every display, and languages for claims, which change no claim (OpenID Connect Core §3.1.2.1, §5.2)', async () => {
    const plain = await flow(service, {}, browser)
    for (const display of ['page', 'popup', 'touch', 'wap', 'hologram']) {
      assert.ok((await answerTo({ display })).searchParams.get('code'), display)
    }
    const tagged = JSON.stringify({ id_token: { 'name#ja-Hani-JP': { essential: true }, 'family_name#de': null } })
    for (const change of [{ claims_locales: 'ja-Hani-JP de not_a_tag' }, { claims: tagged }]) {
      const { claims } = await flow(service, change, browser)
      assert.deepEqual(Object.keys(claims).sort(), Object.keys(plain.claims).sort())
    }
    const twice = `${requestPath({ display: 'page' })}&display=popup`
    assert.equal(locationOf(await browser.get(twice)).searchParams.get('error'), 'invalid_request')
  })

  it('returns a state of 128 characters unchanged', async () => {
    const state = 'aZ0-._~'.repeat(20).slice(0, 128)
    assert.equal((await answerTo({ state })).searchParams.get('state'), state)
  })
})

describe('responses of the plan Form Post Basic OP', () => {
  const fieldsOf = async (response: Response) => {
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('cache-control'), 'no-store')
    const page = await response.text()
    assert.match(page, /<form method="post" action="http:\/\/localhost:5081\/callback">/)
    return new Map(
      [...page.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
    )
  }

  it('oidcc-server: code, state and iss are posted', async () => {
    const fields = await fieldsOf(await browser.get(requestPath({ response_mode: 'form_post' })))
    assert.deepEqual([...fields.keys()], ['code', 'state', 'iss'])
    assert.ok((await redeem(service, fields.get('code') ?? null)).claims.sub)
  })

  it('errors are posted with nothing but their members', async () => {
    const change = { response_mode: 'form_post', prompt: 'none' }
    const fields = await fieldsOf(await new Browser(service).get(requestPath(change)))
    assert.deepEqual([...fields.keys()], errorMembers)
    assert.equal(fields.get('error'), 'login_required')
  })
})

describe('error descriptions (RFC 6749 §4.1.2.1, §5.2)', () => {
  it('are printable ASCII without quote and backslash, in the whole catalogue', () => {
    for (const reason of Object.keys(refusals) as RefusalReason[]) {
      for (const name of ['', 'redirect_uri']) {
        const { description, error } = refuse(reason, name)
        assert.match(description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/, reason)
        assert.match(error, /^[a-z_]+$/, reason)
      }
    }
  })

  it('do not repeat what was received', async () => {
    const marks = { scope: 'openid "<quoted>"\\', prompt: '"\\', response_mode: '"\\', code_challenge: '"\\' }
    for (const [name, value] of Object.entries(marks)) {
      const description = (await answerTo({ [name]: value })).searchParams.get('error_description') ?? ''
      assert.match(description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]*$/, name)
    }
  })
})

describe('id_token_hint (OpenID Connect Core §3.1.2.1)', () => {
  it('counts after its end, and one that this service did not sign is ignored unless prompt is none', async () => {
    const { id_token } = await flow(service, {}, browser)
    const parts = id_token.split('.')
    service.advance(3 * 3600)
    assert.ok((await answerTo({ id_token_hint: id_token, prompt: 'none' })).searchParams.get('code'))
    for (const hint of ['x', `${parts[0]}.${parts[1]}.AAAA`, `${encode({ alg: 'none' })}.${parts[1]}.`]) {
      assert.ok((await answerTo({ id_token_hint: hint })).searchParams.get('code'), hint)
      assert.equal(
        (await answerTo({ id_token_hint: hint, prompt: 'none' })).searchParams.get('error'),
        'login_required',
      )
    }
  })
})

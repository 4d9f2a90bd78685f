/** The database of a real service, in both forms: who got in there gets in here, and each application does what it did (moving in). */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { TOTP } from 'otpauth'
import { authorizePath, Browser, claimsOf, codeVerifier, locationOf, postToken } from '../support/browser.ts'
import { serviceFor } from '../support/lifetime.ts'
import type { TestService } from '../support/service.ts'
import { aspNetData, type Expected, skipped } from './aspnet-data.ts'
import { placeWith, result } from './import-place.ts'

const forms = { SQLite: 'aspnet-acme.sqlite', PostgreSQL: 'aspnet-acme-postgres' } as const

/** A service with the people and applications of the database. */
async function movedIn(t: TestContext, form: keyof typeof forms): Promise<TestService> {
  const at = placeWith(t, {})
  const place = aspNetData.path(forms[form])
  await result(at, `openiddict ${place}`)
  const people = await result(at, `aspnet-identity ${place} --disabled-if IsActive=false`)
  assert.deepEqual([people.created, people.failed], [49, 0])
  return serviceFor(t, {
    RateLimit__LoginPerMinute: '10000',
    Database__Url: `sqlite:${join(at.folder, 'data/latchkey.db')}`,
  })
}

/** Signs in by name and password; returns where it leads: the person's `sub`, or the path of the page that asks for more. */
async function entered(service: TestService, username: string, given: string): Promise<string> {
  const browser = new Browser(service)
  const answer = await browser.submit('/Account/Login?returnUrl=/after', { username, password: given })
  const name = await browser.userName()
  if (name !== undefined) return (await service.storage.users.findByName(name))?.id ?? ''
  return answer.status === 302 ? locationOf(answer).pathname : String(answer.status)
}

for (const form of Object.keys(forms) as (keyof typeof forms)[]) {
  describe(`people of a real service in ${form} (moving in, sections 2 to 4)`, () => {
    it('get in who got in there, with the same sub, and nobody else', async (t) => {
      if (skipped(t)) return
      const service = await movedIn(t, form)
      const { people, there } = aspNetData.expected()
      for (const { username, password, sub, totp, two_factor: hasFactor } of people) {
        const outcome = there.people[username]?.outcome
        if (password === null) {
          assert.equal(outcome, 'no password')
          continue
        }
        const reached = await entered(service, username, password)
        if (outcome === 'in' && hasFactor !== true) assert.equal(reached, sub, username)
        else assert.notEqual(reached, sub, `${username} gets in with the password alone`)
        assert.notEqual(await entered(service, username, `${password}!`), sub)
        if (outcome !== 'in' || hasFactor !== true || totp === undefined) continue
        const browser = new Browser(service)
        await browser.submit('/Account/Login?returnUrl=/after', { username, password })
        const code = new TOTP({ secret: totp }).generate({ timestamp: service.now() })
        await browser.submit('/Account/SecondFactor', { method: 'totp', code })
        assert.equal((await service.storage.users.findByName((await browser.userName()) ?? ''))?.id, sub, username)
      }
    })
  })

  describe(`applications of a real service in ${form} (moving in, section 5)`, () => {
    it('get codes and tokens where they got them, with the same aud, scope and lifetime', async (t) => {
      if (skipped(t)) return
      const service = await movedIn(t, form)
      const { clients, people, there } = aspNetData.expected()
      const alice = people.find(({ username }) => username === 'alice')
      const secretOf = (id: string) => clients.find(({ client_id }) => client_id === id)?.secret ?? null
      const browser = await Browser.signedIn(service, { password: alice?.password ?? '' })
      for (const [id, did] of Object.entries(there.clients)) {
        const client = await service.storage.clients.find(id)
        // Signs by keys that the test does not have, or pushes its requests.
        if (did.code === undefined || secretOf(id) === null || id === 'pushed') continue
        assert.ok(client, id)
        const tokens = await tokensFor(service, browser, id, secretOf(id) ?? '', did)
        const claims = claimsOf(tokens.access_token)
        assert.equal(claims.sub, alice?.sub)
        assert.deepEqual(setOf(claims.scope), setOf(did.code.scope), id)
        if (did.code.claims.aud !== undefined) assert.deepEqual(setOf(claims.aud), setOf(did.code.claims.aud), id)
        assert.equal(tokens.refresh_token !== undefined, did.code.refresh_token, id)
      }
      const short = await tokensFor(
        service,
        browser,
        'short-lived',
        secretOf('short-lived') ?? '',
        there.clients['short-lived'],
      )
      assert.equal(short.expires_in, 300)
      const { exp, iat } = claimsOf(short.id_token)
      assert.equal(exp - iat, 120)
    })

    it('get tokens for themselves, with the same aud, and wrong secrets get none', async (t) => {
      if (skipped(t)) return
      const service = await movedIn(t, form)
      const { clients, there } = aspNetData.expected()
      for (const id of ['machine', 'both', 'audience', 'custom-grant']) {
        const secret = clients.find(({ client_id }) => client_id === id)?.secret ?? ''
        const scope = clients
          .find(({ client_id }) => client_id === id)
          ?.permissions.filter((one) => one.startsWith('scp:'))
        const fields = { grant_type: 'client_credentials', scope: (scope ?? []).map((one) => one.slice(4)).join(' ') }
        const { body, status } = await postToken(service, fields, basic(id, secret))
        assert.equal(status, 200, `${id}: ${JSON.stringify(body)}`)
        const { aud } = there.clients[id]?.client_credentials?.claims ?? {}
        if (aud !== undefined) assert.deepEqual(setOf(claimsOf(body.access_token).aud), setOf(aud), id)
        assert.equal((await postToken(service, fields, basic(id, `${secret}x`))).body.error, 'invalid_client')
      }
    })

    it('that had no way in have none, and those of external consent let in whom an administrator let in', async (t) => {
      if (skipped(t)) return
      const service = await movedIn(t, form)
      const ids = ['nothing', 'no-endpoints', 'no-response', 'old-spa', 'old-desktop']
      for (const id of ids) assert.equal(await service.storage.clients.find(id), undefined, id)
      const consents = ['web', 'intranet', 'partner', 'bank'].map(
        async (id) => (await service.storage.clients.find(id))?.consent,
      )
      assert.deepEqual(await Promise.all(consents), ['explicit', 'implicit', 'external', 'always'])
      const { people } = aspNetData.expected()
      const passwordOf = (name: string) => people.find(({ username }) => username === name)?.password ?? ''
      const ask = authorizePath({
        ...{ client_id: 'partner', redirect_uri: 'http://127.0.0.1:7302/callback', scope: 'openid profile' },
      })
      const of = async (name: string) => {
        const browser = await Browser.signedIn(service, { username: name, password: passwordOf(name) })
        return locationOf(await browser.get(ask)).searchParams
      }
      assert.equal((await of('carol')).get('error'), 'consent_required')
      assert.notEqual((await of('alice')).get('code'), null)
    })
  })
}

type Did = Expected['there']['clients'][string]

async function tokensFor(service: TestService, browser: Browser, id: string, secret: string, did: Did | undefined) {
  const redirect_uri = 'http://127.0.0.1:7302/callback'
  const change = { client_id: id, redirect_uri, scope: did?.code?.scope ?? 'openid' }
  const asked = await browser.get(authorizePath(change))
  const direct = locationOf(asked).searchParams.get('code')
  if (did?.consent === false) assert.notEqual(direct, null, `${id} is asked: ${asked.headers.get('location')}`)
  const code = direct ?? (await browser.allowedCode(change))
  const fields = { grant_type: 'authorization_code', code, redirect_uri, code_verifier: codeVerifier }
  const { body, status } = await postToken(service, fields, basic(id, secret))
  assert.equal(status, 200, `${id}: ${JSON.stringify(body)}`)
  return body
}

/** RFC 6749 §2.3.1. */
function basic(id: string, secret: string) {
  const text = [id, secret].map((one) => encodeURIComponent(one)).join(':')
  return { authorization: `Basic ${Buffer.from(text).toString('base64')}` }
}

const setOf = (value: unknown) =>
  (typeof value === 'string' ? value.split(' ') : [value].flat(Number.POSITIVE_INFINITY)).map(String).sort()

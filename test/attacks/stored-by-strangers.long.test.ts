/** What strangers have stored is bounded in rows and in bytes, by address and by client. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type WriteLimits, writeBudget } from '../../src/http/write-budget.ts'
import { authorizeParameters, Browser, locationOf, postToken } from '../support/browser.ts'
import { initialAccessToken, type RegistrationAnswer, register, sendMetadata } from '../support/registration.ts'
import { addUser, serviceForFile } from '../support/service.ts'

const redirect_uris = ['https://app.example.com/callback']

const service = await serviceForFile({
  OAuth__DynamicRegistration: 'open',
  OAuth__DynamicRegistrationScopes: 'demo_api',
  Server__TrustProxy: 'true',
})

const from = (address: string) => ({ 'x-forwarded-for': address })
let addresses = 0
/** A /24 of its own for each test. */
const network = () => {
  addresses += 1
  return (at: number) => `203.0.${addresses}.${at}`
}

const confidential = { token_endpoint_auth_method: 'client_secret_post' }

async function registered(address: string, document: object = {}) {
  // Without one, a client gets no secret.
  const token = document === confidential ? await initialAccessToken(service) : undefined
  const answer = await register(service, { redirect_uris, ...document }, token, from(address))
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body
}

function assertBeyond(
  { status, headers, body }: Pick<RegistrationAnswer, 'status' | 'headers' | 'body'>,
  id: string,
): void {
  assert.deepEqual([status, body.error_description?.slice(0, 6)], [429, id])
  const retryAfter = Number(headers.get('retry-after'))
  assert.ok(retryAfter > 0 && retryAfter <= 60, String(retryAfter))
}

describe('pushed requests', () => {
  const push = (client: { client_id: string; client_secret?: string }, address: string, fields = {}) => {
    const { client_id, client_secret } = client
    const parameters = {
      ...{ client_id, ...(client_secret && { client_secret }), response_type: 'code', scope: 'openid' },
      ...{
        redirect_uri: redirect_uris[0] ?? '',
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
      },
    }
    return postToken(service, { ...parameters, ...fields }, from(address), 'connect/par')
  }

  it('of a client that registered itself are bounded by client, wherever they come from', async () => {
    const at = network()
    const client = await registered(at(1), confidential)
    for (let sent = 0; sent < 300; sent += 50) {
      const answers = await Promise.all(Array.from({ length: 50 }, (_, one) => push(client, at(one + 1))))
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201])
    }
    assertBeyond(await push(client, at(99)), 'ID9215')
    const other = await registered(at(2), confidential)
    assert.equal((await push(other, at(99))).status, 201, 'another client has its own')
    service.advance(61)
    assert.equal((await push(client, at(99))).status, 201)
  })

  it('are bounded in bytes: of an address, and of a client', async () => {
    const at = network()
    const client = await registered(at(1), confidential)
    const large = Object.fromEntries(Array.from({ length: 14 }, (_, part) => [`x${part}`, 'x'.repeat(2000)]))
    let stored = 0
    for (let sent = 0; sent < 60; sent += 1) {
      const answer = await push(client, at(sent + 1), large)
      if (answer.status === 201) stored += 1
      else assertBeyond(answer, 'ID9215')
    }
    assert.ok(stored >= 30 && stored * 28_000 <= 1024 * 1024, String(stored))
    const open = await registered(at(1))
    const wide = {
      ...large,
      ...Object.fromEntries(
        Object.keys(large)
          .slice(3)
          .map((name) => [name, '']),
      ),
    }
    const statuses = await Promise.all(Array.from({ length: 200 }, () => push(open, at(250), wide)))
    const kept = statuses.filter(({ status }) => status === 201).length
    assert.ok(kept > 100 && kept * 6000 <= 1024 * 1024, String(kept))
  })

  it('of strangers in the name of a public client leave other addresses theirs', async () => {
    const at = network()
    const client = await registered(at(1))
    const answers = await Promise.all(Array.from({ length: 301 }, () => push(client, at(66))))
    assert.equal(answers.filter(({ status }) => status === 429).length, 1, JSON.stringify(answers[0]?.body))
    assert.equal((await push(client, at(67))).status, 201)
  })
})

describe('a registration', () => {
  const update = (
    { registration_client_uri, registration_access_token }: RegistrationAnswer['body'],
    sent: object,
    address: string,
  ) => {
    const path = new URL(registration_client_uri).pathname.slice(1)
    return sendMetadata(new URL(path, service.address), 'PUT', sent, registration_access_token, from(address))
  }
  const noise = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`client_name#x-${at}`, 'x'.repeat(60)]))

  it('that is refused counts: in number, and in bytes before they are read', async () => {
    const at = network()
    const refused = { redirect_uris: [] }
    for (let sent = 0; sent < 60; sent += 1) {
      assert.equal((await register(service, refused, undefined, from(at(1)))).status, 400)
    }
    assertBeyond(await register(service, refused, undefined, from(at(1))), 'ID9105')
    assertBeyond(await register(service, { redirect_uris }, 'no token', from(at(1))), 'ID9105')
    const large = JSON.stringify({ redirect_uris: ['x'.repeat(60_000)] })
    const answers: number[] = []
    for (let sent = 0; sent < 12; sent += 1) {
      answers.push((await register(service, large, undefined, from(at(2)))).status)
    }
    assert.deepEqual(answers, [...Array(8).fill(400), ...Array(4).fill(429)])
    assert.equal((await register(service, { redirect_uris }, undefined, from(at(3)))).status, 201)
  })

  it('is updated ten times a minute, and the trail has the names of what changed', async () => {
    const at = network()
    let client = await registered(at(1))
    const { client_id } = client
    const document = (name: string) => ({ client_id, redirect_uris, client_name: name, ...noise })
    for (let sent = 0; sent < 10; sent += 1) {
      const answer = await update(client, document(`Name ${Math.floor(sent / 2)}`), at(sent + 1))
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      client = answer.body
    }
    assertBeyond(await update(client, document('Another'), at(99)), 'ID9015')
    await service.storage.audit.flush()
    const entries = await service.storage.audit.list({ clientId: client_id, kind: 'client_changed' }, undefined, 50)
    assert.deepEqual(
      entries.map(({ details }) => details.members),
      Array(5).fill(['client_name']),
      'what stayed as it was is no change, and unknown members are none',
    )
    service.advance(61)
    assert.equal((await update(client, document('Another'), at(1))).status, 200)
  })

  it('of which much changed at once takes little room in the trail', async () => {
    const at = network()
    const client = await registered(at(1))
    const names = Object.fromEntries(Array.from({ length: 40 }, (_, one) => [`client_name#de-x-${one}`, `Name ${one}`]))
    const answer = await update(client, { client_id: client.client_id, redirect_uris, ...names }, at(1))
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    const [entry] = await service.storage.audit.list(
      { clientId: client.client_id, kind: 'client_changed' },
      undefined,
      1,
    )
    assert.ok(JSON.stringify(entry).length < 2048, String(JSON.stringify(entry).length))
    assert.equal(entry?.details.count, 40)
  })
})

describe('token requests', () => {
  const refresh = (client_id: string, address: string) =>
    postToken(service, { grant_type: 'refresh_token', client_id, refresh_token: 'x' }, from(address))

  it('of clients that registered themselves are bounded by address, and those of an operator are not', async () => {
    const at = network()
    const client = await registered(at(1))
    for (let sent = 0; sent < 600; sent += 100) {
      const answers = await Promise.all(Array.from({ length: 100 }, () => refresh(client.client_id, at(66))))
      assert.deepEqual([...new Set(answers.map(({ body }) => body.error))], ['invalid_grant'])
    }
    const other = await registered(at(2))
    assertBeyond(await refresh(other.client_id, at(66)), 'ID9240')
    assert.equal((await refresh('demo', at(66))).body.error, 'invalid_grant')
    assert.equal((await refresh(client.client_id, at(67))).body.error, 'invalid_grant')
    service.advance(61)
    assert.equal((await refresh(client.client_id, at(66))).body.error, 'invalid_grant')
  })
})

describe('changes in the account area', () => {
  it('are bounded for a person, wherever they come from, and leave other people theirs', async () => {
    const at = network()
    const change = async (browser: Browser, address: string) => {
      const token = await browser.antiforgeryToken()
      return browser.fetch('/Account/Self', {
        method: 'PATCH',
        headers: { 'content-type': 'application/json', RequestVerificationToken: token, ...from(address) },
        body: JSON.stringify({ nickname: address }),
      })
    }
    await addUser(service, 'bob')
    const [alice, bob] = [new Browser(service), new Browser(service)]
    await alice.signIn()
    await bob.signIn({ username: 'bob' })
    for (let sent = 0; sent < 60; sent += 1) assert.equal((await change(alice, at(sent + 1))).status, 200)
    const beyond = await change(alice, at(99))
    const body = (await beyond.json()) as { code: string }
    assert.deepEqual([beyond.status, body.code], [429, 'ID9016'])
    assert.ok(Number(beyond.headers.get('retry-after')) > 0)
    assert.equal((await change(bob, at(99))).status, 200)
    service.advance(61)
    assert.equal((await change(alice, at(99))).status, 200)
  })
})

describe('exports of the own data', () => {
  it('are bounded for a person like changes, because each is an entry of the trail', async () => {
    await addUser(service, 'exporting')
    const browser = await Browser.signedIn(service, { username: 'exporting' })
    const read = async () => (await browser.self('GET', '/export')).status
    for (let at = 0; at < 60; at += 1) assert.equal(await read(), 200)
    assert.equal(await read(), 429)
    assert.equal((await service.storage.audit.newest({ kind: 'data_exported' }, 100)).length, 60)
    assert.equal((await browser.self('GET', '')).status, 200, 'what is read alone is not counted')
    service.advance(61)
    assert.equal(await read(), 200)
  })
})

describe('denials of consent', () => {
  it('are recorded 60 times a minute for a person; beyond it nothing is answered or recorded', async () => {
    await addUser(service, 'denying')
    const browser = await Browser.signedIn(service, { username: 'denying' })
    const form = { __RequestVerificationToken: await browser.antiforgeryToken(), 'submit.Deny': 'No' }
    const deny = () => browser.post('/connect/authorize', { ...authorizeParameters(), ...form })
    for (let at = 0; at < 60; at += 1) {
      assert.equal(locationOf(await deny()).searchParams.get('error'), 'access_denied')
    }
    const beyond = await deny()
    assert.equal(beyond.status, 429)
    assert.ok(Number(beyond.headers.get('retry-after')) > 0)
    await service.storage.audit.flush()
    assert.equal((await service.storage.audit.newest({ kind: 'consent_denied' }, 100)).length, 60)
    service.advance(61)
    assert.equal(locationOf(await deny()).searchParams.get('error'), 'access_denied')
  })
})

describe('a budget of writes', () => {
  const limits: WriteLimits = { rows: 3, bytes: 100, rowsOfOwner: 2 }

  it('is of an address, of its wider networks and of an owner at once, and what is refused is not counted', () => {
    let nowMs = 0
    const budget = writeBudget(limits, () => nowMs)
    assert.equal(budget.take({ address: '192.0.2.1' }, 101), 60, 'never fits')
    assert.equal(budget.take({ address: '192.0.2.1', owner: 'a' }, 50), undefined)
    assert.equal(budget.take({ address: '192.0.2.1', owner: 'a' }, 51), 60)
    assert.equal(budget.take({ address: '192.0.2.1', owner: 'a' }, 50), undefined)
    assert.equal(budget.take({ address: '192.0.2.2', owner: 'a' }, 0), 60, 'rows of the owner')
    assert.equal(budget.take({ address: '192.0.2.2', owner: 'b' }, 100), undefined)
    nowMs = 59_999
    assert.equal(budget.take({ address: '192.0.2.2' }, 1), 1)
    nowMs = 60_000
    assert.equal(budget.take({ address: '192.0.2.2', owner: 'a' }, 1), undefined)
    const taken = (subnet: number) => budget.take({ address: `2001:db8:1:${subnet.toString(16)}::1` }, 0)
    assert.equal(Array.from({ length: 40 }, (_, at) => taken(at % 20)).filter((one) => one === undefined).length, 12)
  })

  it('takes on a changed number, and keeps what it counted', () => {
    const budget = writeBudget(limits, () => 0)
    for (let at = 0; at < 3; at += 1) assert.equal(budget.take({ address: '192.0.2.1' }, 0), undefined)
    assert.equal(budget.take({ address: '192.0.2.1' }, 0), 60)
    budget.allow(4)
    assert.equal(budget.take({ address: '192.0.2.1' }, 0), undefined)
    assert.equal(budget.take({ address: '192.0.2.1' }, 0), 60)
  })
})

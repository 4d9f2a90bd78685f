/** What people, clients and attackers do, as the trail tells it; and that it tells no secret. */
import assert from 'node:assert/strict'
import { after, describe, it, type TestContext } from 'node:test'
import type { AuditEntry } from '../../src/audit/entry.ts'
import { verifyTrail } from '../../src/audit/verify.ts'
import { assertChained } from '../storage/contract-audit.ts'
import {
  authorizeParameters,
  Browser,
  claimsOf,
  codeFields,
  locationOf,
  postToken,
  refreshFields,
} from '../support/browser.ts'
import { serviceFor } from '../support/lifetime.ts'
import { postgresServer } from '../support/postgres.ts'
import { password, type TestService } from '../support/service.ts'

const server = await postgresServer()
after(() => server.stop())

const environments = {
  SQLite: async () => ({}),
  PostgreSQL: async () => ({
    Database__Url: await server.createDatabase(),
    Keys__MasterKey: Buffer.alloc(32, 3).toString('base64'),
  }),
}

async function startOn(t: TestContext, env: Record<string, string>): Promise<TestService> {
  const service = await serviceFor(t, env)
  return service
}

async function entriesOf({ storage }: TestService): Promise<AuditEntry[]> {
  await storage.audit.flush()
  await assertChained(storage)
  return storage.audit.newest({}, 1000)
}

async function consent(browser: Browser, button: 'Accept' | 'Deny'): Promise<URL> {
  return locationOf(
    await browser.submit('/connect/authorize', { ...authorizeParameters(), [`submit.${button}`]: 'Yes' }),
  )
}

for (const [name, env] of Object.entries(environments)) {
  describe(`the trail of a whole journey on ${name}`, () => {
    it('has every step with who, which client, from where and in which request, and no secret', async (t) => {
      const service = await startOn(t, await env())
      const user = await service.storage.users.findByName('alice')
      const browser = new Browser(service)
      const secrets: string[] = [password, 'wrong-password-1', 'typed-into-the-name-field']
      const keepCookies = () => secrets.push(...browser.cookies.values())

      await browser.signIn({ username: 'typed-into-the-name-field', password: 'wrong-password-1' })
      await browser.signIn({ password: 'wrong-password-1' })
      keepCookies()
      await browser.signIn()
      keepCookies()
      await consent(browser, 'Deny')
      const code = (await consent(browser, 'Accept')).searchParams.get('code') ?? ''
      const tokens = (await postToken(service, codeFields(code))).body
      const refreshed = (await postToken(service, refreshFields(tokens.refresh_token))).body
      // The same answer once more: a retry inside the leeway, which writes nothing but its entry.
      await postToken(service, refreshFields(tokens.refresh_token))
      await postToken(service, { client_id: 'demo', token: refreshed.access_token }, {}, 'connect/revocation')
      service.advance(60)
      await postToken(service, refreshFields(tokens.refresh_token))
      const second = (await consent(browser, 'Accept')).searchParams.get('code') ?? ''
      const others = (await postToken(service, codeFields(second))).body
      await postToken(service, codeFields(second))
      await postToken(service, { client_id: 'demo', token: others.refresh_token }, {}, 'connect/revocation')
      const third = (await consent(browser, 'Accept')).searchParams.get('code') ?? ''
      const last = (await postToken(service, codeFields(third))).body
      await postToken(service, { client_id: 'demo', token: last.refresh_token }, {}, 'connect/revocation')
      await browser.submit('/connect/logout', { Confirm: 'Yes' })
      for (const answer of [tokens, refreshed, others, last]) {
        secrets.push(answer.access_token, answer.id_token, answer.refresh_token)
      }
      secrets.push(code, second, third)

      const entries = await entriesOf(service)
      const steps = entries.map(({ kind, details }) => `${kind} ${details.reason ?? details.type ?? ''}`.trim())
      const expected = [
        'sign_in_failed unknown_user',
        'sign_in_failed wrong_password',
        'sign_in',
        'consent_given',
        'tokens_issued authorization_code',
        'tokens_issued refresh_token',
        'token_revoked access_token',
        'refresh_token_replayed',
        'tokens_issued authorization_code',
        'code_replayed',
        'tokens_issued authorization_code',
        'token_revoked refresh_token',
        'sign_out asked_for',
      ]
      const noted = ['consent_denied', 'tokens_issued refresh_token', 'refusal consent_denied', 'refusal code_redeemed']
      const own = steps.filter((step) => !step.startsWith('keys_created') && !step.startsWith('refusal'))
      for (const step of noted) assert.ok(steps.includes(step), `${step} is missing: ${steps.join(', ')}`)
      assert.deepEqual(own.filter((step) => step !== 'consent_denied').sort(), [...expected, noted[1]].sort())

      const refreshes = entries.filter(({ details }) => details.type === 'refresh_token' && 'jti' in details)
      assert.deepEqual(
        refreshes.filter(({ kind }) => kind === 'tokens_issued').map(({ details }) => details.repeat),
        [undefined, true],
        'an answer inside the leeway says that it is a repeat',
      )
      const issued = entries.find(({ details }) => details.jti === claimsOf(refreshed.access_token).jti)
      assert.equal(issued?.kind, 'tokens_issued')
      assert.equal(issued?.details.grant, claimsOf(refreshed.access_token).grant_id)
      for (const entry of entries.filter(({ kind }) => /^(tokens_issued|consent_|.*replayed)/.test(kind))) {
        assert.deepEqual([entry.userId, entry.clientId], [user?.id, 'demo'], entry.kind)
      }
      for (const entry of entries.filter(({ kind }) => kind !== 'keys_created')) {
        assert.match(entry.address ?? '', /127\.0\.0\.1|::1/, entry.kind)
        assert.match(entry.traceId ?? '', /^[0-9a-f]{32}$/)
      }

      const dump = JSON.stringify(await service.storage.audit.stored(undefined, 10_000))
      for (const secret of secrets) {
        assert.ok(secret.length > 7)
        // A part of it is as bad: the signature of a token, the secret half of a cookie.
        for (const part of [secret, secret.slice(-24)]) assert.ok(!dump.includes(part), `${part} is in the trail`)
      }
    })

    it('tells of a lockout once, and of what was tried while it lasted', async (t) => {
      const service = await startOn(t, { ...(await env()), Accounts__Lockout__MaxFailedAttempts: '2' })
      for (let attempt = 0; attempt < 4; attempt += 1) await new Browser(service).signIn({ password: 'wrong' })
      const entries = await entriesOf(service)
      const reasons = entries.filter(({ kind }) => kind === 'sign_in_failed').map(({ details }) => details.reason)
      assert.deepEqual(reasons.sort(), ['locked', 'locked', 'wrong_password', 'wrong_password'])
      const [locked, ...more] = entries.filter(({ kind }) => kind === 'locked_out')
      assert.equal(more.length, 0)
      assert.ok(Number(locked?.details.untilMs) > service.now())
    })

    it('tells of a known browser that used up its own budget, beside the account', async (t) => {
      const service = await startOn(t, { ...(await env()), Accounts__Lockout__MaxFailedAttempts: '2' })
      const browser = new Browser(service)
      await browser.signIn()
      for (let attempt = 0; attempt < 3; attempt += 1) await browser.signIn({ password: 'wrong' })
      const locked = (await entriesOf(service)).filter(({ kind }) => kind === 'locked_out')
      assert.deepEqual(
        locked.map(({ details }) => details.budget),
        [undefined, 'browser'],
      )
      for (const { details } of locked) assert.ok(Number(details.untilMs) > service.now())
    })

    it('has a refusal under the trace id that the answer carried, and what the rule said', async (t) => {
      const service = await startOn(t, await env())
      const answer = await postToken(service, { grant_type: 'password' })
      await service.storage.audit.flush()
      const traceId = answer.headers.get('x-trace-id') ?? ''
      const [refusal, ...others] = await service.storage.audit.list({ traceId }, undefined, 10)
      assert.deepEqual([refusal?.kind, others.length], ['refusal', 0])
      assert.equal(refusal?.details.error, answer.body.error)
      assert.ok(answer.body.error_uri.endsWith(`#${refusal?.details.id}`))
      assert.equal(typeof refusal?.details.reason, 'string')
    })

    it('takes no more than 60 entries of 512 bytes from a flood of refusals, and stays provable', async (t) => {
      const service = await startOn(t, await env())
      for (let sent = 0; sent < 600; sent += 50) {
        await Promise.all(Array.from({ length: 50 }, () => postToken(service, { grant_type: '\u202e'.repeat(2000) })))
      }
      const entries = await entriesOf(service)
      const recorded = entries.filter(({ kind }) => kind === 'refusal')
      const counted = entries.filter(({ kind }) => kind === 'not_recorded').map(({ details }) => Number(details.count))
      assert.equal(recorded.length, 60)
      assert.equal(recorded.length + counted.reduce((sum, count) => sum + count, 0), 600)
      for (const { details, hash, writer, traceId, address, kind } of recorded) {
        const texts = [JSON.stringify(details), hash, writer, traceId ?? '', address ?? '', kind]
        assert.ok(texts.join('').length + 2 * 8 <= 512, JSON.stringify(details))
        assert.match(String(details.received), /\(2000 characters\)$/)
      }
      const { fault } = await verifyTrail(
        {
          keys: async () => [],
          checkpoints: async function* () {},
          entries: async function* () {
            yield await service.storage.audit.stored(undefined, 10_000)
          },
          between: async function* () {},
        },
        () => {},
      )
      assert.equal(fault, undefined)
    })
  })
}

/**
 * A database that was put back to an earlier state, by a restored backup or because a replica that lagged took over: refresh
 * tokens that were exchanged since then go on, and theft is noticed as ever.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, describe, it, type TestContext } from 'node:test'
import { workplace } from '../cli/run.ts'
import { Browser, claimsOf, codeFields, obtainCode, postToken, refreshFields } from '../support/browser.ts'
import { serviceFor } from '../support/lifetime.ts'
import { postgresServer } from '../support/postgres.ts'
import { startService, type TestService } from '../support/service.ts'

const server = await postgresServer()
after(() => server.stop())

const masterKey = Buffer.alloc(32, 3).toString('base64')

async function next(service: TestService, token: string): Promise<string> {
  const { status, body } = await postToken(service, refreshFields(token))
  assert.equal(status, 200, JSON.stringify(body))
  return body.refresh_token
}

async function assertRefused(service: TestService, token: string, id: string): Promise<void> {
  const { status, body } = await postToken(service, refreshFields(token))
  assert.equal(status, 400)
  assert.ok(body.error_uri.endsWith(`#${id}`), body.error_uri)
}

for (const [engine, makeUrl] of [
  ['an embedded database', async (folder: string) => `sqlite:${join(folder, 'latchkey.db')}`],
  ['PostgreSQL', () => server.createDatabase()],
] as const) {
  describe(`${engine} that was put back to an earlier state`, () => {
    /** A service whose database is put back to what it was at the beginning, when `work` is done. */
    async function putBack<T>(
      t: TestContext,
      work: (service: TestService) => Promise<{ before: T; since: () => Promise<T> }>,
    ) {
      const place = workplace(t)
      const env = { Database__Url: await makeUrl(place.folder), Keys__MasterKey: masterKey }
      const first = await startService(env)
      const { before, since } = await work(first)
      const backup = await place.run('db backup earlier.db', { env })
      assert.equal(backup.code, 0, backup.stderr)
      const latest = await since()
      await first.stop()
      const restored = await place.run('db restore earlier.db --force', { env })
      assert.equal(restored.code, 0, restored.stderr)
      const service = await serviceFor(t, env, { after: first })
      return { service, before, latest }
    }

    /** Tokens of one chain: what the backup has, and those that came after it, oldest first. */
    const useForAWhile = async (service: TestService) => {
      const { body } = await postToken(service, codeFields(await obtainCode(new Browser(service))))
      const before = [body.refresh_token, await next(service, body.refresh_token)]
      return {
        before,
        async since() {
          const tokens = [...before]
          for (let use = 0; use < 5; use += 1) {
            service.advance(60)
            tokens.push(await next(service, tokens.at(-1) ?? ''))
          }
          return tokens
        },
      }
    }

    it('signs nobody out: the token that the client has goes on, and every one after it', async (t) => {
      const { service, latest } = await putBack(t, useForAWhile)
      let token = latest.at(-1) ?? ''
      for (let use = 0; use < 3; use += 1) {
        const { status, body } = await postToken(service, refreshFields(token))
        assert.equal(status, 200, JSON.stringify(body))
        assert.equal(claimsOf(body.access_token).name, 'alice')
        assert.notEqual(body.refresh_token, token)
        assert.equal(await next(service, token), body.refresh_token, 'a retry gets the same')
        token = body.refresh_token
        service.advance(60)
      }
    })

    it('says in the audit trail how many rotations the database did not know of', async (t) => {
      const { service, latest } = await putBack(t, useForAWhile)
      await next(service, await next(service, latest.at(-1) ?? ''))
      const issued = await service.storage.audit.newest({ kind: 'tokens_issued' }, 100)
      assert.deepEqual(
        issued.flatMap(({ details }) => details.skipped ?? []),
        [5],
      )
    })

    it('lets exactly one of 20 simultaneous uses move the chain on, and gives all of them its successor', async (t) => {
      const { service, latest } = await putBack(t, useForAWhile)
      const tokens = await Promise.all(Array.from({ length: 20 }, () => next(service, latest.at(-1) ?? '')))
      assert.equal(new Set(tokens).size, 1)
      await next(service, tokens[0] ?? '')
    })

    it('ends the chain when a token comes that was replaced before the one that its client has (ID2012)', async (t) => {
      const { service, latest } = await putBack(t, useForAWhile)
      const live = await next(service, latest.at(-1) ?? '')
      service.advance(31)
      await assertRefused(service, latest.at(-3) ?? '', 'ID2012')
      await assertRefused(service, live, 'ID2018')
    })

    it('ends the chain when a thief was there before the client (ID2012)', async (t) => {
      const { service, latest } = await putBack(t, useForAWhile)
      const stolen = await next(service, latest.at(-3) ?? '')
      const live = await next(service, latest.at(-1) ?? '')
      service.advance(31)
      await assertRefused(service, stolen, 'ID2012')
      await assertRefused(service, live, 'ID2018')
    })

    it('knows nothing of an invented token of a later generation (ID2003)', async (t) => {
      const { service, latest } = await putBack(t, useForAWhile)
      const [grant, , secret] = (latest.at(-1) ?? '').split('.')
      await assertRefused(service, `${grant}.9.${secret}`, 'ID2003')
      await next(service, latest.at(-1) ?? '')
    })
  })
}

/** Single-use values across processes: two on one database, asked at the same moment (RFC 9449 §11.1, RFC 7523 §3). */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { openStorage } from '../../src/storage/open.ts'
import { assertionClaims, assertionFields, clientKey, keyClient } from '../support/assertions.ts'
import { DpopKey } from '../support/dpop.ts'
import { type PostgresServer, startServer } from '../support/postgres.ts'
import { freePort, testScope } from '../support/service.ts'
import { type ServiceProcess, startProcess } from '../support/service-process.ts'

const rounds = 10
const issuer = 'http://localhost:5080/'
const started: { stop(): Promise<unknown> }[] = []

after(async () => {
  for (const one of started.reverse()) await one.stop()
})

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`two processes on one ${engine} database`, { timeout: 600_000 }, () => {
    let processes: readonly [ServiceProcess, ServiceProcess]
    const signer = clientKey('ES256')

    const starting = (async () => {
      const folder = await mkdtemp(join(tmpdir(), 'latchkey-replay-'))
      started.push({ stop: () => rm(folder, { recursive: true, force: true }) })
      const { url, env } = await database(engine, folder)
      const storage = await openStorage(url, { migrate: true })
      await storage.scopes.create(testScope('demo_api'))
      await storage.clients.create(keyClient('signer', [await signer]))
      await storage.close()
      const shared = { ...env, OAuth__Issuer: issuer, Keys__MasterKey: Buffer.alloc(32, 7).toString('base64') }
      const first = await startProcess({ port: await freePort(), folder, env: shared })
      started.push(first)
      const second = await startProcess({ port: await freePort(), folder, env: shared })
      started.push(second)
      processes = [first, second]
    })()

    /** Sends the request to both processes at once, twice each; the statuses, ascending. */
    async function sendToBoth(form: () => Promise<RequestInit>): Promise<number[]> {
      await starting
      const init = await form()
      const all = [...processes, ...processes].map(({ address }) =>
        fetch(new URL('connect/token', address), { method: 'POST', ...init }),
      )
      return (await Promise.all(all)).map(({ status }) => status).sort()
    }

    const requestWith = async (proof?: string, assertion?: string): Promise<RequestInit> => ({
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        scope: 'demo_api',
        ...assertionFields(assertion ?? (await (await signer).sign(assertionClaims('signer', issuer, Date.now())))),
      }),
      ...(proof !== undefined && { headers: { dpop: proof } }),
    })

    it('accept a client assertion once (RFC 7523 §3)', async () => {
      for (let round = 0; round < rounds; round += 1) {
        assert.deepEqual(await sendToBoth(() => requestWith()), [200, 401, 401, 401])
      }
    })

    it('accept a DPoP proof once, whatever authenticates the client (RFC 9449 §11.1)', async () => {
      await starting
      for (let round = 0; round < rounds; round += 1) {
        const proof = new DpopKey().proof({ url: `${issuer}connect/token` })
        const all = [...processes, ...processes].map(async ({ address }) => {
          const init = await requestWith(proof)
          return (await fetch(new URL('connect/token', address), { method: 'POST', ...init })).status
        })
        assert.deepEqual((await Promise.all(all)).sort(), [200, 400, 400, 400])
      }
    })
  })
}

async function database(engine: 'sqlite' | 'postgres', folder: string) {
  if (engine === 'sqlite') {
    const file = join(folder, 'latchkey.db')
    return { url: { kind: 'sqlite', file } as const, env: { Database__Url: `sqlite:${file}` } }
  }
  const server: PostgresServer = await startServer()
  started.push(server)
  const url = await server.createDatabase()
  return { url: { kind: 'postgres', url } as const, env: { Database__Url: url } }
}

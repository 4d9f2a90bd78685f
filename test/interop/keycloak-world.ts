/** A Latchkey that was filled from the export of a realm, at the addresses of before, as `docs/moving-in.md` says to do it. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { ImportFinding } from '../../src/storage/port/imports.ts'
import type { Result } from '../cli/import-place.ts'
import { expected, realm } from '../cli/keycloak-data.ts'
import { workplace } from '../cli/run.ts'
import { clientKey } from '../support/assertions.ts'
import type { Lifetime } from '../support/lifetime.ts'
import { freePort, startService } from '../support/service.ts'
import { settingsFrom } from '../support/settings.ts'
import { certificateHeader, type World } from './keycloak-applications.ts'
import { clientOf } from './keycloak-tokens.ts'

export type MovedWorld = World & { readonly findings: readonly ImportFinding[]; readonly created: number }

/** Of the addresses that wildcards stood for. */
const redirects =
  'client_id,redirect_uri\nspa-wild,http://127.0.0.1:7201/callback\nweb-logout-wild,http://127.0.0.1:7202/after\n'

/** Starts it at the time of the export. What the file has of keys and hosts of their own is put in place of what it names. */
export async function movedWorld(t: Lifetime): Promise<MovedWorld> {
  const there = realm()
  const { issuer: before, people, clients } = expected()
  const recorded = people.find(({ tokens }) => tokens !== undefined)?.tokens?.web?.access_token ?? assert.fail()
  const key = await clientKey('RS256', 'k1')
  const keys = createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ keys: [{ ...key.publicJwk, use: 'sig', alg: 'RS256' }] }))
  })
  await new Promise<void>((listening) => keys.listen(0, '127.0.0.1', listening))
  t.after(() => keys.close())
  const keysAt = `http://127.0.0.1:${(keys.address() as AddressInfo).port}/jwks`
  clientOf(there, 'web-jwt').attributes['jwks.url'] = keysAt
  clientOf(there, 'web-jwt-cert').attributes['jwks.string'] = JSON.stringify({ keys: [key.publicJwk] })

  const port = await freePort()
  const issuer = `http://127.0.0.1:${port}${new URL(before).pathname}`
  const outbound = { Outbound__Networks__0: '127.0.0.1/32', Outbound__AllowHttp: 'true' }
  const at = workplace(t)
  at.nowMs = Number(recorded.iat) * 1000
  for (const [name, text] of Object.entries({ 'realm.json': JSON.stringify(there), 'redirects.csv': redirects })) {
    writeFileSync(join(at.folder, name), text)
  }
  const line = 'import keycloak realm.json --redirects redirects.csv'
  const run = async (command: string) => {
    const { code, stdout, stderr } = await at.run(command, { env: outbound })
    assert.ok(code === 0 || stdout !== '', `${command}: ${stderr}`)
    return stdout
  }
  const first = JSON.parse(await run(`${line} --dry-run --json`)) as Result
  const declares = first.findings.flatMap(({ command }) =>
    command?.startsWith('latchkey attribute add') ? [command] : [],
  )
  for (const command of new Set(declares)) await run(command.slice('latchkey '.length))
  const { findings, created } = JSON.parse(await run(`${line} --json`)) as Result
  const env = {
    ...{ Server__Port: String(port), OAuth__Issuer: issuer, OAuth__EndpointAliases__Preset: 'keycloak' },
    ...{ Database__Url: `sqlite:${join(at.folder, 'data', 'latchkey.db')}`, ...outbound },
    ...{ OAuth__Mtls__ClientCertificateHeader: certificateHeader, Server__TrustProxy: '127.0.0.1' },
  }
  const settings = settingsFrom({ Server__Port: String(port) })
  const service = await startService(env, { after: { settings, now: () => at.nowMs } })
  t.after(() => service.stop())
  const secretOf = (client: string) => clients[client]?.secret ?? ''
  return { service, realm: there, issuer, secretOf, key, findings, created }
}

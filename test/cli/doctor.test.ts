import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { checkAddress, checkCertificates, checkClock } from '../../src/server/doctor/checks.ts'
import { settingsFrom } from '../support/settings.ts'
import { valuesOf } from '../support/values.ts'
import { placeAfter, workplace } from './run.ts'

type Finding = { check: string; status: string; message: string; advice: string }

function addressStatus(env: Record<string, string>): string | undefined {
  const settings = settingsFrom(env)
  return checkAddress(settings)[0]?.status
}

describe('latchkey doctor', () => {
  it('warns of certificates in a header that no proxy may send (RFC 8705 §6.2)', () => {
    const messages = (env: Record<string, string>) => {
      const settings = settingsFrom(env)
      return checkCertificates(settings).map(({ status, message }) => `${status}: ${message}`)
    }
    const header = { OAuth__Mtls__ClientCertificateHeader: 'X-Client-Cert' }
    assert.match(messages(header).join(), /^warning: .*never believed/)
    assert.deepEqual(messages({ ...header, Server__TrustProxy: '127.0.0.1' }), [])
    assert.deepEqual(messages({ Server__TrustProxy: 'true' }), [])
  })

  it('is content with a fresh folder, and changes nothing in it [C2.24]', async (t) => {
    const place = workplace(t, { database: false })
    const findings = (await place.json('doctor')) as Finding[]
    assert.deepEqual(valuesOf(findings, 'check'), [
      'settings',
      'address',
      'clock',
      'files',
      'passwords',
      'mail',
      'database',
    ])
    assert.deepEqual([...new Set(findings.map(({ status }) => status))], ['ok', 'note'])
    assert.match(findings.at(-1)?.message ?? '', /There is no database yet; the first start creates/)
    assert.deepEqual((await place.json('doctor')) as Finding[], findings)
  })

  it('is content with a database in use [C2.24]', async (t) => {
    const place = await placeAfter(t, 'keys rotate')
    const { code, stdout } = await place.run('doctor')
    assert.equal(code, 0)
    assert.match(stdout, /✓ The database can be read and written/)
    assert.match(stdout, /✓ All keys can be decrypted\./)
  })

  it('reports every problem of the settings [C2.24]', async (t) => {
    const place = workplace(t)
    const { code, stdout, stderr } = await place.run('doctor --json', { env: { Log__Level: 'x', Server__Prot: '1' } })
    const findings = JSON.parse(stdout) as Finding[]
    assert.deepEqual(
      findings.map(({ check, status }) => `${check} ${status}`),
      ['settings failed', 'settings failed'],
    )
    assert.equal(stderr, '{"error":"refused","message":"2 problems must be fixed."}\n')
    assert.equal(code, 1)
  })

  it('reports a file that is not a database [C2.24]', async (t) => {
    const place = workplace(t, { database: false })
    mkdirSync(join(place.folder, 'data'))
    writeFileSync(join(place.folder, 'data', 'latchkey.db'), 'this is a text, not a database\n'.repeat(100), {
      mode: 0o600,
    })
    const { code, stdout } = await place.run('doctor')
    assert.equal(code, 1)
    assert.match(stdout, /✗ The database .* is not a database/)
  })

  it('warns of files that others can read', async (t) => {
    const place = await placeAfter(t, 'keys rotate')
    chmodSync(join(place.folder, 'data', 'latchkey.db.key'), 0o644)
    const { code, stdout } = await place.run('doctor')
    assert.equal(code, 0)
    assert.match(stdout, /! .*latchkey\.db\.key can be read by other accounts[^\n]*\n {2}Run: chmod 600/)
  })

  it('reports a clock that is behind the newest key [C2.24]', async (t) => {
    const place = await placeAfter(t, 'keys rotate')
    place.nowMs -= 3_600_000
    const { code, stdout } = await place.run('doctor')
    assert.equal(code, 1)
    assert.match(stdout, /✗ The newest key was created at 2027-01-01T00:00:00.000Z, which is in the future/)
    assert.equal(checkClock(0).status, 'failed')
  })

  it('reports the demo password on a public address', async (t) => {
    const place = workplace(t)
    await place.run('user add alice --email a@b --password-stdin', { stdin: 'Passw0rd!' })
    const env = { OAuth__Issuer: 'https://id.example.com/', Server__TrustProxy: 'true' }
    const { code, stdout } = await place.run('doctor', { env })
    assert.equal(code, 1)
    assert.match(
      stdout,
      /✗ The user alice has the published password of the demo[^\n]*\n {2}Run: latchkey user delete alice/,
    )
    assert.doesNotMatch((await place.run('doctor')).stdout, /demo/)
  })

  it('compares the issuer with the address that is listened on', () => {
    assert.equal(addressStatus({}), 'ok')
    assert.equal(addressStatus({ Server__Host: '::1' }), 'ok')
    assert.equal(addressStatus({ Server__Host: '0.0.0.0' }), 'failed')
    assert.equal(addressStatus({ Server__Host: '0.0.0.0', Server__TrustProxy: 'true' }), 'warning')
    assert.equal(addressStatus({ OAuth__Issuer: 'http://localhost:81/' }), 'warning')
    assert.equal(addressStatus({ OAuth__Issuer: 'https://id.example.com/' }), 'warning')
    assert.equal(addressStatus({ OAuth__Issuer: 'https://id.example.com/', Server__TrustProxy: 'true' }), 'ok')
  })
})

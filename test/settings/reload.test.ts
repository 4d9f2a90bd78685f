import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { settingsReference } from '../../src/settings/reference.ts'
import { fixedDifferences, isFixed } from '../../src/settings/reload.ts'
import { settingsTable } from '../../src/settings/table.ts'
import { settingsFrom } from '../support/settings.ts'

const masterKey = (fill: number) => Buffer.alloc(32, fill).toString('base64')

function settingsOf(env: Readonly<Record<string, string>>) {
  return settingsFrom(env, '/nonexistent')
}

describe('settings that need a restart', () => {
  const start = { Keys__MasterKey: masterKey(1), OAuth__Issuer: 'https://id.example.com/' }

  for (const [name, env] of [
    ['Server:Host', { Server__Host: '0.0.0.0' }],
    ['Server:Port', { Server__Port: '1' }],
    ['Server:WorkerTimeout', { Server__WorkerTimeout: '5' }],
    ['OAuth:Issuer', { OAuth__Issuer: 'https://other.example.com/' }],
    ['OAuth:AccessTokenAlgorithm', { OAuth__AccessTokenAlgorithm: 'EdDSA' }],
    ['OAuth:IdentityTokenAlgorithm', { OAuth__IdentityTokenAlgorithm: 'EdDSA' }],
    ['Database:Url', { Database__Url: 'sqlite:other.db' }],
    ['Keys:MasterKey', { Keys__MasterKey: masterKey(2) }],
    ['Metrics:Port', { Metrics__Port: '9464' }],
    ['Metrics:Host', { Metrics__Host: '::' }],
  ] as const) {
    it(`are noticed by name: ${name}`, () => {
      assert.deepEqual(fixedDifferences(settingsOf(start), settingsOf({ ...start, ...env })), [name])
      assert.ok(isFixed(name))
    })
  }

  it('are noticed by name: Database:PreparedStatements, which the address carries', () => {
    const before = { ...start, Database__Url: 'postgres://h/d' }
    const after = { ...before, Database__PreparedStatements: 'false' }
    assert.deepEqual(settingsOf(after).database.url, {
      kind: 'postgres',
      url: 'postgres://h/d',
      preparedStatements: false,
    })
    assert.deepEqual(fixedDifferences(settingsOf(before), settingsOf(after)), ['Database:PreparedStatements'])
    const elsewhere = settingsOf({ ...after, Database__Url: 'postgres://other/d' })
    assert.deepEqual(fixedDifferences(settingsOf(after), elsewhere), ['Database:Url'])
  })

  it('are marked in the reference, and no others are', () => {
    const marked = [...settingsReference().matchAll(/^\| `([^`]+)` .* ↻ \|$/gm)].map(([, name]) => name)
    assert.deepEqual(marked, Object.keys(settingsTable).filter(isFixed))
    assert.equal(marked.length, 26)
  })

  it('are no others: lifetimes, limits, origins, providers and the log level can be taken on', () => {
    const live = {
      OAuth__AccessTokenLifetime: '5',
      RateLimit__LoginPerMinute: '5',
      Accounts__Lockout__Duration: '5',
      Cors__Origins: 'https://app.example.com',
      OAuth__External__GitHub__ClientId: 'x',
      Server__TrustProxy: 'true',
      Log__Level: 'debug',
    }
    assert.deepEqual(fixedDifferences(settingsOf(start), settingsOf({ ...start, ...live })), [])
  })
})

describe('the standard variables of OpenTelemetry', () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }
  for (const [env, enabled] of [
    [{}, false],
    [{ OTEL_SERVICE_NAME: 'id' }, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: '' }, false],
    [endpoint, true],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector:4318/v1/traces' }, true],
    [{ ...endpoint, OTEL_SDK_DISABLED: 'TRUE' }, false],
    [{ ...endpoint, OTEL_TRACES_EXPORTER: 'none' }, false],
  ] as const) {
    it(`${enabled ? 'ask' : 'do not ask'} for traces with ${JSON.stringify(env)}`, () =>
      assert.equal(settingsOf(env).tracing.enabled, enabled))
  }
})

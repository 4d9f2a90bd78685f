import assert from 'node:assert/strict'
import { it } from 'node:test'
import { statementsModule } from '../../scripts/compiled-statements.ts'
import { compiling } from '../../src/storage/sql/compile.ts'
import { builds, type Lookup, prepare } from '../../src/storage/sql/prepared.ts'
import type { Dialect } from '../../src/storage/sql/statement.ts'
import { statements } from '../support/statements.ts'
import { assertNone } from '../support/values.ts'

for (const dialect of ['sqlite', 'postgres'] as const) {
  it(`has the same statements in the bundle as in the sources: ${dialect}`, () => {
    const [fromSources, bundled] = [compiling(dialect), lookupIn(statementsModule(dialect), dialect)]
    const names = [...builds.keys()]
    assert.ok(names.length > 300, `only ${names.length}`)
    const values = new Proxy({}, { get: (_, name) => `the value ${String(name)}` })
    const row = Array.from({ length: 100 }, (_, at) => at)
    for (const name of names) {
      const [expected, found] = [fromSources(name), bundled(name)]
      assert.equal(found?.text, expected?.text, name)
      assert.deepEqual(found?.toParameters(values), expected?.toParameters(values), name)
      assert.deepEqual(found?.toRow?.(row), expected?.toRow?.(row), name)
    }
    assert.equal(bundled('of no name'), undefined)
  })
}

/** Runs what the build puts in the place of `src/storage/<dialect>/statements.ts`. */
function lookupIn(source: string, dialect: Dialect): Lookup {
  let found: Lookup | undefined
  const body = source.replace(/^import .*$/m, '')
  new Function('findStatements', body)((of: Dialect, lookup: Lookup) => {
    assert.equal(of, dialect)
    found = lookup
  })
  assert.ok(found)
  return found
}

it('has statements for the engine in use alone', () => {
  const unused = prepare('unused', (db) => db.selectFrom('users').select('id'))
  assert.throws(() => unused({}).toSql('sqlite'), /unused was not compiled for sqlite/)
})

it('reads no client that is being removed', () => {
  // They change a client on the version that was read, remove one, or look for what the emptied row of such a client has not.
  const harmless = new Set([
    'client-deletion.unused',
    'clients.insertClient',
    'clients.updateClient',
    'dependents.clientsWith',
    'removals.markedClient',
    'scopes.takeFromClients',
    'session-clients.queueOfSessions',
    'session-clients.queueOfUser',
    'session-clients.tellLate',
    'sweep.remove.unused_clients',
  ])
  for (const dialect of ['sqlite', 'postgres'] as const) {
    const reading = Object.entries(statements[dialect]).filter(([, { text }]) => text.includes('"clients"'))
    assert.ok(reading.length > 20)
    const forgetful = reading.filter(([name, { text }]) => !/"?deleted"? = 0/.test(text) && !harmless.has(name))
    assertNone(forgetful.map(([name]) => name))
  }
})

it('refuses a second statement of the same name', () => {
  prepare('twin', (db) => db.selectFrom('users').select('id'))
  const again = () => prepare('twin', (db) => db.selectFrom('clients').select('id'))
  assert.throws(again, /two statements called twin/)
})

it('has no parameter for a limit in a statement of a request, which SQLite would prepare anew at every run', () => {
  const limited = Object.entries(statements.sqlite).filter(([, { text }]) => /\blimit \?/.test(text))
  assert.ok(limited.length > 0, 'the sweeper and the readers of the trail choose their limits')
  assertNone(limited.map(([name]) => name).filter((name) => !/^(?:sweep|audit|audit-checkpoints)\./.test(name)))
})

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { compileStatements, readStatements } from '../../src/storage/sql/compile.ts'
import { builds, prepare } from '../../src/storage/sql/prepared.ts'
import { statements } from '../../src/storage/sql/statements.generated.ts'

it('runs the statements as they are written: after a change, run src/storage/sql/compile.ts', () => {
  assert.ok(builds.size > 40)
  assert.equal(readStatements(), compileStatements())
})

it('says what to do when a statement was not compiled', () => {
  const forgotten = prepare('forgotten', (db) => db.selectFrom('users').select('id'))
  assert.throws(() => forgotten({}).toSql('sqlite'), /forgotten was not compiled: run src\/storage\/sql\/compile\.ts/)
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
    assert.deepEqual(
      forgetful.map(([name]) => name),
      [],
    )
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
  assert.deepEqual(
    limited.map(([name]) => name).filter((name) => !/^(?:sweep|audit)\./.test(name)),
    [],
  )
})

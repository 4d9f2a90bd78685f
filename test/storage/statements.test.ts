import assert from 'node:assert/strict'
import { it } from 'node:test'
import { compileStatements, readStatements } from '../../src/storage/sql/compile.ts'
import { builds, prepare } from '../../src/storage/sql/prepared.ts'

it('runs the statements as they are written: after a change, run src/storage/sql/compile.ts', () => {
  assert.ok(builds.size > 40)
  assert.equal(readStatements(), compileStatements())
})

it('says what to do when a statement was not compiled', () => {
  const forgotten = prepare('forgotten', (db) => db.selectFrom('users').select('id'))
  assert.throws(() => forgotten({}).toSql('sqlite'), /forgotten was not compiled: run src\/storage\/sql\/compile\.ts/)
})

it('refuses a second statement of the same name', () => {
  prepare('twin', (db) => db.selectFrom('users').select('id'))
  const again = () => prepare('twin', (db) => db.selectFrom('clients').select('id'))
  assert.throws(again, /two statements called twin/)
})

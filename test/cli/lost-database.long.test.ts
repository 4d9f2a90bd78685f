/** The master key of an earlier database beside one that is missing or empty: nothing begins anew unless it is told to. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { atOnce } from '../storage/records.ts'
import { runProgram } from '../support/program.ts'
import { workplace } from './run.ts'

// Each start in this process listens for signals.
process.setMaxListeners(50)

/** A folder in which commands are run. `serve --check` is a start that stops at once. */
function place(t: TestContext) {
  const { folder, run: runLine } = workplace(t, { database: false })
  const env = { Server__Host: '127.0.0.1', Server__Port: '0', OAuth__Issuer: 'http://localhost:5080/' }
  const run = (...words: string[]) => runLine(words.join(' '), { env })
  const start = (...words: string[]) => run('serve', '--check', ...words)
  const file = join(folder, 'data', 'latchkey.db')
  /** A provider that was there once, of which only the master key is left. */
  async function lose(): Promise<string> {
    assert.equal((await start()).code, 0)
    for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
    return readFileSync(`${file}.key`, 'utf8')
  }
  const files = () => readdirSync(join(folder, 'data')).sort()
  return { folder, run, start, file, lose, files, env }
}

const advice = /restore a backup with: latchkey db restore FILE\. To start over .*, run once: latchkey serve --new\n$/

describe('a master key whose database', () => {
  it('is missing stops the start and latchkey db migrate, and nothing is made', async (t) => {
    const { run, start, file, lose, files } = place(t)
    await lose()
    for (const ended of [await start(), await start('--demo'), await run('db', 'migrate')]) {
      assert.equal(ended.code, 1)
      assert.match(
        ended.stderr,
        new RegExp(`^error: The master key ${file}\\.key is that of an earlier database, but ${file} is missing\\. `),
      )
      assert.match(ended.stderr, advice)
    }
    assert.deepEqual(files(), ['latchkey.db.key'])
    const examined = await run('doctor')
    assert.equal(examined.code, 1)
    assert.match(examined.stdout, /✗ The master key .* is missing\./)
  })

  it('is empty stops the start', async (t) => {
    const { start, file, lose } = place(t)
    await lose()
    writeFileSync(file, '')
    const ended = await start()
    assert.equal(ended.code, 1)
    assert.match(ended.stderr, /latchkey\.db is empty\. /)
    assert.match(ended.stderr, advice)
  })

  it('has a schema and no keys stops the start, too', async (t) => {
    const { run, start, file, lose } = place(t)
    const key = await lose()
    rmSync(`${file}.key`)
    assert.equal((await run('db', 'migrate')).code, 0)
    writeFileSync(`${file}.key`, key, { mode: 0o600 })
    for (const ended of [await start(), await run('keys', 'rotate')]) {
      assert.equal(ended.code, 1)
      assert.match(ended.stderr, /latchkey\.db has no keys\. /)
    }
    const examined = await run('doctor')
    assert.equal(examined.code, 1)
    assert.match(examined.stdout, /✗ The master key .* has no keys\./)
  })

  for (const words of [
    ['serve', '--check', '--new'],
    ['db', 'migrate', '--new'],
  ]) {
    it(`is lost may be given up: latchkey ${words.join(' ')}`, async (t) => {
      const { run, start, file, lose, files } = place(t)
      const key = await lose()
      const ended = await run(...words)
      assert.equal(ended.code, 0, ended.stderr)
      assert.equal((await start()).code, 0)
      assert.equal(readFileSync(`${file}.key`, 'utf8'), key)
      assert.deepEqual(files(), ['latchkey.db', 'latchkey.db.key'])
    })
  }

  it('comes back from a backup is used as before', async (t) => {
    const { run, start, lose } = place(t)
    assert.equal((await start()).code, 0)
    assert.equal((await run('db', 'backup', 'copy.db')).code, 0)
    await lose()
    assert.equal((await start()).code, 1)
    assert.equal((await run('db', 'restore', 'copy.db')).code, 0)
    assert.equal((await start()).code, 0)
  })
})

describe('a first start', () => {
  it('that was cut off after the master key was made is completed by the next one', async (t) => {
    const { start, file } = place(t)
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(`${file}.key.new`, '')
    writeFileSync(`${file}.key`, Buffer.alloc(32, 1).toString('base64'), { mode: 0o600 })
    assert.equal((await start()).code, 0)
    assert.ok(!existsSync(`${file}.key.new`))
  })

  it('of several processes at once is one, and leaves nothing but database and key', async (t) => {
    const { folder, files, env } = place(t)
    const ended = await atOnce(3, () => runProgram(['serve', '--check'], { folder, env }))
    for (const { code, stderr } of ended) assert.deepEqual([code, stderr], [0, ''])
    assert.deepEqual(files(), ['latchkey.db', 'latchkey.db.key'])
  })
})

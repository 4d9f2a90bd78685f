/** What a server says at its start when the master key is not the one it needs, and that the way out leads out. */
import assert from 'node:assert/strict'
import { copyFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { temporaryFolder } from '../support/lifetime.ts'
import { runProgram } from '../support/program.ts'
import { freePort } from '../support/service.ts'
import { startProcess } from '../support/service-process.ts'
import { makeDatabaseFile } from '../support/sqlite.ts'

/** A folder in which a server ran once, and the key set that it had. */
async function scene(t: TestContext) {
  const folder = temporaryFolder(t)
  // Has the schema and nothing else. Each start from no file at all would run every migration.
  await makeDatabaseFile(join(folder, 'data', 'latchkey.db'))
  const serve = async (env: Record<string, string> = {}) => {
    const service = await startProcess({ port: await freePort(), folder, env })
    const { keys } = (await (await fetch(`${service.address}.well-known/jwks`)).json()) as { keys: { kid: string }[] }
    await service.stop()
    return keys.map(({ kid }) => kid)
  }
  /** The start is refused with one line. */
  const refuses = async (pattern: RegExp, env: Record<string, string> = {}) => {
    await assert.rejects(serve(env), (error: Error) => {
      assert.match(error.message, /^the service ended: error: [^\n]+\n$/)
      assert.match(error.message, pattern)
      return true
    })
  }
  const run = (...words: string[]) => runProgram(words, { folder })
  return { folder, keyFile: join(folder, 'data', 'latchkey.db.key'), kids: await serve(), serve, refuses, run }
}

describe('a server without its master key', () => {
  it('does not start, makes no other key, and starts again when the file is back', async (t) => {
    const { keyFile, kids, serve, refuses } = await scene(t)
    copyFileSync(keyFile, `${keyFile}.away`)
    rmSync(keyFile)
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await refuses(/latchkey\.db\.key, but there is no such file\. Restore it from a backup\. .*--lost-master-key/)
    }
    copyFileSync(`${keyFile}.away`, keyFile)
    assert.deepEqual(await serve(), kids)
  })

  it('does not start with another one, wherever that comes from', async (t) => {
    const { folder, keyFile, kids, serve, refuses } = await scene(t)
    const other = Buffer.alloc(32, 1).toString('base64')
    const advice = /Set the one that encrypted them\. .*--lost-master-key/
    await refuses(/cannot be decrypted with the master key from Keys:MasterKey\. /, { Keys__MasterKey: other })
    writeFileSync(join(folder, 'other.key'), other, { mode: 0o600 })
    await refuses(advice, { Keys__MasterKeyFile: 'other.key' })
    await refuses(
      /Keys:MasterKeyFile names .*nowhere\.key, but there is no such file\. Restore it .*--lost-master-key/,
      {
        Keys__MasterKeyFile: 'nowhere.key',
      },
    )
    assert.deepEqual(await serve({ Keys__MasterKeyFile: keyFile }), kids)
    writeFileSync(keyFile, 'not a key')
    await refuses(/latchkey\.db\.key does not hold 32 bytes in base64\. Restore it from a backup\./)
  })

  it('goes on with new keys when the operator gives the lost ones up; what was signed can still be verified', async (t) => {
    const { keyFile, kids, serve, run } = await scene(t)
    rmSync(keyFile)
    assert.equal((await run('keys', 'rotate', '--lost-master-key')).code, 0)
    const now = await serve()
    assert.equal(now.length, 4)
    for (const kid of kids) assert.ok(now.includes(kid))
  })
})

/** What computes the hashes of passwords: the optional package, or the runtime where that is missing or wrong. */
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Browser } from '../support/browser.ts'
import { temporaryFolder } from '../support/lifetime.ts'
import { program as ownProgram, runProgram } from '../support/program.ts'
import { serve } from './running.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const nativePackage = join('node_modules', '@node-rs', 'argon2')

/** This checkout with all packages but the native one; instead of it one with these contents, or none. */
function checkoutWith(t: TestContext, contents?: string): string {
  const folder = temporaryFolder(t)
  for (const name of ['src', 'bin', 'package.json']) cpSync(join(root, name), join(folder, name), { recursive: true })
  symlinkSync(join(root, 'dist'), join(folder, 'dist'))
  mkdirSync(join(folder, 'node_modules'))
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name === '@node-rs' || name.startsWith('.')) continue
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
  if (contents !== undefined) {
    mkdirSync(join(folder, nativePackage), { recursive: true })
    writeFileSync(join(folder, nativePackage, 'index.js'), contents)
  }
  return join(folder, 'bin', 'latchkey')
}

async function doctor(folder: string, program: string): Promise<string> {
  const { code, stdout, stderr } = await runProgram(['doctor'], { folder, command: [program] })
  assert.equal(code, 0, stderr)
  return stdout
}

const info = 30
const warn = 40

describe('the hashing of passwords', () => {
  it('is done by @node-rs/argon2 where it is installed, and log and doctor say so', async (t) => {
    const service = await serve(t)
    const line = await service.logged('passwords are hashed by @node-rs/argon2')
    assert.equal(line.level, info)
    assert.equal(line.argon2, '@node-rs/argon2')
    assert.equal((await new Browser(service).signIn()).headers.get('location'), '/')
    assert.match(await doctor(service.folder, ownProgram), /^✓ Passwords are hashed by @node-rs\/argon2\.$/m)
  })

  it('is done by node:crypto without that package: what was hashed with it still signs in', async (t) => {
    const before = await serve(t)
    assert.equal((await new Browser(before).signIn()).headers.get('location'), '/')
    before.child.kill('SIGTERM')
    await before.ended

    const command = [checkoutWith(t)] as const
    const env = { Database__Url: `sqlite:${join(before.folder, 'data', 'latchkey.db')}` }
    const service = await serve(t, { command, env })
    const because = 'because @node-rs/argon2 is not installed'
    const line = await service.logged(`passwords are hashed by node:crypto, ${because}`)
    assert.equal(line.level, info)
    assert.equal((await new Browser(service).signIn()).headers.get('location'), '/')
    const refused = await new Browser(service).signIn({ password: 'passw0rd!' })
    assert.match(String(refused.headers.get('location')), /error=invalid_credentials/)
    assert.match(
      await doctor(service.folder, command[0]),
      new RegExp(`^✓ Passwords are hashed by node:crypto, ${because}\\.$`, 'm'),
    )
  })

  it('is done by node:crypto when the package computes wrong hashes, with a warning', async (t) => {
    const command = [checkoutWith(t, 'exports.hashRawSync = () => Buffer.alloc(32)')] as const
    const service = await serve(t, { command })
    const because = 'because @node-rs/argon2 computes another hash than node:crypto'
    assert.equal((await service.logged(`passwords are hashed by node:crypto, ${because}`)).level, warn)
    assert.equal((await new Browser(service).signIn()).headers.get('location'), '/')
    const refused = await new Browser(service).signIn({ password: 'passw0rd!' })
    assert.match(String(refused.headers.get('location')), /error=invalid_credentials/)
    const said = await doctor(service.folder, command[0])
    assert.match(said, new RegExp(`^! Passwords are hashed by node:crypto, ${because}\\.\\n +Sign-ins .* npm ci$`, 'm'))
  })
})

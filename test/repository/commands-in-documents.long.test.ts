/** The commands of the guide, the README and the pages on claims and attributes, as they stand there, in a fresh folder with a running service. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { authorizeParameters, Browser, claimsOf, codeVerifier, headerOf, locationOf } from '../support/browser.ts'
import { temporaryFolder } from '../support/lifetime.ts'
import { freePort } from '../support/service.ts'
import { startProcess } from '../support/service-process.ts'
import { assertNone } from '../support/values.ts'
import { read, root } from './sources.ts'

type Shell = (block: string, env?: Readonly<Record<string, string>>) => Promise<string>

/** A service, and a shell beside it that finds the program as `latchkey` and as `npx latchkey`. */
async function beside(t: TestContext): Promise<{ readonly issuer: string; readonly shell: Shell }> {
  const folder = temporaryFolder(t)
  const programs = join(folder, 'programs')
  mkdirSync(programs)
  symlinkSync(join(root, 'bin', 'latchkey'), join(programs, 'latchkey'))
  writeFileSync(join(programs, 'npx'), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 })
  const port = await freePort()
  const service = await startProcess({ port, folder, env: { Server__Host: 'localhost' } })
  t.after(() => service.stop())
  const issuer = `http://localhost:${port}/`
  const shell: Shell = async (block, env = {}) => {
    const PATH = `${programs}:${process.env.PATH}`
    const surroundings = { cwd: folder, env: { PATH, ISSUER: issuer, ...env } }
    const text = block.replaceAll('http://localhost:5080/', issuer)
    const { stdout } = await promisify(execFile)('sh', ['-eu', '-c', text], surroundings)
    return stdout
  }
  return { issuer, shell }
}

const blocksIn = (text: string): string[] => [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)

const shellBlocks = (document: string): string[] => blocksIn(read(document))

/** Whole commands within sentences and tables. */
function commandsIn(text: string): string[] {
  return [...text.matchAll(/`(latchkey [^`]+)`/g)].map(([, command = '']) => command.replaceAll('\n', ' '))
}

/** A code for a client of the guide, given to the person that the guide adds. */
async function codeFor(issuer: string, client: string, redirectUri: string, scope: string): Promise<string> {
  const browser = new Browser({ issuer })
  await browser.signIn({ username: 'tess', password: 'correct horse battery' })
  const request = authorizeParameters({ client_id: client, redirect_uri: redirectUri, scope })
  const accepted = await browser.submit('/connect/authorize', { ...request, 'submit.Accept': 'Yes' })
  const code = locationOf(accepted).searchParams.get('code')
  assert.ok(code, `${client}: ${accepted.status} ${accepted.headers.get('location')}`)
  return code
}

async function redeem(issuer: string, fields: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const body = new URLSearchParams({ grant_type: 'authorization_code', code_verifier: codeVerifier, ...fields })
  return (await fetch(`${issuer}connect/token`, { method: 'POST', body })).json() as Promise<Record<string, string>>
}

describe('the commands of the documents', () => {
  it('lead through the guide from the first to the last, and give what it says', async (t) => {
    const { issuer, shell } = await beside(t)
    const blocks = shellBlocks('docs/guide.md')
    assert.ok(blocks.length >= 8, `only ${blocks.length} blocks were found`)
    let secret = ''
    const moved = 'https://new.planner.example.com/callback'
    const tokens: Record<string, string>[] = []
    let introspected: Record<string, unknown> = {}
    for (const block of blocks) {
      const env: Record<string, string> = { SECRET: secret, VERIFIER: codeVerifier }
      if (block.includes('$CODE')) {
        const address = 'https://planner.example.com/server/callback'
        env.CODE = await codeFor(issuer, 'planner-server', address, 'openid offline_access')
      }
      if (/\$(?:REFRESH|ACCESS)_TOKEN/.test(block)) {
        const code = await codeFor(issuer, 'planner', moved, 'openid profile email offline_access planner_api')
        const answer = await redeem(issuer, { client_id: 'planner', code, redirect_uri: moved })
        env.REFRESH_TOKEN = String(answer.refresh_token)
        env.ACCESS_TOKEN = String(answer.access_token)
      }
      const stdout = await shell(block, env)
      secret = /shown only once: (\S+)/.exec(stdout)?.[1] ?? secret
      if (block.includes('connect/introspect')) introspected = JSON.parse(stdout)
      if (block.includes('connect/token')) tokens.push(JSON.parse(stdout))
    }
    const [onServer = {}, ofProgram = {}, refreshed = {}] = tokens
    assert.equal(tokens.length, 3)
    assert.deepEqual([introspected.active, introspected.username], [true, 'tess'])
    assert.equal(claimsOf(String(ofProgram.access_token)).sub, 'planner-nightly')
    assert.equal(claimsOf(String(onServer.access_token)).aud, issuer)
    const access = claimsOf(String(refreshed.access_token))
    assert.deepEqual([access.aud, access.iss], ['https://api.planner.example.com/', issuer])
    const { alg, typ } = headerOf(String(refreshed.access_token))
    assert.deepEqual([alg, typ], ['ES256', 'at+jwt'])
    const { name, email, email_verified, role } = claimsOf(String(refreshed.id_token))
    assert.deepEqual([name, email, email_verified, role], ['tess', 'tess@example.com', true, undefined])
  })

  it('work as the README has them, after which those of the guide still do', async (t) => {
    const { shell } = await beside(t)
    const blocks = shellBlocks('README.md').filter((block) => !/^npm /m.test(block))
    assert.ok(blocks.length >= 1, `only ${blocks.length} blocks were found`)
    for (const block of blocks) await shell(block)
    for (const block of shellBlocks('docs/guide.md').filter((one) => !/connect\/(?:token|introspect)/.test(one))) {
      await shell(block)
    }
  })

  it('about claims print what the document says, and all of them work, from the first to the last', async (t) => {
    const { shell } = await beside(t)
    const page = read('docs/claims.md')
    const [before = '', example = ''] = page.split('```console\n')
    const needed = commandsIn(before)
    assert.equal(needed.length, 3)
    for (const command of needed) await shell(command)
    // Commands take their own settings: their issuer is the default.
    const shown = (text: string) =>
      text
        .replaceAll('http://localhost:5080/', 'https://id.example/')
        .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'an-id')
    const steps = (example.split('\n```')[0] ?? '').split(/^\$ /m).slice(1)
    assert.equal(steps.length, 4)
    for (const step of steps) {
      const [command = '', ...expected] = step.trimEnd().split('\n')
      const printed = shown(await shell(command)).split('\n')
      let from = 0
      for (const line of expected.filter((one) => one.trim() !== '…')) {
        const at = printed.indexOf(shown(line), from)
        assert.ok(at >= 0, `${command} does not print ${line} after line ${from}:\n${printed.join('\n')}`)
        from = at + 1
      }
    }
    const [, serviceAccounts = ''] = read('docs/clients.md').split('### Service accounts')
    const blocks = [...shellBlocks('docs/claims.md'), ...blocksIn(serviceAccounts).slice(0, 1)]
    assert.equal(blocks.length, 3)
    for (const block of blocks) await shell(block)
    const table = page.split('## Groups and roles')[1]?.split('\n\n')[2] ?? ''
    const givers = commandsIn(table)
    assert.equal(givers.length, 5)
    for (const command of givers) await shell(command)
    const roles = JSON.parse(await shell('latchkey user show alice --json')).effective_roles
    assert.deepEqual(
      roles.map(({ role, from }: { role: string; from: string[] }) => `${role}: ${from.join(', ')}`),
      ['author: included by editor', 'editor: own', 'employee: /staff, everybody', 'viewer: included by editor'],
    )
  })

  it('about attributes work from the first to the last', async (t) => {
    const { shell } = await beside(t)
    await shell('latchkey user add alice --email alice@example.com --no-password')
    const blocks = shellBlocks('docs/attributes.md')
    assert.ok(blocks.length >= 1)
    for (const block of blocks) await shell(block)
    const { attributes } = JSON.parse(await shell('latchkey user show alice --json'))
    assert.deepEqual(attributes, { department: 'sales', customer_number: 'C-000042' })
  })

  it('run the installed program, and never a package of that name from somewhere', () => {
    // README, CONTRIBUTING and the demo client speak of a checkout, where npx finds the program itself.
    const documents = ['docs/guide.md', 'docs/operating.md', 'docs/deploy.md', 'docs/audit.md']
    const lines = documents.flatMap((document) => shellBlocks(document).flatMap((block) => block.split('\n')))
    assert.ok(lines.filter((line) => /\blatchkey /.test(line)).length >= 20)
    assertNone(lines.filter((line) => /\bnpx latchkey\b|\bnpm (?:install|exec)\b.* latchkey$/.test(line)))
  })
})

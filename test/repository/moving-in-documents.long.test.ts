/** The commands of the pages on moving in, as they stand there, with files of each source, and the program that they show. */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { basename, join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { sourceNames, writeSource } from '../../bench/moving-in-sources.ts'
import { Browser, locationOf } from '../support/browser.ts'
import { temporaryFolder } from '../support/lifetime.ts'
import { listen } from '../support/listen.ts'
import { freePort, startService, userNamed } from '../support/service.ts'
import { filesBelow, read, root } from './sources.ts'

const people = 12
const pages = filesBelow('docs/moving-in', ['.md']).toSorted()

/** With headings alone but for one application. */
const openIddict = {
  OpenIddictApplications:
    'Id,ApplicationType,ClientId,ClientSecret,ClientType,ConcurrencyToken,ConsentType,DisplayName,DisplayNames,JsonWebKeySet,Permissions,PostLogoutRedirectUris,Properties,RedirectUris,Requirements,Settings\n' +
    'a1,,shop,,public,,explicit,Shop,,,"[""ept:authorization"",""ept:token"",""gt:authorization_code"",""rst:code""]",,,"[""https://shop.example/callback""]","[""ft:pkce""]",\n',
  OpenIddictScopes: 'Id,ConcurrencyToken,Description,Descriptions,DisplayName,DisplayNames,Name,Properties,Resources\n',
  OpenIddictAuthorizations: 'Id,ApplicationId,ConcurrencyToken,CreationDate,Properties,Scopes,Status,Subject,Type\n',
  OpenIddictTokens:
    'Id,ApplicationId,AuthorizationId,ConcurrencyToken,CreationDate,ExpirationDate,Payload,Properties,RedemptionDate,ReferenceId,Status,Subject,Type\n',
}

/** A folder with everything that the commands of a page read. */
async function folderFor(t: TestContext, page: string): Promise<string> {
  const folder = temporaryFolder(t)
  const source = basename(page, '.md').replace('without-hashes', 'users')
  await writeSource(sourceNames.find((name) => name === source) ?? assert.fail(page), folder, people)
  if (source === 'auth0') {
    // The export of hashes has the same people by the same ids.
    await writeSource('auth0', join(folder, 'hashes'), people)
    renameSync(join(folder, 'hashes', 'users.json'), join(folder, 'hashes.json'))
  }
  if (source === 'aspnet-identity') {
    for (const [name, text] of Object.entries(openIddict)) writeFileSync(join(folder, 'export', `${name}.csv`), text)
  }
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'former', use: 'sig', alg: 'RS256' }]
  writeFileSync(join(folder, 'certs.json'), JSON.stringify({ keys }))
  mkdirSync(join(folder, 'programs'))
  symlinkSync(join(root, 'bin', 'latchkey'), join(folder, 'programs', 'latchkey'))
  return folder
}

/** By the heading of their part: the blocks that are to be pasted into a shell. */
function blocksOf(page: string): ReadonlyMap<string, readonly string[]> {
  const parts = read(page).split(/^## /m).slice(1)
  return new Map(
    parts.map((part) => {
      const blocks = [...part.matchAll(/^ *```sh\n(.*?)^ *```$/gms)].map(([, block = '']) => block)
      return [part.split('\n', 1)[0] ?? '', blocks]
    }),
  )
}

describe('the pages on moving in', () => {
  it('are one for each source, with the same parts', () => {
    assert.equal(pages.length, 6)
    const parts = ['Before', 'A rehearsal', 'The night', 'The week after', 'The way back']
    for (const page of pages) assert.deepEqual([...blocksOf(page).keys()].slice(0, 5), parts, page)
    const index = read('docs/moving-in.md')
    for (const page of pages) assert.ok(index.includes(`(${page.replace('docs/', '')})`), page)
  })

  for (const page of pages) {
    it(`work from the first to the last: ${page}`, async (t) => {
      const folder = await folderFor(t, page)
      const PATH = `${join(folder, 'programs')}:${process.env.PATH}`
      let ran = 0
      for (const [part, blocks] of blocksOf(page)) {
        // The rehearsal has a database of its own; the way back begins where the night ended.
        const Database__Url = `sqlite:${part === 'A rehearsal' ? 'rehearsal' : 'night'}.db`
        const env = { PATH, Database__Url, Mail__Url: 'file:mail' }
        const shell = (text: string) => promisify(execFile)('sh', ['-eu', '-c', text], { cwd: folder, env })
        for (const block of blocks.filter((text) => /^ *latchkey /m.test(text))) {
          await shell(`latchkey db migrate\n${block.replaceAll(/^ *latchkey doctor$/gm, 'latchkey doctor || true')}`)
          ran += 1
        }
        if (part !== 'The way back') continue
        const { stdout } = await shell('latchkey user list --json')
        assert.equal(JSON.parse(stdout).length, people, page)
      }
      assert.ok(ran >= 2, page)
    })
  }

  it('have a check of passwords that works: it believes signed questions alone, and who had a second factor stays held', async (t) => {
    const page = read('docs/moving-in/without-hashes.md')
    const program = join(temporaryFolder(t), 'check.mjs')
    writeFileSync(program, /```js\n(.*?)```/s.exec(page)?.[1] ?? assert.fail('no program'))
    const asked: unknown[] = []
    const okta = createServer(async (request, response) => {
      let body = ''
      for await (const part of request.setEncoding('utf8')) body += part
      const { username, password } = JSON.parse(body)
      asked.push([request.url, username])
      const status = username === 'mia@acme.example' ? 'MFA_REQUIRED' : 'SUCCESS'
      const user = { id: `00u-${username}`, profile: { login: username } }
      response.writeHead(password === 'right horse battery' ? 200 : 401)
      response.end(JSON.stringify({ status, _embedded: { user } }))
    })
    const origin = await listen(okta)
    t.after(() => okta.close())
    const settings = Object.fromEntries(
      [...page.matchAll(/^export (\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
    )
    const port = await freePort()
    const SECRET = settings.Accounts__Legacy__Secret ?? ''
    const child = spawn(process.execPath, [program], { env: { SECRET, OKTA: origin, PORT: String(port) } })
    t.after(() => child.kill())
    const url = `http://127.0.0.1:${port}/`
    const tries = async (): Promise<Response> =>
      fetch(url, { method: 'POST', body: '{}' }).catch(() => wait(50).then(tries))
    assert.equal((await tries()).status, 400)
    assert.deepEqual(asked, [])

    const service = await startService({ ...settings, Accounts__Legacy__Url: url, RateLimit__LoginPerMinute: '100' })
    t.after(() => service.stop())
    const signIn = (username: string, password: string) =>
      new Browser(service).signIn({ username, password, ReturnUrl: '/Account?x=1' })
    assert.equal(locationOf(await signIn('ann@acme.example', 'wrong')).searchParams.get('error'), 'invalid_credentials')
    assert.equal(locationOf(await signIn('ann@acme.example', 'right horse battery')).pathname, '/Account')
    assert.equal((await userNamed(service, 'ann@acme.example')).id, '00u-ann@acme.example')
    assert.notEqual(locationOf(await signIn('mia@acme.example', 'right horse battery')).pathname, '/Account')
    assert.equal((await userNamed(service, 'mia@acme.example')).hadSecondFactor, true)
    assert.ok(asked.every((one) => String(one).startsWith('/api/v1/authn,')))
    child.kill()
    await once(child, 'exit')
  })
})

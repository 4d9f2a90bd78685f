/** What a start and a plain sign-in load: libraries for anything else come with its first use. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { read } from '../repository/sources.ts'
import { Browser, codeFields, obtainCode, postToken } from '../support/browser.ts'
import { guard } from '../support/service-process.ts'
import { assertStops, serve } from './running.ts'

/** Writes down the modules of the main thread. Those of passwords and commits have an environment of their own. */
const hooks = `import { registerHooks } from 'node:module'
  import { appendFileSync } from 'node:fs'
  registerHooks({
    load(url, context, next) {
      appendFileSync('loaded.txt', url + '\\n')
      return next(url, context)
    },
  })`

/** Returns those that the product names: what they bring along is theirs. */
function dependenciesIn(text: string): string[] {
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Readonly<Record<string, string>> }
  return Object.keys(dependencies).filter((name) => text.includes(`/node_modules/${name}/`))
}

/** From the sources, which load on demand what the bundle does. Kysely compiles statements that the bundle brings compiled. */
const plain = ['cookie', 'ipaddr.js', 'jose', 'kysely', 'pino']

describe('the libraries that are loaded', () => {
  it('after a start, a sign-in with a password, tokens and a refresh are those that these need', async (t) => {
    const options = `${guard.NODE_OPTIONS ?? ''} --import=data:text/javascript,${encodeURIComponent(hooks)}`
    const env = { NODE_OPTIONS: options.trim(), LATCHKEY_BUILT: '', Admin__Enabled: 'false' }
    const service = await serve(t, { env })
    const { status, body } = await postToken(service, codeFields(await obtainCode(new Browser(service))))
    assert.equal(status, 200)
    const fields = { grant_type: 'refresh_token', client_id: 'demo', refresh_token: String(body.refresh_token) }
    assert.equal((await postToken(service, fields)).status, 200)
    await assertStops(service)
    assert.deepEqual(dependenciesIn(readFileSync(join(service.folder, 'loaded.txt'), 'utf8')), plain)
  })
})

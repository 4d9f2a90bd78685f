/** Every door that a stranger can write through is in docs/limits.md, with its bound; what is not there writes nothing. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { Route } from '../../src/http/router.ts'
import { routesOf } from '../../src/routes.ts'
import type { Service } from '../../src/service.ts'
import { readSettings } from '../../src/settings/read.ts'
import { read } from '../repository/sources.ts'
import { type Counts, countedStorage } from '../support/counted-storage.ts'
import { startService } from '../support/service.ts'

/** All that can be switched on. */
const env = {
  OAuth__DynamicRegistration: 'open',
  OAuth__ClientIdMetadataDocuments: 'true',
  OAuth__External__GitHub__ClientId: 'client',
  OAuth__External__GitHub__ClientSecret: 'secret',
  Accounts__Registration: 'open',
  Mail__Url: 'file:/nowhere',
}

const routes = (() => {
  const settings = readSettings({ env, cwd: '/nowhere' })
  assert.ok(settings.ok)
  // What the table itself asks of the service.
  const service = {
    settings: settings.settings,
    keys: { algorithms: () => [], keySet: () => '' },
    providers: { list: [{ name: ':provider' }] },
    mail: { enabled: true },
    clock: Date.now,
  }
  return routesOf(service as unknown as Service, { isStopping: false })
})()
const nameOf = ({ method, path, everyMethod }: Route) => `${everyMethod ? 'ANY' : method} ${path}`

const rows = read('docs/limits.md')
  .split('\n## ')
  .find((section) => section.startsWith('What strangers can write'))
  ?.split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => cell.trim()))
const listed = rows?.flatMap(([, doors = '']) => [...doors.matchAll(/`([A-Z]+ [^`]+)`/g)].map(([, door]) => door ?? ''))

describe('every door that a stranger can write through', () => {
  it('is an endpoint in the table of limits, with what it writes and a bound, once', () => {
    assert.ok(rows !== undefined && listed !== undefined)
    // A GET without effects has a HEAD.
    const doors = routes
      .filter(({ method, head, everyMethod }) => method !== 'GET' || head === false || everyMethod)
      .map(nameOf)
    assert.deepEqual(
      doors.filter((door) => !listed.includes(door)),
      [],
      'a row is missing',
    )
    const known = new Set(routes.map(nameOf))
    assert.deepEqual(
      listed.filter((door) => !known.has(door)),
      [],
      'a row is about nothing',
    )
    assert.equal(new Set(listed).size, listed.length)
    for (const [, doors = '', writes = '', bound, , test = ''] of rows) {
      assert.ok(writes !== '' && (/^nothing/.test(writes) || bound !== ''), doors)
      assert.match(test, /^\[.+\]\(\.\.\/test\/.+\)$/, doors)
    }
  })

  it('is not among the others: they write nothing, whoever asks', async () => {
    const counts: Counts = { reads: 0, commits: 0 }
    const service = await startService(env, { storage: await countedStorage(counts) })
    after(() => service.stop())
    const reading = routes.filter((route) => route.method === 'GET' && !listed?.includes(nameOf(route)))
    assert.ok(reading.length > 30)
    const before = counts.commits
    for (const { path } of reading) {
      const asked = path.replace('/*', '/x').replace(/:\w+/g, 'x')
      const answer = await fetch(
        `${service.issuer.slice(0, -1)}${asked}?client_id=demo&scope=openid&user_code=BBBB-BBBB`,
      )
      await answer.arrayBuffer()
      assert.ok(answer.status < 500, `${path}: ${answer.status}`)
      assert.equal(counts.commits, before, path)
    }
  })
})

/** A service with people of one kind of password hash, in a process of its own, with the listener who is told apart from nobody. */
import assert from 'node:assert/strict'
import { Browser } from '../support/browser.ts'
import { addUser, startService } from '../support/service.ts'

export type Listening = {
  /** What `other` has. */
  readonly passwordHash: string
  /** Who fails to sign in, one after the other. */
  readonly names: readonly string[]
}

/** Of each of the names in their order, how long the answers took. */
export type Heard = readonly (readonly number[])[]

const { passwordHash, names } = JSON.parse(process.argv[2] ?? '') as Listening
const service = await startService({
  RateLimit__LoginPerMinute: '100000',
  Accounts__Lockout__MaxFailedAttempts: '1000',
})
await addUser(service, 'other', { passwordHash })
const browsers = await Promise.all(
  names.map(async (username) => {
    const browser = new Browser(service)
    const fields = { username, password: 'a wrong one', __RequestVerificationToken: await browser.antiforgeryToken() }
    return { browser, fields, times: [] as number[] }
  }),
)

/** Listens until there are so many answers to each name. */
process.on('message', async (tries: number) => {
  for (let turn = browsers[0]?.times.length ?? 0; turn < tries; turn += 1) {
    // Whatever else the machine does then delays all of them. Nobody is always the first of a turn.
    for (let at = 0; at < browsers.length; at += 1) {
      const { browser, fields, times } = browsers[(at + turn) % browsers.length] ?? assert.fail()
      const startMs = performance.now()
      const response = await browser.post('/Account/Login', fields)
      times.push(performance.now() - startMs)
      assert.match(response.headers.get('location') ?? '', /error=invalid_credentials/)
    }
  }
  process.send?.(browsers.map(({ times }) => times) satisfies Heard)
})
process.once('disconnect', () => service.stop())

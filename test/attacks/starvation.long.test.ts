/**
 * Somebody tries to keep everybody else from signing in, by asking for more password checks than the machine can do: from
 * a few addresses or many, with wrong passwords and right ones, on one account or on several. Each attack is as large as
 * it was when it succeeded, and the others must all come through.
 */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { Browser, locationOf } from '../support/browser.ts'
import { addUser, password, startService, type TestService } from '../support/service.ts'

const attackers = 10

/** Behind a proxy that is trusted, with `people` who can sign in: person0, person1, …, and as many attackers as above. */
async function serviceFor(t: TestContext, people: number, env: Readonly<Record<string, string>> = {}) {
  const service = await startService({ Server__TrustProxy: '127.0.0.1', ...env })
  t.after(() => service.stop())
  const names = [
    ...Array.from({ length: people }, (_, at) => `person${at}`),
    ...Array.from({ length: attackers }, (_, at) => `attacker${at}`),
  ]
  for (const name of names) await addUser(service, name)
  return service
}

type Answered = { readonly status: number; readonly headers: Headers; readonly page: string }
type Guess = { readonly address: string; readonly username: string; readonly password: string }

/** One pair of cookie and token is enough for all of them. */
async function attackOn(service: TestService) {
  const browser = new Browser(service)
  const token = await browser.antiforgeryToken()
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  let answered = 0
  return {
    answered: () => answered,
    async guess({ address, ...fields }: Guess): Promise<Answered> {
      const body = new URLSearchParams({ ...fields, __RequestVerificationToken: token })
      const headers = { accept: 'text/html', cookie, 'x-forwarded-for': address }
      const answer = await fetch(new URL('/Account/Login', service.issuer), {
        method: 'POST',
        redirect: 'manual',
        body,
        headers,
      })
      const page = await answer.text()
      answered += 1
      return { status: answer.status, headers: answer.headers, page }
    },
  }
}

/**
 * Keeps `waiting` guesses under way until it is stopped: each that is answered is followed by the next. Resolves when the
 * first were answered, so that the others wait.
 */
async function attackWithoutPause(service: TestService, waiting: number, guessOf: (at: number, turn: number) => Guess) {
  const { guess, answered } = await attackOn(service)
  let goesOn = true
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const loops = times(waiting, async (at) => {
    for (let turn = 0; goesOn; turn += 1) {
      await guess(guessOf(at, turn))
      if (answered() > waiting / 10) begin()
    }
  })
  await begun
  return {
    answered,
    async stop() {
      goesOn = false
      await Promise.all(loops)
    },
  }
}

/** Signs in as the pages do, from an address of one's own. */
async function signIn(
  service: TestService,
  person: number,
  address = `203.0.113.${person + 1}`,
  browser = new Browser(service),
) {
  const forwarded = { 'x-forwarded-for': address }
  const token = ((await (await browser.get('/Account/Antiforgery', forwarded)).json()) as { token: string }).token
  const fields = { username: `person${person}`, password, __RequestVerificationToken: token }
  return browser.post('/Account/Login', fields, forwarded)
}

async function assertAllSignIn(service: TestService, people: number): Promise<void> {
  const answers = await Promise.all(Array.from({ length: people }, (_, at) => signIn(service, at)))
  assert.equal(answers.length, people)
  assert.deepEqual(
    answers.map((answer) => `${answer.status} ${answer.headers.get('location')}`),
    Array.from({ length: people }, () => '302 /'),
  )
}

/** How often each status was answered. */
function count(answers: readonly Answered[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

const times = <T>(number: number, make: (at: number) => T): T[] => Array.from({ length: number }, (_, at) => make(at))

describe('an attack on everybody else', () => {
  it('from four addresses with 29 requests each, right passwords included, keeps none of 15 others out', async (t) => {
    const service = await serviceFor(t, 15)
    const attack = await attackWithoutPause(service, 4 * 29, (at, turn) => ({
      address: `198.51.100.${at % 4}`,
      username: `attacker${at % attackers}`,
      // Wrong ones are few enough that no budget of failures is used up.
      password: turn === 0 && at % 5 === 0 ? 'wrong' : password,
    }))
    await assertAllSignIn(service, 15)
    for (const person of [0, 1, 2, 3, 4]) {
      const before = attack.answered()
      assert.equal((await signIn(service, person)).headers.get('location'), '/')
      const waitedFor = attack.answered() - before
      assert.ok(waitedFor < 58, `${waitedFor} of 116 that wait were answered before`)
    }
    await attack.stop()
  })

  it('from fifty addresses with three wrong guesses each keeps none of 8 others out', async (t) => {
    const service = await serviceFor(t, 8)
    const attack = await attackWithoutPause(service, 50 * 3, (at, turn) => ({
      address: `198.51.100.${at % 50}`,
      username: `nobody${at} ${turn}`,
      password: 'wrong',
    }))
    await assertAllSignIn(service, 8)
    await attack.stop()
  })

  it('on one account, from an address for each guess, keeps nobody from the others', async (t) => {
    const service = await serviceFor(t, 8)
    const attack = await attackWithoutPause(service, 240, (at) => ({
      address: `198.51.100.${at}`,
      username: 'attacker0',
      password: 'wrong',
    }))
    await assertAllSignIn(service, 8)
    await attack.stop()
  })

  it('from all over a /48 of IPv6 keeps nobody from the others, and counts as one network', async (t) => {
    const service = await serviceFor(t, 8)
    const attack = await attackWithoutPause(service, 150, (at, turn) => ({
      address: `2001:db8:1:${((at + 150 * turn) % 65_536).toString(16)}::1`,
      username: `attacker${at % attackers}`,
      password,
    }))
    await assertAllSignIn(service, 8)
    const before = attack.answered()
    assert.equal((await signIn(service, 0)).headers.get('location'), '/')
    const waitedFor = attack.answered() - before
    assert.ok(waitedFor < 75, `${waitedFor} of 150 that wait were answered before`)
    await attack.stop()
  })

  it('that overflows the queue is refused itself: 503 with Retry-After and a page, and later comers get in', async (t) => {
    const service = await serviceFor(t, 8)
    const attack = await attackOn(service)
    const guesses = times(3 * 190, (at) =>
      attack.guess({ address: `198.51.100.${at % 3}`, username: `nobody${at}`, password: 'wrong' }),
    )
    await assertAllSignIn(service, 8)
    const answers = await Promise.all(guesses)
    const { 302: judged = 0, 429: exhausted = 0, 503: refused = 0 } = count(answers)
    assert.equal(judged, 3 * 30, 'the failures of a minute')
    assert.equal(judged + exhausted + refused, 3 * 190)
    assert.ok(refused > 50, `${refused} were refused`)
    const [one] = answers.filter(({ status }) => status === 503)
    assert.equal(one?.headers.get('retry-after'), '2')
    assert.match(one?.headers.get('content-type') ?? '', /^text\/html/)
    assert.match(one?.page ?? '', /ID9503/)
  })

  it('does not pass before people at browsers in which they signed in before', async (t) => {
    const service = await serviceFor(t, 2)
    const owner = new Browser(service)
    assert.equal((await signIn(service, 0, '203.0.113.1', owner)).headers.get('location'), '/')
    owner.cookies.delete('latchkey.session')
    // Each from an address that was never seen, so that no stranger is ahead of another.
    const attack = await attackWithoutPause(service, 120, (at, turn) => ({
      address: `198.51.${turn % 256}.${at}`,
      username: `nobody${at} ${turn}`,
      password: 'wrong',
    }))
    const waitedFor = async (person: number, browser?: Browser) => {
      const before = attack.answered()
      const answer = await signIn(service, person, `203.0.113.${person + 1}`, browser)
      assert.equal(answer.headers.get('location'), '/')
      return attack.answered() - before
    }
    const known = await waitedFor(0, owner)
    const stranger = await waitedFor(1)
    await attack.stop()
    assert.ok(known < 60, `${known} strangers of 120 that wait were answered before`)
    assert.ok(stranger > known, `${stranger} before a stranger, ${known} before the owner`)
  })
})

describe('an address behind a trusted proxy', () => {
  it('cannot be written in another way to get another budget', async (t) => {
    const service = await serviceFor(t, 1, { RateLimit__LoginPerMinute: '3' })
    const attack = await attackOn(service)
    const statuses = async (addresses: readonly string[]) => {
      const seen: number[] = []
      for (const address of addresses) {
        seen.push((await attack.guess({ address, username: 'nobody', password: 'wrong' })).status)
      }
      return seen
    }
    const spent = [302, 302, 302, 429]
    assert.deepEqual(await statuses(['192.0.2.1', '::ffff:192.0.2.1', '::ffff:c000:201', '::FFFF:192.0.2.1']), spent)
    assert.deepEqual(await statuses(['2001:db8::1', '2001:db8::1%eth0', '2001:DB8:0::2', '2001:db8::3%1']), spent)
    assert.deepEqual(await statuses(['unknown', 'x'.repeat(2000), '_hidden', '300.1.1.1']), spent)
    assert.deepEqual(await statuses(['192.0.2.2', '2001:db8:1::1']), [302, 302], 'others have their own')
    assert.equal(locationOf(await signIn(service, 0)).pathname, '/')
  })
})

/**
 * Mixed journeys of people and programs against a whole installation, without pause, while a test does something to it.
 * The ledger gets only what was acknowledged, and what is in doubt.
 */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Chain, type Ledger, longestGap, newLedger, type Person, type Session } from './ledger.ts'
import {
  authorization,
  CookieJar,
  client,
  NotAcknowledged,
  outcomeOf,
  redeem,
  redirectUri,
  refresh,
  send,
  type TokenOutcome,
} from './requests.ts'

const registrar = 'registrar'
const failuresUntilLockout = 5

/** Settings of the nodes that the journeys need, in their environment form. */
export const journeySettings: Readonly<Record<string, string>> = {
  // All requests come from one address.
  RateLimit__LoginPerMinute: '1000000',
  // A lockout, and an unredeemed code, outlast the run.
  Accounts__Lockout__Duration: '86400',
  Accounts__Lockout__MaxFailedAttempts: String(failuresUntilLockout),
  OAuth__AuthorizationCodeLifetime: '600',
}

/** Runs a command of the program under test; its standard output. */
export async function command(
  args: readonly string[],
  { folder, env }: { readonly folder: string; readonly env: Readonly<Record<string, string>> },
): Promise<string> {
  const program = fileURLToPath(new URL('../../bin/latchkey', import.meta.url))
  const { PATH = '' } = process.env
  const { stdout } = await promisify(execFile)(program, args, { cwd: folder, env: { PATH, ...env } })
  return stdout
}

/** Registers the two clients of the journeys; the secret of the one that registers people. */
export async function prepareJourneys(at: Parameters<typeof command>[1]): Promise<string> {
  await command(
    ['client', 'add', client, '--redirect-uri', redirectUri, '--scope', 'offline_access', '--consent', 'explicit'],
    at,
  )
  const added = await command(
    ['client', 'add', registrar, '--confidential', '--grant', 'client_credentials', '--scope', 'admin:users', '--json'],
    at,
  )
  return (JSON.parse(added) as { client_secret: string }).client_secret
}

export type Journeys = {
  readonly ledger: Ledger
  /** Resolves when so many more writes have been acknowledged. Rejects after `withinMs`. */
  acknowledged(more: number, withinMs?: number): Promise<void>
  /** Ends the journeys where they are, and says what happened. */
  stop(): Promise<Report>
}

export type Report = {
  readonly people: number
  readonly chains: number
  readonly writes: number
  readonly failures: Readonly<Record<string, number>>
  readonly contradictions: readonly string[]
  readonly longestGapMs: number
}

/** What an operator does by command, where a release has no other way. */
export type Operator = {
  /** Adds a person; the id. */
  register(person: { readonly name: string; readonly password: string }): Promise<string>
  /** Sets a password, which ends every session. */
  setPassword(name: string, password: string): Promise<void>
  /** Revokes every consent of a person, which ends what rests on it. */
  revokeConsents(name: string): Promise<void>
}

/**
 * `secret`: of the client that adds people with the admin API. `operator`: adds people, changes passwords and revokes
 * consents in place of the admin API and the account area. `visitors`: how many journeys run at once. `ledger`: continues an
 * earlier one.
 */
export function startJourneys(options: {
  readonly issuer: string
  readonly secret?: string
  readonly operator?: Operator
  readonly visitors?: number
  readonly ledger?: Ledger
}): Journeys {
  const { issuer, secret = '', operator, visitors = 4, ledger = newLedger() } = options
  const beganAtMs = Date.now()
  const state = { stopped: false }
  const wrote = (): number => {
    const nowMs = Date.now()
    ledger.writes.push(nowMs)
    return nowMs
  }
  const registration = operator?.register ?? registrarOf(issuer, secret)
  const running = Promise.all(
    Array.from({ length: visitors }, (_, number) =>
      visit(
        { issuer, ledger, state, wrote, register: (person) => registration(person), ...(operator && { operator }) },
        number,
      ),
    ),
  )
  // A failure is reported by `stop` and by everyone who waits.
  running.catch(() => {})
  return {
    ledger,
    async acknowledged(more, withinMs = 60_000) {
      const goal = ledger.writes.length + more
      const endMs = Date.now() + withinMs
      while (ledger.writes.length < goal) {
        if (Date.now() > endMs) {
          const missing = goal - ledger.writes.length
          throw new Error(`${missing} of ${more} writes were not acknowledged in ${withinMs} ms: ${describe(ledger)}`)
        }
        await Promise.race([pause(25), running])
      }
    },
    async stop() {
      state.stopped = true
      await running
      return {
        people: ledger.people.length,
        chains: ledger.chains.length,
        writes: ledger.writes.length,
        failures: Object.fromEntries(ledger.failures),
        contradictions: ledger.contradictions.map(({ what }) => what),
        longestGapMs: longestGap(ledger, beganAtMs, Date.now()).ms,
      }
    },
  }
}

const describe = ({ failures }: Ledger): string => JSON.stringify(Object.fromEntries(failures))

type Course = {
  readonly issuer: string
  readonly ledger: Ledger
  readonly state: { readonly stopped: boolean }
  /** Notes an acknowledged write; the moment. */
  wrote(): number
  /** Adds a person with the admin API; the id. */
  register(person: { readonly name: string; readonly password: string }): Promise<string>
  readonly operator?: Operator
}

/** The service contradicted what it had acknowledged. The ledger has it; the person is not used any more. */
class Contradiction extends Error {}

/** Where a visitor is. */
type Place = { person?: Person; jar?: CookieJar; session?: Session; round: number }

async function visit(course: Course, number: number): Promise<void> {
  const { ledger, state } = course
  // Visitors do different things at the same moment.
  const place: Place = { round: number }
  while (!state.stopped) {
    try {
      await round(course, place)
    } catch (error) {
      if (error instanceof Contradiction) {
        ledger.contradictions.push({ what: error.message, atMs: Date.now() })
        delete place.person
      } else if (error instanceof NotAcknowledged) {
        ledger.failures.set(error.how, (ledger.failures.get(error.how) ?? 0) + 1)
        await pause(100)
      } else {
        throw error
      }
    }
    place.round += 1
  }
}

async function round(course: Course, place: Place): Promise<void> {
  place.person ??= await newPerson(course)
  const { person } = place
  const jar = await signedIn(course, place, person)
  place.jar = jar
  await consent(course, jar, person)
  const chain = await newChain(course, jar, person)
  for (let use = 0; use < 3 && !course.state.stopped; use += 1) await rotate(course, chain)
  const acts = [stay, signOut, withdraw, revoke, changePassword, lockOut, leave]
  await acts[place.round % acts.length]?.(course, place, person, jar)
}

async function newPerson({ ledger, register, wrote }: Course): Promise<Person> {
  const name = `p${randomBytes(6).toString('hex')}`
  const password = newPassword()
  const id = await register({ name, password })
  const atMs = wrote()
  const person: Person = { name, id, atMs, password, passwordAtMs: atMs, former: [], failures: 0 }
  ledger.people.push(person)
  return person
}

const newPassword = (): string => `Aa1!${randomBytes(9).toString('base64url')}`

/** The browser of the visitor, signed in. */
async function signedIn(course: Course, place: Place, person: Person): Promise<CookieJar> {
  const { jar, session } = place
  if (jar !== undefined && session?.person === person && session.endedAtMs === undefined && !session.inDoubt) return jar
  const fresh = new CookieJar(course.issuer)
  place.session = await newSession(course, fresh, person)
  return fresh
}

async function newSession({ ledger, wrote }: Course, jar: CookieJar, person: Person): Promise<Session> {
  if (!(await jar.signIn(person.name, person.password))) throw new Contradiction(`${person.name} cannot sign in`)
  const session: Session = { person, cookie: jar.cookie, atMs: wrote() }
  ledger.sessions.push(session)
  return session
}

async function consent({ ledger, wrote }: Course, jar: CookieJar, person: Person): Promise<void> {
  const known = ledger.consents.findLast((consent) => consent.person === person)
  const stands = known !== undefined && known.withdrawnAtMs === undefined && !known.inDoubt
  if (stands) return
  const silent = outcomeOf(
    await jar.send(`connect/authorize?${new URLSearchParams(authorization({ prompt: 'none' }))}`),
  )
  if (silent.code !== null && known?.withdrawnAtMs !== undefined && !known.inDoubt) {
    throw new Contradiction(`the withdrawn consent of ${person.name} is in force`)
  }
  if (silent.error === 'login_required') throw new Contradiction(`the session of ${person.name} is gone`)
  const isPerhapsRepeated = ledger.consents.some(
    (each) => each.person === person && each.atMs > 0 && each.inDoubt && each.withdrawnAtMs === undefined,
  )
  const given = { person, client, atMs: 0, inDoubt: true as const }
  ledger.consents.push(given)
  await jar.submit('connect/authorize', { ...authorization(), 'submit.Accept': 'Yes' })
  ledger.consents[ledger.consents.indexOf(given)] = {
    person,
    client,
    atMs: wrote(),
    ...(isPerhapsRepeated && { isPerhapsRepeated }),
  }
}

async function newChain({ issuer, ledger, wrote }: Course, jar: CookieJar, person: Person): Promise<Chain> {
  const { code, error } = outcomeOf(await jar.send(`connect/authorize?${new URLSearchParams(authorization())}`))
  if (code === null) throw new Contradiction(`no code for ${person.name}, who is signed in and agreed: ${error}`)
  const tokens = tokensOf(await redeem(issuer, code), `the code of ${person.name}`)
  const atMs = wrote()
  const first = { token: tokens.refresh_token, atMs }
  const chain: Chain = { person, client, code, tokens: [first], accessToken: tokens.access_token }
  ledger.chains.push(chain)
  return chain
}

/** Refreshes. An unanswered refresh is repeated until it is answered, as an application does. */
async function rotate({ issuer, ledger, state, wrote }: Course, chain: Chain): Promise<void> {
  const { token = '' } = chain.tokens.at(-1) ?? {}
  for (;;) {
    try {
      const tokens = tokensOf(await refresh(issuer, token), `the refresh token of ${chain.person.name}`)
      delete chain.refreshInDoubt
      chain.tokens.push({ token: tokens.refresh_token, atMs: wrote() })
      chain.accessToken = tokens.access_token
      return
    } catch (error) {
      if (!(error instanceof NotAcknowledged)) throw error
      chain.refreshInDoubt = true
      if (state.stopped) throw error
      ledger.failures.set(error.how, (ledger.failures.get(error.how) ?? 0) + 1)
      await pause(100)
    }
  }
}

function tokensOf(outcome: TokenOutcome, what: string) {
  if ('tokens' in outcome) return outcome.tokens
  throw new Contradiction(`${what} is refused: ${outcome.refused}`)
}

type Act = (course: Course, place: Place, person: Person, jar: CookieJar) => Promise<void>

const stay: Act = async () => {}

/** Becomes somebody else, and leaves session, consent and chains in force, or every other time the session alone. */
const leave: Act = async (course, place, person, jar) => {
  delete place.person
  if (course.ledger.people.indexOf(person) % 2 === 0) await withdraw(course, place, person, jar)
}

/** Revokes the oldest chain that is in force. */
const revoke: Act = async ({ issuer, ledger, wrote }, _, person) => {
  const chain = ledger.chains.find((each) => each.person === person && each.endedAtMs === undefined && !each.inDoubt)
  if (chain === undefined) return
  chain.inDoubt = true
  const { token = '' } = chain.tokens.at(-1) ?? {}
  const { status } = await send(issuer, 'connect/revocation', { form: { client_id: client, token } })
  if (status !== 200) throw new Contradiction(`${person.name} cannot revoke a token: ${status}`)
  delete chain.inDoubt
  chain.endedAtMs = wrote()
  chain.endedBy = 'revocation'
}

const signOut: Act = async ({ wrote }, { session }, person, jar) => {
  if (session === undefined) return
  session.inDoubt = true
  const { status, location, text } = await jar.submit('/connect/logout', { Confirm: 'Yes' })
  if (status !== 302 || location !== '/') throw new Contradiction(`${person.name} cannot sign out: ${status} ${text}`)
  delete session.inDoubt
  session.endedAtMs = wrote()
}

/** Removes the access of the client in the account area: its consents and its chains end. */
const withdraw: Act = async ({ ledger, wrote, operator }, _, person, jar) => {
  const ends = [
    ...ledger.consents.filter((each) => each.person === person && each.withdrawnAtMs === undefined),
    ...ledger.chains.filter((each) => each.person === person && each.endedAtMs === undefined),
  ]
  for (const each of ends) each.inDoubt = true
  if (operator === undefined) {
    const { status, text } = await jar.self('DELETE', `/applications/${client}`)
    if (status >= 300) throw new Contradiction(`${person.name} cannot remove the access of a client: ${status} ${text}`)
  } else await operator.revokeConsents(person.name)
  const atMs = wrote()
  for (const each of ends) {
    delete each.inDoubt
    if ('tokens' in each) {
      each.endedAtMs = atMs
      each.endedBy = 'withdrawal'
    } else each.withdrawnAtMs = atMs
  }
}

/** Changes the password, which ends the session of another browser; this one gets a new session unless an operator did it. */
const changePassword: Act = async (course, place, person, jar) => {
  const { ledger, wrote, operator } = course
  await newSession(course, new CookieJar(course.issuer), person)
  const next = newPassword()
  const ends = ledger.sessions.filter((session) => session.person === person && session.endedAtMs === undefined)
  for (const session of ends) session.inDoubt = true
  person.doubtful = next
  // Whatever becomes of it: nobody goes on with a password that is in doubt.
  delete place.person
  if (operator === undefined) {
    const { status, text } = await jar.self('POST', '/password', { current: person.password, password: next })
    if (status >= 300) throw new Contradiction(`${person.name} cannot change the password: ${status} ${text}`)
  } else await operator.setPassword(person.name, next)
  const atMs = wrote()
  delete person.doubtful
  person.former.push({ password: person.password, atMs })
  person.password = next
  person.passwordAtMs = atMs
  for (const session of ends) {
    delete session.inDoubt
    session.endedAtMs = atMs
  }
  place.person = person
  if (operator !== undefined) return
  place.session = { person, cookie: jar.cookie, atMs }
  ledger.sessions.push(place.session)
}

/** Locks somebody else out by wrong passwords. */
const lockOut: Act = async (course) => {
  const victim = await newPerson(course)
  const jar = new CookieJar(course.issuer)
  while (victim.failures < failuresUntilLockout) {
    victim.failures += 1
    if (await jar.signIn(victim.name, 'Wrong-passw0rd!')) throw new Contradiction('a wrong password signs in')
  }
  victim.lockedAtMs = course.wrote()
}

/** Adds people with the admin API, by a token of the client credentials grant. */
function registrarOf(issuer: string, secret: string) {
  let token = ''
  let askedAtMs = 0
  return async ({ name, password }: { readonly name: string; readonly password: string }): Promise<string> => {
    if (Date.now() - askedAtMs > 60_000) {
      const form = {
        grant_type: 'client_credentials',
        client_id: registrar,
        client_secret: secret,
        scope: 'admin:users',
      }
      const { text } = await send(issuer, 'connect/token', { form })
      token = (JSON.parse(text) as { access_token: string }).access_token
      askedAtMs = Date.now()
    }
    const { status, text } = await send(issuer, 'admin/api/v1/users', {
      json: { username: name, email: `${name}@example.com`, email_verified: true, password },
      headers: { authorization: `Bearer ${token}` },
    })
    if (status !== 201) throw new Error(`adding a person was answered with ${status} ${text}`)
    return (JSON.parse(text) as { id: string }).id
  }
}

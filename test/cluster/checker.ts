/**
 * Says whether an installation has kept what it acknowledged: from the ledger of the journeys, with HTTP, `audit verify`
 * and reads of the database. It shares no code with the service. It uses up what it checks, so it is the last to run.
 */
import postgres from 'postgres'
import type { Chain, Consent, Ledger, Person, Session } from './ledger.ts'
import { authorization, CookieJar, outcomeOf, redeem, refresh, send, signedInWith } from './requests.ts'

export type Finding = {
  readonly what: string
  /** When it was acknowledged, or when its end was. */
  readonly atMs: number
}

export type Verdict = {
  /** Acknowledged, and not there. */
  readonly lost: readonly Finding[]
  /** Ended, and in force again. */
  readonly undone: readonly Finding[]
  /** How many of each kind were checked. */
  readonly checked: Readonly<Record<string, number>>
}

/**
 * `database`: the address of the primary. `auditVerify`: runs `latchkey audit verify` and rejects when it finds something;
 * absent: the trail is only counted. `trail`: false if a release without an audit trail has acknowledged some of it.
 */
export async function check(
  ledger: Ledger,
  at: {
    readonly issuer: string
    readonly database: string
    readonly auditVerify?: () => Promise<unknown>
    readonly trail?: boolean
  },
): Promise<Verdict> {
  const { issuer } = at
  const lost: Finding[] = []
  const undone: Finding[] = []
  const checked: Record<string, number> = {}
  const check: Check = {
    issuer,
    stored: await readStored(at.database),
    lost: (what, atMs) => lost.push({ what, atMs }),
    undone: (what, atMs) => undone.push({ what, atMs }),
    count: (kind) => {
      checked[kind] = (checked[kind] ?? 0) + 1
    },
  }
  for (const { what, atMs } of ledger.contradictions) check.lost(`while the journeys ran: ${what}`, atMs)
  if (at.trail !== false) checkTrail(check, ledger)
  // Before anybody signs in again, which would start other sessions.
  await each(ledger.sessions, (session) => checkSession(check, session))
  // Consents after passwords, with the sessions of those who could sign in; chains before their codes are replayed.
  const jars = new Map<Person, CookieJar>()
  await each(ledger.people, async (person) => {
    const jar = await checkPerson(check, person)
    if (jar !== undefined) jars.set(person, jar)
  })
  const latest = new Map(ledger.consents.map((consent) => [consent.person, consent]))
  await each([...latest.values()], (consent) => checkConsent(check, consent, jars.get(consent.person)))
  await each(ledger.chains, (chain) => checkChain(check, chain))
  try {
    await at.auditVerify?.()
  } catch (error) {
    check.lost(`audit verify fails: ${String(error).slice(0, 500)}`, Date.now())
  }
  const byTime = (a: Finding, b: Finding): number => a.atMs - b.atMs
  return { lost: lost.sort(byTime), undone: undone.sort(byTime), checked }
}

type Check = {
  readonly issuer: string
  readonly stored: Stored
  lost(what: string, atMs: number): void
  undone(what: string, atMs: number): void
  count(kind: string): void
}

const atOnce = 6

/** Runs `work` on each item, a few at a time. */
async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values()
  const worker = async (): Promise<void> => {
    for (const item of rest) await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

type Stored = {
  readonly people: ReadonlySet<string>
  /** The generation of each chain, by the id of its grant. */
  readonly generations: ReadonlyMap<string, number>
  /** How many audit entries there are of a kind about a person or a grant: `kind id`. */
  readonly entries: ReadonlyMap<string, number>
}

async function readStored(database: string): Promise<Stored> {
  const sql = postgres(database, { max: 1, onnotice: () => {} })
  try {
    const people = await sql`select id from users`
    const grants = await sql`select id, generation from grants`
    const trail = await sql`select kind, user_id, details from audit_entries`
    const entries = new Map<string, number>()
    for (const { kind, user_id: user, details } of trail) {
      const { grant } = JSON.parse(String(details)) as { grant?: string }
      for (const about of [user, grant]) {
        if (typeof about !== 'string') continue
        const key = `${kind} ${about}`
        entries.set(key, (entries.get(key) ?? 0) + 1)
      }
    }
    return {
      people: new Set(people.map(({ id }) => String(id))),
      generations: new Map(grants.map(({ id, generation }) => [String(id), Number(generation)])),
      entries,
    }
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** Everything acknowledged has its entry in the audit trail. */
function checkTrail({ stored, lost, count }: Check, ledger: Ledger): void {
  const expect = (kind: string, about: string, times: number, atMs: number): void => {
    if (times === 0) return
    count('audit entries')
    const found = stored.entries.get(`${kind} ${about}`) ?? 0
    if (found < times) lost(`audit trail: ${found} of ${times} entries '${kind}' about ${about}`, atMs)
  }
  const last = (times: readonly number[]): number => Math.max(0, ...times)
  for (const person of ledger.people) {
    const sessions = ledger.sessions.filter((session) => session.person === person)
    // A change of the password starts a session without a sign-in.
    const signIns = sessions.length - person.former.length
    expect('sign_in', person.id, signIns, last(sessions.map(({ atMs }) => atMs)))
    expect('user_changed', person.id, person.former.length, last(person.former.map(({ atMs }) => atMs)))
    expect('locked_out', person.id, person.lockedAtMs === undefined ? 0 : 1, person.lockedAtMs ?? 0)
    const consents = ledger.consents.filter((consent) => consent.person === person)
    const given = consents.filter(({ inDoubt, withdrawnAtMs }) => !inDoubt || withdrawnAtMs !== undefined)
    const entered = given.filter(({ atMs, isPerhapsRepeated }) => atMs > 0 && !isPerhapsRepeated)
    expect('consent_given', person.id, entered.length, last(given.map(({ atMs }) => atMs)))
    const withdrawn = consents.flatMap(({ withdrawnAtMs }) => withdrawnAtMs ?? [])
    expect('consent_revoked', person.id, new Set(withdrawn).size, last(withdrawn))
  }
  for (const chain of ledger.chains) {
    expect('tokens_issued', grantOf(chain), chain.tokens.length, last(chain.tokens.map(({ atMs }) => atMs)))
    if (chain.endedBy === 'revocation') expect('token_revoked', grantOf(chain), 1, chain.endedAtMs ?? 0)
  }
}

const grantOf = ({ tokens }: Chain): string => tokens[0]?.token.split('.')[0] ?? ''

async function checkSession({ issuer, lost, undone, count }: Check, session: Session): Promise<void> {
  if (session.inDoubt) return
  const { person, cookie, atMs, endedAtMs } = session
  const name = await signedInWith(issuer, cookie)
  count(endedAtMs === undefined ? 'sessions' : 'ended sessions')
  if (endedAtMs === undefined && name !== person.name) lost(`a session of ${person.name}`, atMs)
  if (endedAtMs !== undefined && name !== null) undone(`the end of a session of ${person.name}`, endedAtMs)
}

/** Signs in with what should be the password, and with one that was replaced. */
async function checkPerson(check: Check, person: Person): Promise<CookieJar | undefined> {
  const { issuer, stored, lost, undone, count } = check
  const { name, id, atMs, password, doubtful, lockedAtMs } = person
  count('people')
  if (!stored.people.has(id)) {
    lost(`the person ${name}`, atMs)
    return undefined
  }
  const signIn = async (password: string): Promise<CookieJar | undefined> => {
    const jar = new CookieJar(issuer)
    return (await jar.signIn(name, password)) ? jar : undefined
  }
  if (lockedAtMs !== undefined) {
    count('lockouts')
    if ((await signIn(password)) !== undefined) undone(`the lockout of ${name}`, lockedAtMs)
    return undefined
  }
  // Some of the wrong passwords were not answered: they may have locked the person.
  if (person.failures > 0) return undefined
  const former = person.former.at(-1)
  if (former !== undefined) {
    count('replaced passwords')
    if ((await signIn(former.password)) !== undefined) undone(`the change of the password of ${name}`, former.atMs)
  }
  const jar = (await signIn(password)) ?? (doubtful === undefined ? undefined : await signIn(doubtful))
  if (jar === undefined) lost(`the password of ${name}`, person.passwordAtMs)
  return jar
}

async function checkConsent(check: Check, consent: Consent, jar: CookieJar | undefined): Promise<void> {
  const { lost, undone, count } = check
  if (consent.inDoubt || jar === undefined) return
  const { person, atMs, withdrawnAtMs } = consent
  const silent = `connect/authorize?${new URLSearchParams(authorization({ prompt: 'none' }))}`
  const { code, error } = outcomeOf(await jar.send(silent))
  count(withdrawnAtMs === undefined ? 'consents' : 'withdrawn consents')
  if (withdrawnAtMs === undefined && code === null) lost(`the consent of ${person.name}: ${error}`, atMs)
  if (withdrawnAtMs !== undefined && code !== null) undone(`the withdrawal of ${person.name}'s consent`, withdrawnAtMs)
}

async function checkChain(check: Check, chain: Chain): Promise<void> {
  if (chain.inDoubt) return
  if (chain.endedAtMs === undefined) await checkLiving(check, chain)
  else await checkEnded(check, chain, chain.endedAtMs)
  check.count('redeemed codes')
  if ('tokens' in (await redeem(check.issuer, chain.code))) {
    check.undone(`the redemption of a code of ${chain.person.name}`, chain.tokens[0]?.atMs ?? 0)
  }
}

async function checkLiving({ issuer, stored, lost, undone, count }: Check, chain: Chain): Promise<void> {
  const { person, tokens } = chain
  const { token = '', atMs = 0 } = tokens.at(-1) ?? {}
  const generation = stored.generations.get(grantOf(chain))
  count('refresh chains')
  if (generation === undefined) {
    lost(`the grant of ${person.name}, whose refresh token is refused`, tokens[0]?.atMs ?? 0)
    return
  }
  const acknowledged = Number.parseInt(token.split('.')[1] ?? '', 36)
  if (generation < acknowledged) lost(`${acknowledged - generation} rotations of a chain of ${person.name}`, atMs)
  const next = await refresh(issuer, token)
  if (!('tokens' in next)) {
    lost(`the current refresh token of ${person.name}, refused with ${next.refused}`, atMs)
    return
  }
  if (next.tokens.refresh_token === token) undone(`a rotation of a chain of ${person.name}`, atMs)
  // A replaced token is refused, or gets what the current one got while its answer may have been lost.
  const previous = tokens.at(-2)
  if (previous === undefined) return
  count('replaced refresh tokens')
  const again = await refresh(issuer, previous.token)
  if ('tokens' in again && again.tokens.refresh_token !== next.tokens.refresh_token) {
    undone(`the rotation of a refresh token of ${person.name}`, previous.atMs)
  }
}

async function checkEnded({ issuer, undone, count }: Check, chain: Chain, endedAtMs: number): Promise<void> {
  const { person, tokens, accessToken, endedBy } = chain
  count(`chains ended by ${endedBy}`)
  const { token = '' } = tokens.at(-1) ?? {}
  if ('tokens' in (await refresh(issuer, token))) undone(`the ${endedBy} of a chain of ${person.name}`, endedAtMs)
  const headers = { authorization: `Bearer ${accessToken}` }
  const { status } = await send(issuer, 'connect/userinfo', { headers })
  if (status === 200) undone(`the ${endedBy} of an access token of ${person.name}`, endedAtMs)
}

/** For messages: how many of which kind, and the first few. */
export function summary({ lost, undone, checked }: Verdict): string {
  const list = (findings: readonly Finding[]): string =>
    findings
      .slice(0, 8)
      .map(({ what }) => `\n  ${what}`)
      .join('')
  const counts = Object.entries(checked).map(([kind, count]) => `${count} ${kind}`)
  return `${lost.length} lost, ${undone.length} undone, of ${counts.join(', ')}${list(lost)}${list(undone)}`
}

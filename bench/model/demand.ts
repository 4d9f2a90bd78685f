/** What people do, and what that asks of each part in the busiest second, in a day, and for good. */
import { type Inputs, inputOf, WrongInputs } from './inputs.ts'

export type Assumptions = {
  readonly users: number
  readonly signInsADay: number
  /** Of each person, each of which gets a code after a sign-in and refreshes its tokens. */
  readonly applications: number
  readonly refreshesAnHour: number
  /** In which applications refresh. */
  readonly activeHours: number
  /** Of each access token. */
  readonly introspections: number
  /** Of a day's sign-ins and codes. */
  readonly peakHourShare: number
  /** Of sign-ins, without a password. */
  readonly passkeyShare: number
  /** Wrong passwords for each right one. */
  readonly failures: number
  readonly hash: 'native' | 'runtime'
  /** How long after its last use a session or a grant is stored. */
  readonly sessionDays: number
  readonly grantDays: number
  /** Browsers that are remembered for each person. */
  readonly browsers: number
  readonly auditDays: number
  readonly refusalDays: number
  /** Live and dead rows, to live ones, of the tables whose rows change. */
  readonly bloat: number
  readonly checkpointMinutes: number
}

/** An act of a person or an application, as the inputs name it. */
export type Act = 'signin-people' | 'signin-passkey' | 'authorize' | 'token' | 'refresh' | 'introspection'
export type Rates = Readonly<Record<Act, number>>

/** A person has no more sessions than this. */
const mostSessions = 100
const pageBytes = 8192

/** Acts in the busiest second. */
export function peakRates(a: Assumptions): Rates {
  const signIns = (a.users * a.signInsADay * a.peakHourShare) / 3600
  return actsOf(a, signIns, (a.users * a.applications * a.refreshesAnHour) / 3600)
}

/** Acts in a day. */
export function dailyActs(a: Assumptions): Rates {
  return actsOf(a, a.users * a.signInsADay, a.users * a.applications * a.refreshesAnHour * a.activeHours)
}

/** What comes with so many sign-ins and refreshes. */
function actsOf(a: Assumptions, signIns: number, refresh: number): Rates {
  const token = signIns * a.applications
  return {
    'signin-people': signIns * (1 - a.passkeyShare) * (1 + a.failures),
    'signin-passkey': signIns * a.passkeyShare,
    authorize: token,
    token,
    refresh,
    introspection: (token + refresh) * a.introspections,
  }
}

/** What an act costs is that with so many connections under way in a process: few enough that little is shared. */
export const measuredWith = 16

export type Needs = {
  readonly rates: Rates
  /** Cores of the services that would be busy all the time: of their main threads, and of passwords. */
  readonly mainCores: number
  readonly passwordCores: number
  /** Cores of the primary that would be busy all the time. */
  readonly databaseCores: number
  readonly roundTrips: number
  readonly commits: number
  readonly wal: { readonly rows: number; readonly pages: number }
  /** Bits a second. */
  readonly clientNetwork: number
  readonly databaseNetwork: number
  readonly entriesADay: number
  /** Bytes by table, with indexes. */
  readonly disk: Readonly<Record<'users' | 'browsers' | 'consents' | 'sessions' | 'grants' | 'audit', number>>
}

export function needsOf(inputs: Inputs, a: Assumptions): Needs {
  const rates = peakRates(a)
  const acts = Object.entries(rates).filter(([, rate]) => rate > 0) as [Act, number][]
  const sum = (cost: (act: Act) => number) => acts.reduce((total, [act, rate]) => total + rate * cost(act), 0)
  const of = (act: Act, name: string) => inputOf(inputs, `${act}.${name}`)
  const native = inputOf(inputs, 'argon2.native')
  const hash = a.hash === 'native' ? native : inputOf(inputs, 'argon2.runtime')
  const passwordUs = (act: Act) => (act === 'signin-people' ? native : 0)
  const mainUs = (act: Act) => of(act, `node.${measuredWith}`) - passwordUs(act)
  if (mainUs('signin-people') < 0) throw new WrongInputs('a sign-in took less time than its hash: measure both again')
  const days = dailyActs(a)
  const failed = days['signin-people'] * (a.failures / (1 + a.failures))
  const kept =
    Object.entries(days).reduce((total, [act, count]) => total + count * entriesOf(inputs, act as Act), 0) - failed
  return {
    rates,
    mainCores: sum(mainUs) / 1e6,
    passwordCores: (rates['signin-people'] * hash) / 1e6,
    databaseCores: sum((act) => of(act, `database.${measuredWith}`)) / 1e6,
    roundTrips: sum((act) => of(act, 'roundTrips')),
    commits: sum((act) => of(act, 'writes')),
    wal: { rows: sum((act) => of(act, 'wal')), pages: wholePages(inputs, a, rates.refresh) },
    clientNetwork: 8 * sum((act) => of(act, 'fromClient') + of(act, 'toClient')),
    databaseNetwork: 8 * sum((act) => of(act, 'toDatabase') + of(act, 'fromDatabase')),
    entriesADay: kept + failed,
    disk: {
      users: a.users * rowBytes(inputs, 'users') * a.bloat,
      browsers: a.users * a.browsers * rowBytes(inputs, 'known_browsers'),
      consents: a.users * a.applications * rowBytes(inputs, 'authorizations'),
      sessions: a.users * Math.min(mostSessions, a.signInsADay * a.sessionDays) * rowBytes(inputs, 'sessions'),
      grants: a.users * a.signInsADay * a.applications * a.grantDays * rowBytes(inputs, 'grants') * a.bloat,
      audit: (kept * a.auditDays + failed * Math.min(a.refusalDays, a.auditDays)) * rowBytes(inputs, 'audit_entries'),
    },
  }
}

/** A sign-in has one, however it is done; the measured person of passkeys has a session ended by each as well. */
const entriesOf = (inputs: Inputs, act: Act) =>
  inputOf(inputs, `${act === 'signin-passkey' ? 'signin-people' : act}.entries`)

const rowBytes = (inputs: Inputs, name: string) =>
  inputOf(inputs, `rows.${name}.table`) + inputOf(inputs, `rows.${name}.index`)

/**
 * Bytes a second of images of whole pages: after a checkpoint the first change of a page logs all of it. Chains of the day
 * lie beside each other, and each of their pages is changed sooner or later.
 */
function wholePages(inputs: Inputs, a: Assumptions, refreshes: number): number {
  const seconds = a.checkpointMinutes * 60
  const pages = (a.users * a.signInsADay * a.applications * rowBytes(inputs, 'grants') * a.bloat) / pageBytes
  if (pages === 0) return 0
  return (pages * (1 - Math.exp((-refreshes * seconds) / pages)) * pageBytes) / seconds
}

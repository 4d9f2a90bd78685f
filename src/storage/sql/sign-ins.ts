/** Sign-ins: who it could be, and what an attempt leaves. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { Candidate } from '../../users/lockout.ts'
import { normalizeName, normalizeProvider, type User } from '../../users/user.ts'
import type { Engine } from '../engine.ts'
import type { SpentValue } from '../port/grants.ts'
import type { SignInName, SignInOutcome } from '../port/users.ts'
import {
  type CandidateRow,
  candidateByExternalLogin,
  candidateById,
  candidateByNameOrEmail,
  candidateByUser,
  toCandidate,
} from './candidates.ts'
import { storeBrowser } from './known-browsers.ts'
import { storeUse } from './passkeys.ts'
import { mustChange } from './prepared.ts'
import { storeFactors } from './second-factors.ts'
import { storeSession } from './sessions.ts'
import { spending } from './spent-values.ts'
import type { Statement } from './statement.ts'
import { listToText } from './tables.ts'
import { keyStatements } from './user-keys.ts'
import { successor, updateOf, updateUser } from './users.ts'

/** Receives events that are recorded without a change. */
type Note = (event: AuditEvents[number]) => void

export function sqlSignIns(engine: Engine, note: Note) {
  async function candidate(statement: Statement<unknown>): Promise<Candidate | undefined> {
    const [row] = (await engine.read(statement)) as CandidateRow[]
    return row && toCandidate(row)
  }

  async function signIn<D extends SignInOutcome>(
    first: Candidate,
    decide: (candidate: Candidate) => D,
    once: readonly SpentValue[],
  ): Promise<D | 'spent' | undefined> {
    const again = candidateById({ id: first.user.id, browser_id: first.browser?.id ?? '' })
    for (let current: Candidate | undefined = first; current; current = await candidate(again)) {
      const outcome = decide(current)
      const next = outcome.user && successor(current.user, outcome.user)
      const { session, passkey, spends } = outcome
      const used = passkey === undefined ? [] : [storeUse(passkey.next, passkey.before)]
      const first = session === undefined && spends !== true ? [] : [...spending(once), ...used]
      const commit = [...first, ...signInCommit(current, next, outcome)]
      if (commit.length === 0) outcome.events?.forEach(note)
      const { applied, changes } =
        commit.length === 0 ? { applied: true, changes: [] } : await engine.commit(commit, outcome.events)
      if (applied) return next ? { ...outcome, user: next } : outcome
      if (changes.length < first.length) return 'spent'
    }
    return undefined
  }

  return {
    /**
     * Reads the user, and the given browser that signed in as this user before, in one round trip. A text that is one
     * user's name and another's e-mail address finds the former.
     */
    findForSignIn(who: SignInName, browserIds: readonly string[]): Promise<Candidate | undefined> {
      const browsers = listToText(browserIds)
      if ('name' in who) {
        return candidate(candidateByNameOrEmail({ text: normalizeName(who.name), browsers }))
      }
      if ('userId' in who) return candidate(candidateByUser({ id: who.userId, browsers }))
      return candidate(
        candidateByExternalLogin({ provider: normalizeProvider(who.provider), subject: who.subject, browsers }),
      )
    },

    /**
     * Records a sign-in attempt. `decide` is pure and runs on user and browser as they are at the commit: first on the
     * given ones, and again on current rows if the user has changed. Parallel attempts therefore cannot exceed a limit.
     * Commits the changed user, the browser, the new session and the end of sessions beyond `maxSessions` together.
     * Returns undefined if the user was deleted.
     */
    async recordSignIn<D extends SignInOutcome>(
      first: Candidate,
      decide: (candidate: Candidate) => D,
    ): Promise<D | undefined> {
      const outcome = await signIn(first, decide, [])
      if (outcome === 'spent') throw new Error('a sign-in without a value to spend was refused because of one')
      return outcome
    },
    /**
     * Like `recordSignIn`, for a sign-in that may become a session once: with the session, each of `once` is spent, and so it is with `spends`. 'spent':
     * one was before, or the passkey was used or removed meanwhile, and nothing was stored.
     */
    completeSignIn: signIn,
  }
}

/** Every statement is conditional on the version that was decided on. */
function signInCommit(
  { user, browser: before, sessions, factors: factorsBefore }: Candidate,
  next: User | undefined,
  { session, browser, endedSessions, factors }: SignInOutcome,
): Statement[] {
  const change = [
    ...(next ? [mustChange(updateUser(updateOf(user, next))), ...keyStatements(user, next)] : []),
    ...(factors ? [storeFactors(factors, factorsBefore)] : []),
  ]
  const room = {
    isLocked: next !== undefined,
    ...(sessions && { sessions }),
    ...(endedSessions && { ended: endedSessions }),
  }
  const statements = session ? [...change, ...storeSession(session, (next ?? user).version, room)] : change
  // The browser alone has no version to depend on.
  return browser && statements.length > 0 ? [...statements, ...storeBrowser(browser, before)] : statements
}

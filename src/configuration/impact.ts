/** What a plan means for the people and applications that are there. */
import type { AuditEntry } from '../audit/entry.ts'
import type { Client } from '../protocol/client/client.ts'
import type { Affected, Ending, RecordChange } from '../storage/port/configuration.ts'
import type { User } from '../users/user.ts'
import type { Change } from './changes.ts'
import type { Stored } from './plan.ts'
import { type Configured, recordedRequest, type Verdict, verdicts } from './replay.ts'

export type Impact = {
  /** What the changes end. */
  readonly consents: number
  readonly grants: number
  readonly sessions: number
  /** User names, at most `namesAtMost`, and the number of all. */
  readonly people: { readonly names: readonly string[]; readonly count: number }
  readonly requests: RequestImpact
}

export type RequestImpact = {
  /** ISO 8601. */
  readonly since: string
  readonly examined: number
  /** Requests that would come out differently, most frequent first. */
  readonly different: readonly DifferentRequests[]
  /** The number of requests about which the trail does not say enough. */
  readonly unclear: number
}

/** Requests of one client with the same outcomes. */
export type DifferentRequests = {
  readonly client_id: string
  /** `accepted`, or the rule that refuses. */
  readonly before: Verdict
  readonly after: Verdict
  readonly count: number
  /** The trace id of the last of them; null: it is not known. */
  readonly trace_id: string | null
}

/** Returns what has to be counted: the consents, sessions and grants that the changes end. */
export function endingsOf(changes: readonly Change[]): Ending[] {
  return changes.flatMap(({ record }) => endingsOfRecord(record))
}

function endingsOfRecord(record: RecordChange): Ending[] {
  switch (record.kind) {
    case 'scope':
      return record.before !== undefined && record.after === undefined
        ? [{ of: 'scope', name: record.before.name }]
        : []
    case 'role':
      return record.before !== undefined && record.after === undefined ? [{ of: 'role', name: record.before.name }] : []
    case 'attribute':
    case 'resource':
    case 'brand':
    // One that people are in is not deleted.
    case 'group':
      return []
    case 'client':
      return record.before === undefined ? [] : endingsOfClient(record.before, record.after)
    case 'user':
      return record.before === undefined ? [] : endingsOfUser(record.before, record.after)
  }
}

function endingsOfUser({ id, sessionsEndedAtMs }: User, after: User | undefined): Ending[] {
  if (after === undefined) return [{ of: 'user', id, isDeleted: true }]
  return sessionsEndedAtMs === after.sessionsEndedAtMs ? [] : [{ of: 'user', id, isDeleted: false }]
}

function endingsOfClient({ id, scopes, grantTypes }: Client, after: Client | undefined): Ending[] {
  if (after === undefined) return [{ of: 'client', id, consents: 'all', grants: true }]
  // A grant keeps its scopes; a consent is for requests that are refused from now on.
  const taken = scopes.filter((scope) => !after.scopes.includes(scope))
  const losesRefresh = grantTypes.includes('refresh_token') && !after.grantTypes.includes('refresh_token')
  return taken.length > 0 || losesRefresh ? [{ of: 'client', id, consents: taken, grants: losesRefresh }] : []
}

export const namesAtMost = 20

/** Adds up what several endings affect. What two of them end is counted once. */
export function addUp(all: readonly Affected[]) {
  const union = (of: (one: Affected) => readonly string[]) => new Set(all.flatMap(of))
  const people = [...union((one) => one.people)].sort()
  return {
    consents: union((one) => one.consents).size,
    grants: union((one) => one.grants).size,
    sessions: union((one) => one.sessions).size,
    /** Ids. */
    people,
  }
}

/** Counts the requests of the trail that come out differently. */
export class RequestTally {
  readonly #before: Configured
  readonly #after: Configured
  readonly #different = new Map<string, { -readonly [Name in keyof DifferentRequests]: DifferentRequests[Name] }>()
  #examined = 0
  #unclear = 0

  constructor(before: Stored, after: Stored) {
    this.#before = configured(before)
    this.#after = configured(after)
  }

  add(entry: AuditEntry): void {
    const request = recordedRequest(entry)
    if (request === undefined) return
    this.#examined += 1
    const [before, after] = verdicts(request, this.#before, this.#after)
    if (before === after) return
    if (before === 'unclear' || after === 'unclear') {
      this.#unclear += 1
      return
    }
    const { clientId } = request
    const key = JSON.stringify([clientId, before, after])
    const group = this.#different.get(key) ?? { client_id: clientId, before, after, count: 0, trace_id: null }
    group.count += 1
    group.trace_id = entry.traceId
    this.#different.set(key, group)
  }

  result(since: string): RequestImpact {
    const different = [...this.#different.values()].sort((a, b) => b.count - a.count)
    return { since, examined: this.#examined, different, unclear: this.#unclear }
  }
}

function configured({ clients, scopes }: Stored): Configured {
  return { clients: new Map(clients.map((client) => [client.id, client])), scopes }
}

/**
 * Belongs here: the statements, one file for each record, compiled once for both dialects, and the tables.
 * Belongs elsewhere: connections and transactions (`sqlite/`, `postgres/`), and anything that one dialect alone
 * understands.
 */
import type { AuditEvents } from '../../audit/entry.ts'
import { activityCounter, countedEngine } from '../activity-counter.ts'
import { auditQueue, type QueueOptions } from '../audit-queue.ts'
import type { Adapter, Engine } from '../engine.ts'
import { pendingVerbs } from '../pending.ts'
import type { IdempotencyKey } from '../port/idempotency.ts'
import { compareSchema } from '../schema.ts'
import { watchWrites } from '../writes.ts'
import { sqlAccessPages } from './access-pages.ts'
import { sqlAccessTokens } from './access-tokens.ts'
import { keepingAdministrators } from './administrators.ts'
import { sqlApplications } from './applications.ts'
import { sqlAttributes } from './attributes.ts'
import { sqlAudit } from './audit.ts'
import { sqlAuthorizations } from './authorizations.ts'
import { sqlBranding } from './branding.ts'
import { sqlClaimRules } from './claim-rules.ts'
import { sqlClientActivity } from './client-activity.ts'
import { decidingDeletions, sqlClientDeletion } from './client-deletion.ts'
import { sqlClientLists } from './client-lists.ts'
import { sqlClientReferences } from './client-references.ts'
import { sqlClients } from './clients.ts'
import { sqlConfiguration } from './configuration.ts'
import { sqlConfirmations } from './confirmations.ts'
import { sqlDeletions } from './deletions.ts'
import { sqlDeviceCodes } from './device-codes.ts'
import { sqlExternalLogins } from './external-logins.ts'
import { sqlGrants } from './grants.ts'
import { sqlGroups } from './groups.ts'
import { keyedEngine, sqlIdempotency } from './idempotency.ts'
import { sqlImports } from './imports.ts'
import { sqlInvitations } from './invitations.ts'
import { keptCatalogue } from './kept-catalogue.ts'
import { sqlKeys } from './keys.ts'
import { sqlBrowsers } from './known-browsers.ts'
import { sqlLeases } from './leases.ts'
import { sqlLogoutNotices } from './logout-notices.ts'
import { sqlMails } from './mails.ts'
import { sqlPairwiseSubjects } from './pairwise-subjects.ts'
import { sqlPasskeys } from './passkeys.ts'
import { sqlPasswordKinds } from './password-kinds.ts'
import { sqlPersonalData } from './personal-data.ts'
import { sqlPlaces } from './places.ts'
import { lookForWrites, probeWrites } from './probe.ts'
import { sqlProviderSources } from './provider-sources.ts'
import { sqlPushedRequests } from './pushed-requests.ts'
import { sqlRegistrations } from './registrations.ts'
import { removingSoon, sqlRemovals } from './removals.ts'
import { sqlResources } from './resources.ts'
import { sqlRoles } from './roles.ts'
import { sqlScopes } from './scopes.ts'
import { sqlSecondFactors } from './second-factors.ts'
import { sqlServers } from './servers.ts'
import { sqlSessions } from './sessions.ts'
import { sqlSetUp } from './set-up.ts'
import { sqlSignIns } from './sign-ins.ts'
import { sqlSpentValues } from './spent-values.ts'
import { addActivity, sqlStatistics } from './statistics.ts'
import { sqlSweep } from './sweep.ts'
import { sqlUptimes } from './uptimes.ts'
import { sqlUserLists } from './user-lists.ts'
import { sqlUserSearch } from './user-search.ts'
import { sqlUserWindows } from './user-windows.ts'
import { sqlUsers } from './users.ts'
import { sqlWeakPasswords } from './weak-passwords.ts'

export type SqlStorageOptions = QueueOptions & {
  /** Called after a commit of this process that queued mails. */
  readonly mailsQueued?: (() => void) | undefined
  /** Called after a commit of this process that changed something. */
  readonly written?: (() => void) | undefined
  /** Asked before each commit, except those of `servers` and `leases`: it waits for the promise. Default: it does not. */
  readonly writing?: (() => Promise<void> | undefined) | undefined
  /** Whether people sign in with a confirmed address alone (`Accounts:RequireConfirmedEmail`). Default: no. */
  readonly needsConfirmedEmail?: (() => boolean) | undefined
  /** Milliseconds that never jump. Default: those of the process. */
  readonly monotonic?: (() => number) | undefined
}

/** The storage of the service. Its records and their verbs are those that `verbsOf` lists, each declared on the page of its record. */
export type Storage = Readonly<ReturnType<Parts['verbsOf']>> &
  Parts['service'] & {
    /**
     * Returns the same storage for one request under a key: its first change stores the key, or nothing if another request
     * has used it. The verb rejects with `IdempotencyKeyTaken` then.
     */
    keyed(key: IdempotencyKey): Storage
  }

type Parts = ReturnType<typeof partsOf>

/** Implements the port on any SQL engine. */
export function sqlStorage(
  adapter: Pick<Adapter, 'engine' | 'appliedMigrations' | 'partitions'>,
  options?: SqlStorageOptions,
): Storage {
  const { engine, verbsOf, service } = partsOf(adapter, options)
  const storage: Storage = {
    ...verbsOf(engine),
    ...service,
    keyed: (key) => ({ ...storage, ...verbsOf(keyedEngine(engine, key)) }),
  }
  return storage
}

function partsOf(
  adapter: Pick<Adapter, 'engine' | 'appliedMigrations' | 'partitions'>,
  options: SqlStorageOptions | undefined,
) {
  const {
    engine: watched,
    ownEngine,
    checkWrites,
  } = watchWrites(adapter.engine, probeWrites, options?.mailsQueued, lookForWrites, options?.written, options?.writing)
  const counter = activityCounter((hours, clients) => addActivity(watched, hours, clients))
  const engine = countedEngine(watched, counter.count)
  const own = countedEngine(ownEngine, counter.count)
  const queued = auditQueue(async (events) => {
    await watched.commit([], events)
  }, options)
  const queue = {
    ...queued,
    // Counted now, because the queue leaves out what is too much.
    note(event: AuditEvents[number]) {
      counter.count([event])
      return queued.note(event)
    },
  }
  const monotonic = options?.monotonic ?? (() => performance.now())
  const statistics = sqlStatistics(engine, counter.flush, monotonic)
  const clientActivity = sqlClientActivity(engine, counter.flush)
  const pending = pendingVerbs()
  const catalogue = keptCatalogue(engine)

  function verbsOf(engine: Engine) {
    const keeping = keepingAdministrators(engine, catalogue, options?.needsConfirmedEmail ?? (() => false))
    const userSearch = sqlUserSearch(engine)
    const removeSoon = removingSoon(engine, monotonic)
    const deletions = decidingDeletions(engine, catalogue, keeping, userSearch)
    const audit = sqlAudit(engine, queue, adapter.partitions)
    return {
      users: { ...sqlUsers(engine, keeping, pending.finished), ...sqlSignIns(engine, queue.note) },
      userSearch,
      clientLists: sqlClientLists(engine),
      userLists: { ...sqlUserLists(engine), ...sqlUserWindows(engine) },
      externalLogins: sqlExternalLogins(engine),
      providerSources: sqlProviderSources(engine),
      pairwiseSubjects: sqlPairwiseSubjects(engine),
      weakPasswords: sqlWeakPasswords(engine),
      passwordKinds: sqlPasswordKinds(engine),
      knownBrowsers: sqlBrowsers(engine),
      deletions: sqlDeletions(engine),
      personalData: sqlPersonalData(engine, audit, catalogue),
      passkeys: sqlPasskeys(engine),
      sessions: sqlSessions(engine),
      secondFactors: sqlSecondFactors(engine),
      clients: { ...sqlClients(engine), ...sqlClientDeletion(engine, deletions, removeSoon) },
      clientReferences: sqlClientReferences(engine, userSearch),
      scopes: sqlScopes(engine, removeSoon),
      roles: sqlRoles(engine, userSearch, keeping, removeSoon),
      groups: sqlGroups(engine, keeping, removeSoon),
      attributes: sqlAttributes(engine, removeSoon),
      resources: sqlResources(engine),
      claimRules: sqlClaimRules(engine, catalogue, removeSoon),
      catalogue,
      removals: sqlRemovals(engine),
      configuration: sqlConfiguration(engine, catalogue, keeping, removeSoon),
      idempotency: sqlIdempotency(engine),
      authorizations: sqlAuthorizations(engine),
      applications: sqlApplications(engine),
      grants: sqlGrants(engine),
      accessPages: sqlAccessPages(engine),
      deviceCodes: sqlDeviceCodes(engine),
      accessTokens: sqlAccessTokens(engine),
      spentValues: sqlSpentValues(engine),
      pushedRequests: sqlPushedRequests(engine),
      logoutNotices: sqlLogoutNotices(engine),
      places: sqlPlaces(engine),
      mails: sqlMails(engine),
      registrations: sqlRegistrations(engine, deletions, removeSoon),
      confirmations: sqlConfirmations(engine, pending.finished),
      invitations: sqlInvitations(engine),
      setUp: sqlSetUp(engine, pending.finished),
      branding: sqlBranding(engine),
      imports: sqlImports(engine, pending.finished),
      uptimes: sqlUptimes(engine),
      keys: sqlKeys(engine),
      leases: sqlLeases(own),
      audit,
      servers: sqlServers(own),
      statistics,
      clientActivity,
    }
  }

  const service = {
    /**
     * Resolves if the database accepts writes. A successful commit in the last `maxAgeMs` (default: any time) is
     * sufficient evidence. Otherwise, and after a failed commit, writes a row and deletes it. Rejects if the database
     * file was removed or replaced; writes are then refused.
     */
    checkWrites: (maxAgeMs = Number.POSITIVE_INFINITY): Promise<void> => checkWrites(maxAgeMs),
    /** Returns the migrations that this version needs and the database lacks; empty: none. One cheap read. */
    async pendingMigrations(): Promise<readonly string[]> {
      return compareSchema(await adapter.appliedMigrations()).pending
    },
    ...sqlSweep(engine),
    /** Finishes accepted writes, then closes the database. */
    async close(): Promise<void> {
      await pending.settled()
      // Entries that cannot be written must not prevent closing the database.
      await queue.close().catch(() => {})
      await counter.close().catch(() => {})
      await engine.close()
    },
  }
  return { engine, verbsOf, service }
}

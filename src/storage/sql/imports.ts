/** People from another system, stored in batches, and how far an import came. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { Engine } from '../engine.ts'
import type { Finished } from '../pending.ts'
import type { ValueRefused } from '../port/attributes.ts'
import type { RecordChange } from '../port/configuration.ts'
import type { ImportBatch, ImportedPerson, ImportFailure, ImportProgress } from '../port/imports.ts'
import { importedConsent } from './authorizations.ts'
import { judgedOnStatement } from './claim-rules.ts'
import { clientStatements } from './clients.ts'
import { deleteLogin, insertLogin } from './external-logins.ts'
import { deleteMember, insertMember } from './groups.ts'
import { sqlImportOrigins, storeOrigin } from './import-origins.ts'
import { sqlImportSources } from './import-sources.ts'
import { shareHolder, sharingWith } from './imported-addresses.ts'
import { keptConsent, sqlImportedConsents } from './imported-consents.ts'
import { sqlImportedPasswords, storeMark } from './imported-passwords.ts'
import { endWithLastFactor } from './last-factor.ts'
import { pairwiseStatements } from './pairwise-subjects.ts'
import { storeFirst } from './passkeys.ts'
import { mustChange, type Placeholders, pick, prepare } from './prepared.ts'
import { scopeStatements } from './scopes.ts'
import { storeFactors } from './second-factors.ts'
import type { Statement } from './statement.ts'
import { columns, type ImportFailuresTable, type ImportsTable } from './tables.ts'
import { unfitValues } from './unfit-values.ts'
import { addressStatements, endStatements } from './user-ends.ts'
import { keyStatements, newUserStatements } from './user-keys.ts'
import { renameStatement } from './user-names.ts'
import { fromNewUser } from './user-row.ts'
import { successor } from './users.ts'
import { enqueueWeak } from './weak-passwords.ts'

const byId = prepare('imports.byId', (db, p: Placeholders<{ id: string }>) =>
  db.selectFrom('imports').select(columns.imports).where('id', '=', p.id),
)
const failuresOf = prepare('imports.failuresOf', (db, p: Placeholders<{ id: string }>) =>
  db.selectFrom('import_failures').select(columns.import_failures).where('import_id', '=', p.id).orderBy('record'),
)
const begin = prepare('imports.begin', (db, p: Placeholders<ImportsTable>) =>
  db
    .insertInto('imports')
    .values(pick(p, columns.imports))
    .onConflict((conflict) => conflict.doNothing()),
)
const goOn = prepare('imports.goOn', (db, p: Placeholders<ImportsTable & { decided_on: number }>) =>
  db
    .updateTable('imports')
    .set(pick(p, ['records_read', 'counts']))
    .where('id', '=', p.id)
    .where('started_at_ms', '=', p.started_at_ms)
    .where('records_read', '=', p.decided_on),
)
const addFailure = prepare('imports.addFailure', (db, p: Placeholders<ImportFailuresTable>) =>
  db.insertInto('import_failures').values(pick(p, columns.import_failures)),
)
const forgetFailures = prepare('imports.forgetFailures', (db, p: Placeholders<{ id: string }>) =>
  db.deleteFrom('import_failures').where('import_id', '=', p.id),
)
const forget = prepare('imports.forget', (db, p: Placeholders<{ id: string }>) =>
  db.deleteFrom('imports').where('id', '=', p.id),
)

export function sqlImports(engine: Engine, finished: Finished) {
  return {
    /** Returns an import that did not end; undefined: there is none. */
    async find(id: string): Promise<ImportProgress | undefined> {
      const [row] = await engine.read(byId({ id }))
      return row && toProgress(row)
    },
    /** Returns what an import that did not end left out, in the order of the file. */
    async failures(id: string): Promise<readonly ImportFailure[]> {
      const rows = await engine.read(failuresOf({ id }))
      return rows.map(({ record, line, reason, found }) => {
        return { record, line, reason, ...(found !== null && JSON.parse(found)) }
      })
    },
    /**
     * Stores people or records, what was left out, and how far the import is, all or nothing. `before`: the progress that the
     * batch was made on; undefined: the import begins. 'overtaken': another process goes on with the import. 'refused': the
     * person at this index conflicts with someone stored, or changed meanwhile; -1: one of the records did. 'outdated': what the
     * records were judged on is.
     */
    store: finished(
      async (
        { before, progress, people, records = [], consents = [], judgedOn, failures, origins = [] }: ImportBatch,
        events?: AuditEvents,
      ): Promise<
        { readonly outcome: 'stored' | 'overtaken' | 'outdated' } | { readonly outcome: 'refused'; readonly at: number }
      > => {
        const statements: Statement[] = [
          progressStatement(before, progress),
          ...(judgedOn === undefined ? [] : [judgedOnStatement(judgedOn, records)]),
          ...records.flatMap(recordStatements),
        ]
        /** The index of the first statement of each person. */
        const starts: number[] = []
        for (const person of people) {
          starts.push(statements.length)
          statements.push(...(await personStatements(person)))
        }
        statements.push(...consents.map((consent) => keptConsent(consent, progress.startedAtMs)))
        statements.push(...origins.map(storeOrigin))
        statements.push(...failures.map((failure) => failureStatement(progress.id, failure)))
        const { applied, changes } = await engine.commit(statements, events)
        if (applied) return { outcome: 'stored' }
        // The commit ended at the condition that was not met.
        if (changes.length === 0) return { outcome: 'overtaken' }
        if (judgedOn !== undefined && changes.length === 1) return { outcome: 'outdated' }
        return { outcome: 'refused', at: starts.findLastIndex((start) => start <= changes.length) }
      },
    ),
    ...sqlImportSources(engine),
    ...sqlImportedPasswords(engine),
    ...sqlImportOrigins(engine),
    /** Returns the people of a refused batch whose values cannot be stored, all of them, by their index, with the reason. */
    unfit: (people: readonly ImportedPerson[]): Promise<ReadonlyMap<number, ValueRefused>> =>
      unfitValues(engine, people),
    ...sqlImportedConsents(engine),
    /** Forgets an import with what it left out. */
    async end(id: string): Promise<void> {
      await engine.commit([forgetFailures({ id }), forget({ id })])
    },
  }
}

function recordStatements(change: RecordChange): readonly Statement[] {
  if (change.kind === 'scope') return scopeStatements(change.before, change.after)
  if (change.kind === 'client') return clientStatements(change.before, change.after)
  throw new Error('an import registers clients and scopes alone')
}

function failureStatement(importId: string, { record, line, reason, ...found }: ImportFailure): Statement {
  const more = Object.keys(found).length > 0 ? JSON.stringify(found) : null
  return addFailure({ import_id: importId, record, line, reason, found: more })
}

function progressStatement(before: ImportBatch['before'], next: ImportProgress): Statement {
  const row = {
    id: next.id,
    kind: next.kind,
    records_read: next.recordsRead,
    counts: JSON.stringify({ ...next.counts, notKept: next.notKept, lost: next.lost }),
    started_at_ms: next.startedAtMs,
  }
  return mustChange(before === undefined ? begin(row) : goOn({ ...row, decided_on: before.recordsRead }))
}

async function personStatements({
  user,
  before,
  factors,
  logins,
  unlinks = [],
  groupIds = [],
  leaves = [],
  pairwiseSubjects = {},
  consents = [],
  passwordMark,
  passkeys = [],
  isLookalike,
  isWeak,
}: ImportedPerson): Promise<Statement[]> {
  const next = before && successor(before, user)
  return [
    ...(before && next
      ? [
          (await renameStatement(before, next)).statement,
          ...keyStatements(before, next),
          ...addressStatements(before, next),
          ...endStatements(before, next),
        ]
      : newUserStatements({ ...(await fromNewUser(user)), ...(isLookalike && { name_skeleton: null }) }, user)),
    ...(user.sharesEmail === true ? [shareHolder(sharingWith(user))] : []),
    ...unlinks.map(({ provider, subject }) => deleteLogin({ user_id: user.id, provider, subject })),
    ...logins.map((login) => mustChange(insertLogin(login))),
    ...leaves.map((group_id) => deleteMember({ group_id, user_id: user.id })),
    ...groupIds.map((group_id) => insertMember({ group_id, user_id: user.id })),
    ...pairwiseStatements(user.id, before?.pairwiseSubjects, pairwiseSubjects),
    ...consents.flatMap((consent) => importedConsent({ ...consent, userId: user.id })),
    ...(factors ? [storeFactors(factors.next, factors.before)] : []),
    ...passkeys.map(storeFirst),
    ...(factors?.next.totp === null && factors.before?.totp ? endWithLastFactor(user.id) : []),
    ...(passwordMark === undefined ? [] : [storeMark({ user_id: user.id, mark: passwordMark, replaced: 0 })]),
    ...(isWeak ? [enqueueWeak({ user_id: user.id })] : []),
  ]
}

function toProgress(row: ImportsTable): ImportProgress {
  // Earlier versions did not count what was not kept.
  const { notKept = {}, lost, ...counts } = JSON.parse(row.counts)
  return {
    id: row.id,
    kind: row.kind,
    recordsRead: row.records_read,
    counts,
    notKept,
    ...(lost !== undefined && { lost }),
    startedAtMs: row.started_at_ms,
  }
}

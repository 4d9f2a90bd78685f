/** Runs an import: judges what a reader yields and stores it in batches, each with how far the import is. */
import type {
  ImportCounts,
  ImportFailure,
  ImportFinding,
  ImportProgress,
  LostField,
  SourcePlace,
} from '../storage/port/imports.ts'
import type { Storage } from '../storage/port/storage.ts'
import { conflictsIn, count, none } from './counts.ts'
import { eventsOf, type Judging, judge, originOf, type Recording, resolveAll, saidOf } from './judging.ts'
import { countLost, countNotKept } from './not-kept.ts'
import { impatient, type Patience } from './patience.ts'
import { failureOf, placeOf, withoutUnfit } from './said.ts'
import { type Item, type SourceRecord, UnreadableSource } from './source.ts'

/** Records in a commit: enough to share its cost, and few enough not to delay sign-ins. Fewer after one that was not answered. */
const batchSize = 500
const batchSizeAtLeast = 20

/** `id`: of the import, by its files. */
export type ImportRun = Judging &
  Recording & {
    readonly storage: Pick<Storage, 'imports'>
    /** The name of the file, or the names of them: what a record is named by that has no name of its own. */
    readonly file: string
    readonly records: AsyncIterable<SourceRecord>
    /** Called for each record, those that an earlier run stored among them. */
    readonly onRead?: (source: SourceRecord) => void
    /** Called at the end of a whole run, before the import is forgotten. Absent: nothing is settled. */
    readonly settle?: () => Promise<void>
    readonly isDryRun: boolean
    /** Whether each record is compared with what is stored. */
    readonly isSynced?: boolean
    /** Default: a database that does not answer ends the run. */
    readonly patience?: Patience
    readonly nowMs: number
    /** Called after each batch. */
    readonly progress: (counts: ImportCounts) => void
  }

export type ImportResult = ImportCounts & {
  readonly rows: readonly ({ readonly line: number; readonly reason: string; readonly isThere?: true } & SourcePlace)[]
  /** What is to be said by name: what does not come among it, but for what is stored already. */
  readonly findings: readonly ImportFinding[]
  /** For how many people each member of the source was not kept, by its name. */
  readonly notKept: Readonly<Record<string, number>>
  /** Which of these are fields that an attribute could have, and why they do not come. */
  readonly lost: readonly LostField[]
  /** When the first attempt of the run began. */
  readonly startedAtMs: number
  /** Whether somebody in the source was left out, who may be anybody. */
  readonly isSomebodyLeftOut: boolean
  /** The kind and the name in the source, by a blank, of what was left out. */
  readonly leftOut: ReadonlySet<string>
  /** Why the rest of the source could not be read, as a whole sentence; undefined: all of it was. */
  readonly stoppedBy?: string
}

/** Another process goes on with the same import. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken'
}

/**
 * Goes on where an earlier run of the same files stopped. A client or scope is stored with how far the import is, as people
 * are, but by itself: the next one may depend on it. Throws `Overtaken`, and `UnreadableSource` if nothing could be read.
 */
export async function runImport(run: ImportRun): Promise<ImportResult> {
  const { imports } = run.storage
  const { patience = impatient } = run
  let before: ImportProgress | undefined = run.isDryRun ? undefined : await imports.find(run.id)
  const failures: ImportFailure[] = before === undefined ? [] : [...(await imports.failures(run.id))]
  const startedAtMs = before?.startedAtMs ?? run.nowMs
  const resumedAt = before?.recordsRead ?? 0
  let counts = before?.counts ?? none
  let notKept = before?.notKept ?? {}
  let lost = before?.lost ?? []
  /** Whether people are looked up before they are stored. */
  let isChecked = run.isDryRun || run.isSynced === true
  let size = batchSize
  /** Batches since the last answer, each of which may have been stored. */
  let unanswered: readonly { readonly progress: ImportProgress; readonly left: readonly ImportFailure[] }[] = []

  /** Returns whether one of the batches without an answer was stored, and goes on from there. */
  async function wasStored(): Promise<boolean> {
    const there = await imports.find(run.id)
    const stored = unanswered.find(
      ({ progress }) => progress.recordsRead === there?.recordsRead && startedAtMs === there.startedAtMs,
    )
    if (stored !== undefined) goOnFrom(stored.progress, stored.left)
    return stored !== undefined
  }

  function goOnFrom(progress: ImportProgress, left: readonly ImportFailure[]): void {
    if (!run.isDryRun) before = progress
    ;({ counts, notKept } = progress)
    lost = progress.lost ?? []
    failures.push(...left)
    unanswered = []
    run.progress(counts)
  }

  /** Stores what was not answered in smaller batches. */
  async function storeAgain(items: readonly Item[]): Promise<boolean> {
    size = Math.max(batchSizeAtLeast, Math.ceil(size / 2))
    if (items.length <= batchSizeAtLeast) return store(items)
    const half = Math.ceil(items.length / 2)
    await store(items.slice(0, half))
    return store(items.slice(half))
  }

  /** Returns false, and stores nothing, if what a client or scope was judged on has changed. */
  async function store(given: readonly Item[]): Promise<boolean> {
    const storedAt = before?.recordsRead ?? 0
    const items = given.filter(({ record }) => record > storedAt)
    const resolved = isChecked ? await resolveAll(run.people, items, run.isDryRun) : items
    const last = resolved.at(-1)
    if (last === undefined) return true
    const next = resolved.reduce(count, counts)
    const without = { notKept: resolved.reduce(countNotKept, notKept), lost: resolved.reduce(countLost, lost) }
    const about = { id: run.id, kind: run.kind, recordsRead: last.record }
    const progress: ImportProgress = { ...about, counts: next, ...without, startedAtMs }
    const left = resolved.flatMap((item) => failureOf(run.file, item))
    const people = resolved.filter((item) => 'entry' in item)
    if (!run.isDryRun) {
      const changes = resolved.flatMap((item) =>
        'done' in item && 'changes' in item && item.changes ? [item.changes] : [],
      )
      const records = changes.flatMap((one) => one.records)
      const judgedOn = changes[0]?.judgedOn
      const stored = people.map(({ entry }) => entry.person)
      const consents = resolved.flatMap((item) => ('consent' in item && item.consent ? [item.consent] : []))
      const judged = judgedOn && { judgedOn }
      const origins = resolved.flatMap(originOf).map((one) => ({ ...one, seenAtMs: startedAtMs }))
      const batch = { before, progress, people: stored, records, consents, failures: left, origins, ...judged }
      const events = [...eventsOf(run, resolved), ...changes.flatMap((one) => one.events)]
      const outcome = await imports.store(batch, events).catch(async (error: unknown) => {
        await patience.wait(error, unanswered.length)
        unanswered = [...unanswered, { progress, left }]
        return { outcome: 'unanswered' } as const
      })
      if (outcome.outcome === 'unanswered' || outcome.outcome === 'overtaken') {
        const isStored = unanswered.length > 0 && (await wasStored())
        if (!isStored && outcome.outcome === 'overtaken') throw new Overtaken()
        return storeAgain(items)
      }
      if (outcome.outcome === 'outdated') return false
      if (outcome.outcome === 'refused') {
        // A look at each person names whom a value belongs to, and finds no attribute that was deleted meanwhile.
        const unfit = isChecked ? await imports.unfit(batch.people) : undefined
        if (unfit !== undefined && unfit.size > 0) return store(withoutUnfit(resolved, people, unfit))
        await storeApart(resolved, people[outcome.at]?.record ?? last.record)
        return true
      }
    }
    goOnFrom(progress, left)
    return true
  }

  /** Stores items one of which conflicts: with somebody stored, or with an item before it. */
  async function storeApart(items: readonly Item[], record: number): Promise<void> {
    const at = items.findIndex((item) => item.record === record)
    if (at > 0) {
      await store(items.slice(0, at))
      isChecked = true
      await store(items.slice(at))
      return
    }
    const [first, ...rest] = items
    if (first === undefined) return
    if ('done' in first) {
      const fault = 'It was registered or changed by somebody else meanwhile.'
      await store([{ ...placeOf(first), fault }])
    } else if (isChecked) {
      // What was read does not show the conflict.
      await store([{ ...placeOf(first), fault: 'A name, address, login or unique value belongs to somebody else.' }])
    } else {
      isChecked = true
      await store([first])
    }
    await store(rest)
  }

  async function storeBatch(batch: readonly Item[]): Promise<void> {
    const countsBefore = counts
    await store(batch)
    if (size < batchSize) size = Math.min(batchSize, Math.ceil(size * 1.1))
    // Where some were stored already, the next are likely to be.
    if (!run.isDryRun && run.isSynced !== true) isChecked = conflictsIn(countsBefore, counts) > batch.length / 50
  }

  let judging: Promise<Item>[] = []
  let storing: Promise<void> = Promise.resolve()
  let record = 0
  let stoppedBy: string | undefined
  try {
    for await (const source of run.records) {
      record += 1
      run.onRead?.(source)
      if (record <= resumedAt) continue
      if ('client' in source || 'scope' in source || 'role' in source || 'group' in source) {
        await storing
        await store(await Promise.all(judging))
        judging = []
        while (!(await store([await judge(run, source, record)]))) {
          // Judged again.
        }
        continue
      }
      const judged = judge(run, source, record)
      // Awaited above or below, as is what is stored.
      judged.catch(() => {})
      judging.push(judged)
      if (judging.length < size) continue
      // The next batch is read while this one is stored.
      const items = await Promise.all(judging)
      judging = []
      await storing
      storing = storeBatch(items)
      storing.catch(() => {})
    }
  } catch (error) {
    // What was read before is stored; the import has not ended.
    if (!(error instanceof UnreadableSource) || record === 0) throw error
    stoppedBy = error.message
  }
  await storing
  await store(await Promise.all(judging))
  if (!run.isDryRun && stoppedBy === undefined) {
    await run.settle?.()
    await patience.ask(() => imports.end(run.id))
  }
  return {
    ...counts,
    ...saidOf(failures),
    ...{ notKept, lost, startedAtMs },
    ...(stoppedBy !== undefined && { stoppedBy }),
  }
}

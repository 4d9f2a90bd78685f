/** What becomes of each record of an import before it is stored, and what is recorded of it. */
import type { AuditDetails, AuditEvent, AuditKind } from '../audit/entry.ts'
import type { ImportedConsent, ImportFailure, ImportOrigin } from '../storage/port/imports.ts'
import { count, none } from './counts.ts'
import type { Remembered } from './known-consents.ts'
import type { Left } from './left-here.ts'
import type { PeopleJudge } from './people.ts'
import type { Registered } from './registrations.ts'
import { whatIs } from './said.ts'
import {
  type FaultOf,
  findingsOf,
  type Item,
  type Note,
  type RegistrationOutcome,
  type SourceRecord,
} from './source.ts'

export type Judging = {
  readonly people: PeopleJudge
  /** Judges a client or scope. */
  readonly register: (record: Registered) => Promise<RegistrationOutcome>
  /** Returns what comes of a consent; absent: all of it. */
  readonly consent?: (consent: ImportedConsent) => Promise<Remembered>
  /** Returns what is said of something that is left out; absent: its reason. */
  readonly left?: (of: FaultOf, fault: string) => Promise<Left>
}

export type Recording = {
  readonly id: string
  readonly kind: string
  readonly event: (kind: AuditKind, parties: { readonly userId?: string }, details: AuditDetails) => AuditEvent
}

export async function judge(judging: Judging, source: SourceRecord, record: number): Promise<Item> {
  const { line, place, findings = [] } = source
  const at = { record, line, ...(place && { place }), findings }
  if ('noted' in source) {
    const known: Partial<Remembered> =
      (source.consent && (await judging.consent?.(source.consent))) ??
      (source.consent ? { consent: source.consent } : {})
    return { ...at, done: 'noted', ...known, findings: [...findings, ...(known.findings ?? [])] }
  }
  if ('fault' in source) return { ...at, ...(await leftOf(judging, source.fault, source.of)) }
  const of = whatIs(source)
  const named = { ...at, ...(of && { of }) }
  const noted = (notes: readonly Note[] = []) => [...findings, ...(of ? findingsOf(of.kind, of.source, notes) : [])]
  if ('person' in source) {
    const judged = await judging.people.judge(source.person, source.leniency)
    if ('fault' in judged) return { ...named, ...judged, notKept: source.notKept ?? [] }
    const { notKept = [], lost = [] } = source
    const { notes, origin } = judged
    const entry = { ...judged.entry, ...(source.isPartial && { isPartial: source.isPartial }) }
    return { ...named, entry, origin, findings: noted(notes), notKept: [...notKept, ...judged.notKept], lost }
  }
  const outcome = await judging.register(source)
  if (!('fault' in outcome)) return { ...named, ...outcome, findings: noted(outcome.notes) }
  const left = of && { ...of, ...(outcome.member && { member: outcome.member }) }
  return { ...named, ...outcome, ...(await leftOf(judging, outcome.fault, left)) }
}

async function leftOf({ left }: Judging, fault: string, of: FaultOf | undefined) {
  if (of === undefined || left === undefined) return { fault, ...(of && { of }) }
  const { fault: reason, command } = await left(of, fault)
  return { fault: reason, of: { ...of, ...(command && { command }) } }
}

/** Looks each person up, all at once. In a dry run what is decided about one of them depends on those before. */
export function resolveAll(people: PeopleJudge, items: readonly Item[], isInTurns: boolean): Promise<Item[]> {
  let turn: Promise<unknown> = Promise.resolve()
  return Promise.all(
    items.map((item) => {
      if (!isInTurns) return people.resolve(item)
      const resolved = people.resolve(item, turn)
      turn = Promise.allSettled([turn, resolved])
      return resolved
    }),
  )
}

/** One entry for the new people of a batch, and one for each person who changes. */
export function eventsOf(run: Recording, items: readonly Item[]): AuditEvent[] {
  const counted = items.reduce(count, none)
  const changed = items.flatMap((item) =>
    'entry' in item && item.entry.person.before !== undefined ? [item.entry.person.user.id] : [],
  )
  const details = { import: run.id, kind: run.kind, ...counted }
  return [
    run.event('data_imported', {}, details),
    ...changed.map((userId) => run.event('user_changed', { userId }, { change: 'imported', import: run.id })),
  ]
}
/** What is left out is not remembered. */
export const originOf = (item: Item): readonly ImportOrigin[] =>
  'fault' in item || item.origin === undefined ? [] : [item.origin]

/** Returns what is to be said of all that was left out or found. */
export function saidOf(failures: readonly ImportFailure[]) {
  const rows = failures
    .filter(({ reason }) => reason !== '')
    .map(({ line, reason, isThere, place }) => ({ line, reason, ...(isThere && { isThere }), ...place }))
  return {
    rows,
    findings: failures.flatMap((one) => one.findings ?? []),
    isSomebodyLeftOut: failures.some(isOfPerson),
    leftOut: new Set(failures.flatMap(leftOutIn)),
  }
}

/** Whether it is a person who is left out, or something that may be one. */
const isOfPerson = ({ reason, findings: [first] = [] }: ImportFailure): boolean =>
  reason !== '' && (first === undefined || first.kind === 'person')

/** The kind and the name in the source of what was left out, if they are known. */
const leftOutIn = ({ reason, findings: [first] = [] }: ImportFailure): readonly string[] =>
  reason === '' || first === undefined ? [] : [`${first.kind} ${first.source}`]

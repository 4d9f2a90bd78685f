/** What becomes of applications, scopes, roles and groups whose source was imported before. */
import { foreignSecretMatches } from '../secrets/client-secrets.ts'
import { importedMark } from '../secrets/imported-password.ts'
import { hashSecret } from '../secrets/opaque.ts'
import { acceptHash } from '../secrets/password.ts'
import type { ImportOrigin } from '../storage/port/imports.ts'
import type { Storage } from '../storage/port/storage.ts'
import { findGroup } from '../users/group-changes.ts'
import type { Marks } from './app-marks.ts'
import {
  afterOf,
  type Known,
  knownOf,
  ofClient,
  ofGroup,
  ofRole,
  ofScope,
  type Stored,
  withOwn,
} from './registration-values.ts'
import type { Registered } from './registrations.ts'
import type { Note, RegistrationOutcome, SourceClient } from './source.ts'
import { type Difference, markOf, type Syncing } from './sync.ts'

export type SyncedContext = {
  readonly storage: Pick<Storage, 'clients' | 'scopes' | 'roles' | 'groups' | 'imports'>
  /** The kind of the source. */
  readonly origin: string
  /** With `--sync` and `--compare`; absent: neither. */
  readonly syncing?: Syncing | undefined
  readonly nowMs: number
  /** Judges a record that is new or changes. */
  readonly register: (record: Registered) => Promise<RegistrationOutcome>
}

/** Marks of what the source had, and of what was stored of it. */
const thereName = (name: string) => `there:${name}`
const hereName = (name: string) => `here:${name}`
const secretName = 'client_secret'
const namesIn = (marks: Marks, prefix: string) =>
  Object.keys(marks).flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []))

export function syncedRegistrations({ storage, origin, syncing, nowMs, register }: SyncedContext) {
  async function storedOf({ kind, key }: Known): Promise<Stored | undefined> {
    if (kind === 'client') {
      const found = await storage.clients.find(key)
      return found && ofClient(found, nowMs)
    }
    if (kind === 'scope') {
      const [found] = await storage.scopes.findMany([key])
      return found && { values: ofScope(found) }
    }
    if (kind === 'role') {
      const found = await storage.roles.find(key)
      return found && { values: ofRole({ includes: [], isDefault: false, ...found }) }
    }
    const found = findGroup(key, (await storage.groups.all()).known)
    return found && { values: ofGroup(found) }
  }

  function originOf(one: Known, stored: Stored, isSecretKnown: boolean, last?: Marks): ImportOrigin {
    const { kind, key, values } = one
    const secret = isSecretKnown ? stored.secret : last?.[secretName]
    const marks = {
      ...Object.fromEntries(Object.entries(values).map(([name, value]) => [thereName(name), markOf(value)])),
      ...Object.fromEntries(Object.entries(stored.values).map(([name, value]) => [hereName(name), markOf(value)])),
      ...(secret !== undefined && { [secretName]: secret }),
    }
    return { kind, origin, key, id: key, marks, seenAtMs: nowMs }
  }

  /** Registers, and remembers what the source had. `isSecretKnown`: whether what is stored then is the source's secret. */
  async function remembered(
    record: Registered,
    one: Known,
    isSecretKnown: boolean,
    last?: Marks,
  ): Promise<RegistrationOutcome> {
    const outcome = await register(record)
    if ('fault' in outcome || (syncing === undefined && outcome.done === 'skipped')) return outcome
    const after = afterOf(outcome, one.kind, nowMs)?.after ?? (await storedOf(one))
    return after === undefined ? outcome : { ...outcome, origin: originOf(one, after, isSecretKnown, last) }
  }

  /** Returns the names of the values that differ, which the rules of this service may have changed. */
  async function differing(
    record: Registered,
    one: Known,
    stored: Stored | undefined,
    last?: Marks,
  ): Promise<readonly Difference[]> {
    const { kind, key } = one
    const outcome = await register(record)
    if ('fault' in outcome) return []
    const judged = afterOf(outcome, kind, nowMs)
    const there = judged?.after.values ?? (kind === 'role' || kind === 'group' ? one.values : undefined)
    if (stored === undefined) return outcome.done === 'created' ? [{ kind, source: key, member: '', there: true }] : []
    if (there === undefined) return []
    const here = stored.values
    const names = [...new Set([...Object.keys(there), ...Object.keys(here)])].sort()
    const secret = 'client' in record ? record.client.secret : undefined
    const isOther = secret !== undefined && stored.secret !== undefined && !(await isSame(secret, stored.secret))
    const isAnew =
      isOther && 'hash' in secret && !isForeign(stored.secret) && (await isSame(secret, last?.[secretName]))
    return [
      ...names
        .filter((name) => markOf(there[name] ?? null) !== markOf(here[name] ?? null))
        .map((member) => ({ kind, source: key, member, there: there[member], here: here[member] })),
      // A hash of another system may have been replaced at its first use.
      ...(isOther && !isAnew ? [{ kind, source: key, member: secretName }] : []),
    ]
  }

  /** What changed there since the last run comes, unless it was changed here, too. */
  async function changed(record: Registered, one: Known, stored: Stored, last: Marks): Promise<RegistrationOutcome> {
    const { values } = one
    const names = [...new Set([...Object.keys(values), ...namesIn(last, thereName(''))])].sort()
    const marks = (name: string) => (Object.hasOwn(values, name) ? markOf(values[name]) : undefined)
    const differ = names.filter((name) => marks(name) !== last[thereName(name)])
    const changedHere = [...new Set([...Object.keys(stored.values), ...namesIn(last, hereName(''))])].filter(
      (name) => hereMark(stored, name) !== last[hereName(name)],
    )
    const secret = 'client' in record ? record.client.secret : undefined
    const lastSecret = last[secretName]
    const hasNewSecret =
      secret !== undefined && stored.secret !== undefined && !(await isSame(secret, lastSecret ?? stored.secret))
    const isSecretHere = lastSecret !== undefined && stored.secret === lastSecret
    const isHere = (name: string) => !changedHere.includes(name)
    const kept = [...differ.filter((name) => !isHere(name)), ...(hasNewSecret && !isSecretHere ? [secretName] : [])]
    const notes = kept.map((name) => keptNote(one, name))
    const taken = differ.filter(isHere)
    const isSecretTaken = (hasNewSecret && isSecretHere) || taken.includes('token_endpoint_auth_method')
    if (taken.length === 0 && !isSecretTaken) {
      return { done: 'skipped', notes, origin: withKept(originOf(one, stored, false, last), changedHere, last) }
    }
    const part =
      'client' in record
        ? { ...record, client: partOf(record.client, taken, isSecretTaken) }
        : withOwn(record, one.kind, Object.fromEntries(changedHere.map((name) => [name, stored.values[name]])))
    const outcome = await remembered(part, one, isSecretTaken, last)
    if ('fault' in outcome) return outcome
    const all = [...(outcome.notes ?? []), ...notes]
    return { ...outcome, notes: all, ...(outcome.origin && { origin: withKept(outcome.origin, changedHere, last) }) }
  }

  async function synced(record: Registered, one: Known, { isCompared, differences, found }: Syncing) {
    const { kind, key } = one
    found.keys.add(`${kind} ${key}`)
    const stored = await storedOf(one)
    const last = (await storage.imports.origins(kind, origin, [key])).get(key)
    if (isCompared) {
      differences.push(...(await differing(record, one, stored, last?.marks ?? undefined)))
      return { done: 'skipped' } as const
    }
    if (stored === undefined) {
      if (last === undefined || last.seenAtMs === 0) return remembered(record, one, true)
      return { done: 'skipped', notes: [deletedNote(one)], origin: { ...last, seenAtMs: nowMs } } as const
    }
    if (last?.marks != null) return changed(record, one, stored, last.marks)
    const names = (await differing(record, one, stored)).map(({ member }) => member)
    const notes = names.length === 0 ? [] : [firstNote(one, names)]
    return { done: 'skipped', notes, origin: originOf(one, stored, !names.includes(secretName)) } as const
  }

  return (record: Registered): Promise<RegistrationOutcome> => {
    const one = knownOf(record)
    return syncing === undefined ? remembered(record, one, true) : synced(record, one, syncing)
  }
}

const hereMark = ({ values }: Stored, name: string) => (Object.hasOwn(values, name) ? markOf(values[name]) : undefined)

/** Keeps the marks of before of what was changed here: otherwise the next run would take it for the source's. */
function withKept(next: ImportOrigin, names: readonly string[], last: Marks): ImportOrigin {
  const marks: Record<string, string> = { ...next.marks }
  for (const name of names.map(hereName)) {
    const before = last[name]
    if (before === undefined) delete marks[name]
    else marks[name] = before
  }
  return { ...next, marks }
}

/** Returns the application with the members that change. Null: as by default. */
function partOf(client: SourceClient, taken: readonly string[], isSecretTaken: boolean): SourceClient {
  const { secret, previousSecret, members, ...rest } = client
  return {
    ...rest,
    members: Object.fromEntries(taken.map((name) => [name, members[name] ?? null])),
    ...(isSecretTaken && secret !== undefined && { secret, ...(previousSecret && { previousSecret }) }),
  }
}

const isForeign = (stored: string) => stored.startsWith('$')

/** `stored`: its hash, as it is stored. */
async function isSame(secret: NonNullable<SourceClient['secret']>, stored: string | undefined): Promise<boolean> {
  if (stored === undefined) return false
  if ('hash' in secret) return importedMark(acceptHash(secret.hash) ?? secret.hash) === importedMark(stored)
  return isForeign(stored) ? foreignSecretMatches(secret.text, stored) : hashSecret(secret.text) === stored
}

function keptNote({ kind, key }: Known, member: string): Note {
  const reason = `${member} of the ${kind} ${key} was changed here as well, and stays as it is here.`
  return { member, severity: 'changed', reason }
}

function deletedNote({ kind, key }: Known): Note {
  const reason = `The ${kind} ${key} was deleted here, and stays so. An import without --sync brings it back.`
  return { member: '', severity: 'lost', reason }
}

function firstNote({ kind, key }: Known, names: readonly string[]): Note {
  const reason = `The ${kind} ${key} was here before it was remembered what the source had: ${names.join(', ')} stays as it is here. --on-conflict update takes what the source has.`
  return { member: '', severity: 'changed', reason }
}

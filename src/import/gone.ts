/** Who and what came from a source and is gone there, and those who never came from it. */
import type { AuditDetails, AuditEvent, AuditKind } from '../audit/entry.ts'
import { administratorRole, isAdminScope, viewerRole } from '../protocol/scope/admin-scopes.ts'
import type { FindingKind, ImportFinding, ImportOrigin } from '../storage/port/imports.ts'
import type { Storage } from '../storage/port/storage.ts'
import { findGroup } from '../users/group-changes.ts'
import { commandOf } from './commands.ts'
import { commitOnce, type Patience } from './patience.ts'
import type { Syncing } from './sync.ts'

export type GoneContext = {
  readonly storage: Pick<Storage, 'imports' | 'users' | 'catalogue' | 'clients' | 'scopes' | 'roles' | 'groups'>
  readonly patience: Patience
  readonly syncing: Syncing
  /** Nothing is stored: what a run would have stored is in `syncing.found`. */
  readonly isDryRun: boolean
  /** When the run began. */
  readonly startedAtMs: number
  /** The kind and the name in the source, by a blank, of what is there and cannot come. */
  readonly leftOut: ReadonlySet<string>
  /** Whether the source has people at all. */
  readonly hasPeople: boolean
  /** Why nothing may be deleted, as a whole sentence; undefined: it may. */
  readonly barred: string | undefined
  /** Whether more may be deleted than usually leave. */
  readonly allowsMany: boolean
  readonly event: (
    kind: AuditKind,
    parties: { readonly userId?: string; readonly clientId?: string },
    details?: AuditDetails,
  ) => AuditEvent
}

export type Gone = {
  /** People whom the source does not have any more. */
  readonly people: readonly { readonly id: string; readonly username: string; readonly deleted: boolean }[]
  /** Applications, scopes, roles and groups that the source does not have any more. */
  readonly records: readonly { readonly kind: FindingKind; readonly source: string; readonly deleted: boolean }[]
  readonly findings: readonly ImportFinding[]
  /** How many people did not come from the source, and the user names of the first of them. */
  readonly others: { readonly people: number; readonly usernames: readonly string[] }
  /** Why nothing was deleted; empty: it was, or nothing is gone. */
  readonly barred: readonly string[]
}

const registered = ['client', 'scope', 'role', 'group'] as const

/** So many may leave between two runs without more ado. */
const fewAtMost = 10
const strangersNamed = 100
const readAtOnce = 100

/** Finds who and what is gone, and deletes people and applications if they may be deleted. Administrators stay. */
export async function settleGone(context: GoneContext): Promise<Gone> {
  const { storage, syncing, hasPeople } = context
  const gone = hasPeople ? await gonePeople(context) : { people: [], findings: [], barred: [] }
  const records: Gone['records'][number][] = []
  const findings = [...gone.findings]
  const barred: string[] = [...gone.barred]
  for (const kind of registered) {
    const more = await goneRecords(context, kind)
    records.push(...more.records)
    findings.push(...more.findings)
    barred.push(...more.barred)
  }
  const ids = new Set(gone.people.map(({ id }) => id))
  const others = hasPeople ? await strangers(storage, syncing, ids) : { people: 0, usernames: [] }
  return { people: gone.people, records, findings, others, barred: [...new Set(barred)] }
}

async function gonePeople(context: GoneContext): Promise<Pick<Gone, 'people' | 'findings' | 'barred'>> {
  const { storage, patience, isDryRun, event } = context
  const origins = await unseen(context, 'person')
  const barred = barring(context, 'person', origins.length)
  const { rolesOf } = await storage.catalogue.now()
  const people: Gone['people'][number][] = []
  const findings: ImportFinding[] = []
  for await (const { user, origin } of usersOf(storage, origins)) {
    const { id, name } = user
    const held = rolesOf(user).find((role) => role === administratorRole || role === viewerRole)
    let deleted = held === undefined && barred.length === 0
    if (deleted && !isDryRun) {
      await patience.ask(() => storage.imports.leave(origin))
      const events = [event('user_deleted', { userId: id })] as const
      const remove = () => storage.users.delete(id, events, { decidedOn: user.version })
      deleted = await commitOnce(patience, remove, async () => (await storage.users.find(id)) === undefined)
    }
    people.push({ id, username: name, deleted })
    const why = held === undefined ? '' : `: no import deletes somebody with the role ${held}`
    const reason = `${name} is gone from the source, and ${deleted ? 'was deleted' : `stays here${why}`}.`
    findings.push({ kind: 'person', source: name, member: '', severity: deleted ? 'lost' : 'changed', reason })
  }
  return { people, findings, barred: people.length > 0 ? barred : [] }
}

async function* usersOf({ users }: GoneContext['storage'], origins: readonly ImportOrigin[]) {
  for (let at = 0; at < origins.length; at += readAtOnce) {
    const page = origins.slice(at, at + readAtOnce)
    const found = await Promise.all(page.map(async (origin) => ({ origin, user: await users.find(origin.id) })))
    for (const { origin, user } of found) if (user !== undefined) yield { origin, user }
  }
}

/** Roles, scopes and groups stay: what was given by them is taken from people and applications, and others may use them here. */
async function goneRecords(
  context: GoneContext,
  kind: (typeof registered)[number],
): Promise<Pick<Gone, 'records' | 'findings' | 'barred'>> {
  const { storage, patience, isDryRun, event } = context
  const all: { readonly origin: ImportOrigin; readonly version?: number }[] = []
  for (const origin of await unseen(context, kind)) {
    if (kind !== 'client' && (await isHere(storage, kind, origin.key))) all.push({ origin })
    const client = kind === 'client' ? await storage.clients.find(origin.key) : undefined
    if (client !== undefined) all.push({ origin, version: client.version })
  }
  const barred = kind === 'client' ? barring(context, kind, all.length) : []
  const records: Gone['records'][number][] = []
  const findings: ImportFinding[] = []
  for (const { origin, version } of all) {
    const { key } = origin
    let deleted = version !== undefined && barred.length === 0 && (await isFree(storage, key))
    if (deleted && !isDryRun) {
      await patience.ask(() => storage.imports.leave(origin))
      const events = [event('client_deleted', { clientId: key })] as const
      const remove = () => storage.clients.delete(key, events, version)
      deleted = await commitOnce(patience, remove, async () => (await storage.clients.find(key)) === undefined)
    }
    records.push({ kind, source: key, deleted })
    const command = deleted ? {} : commandOf(`${kind} delete`, key)
    const reason = `The ${kind} ${key} is gone from the source, and ${deleted ? 'was deleted' : 'stays here'}.`
    findings.push({ kind, source: key, member: '', severity: deleted ? 'lost' : 'changed', reason, ...command })
  }
  return { records, findings, barred }
}

/** An application with administrative scopes is no file's to delete, and roles of one may be somebody's here. */
async function isFree({ clients }: GoneContext['storage'], id: string): Promise<boolean> {
  const [client, roles] = await Promise.all([clients.find(id), clients.rolesOf(id)])
  return roles.length === 0 && client?.scopes.some(isAdminScope) !== true
}

async function isHere({ scopes, roles, groups }: GoneContext['storage'], kind: FindingKind, key: string) {
  if (kind === 'scope') return (await scopes.findMany([key])).length > 0
  if (kind === 'role') return (await roles.find(key)) !== undefined
  return findGroup(key, (await groups.all()).known) !== undefined
}

/** Returns what the source does not have any more and was not deleted here. */
async function unseen({ storage, syncing, isDryRun, startedAtMs, leftOut }: GoneContext, kind: FindingKind) {
  const { origin, found } = syncing
  const all: ImportOrigin[] = []
  const beforeMs = isDryRun ? Number.MAX_SAFE_INTEGER : startedAtMs
  let after = ''
  for (;;) {
    const page = await storage.imports.unseen(kind, origin, beforeMs, after)
    // What is left out is there.
    const isThere = (name: string) => found.keys.has(name) || leftOut.has(name)
    all.push(...page.filter(({ key }) => !isThere(`${kind} ${key}`)))
    const last = page.at(-1)
    if (last === undefined) return all
    after = last.key
  }
}

function barring(context: GoneContext, kind: 'person' | 'client', gone: number): readonly string[] {
  if (gone === 0) return []
  const reason = context.barred ?? brake(context, kind, gone)
  return reason === undefined ? [] : [reason]
}

/** An export that broke off, or of something else, must not empty the installation. */
function brake({ syncing, allowsMany }: GoneContext, kind: 'person' | 'client', gone: number): string | undefined {
  const known = Math.max(gone, syncing.known[kind])
  const isMany = gone > known / 2 || (gone > fewAtMost && gone > known / 10)
  if (!isMany || allowsMany) return undefined
  const what = kind === 'person' ? 'people' : 'applications'
  return `${gone} of the ${known} ${what} that came from the source are gone there, which is more than usual. If that is right, say so with --delete-many.`
}

async function strangers(storage: GoneContext['storage'], { origin, found }: Syncing, gone: ReadonlySet<string>) {
  const usernames: string[] = []
  let people = 0
  let after = ''
  for (;;) {
    const page = await storage.imports.strangers(origin, after)
    for (const { id, name } of page) {
      if (found.ids.has(id) || gone.has(id)) continue
      people += 1
      if (usernames.length < strangersNamed) usernames.push(name)
    }
    const last = page.at(-1)
    if (last === undefined) return { people, usernames }
    after = last.id
  }
}

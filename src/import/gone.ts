/** People who came from a source and are gone there, and those who never came from it. */
import type { AuditDetails, AuditEvent, AuditKind } from '../audit/entry.ts'
import { administratorRole, viewerRole } from '../protocol/scope/admin-scopes.ts'
import type { ImportFinding, ImportOrigin } from '../storage/port/imports.ts'
import type { Storage } from '../storage/port/storage.ts'
import type { User } from '../users/user.ts'
import type { Syncing } from './sync.ts'

export type GoneContext = {
  readonly storage: Pick<Storage, 'imports' | 'users' | 'catalogue'>
  readonly syncing: Syncing
  /** Nothing is stored: what a run would have stored is in `syncing.found`. */
  readonly isDryRun: boolean
  /** When the run began. */
  readonly startedAtMs: number
  /** Why nobody may be deleted, as a whole sentence; undefined: they may. */
  readonly barred: string | undefined
  /** Whether more may be deleted than usually leave. */
  readonly allowsMany: boolean
  readonly event: (kind: AuditKind, parties: { readonly userId?: string }, details?: AuditDetails) => AuditEvent
}

export type Gone = {
  /** People whom the source does not have any more. */
  readonly people: readonly { readonly id: string; readonly username: string; readonly deleted: boolean }[]
  readonly findings: readonly ImportFinding[]
  /** How many people did not come from the source, and the user names of the first of them. */
  readonly others: { readonly people: number; readonly usernames: readonly string[] }
  /** Why nobody was deleted; undefined: somebody was, or nobody is gone. */
  readonly barred?: string
}

/** So many may leave between two runs without more ado. */
const fewAtMost = 10
const strangersNamed = 100

/** Finds who is gone, and deletes them if they may be deleted. Administrators stay. */
export async function settleGone(context: GoneContext): Promise<Gone> {
  const { storage, syncing, isDryRun, event } = context
  const all = await goneOf(context)
  const { rolesOf } = await storage.catalogue.now()
  const barred = all.length === 0 ? undefined : (context.barred ?? (await brake(context, all.length)))
  const people: { id: string; username: string; deleted: boolean }[] = []
  const findings: ImportFinding[] = []
  for (const { user, origin } of all) {
    const { id, name } = user
    const held = rolesOf(user).find((role) => role === administratorRole || role === viewerRole)
    let deleted = held === undefined && barred === undefined
    if (deleted && !isDryRun) {
      await storage.imports.leave(origin)
      deleted = await storage.users.delete(id, [event('user_deleted', { userId: id })], { decidedOn: user.version })
    }
    people.push({ id, username: name, deleted })
    const why = held === undefined ? '' : `: no import deletes somebody with the role ${held}`
    const reason = `${name} is gone from the source, and ${deleted ? 'was deleted' : `stays here${why}`}.`
    const severity = deleted ? 'lost' : 'changed'
    findings.push({ kind: 'person', source: name, member: '', severity, reason })
  }
  const gone = new Set(people.map(({ id }) => id))
  const others = await strangers(storage, syncing, gone)
  return { people, findings, others, ...(barred !== undefined && { barred }) }
}

async function goneOf({ storage, syncing, isDryRun, startedAtMs }: GoneContext) {
  const { origin, found } = syncing
  const all: { readonly user: User; readonly origin: ImportOrigin }[] = []
  const beforeMs = isDryRun ? Number.MAX_SAFE_INTEGER : startedAtMs
  let after = ''
  for (;;) {
    const page = await storage.imports.unseen('person', origin, beforeMs, after)
    for (const one of page) {
      if (isDryRun && found.keys.has(`person ${one.key}`)) continue
      const user = await storage.users.find(one.id)
      if (user !== undefined) all.push({ user, origin: one })
    }
    const last = page.at(-1)
    if (last === undefined) return all
    after = last.key
  }
}

/** An export that broke off, or of something else, must not empty the installation. */
async function brake({ storage, syncing, allowsMany }: GoneContext, gone: number): Promise<string | undefined> {
  const known = await storage.imports.numberOf('person', syncing.origin)
  const isMany = gone === known || (gone > fewAtMost && gone > known / 10)
  if (!isMany || allowsMany) return undefined
  return `${gone} of the ${known} people who came from the source are gone there, which is more than usual. If that is right, say so with --delete-many.`
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

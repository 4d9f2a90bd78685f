import { useEffect } from 'preact/hooks'
import { actorOf, type Mention } from './activity-entry.ts'
import { call } from './api.ts'
import { useMe } from './me.tsx'
import { useRedrawn } from './redrawn.ts'

export type Kind = 'user' | 'client'

/** Names by kind and id, for as long as the window is open. Null: there is no such record any more. */
const known = new Map<string, string | null>()
const asked = new Set<string>()
/** What is being read, for the page or for an export: all that one of them asked for, however many calls it takes. */
const underWay = new Set<Promise<void>>()
const listeners = new Set<() => void>()

/** Names that one call asks for, and how long the list of their ids may be in its address. */
const AT_ONCE = 100
const LENGTH_AT_MOST = 8000
/** A longer one belongs to nothing: strangers send any id. */
const LONGEST_ID = 256

const sources = {
  user: { path: '/users', id: 'id', name: 'username', permission: 'admin:users:read' },
  client: { path: '/clients', id: 'client_id', name: 'client_name', permission: 'admin:clients:read' },
} as const

/** Returns the name of a record; undefined while it is not known, null if there is none. */
export const nameOf = (kind: Kind, id: string): string | null | undefined => known.get(`${kind} ${id}`)

/** Reads the names of everybody whom the entries mention, each once. */
export function useNames(entries: readonly Mention[]): void {
  const me = useMe()
  useRedrawn(listeners)

  useEffect(() => {
    void readNames(entries, (kind) => me.may(sources[kind].permission))
  }, [entries])
}

/** Resolves when the names are known. */
export async function readNames(entries: readonly Mention[], may: (kind: Kind) => boolean): Promise<void> {
  const wanted: Record<Kind, string[]> = { user: [], client: [] }
  const want = (kind: Kind, id: string | null): void => {
    const key = `${kind} ${id}`
    if (id === null || asked.has(key) || !may(kind)) return
    asked.add(key)
    if (id.length > LONGEST_ID) known.set(key, null)
    else wanted[kind].push(id)
  }
  for (const entry of entries) {
    want('user', entry.user_id)
    want('client', entry.client_id)
    const actor = actorOf(entry)
    if (actor?.kind) want(actor.kind, actor.id)
  }
  for (const kind of ['user', 'client'] as const) {
    const reading = readAll(kind, wanted[kind]).finally(() => underWay.delete(reading))
    underWay.add(reading)
  }
  await Promise.all(underWay)
}

async function readAll(kind: Kind, ids: string[]): Promise<void> {
  while (ids.length > 0) await read(kind, ids.splice(0, countOf(ids)))
}

/** Returns how many of the ids go into one call. */
function countOf(ids: readonly string[]): number {
  let length = 0
  const end = ids.findIndex((id) => {
    length += encodeURIComponent(id).length + 12
    return length > LENGTH_AT_MOST
  })
  return Math.min(AT_ONCE, end === -1 ? ids.length : Math.max(1, end))
}

async function read(kind: Kind, ids: readonly string[]): Promise<void> {
  const { path, id, name } = sources[kind]
  const result = await call<{ items: Record<string, string>[] }>(
    { method: 'GET', path, query: { [id]: ids } },
    { isShown: false },
  )
  const names = result.kind === 'ok' ? new Map(result.value.items.map((one) => [one[id], one[name]])) : null
  for (const one of ids) {
    // Another page that mentions it asks again.
    if (names === null) asked.delete(`${kind} ${one}`)
    else known.set(`${kind} ${one}`, names.get(one) ?? null)
  }
  for (const listener of listeners) listener()
}

/** Finds a person by the exact user name. */
export async function userIdOf(name: string): Promise<string | undefined> {
  const query = { search: name, limit: 10 }
  const result = await call<{ items: { id: string; username: string }[] }>(
    { method: 'GET', path: '/users', query },
    { isShown: false },
  )
  if (result.kind !== 'ok') return undefined
  const found = result.value.items.find(({ username }) => username.toLowerCase() === name.toLowerCase())
  if (found === undefined) return undefined
  known.set(`user ${found.id}`, found.username)
  return found.id
}

/** Finds an application by the exact name; anything else may be an id, of one that is gone as well. */
export async function clientIdOf(name: string): Promise<string> {
  if (known.get(`client ${name}`)) return name
  const query = { search: name.slice(0, 200), limit: 20 }
  const result = await call<{ items: { client_id: string; client_name: string }[] }>(
    { method: 'GET', path: '/clients', query },
    { isShown: false },
  )
  if (result.kind !== 'ok') return name
  const { items } = result.value
  if (items.some(({ client_id: id }) => id === name)) return name
  const wanted = name.toLowerCase()
  return items.find((one) => one.client_name.toLowerCase() === wanted)?.client_id ?? name
}

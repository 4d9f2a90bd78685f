/** Wraps the storage port to observe its verbs. */
import type { Storage } from '../storage/port/storage.ts'

/** Runs `work` and returns its result. `verb`: the name in the port, such as `grants.redeem`. */
export type Observe = <T>(verb: string, work: () => Promise<T>) => Promise<T>

/** Synchronous or nearly always so, and too short to measure. */
const unobserved: ReadonlySet<string> = new Set(['audit.note', 'catalogue.at', 'keyed'])

type Verb = (...parameters: unknown[]) => Promise<unknown>

/** Returns the same storage with every verb run through `observe`. */
export function observedStorage(storage: Storage, observe: Observe): Storage {
  const watchOne = (member: Verb | object, verb: string): object => {
    if (typeof member !== 'function') return watch(member, `${verb}.`)
    if (unobserved.has(verb)) return member
    return (...parameters: unknown[]) => observe(verb, () => (member as Verb)(...parameters))
  }
  const watch = (members: object, prefix: string): object =>
    Object.fromEntries(
      Object.entries(members).map(([name, member]: [string, Verb | object]) => [
        name,
        watchOne(member, `${prefix}${name}`),
      ]),
    )
  return watch(storage, '') as Storage
}

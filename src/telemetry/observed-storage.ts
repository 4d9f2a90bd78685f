/** The storage port with somebody who watches. */
import type { Storage } from '../storage/port/port.ts'

/** Runs `work` and hands on what it gives. `verb` is the port's name for it, such as `grants.redeem`. */
export type Observe = <T>(verb: string, work: () => Promise<T>) => Promise<T>

/** Not asynchronous, and over before anything could be measured. */
const unobserved: ReadonlySet<string> = new Set(['audit.note'])

type Verb = (...parameters: unknown[]) => Promise<unknown>

/** The same storage; `observe` is told of every verb. */
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

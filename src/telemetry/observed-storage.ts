/** The storage port with somebody who watches. */
import type { Storage } from '../storage/port.ts'

/** Runs `work` and hands on what it gives. `verb` is the port's name for it, such as `grants.redeem`. */
export type Observe = <T>(verb: string, work: () => Promise<T>) => Promise<T>

type Verb = (...parameters: unknown[]) => Promise<unknown>

/** The same storage; `observe` is told of every verb. */
export function observedStorage(storage: Storage, observe: Observe): Storage {
  const watch = (members: object, prefix: string): object =>
    Object.fromEntries(
      Object.entries(members).map(([name, member]: [string, Verb | object]) => [
        name,
        typeof member === 'function'
          ? (...parameters: unknown[]) => observe(`${prefix}${name}`, () => (member as Verb)(...parameters))
          : watch(member, `${name}.`),
      ]),
    )
  return watch(storage, '') as Storage
}

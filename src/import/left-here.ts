/** What is said of applications that cannot come any more and are here, where they go on as they are. */
import type { Storage } from '../storage/port/storage.ts'
import { commandOf } from './commands.ts'
import type { FaultOf } from './source.ts'
import type { Syncing } from './sync.ts'

export type LeftHereContext = {
  readonly storage: Pick<Storage, 'clients' | 'imports'>
  /** The kind of the source. */
  readonly origin: string
  /** With `--sync` and `--compare`; absent: neither. */
  readonly syncing?: Syncing | undefined
}

export type Left = { readonly fault: string; readonly command?: string }

/** Returns the reason for which a record is left out, and what to do about it. `disabled`: the member of an application that ended there. */
export function leftHere({ storage, origin, syncing }: LeftHereContext) {
  return async ({ kind, source, member }: FaultOf, fault: string): Promise<Left> => {
    if (syncing === undefined || kind !== 'client') return { fault }
    const last = (await storage.imports.origins('client', origin, [source])).get(source)
    if (last?.marks == null || (await storage.clients.find(source)) === undefined) return { fault }
    if (syncing.isCompared && member === 'enabled') {
      syncing.differences.push({ kind, source, member, there: false, here: true })
    }
    return {
      fault: `${fault} It came before, and goes on here until it is deleted.`,
      ...commandOf('client delete', source),
    }
  }
}

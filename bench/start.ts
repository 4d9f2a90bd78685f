/** How long a start takes, and how much memory a server holds. */
import { setTimeout as wait } from 'node:timers/promises'
import { residentBytes } from './machine.ts'
import { newFolder, type Started } from './servers.ts'

export type StartResult = {
  readonly target: string
  /** On an empty folder: database, keys and demo are made. */
  readonly firstMs: number
  /** On what is there by then; the median. */
  readonly laterMs: number
  /** Some seconds after a later start, without a request. */
  readonly idleBytes: number | null
}

const laterStarts = 5
/** What a server does after its start is done by then. */
const comesToRestMs = 3_000

export async function measureStart(start: (folder: string) => Promise<Started>): Promise<StartResult> {
  const folder = newFolder()
  const first = await start(folder)
  await first.stop()
  const later: number[] = []
  for (;;) {
    const server = await start(folder)
    later.push(server.startedInMs)
    if (later.length < laterStarts) {
      await server.stop()
      continue
    }
    await wait(comesToRestMs)
    const idleBytes = residentBytes(server.pids)
    await server.stop()
    const laterMs = later.sort((a, b) => a - b)[Math.floor(laterStarts / 2)] as number
    return { target: first.name, firstMs: first.startedInMs, laterMs, idleBytes }
  }
}

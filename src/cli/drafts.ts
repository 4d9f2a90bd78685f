/** Files that a backup writes before it has its name: none stays behind, however the command ends. */
import { closeSync, openSync, readdirSync, readSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isHeld } from '../storage/sqlite/file.ts'

/** A draft that was written to more recently belongs to a command that runs. */
const quietForMs = 60_000

const draftName = /\.[0-9a-f]{12}\.partial$/
const besides = ['', '-wal', '-shm', '-journal'] as const
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Runs `work` with the path of a draft beside `file`, and removes the draft afterwards, also when a signal ends the command. */
export async function withDraft<T>(
  file: string,
  random: (bytes: number) => Uint8Array,
  work: (draft: string) => Promise<T>,
): Promise<T> {
  const draft = `${file}.${Buffer.from(random(6)).toString('hex')}.partial`
  const interrupted = (signal: NodeJS.Signals): void => {
    removeDraft(draft)
    // The handlers are gone: it now ends the process.
    for (const one of signals) process.off(one, interrupted)
    process.kill(process.pid, signal)
  }
  for (const signal of signals) process.on(signal, interrupted)
  try {
    return await work(draft)
  } finally {
    for (const signal of signals) process.off(signal, interrupted)
    removeDraft(draft)
  }
}

/** A failed clean-up must not hide the original error. */
function removeDraft(draft: string): void {
  for (const end of besides) {
    try {
      rmSync(`${draft}${end}`, { force: true })
    } catch {
      // The next backup into the folder tries again.
    }
  }
}

/** Removes the drafts that killed commands left in the folder of `file`, and reports each; a draft that may be in use is only named. */
export function sweepDrafts(file: string, nowMs: number, report: (line: string) => void): void {
  const folder = dirname(file)
  for (const name of readdirSync(folder).filter((one) => draftName.test(one))) {
    const draft = join(folder, name)
    if (!isDatabase(draft)) continue
    const { size, mtimeMs } = statSync(draft)
    const what = `${draft} (${(size / 1_000_000).toFixed(1)} MB)`
    if (nowMs - mtimeMs < quietForMs || isHeld(draft)) {
      report(
        `${what} is being written by another backup, or was left by one that was killed: a later backup removes it`,
      )
      continue
    }
    removeDraft(draft)
    report(`removed ${what}, which a backup that was killed had left`)
  }
}

/** Whether it is empty, or begins as a file of SQLite does: with zeros until the first page is written, which is the last. */
function isDatabase(path: string): boolean {
  const head = Buffer.alloc(16)
  try {
    const handle = openSync(path, 'r')
    try {
      const length = readSync(handle, head)
      return length === 0 || (length === 16 && ['SQLite format 3\0', '\0'.repeat(16)].includes(head.toString('latin1')))
    } finally {
      closeSync(handle)
    }
  } catch {
    return false
  }
}

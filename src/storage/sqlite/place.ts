/** Detects that an open database file was removed or replaced, and that its disk is full. */
import { statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { StorageUnavailable } from '../port/unavailable.ts'
import type { Writer } from './writer.ts'

/**
 * Returns a check that throws `StorageUnavailable` if the file, or the write-ahead log beside it, is not the one seen
 * before. Open connections would keep using the old file, and their writes would be lost with the process. Costs two
 * file system look-ups.
 */
export function watchPlace(file: string): () => void {
  // The log appears with the first reading connection and stays until the last one closes.
  const known = new Map<string, string>()
  const check = (): void => {
    for (const path of [file, `${file}-wal`]) {
      const before = known.get(path)
      const now = identityOf(path)
      if (before === undefined && now !== undefined) known.set(path, now)
      if (before !== undefined && now !== before) throw exchanged(path, now === undefined)
    }
  }
  check()
  return check
}

/** How long a look at the file stands for the next batch. After the batch there is another in any case. */
const checkedForMs = 1000

/** Refuses writes while `check`, which is that of `watchPlace`, fails. */
export function heldPlace(check: () => void) {
  let displaced: unknown
  let checkedAtMs = performance.now()
  const checkNow = (): void => {
    displaced = undefined
    try {
      check()
      checkedAtMs = performance.now()
    } catch (error) {
      displaced = error
      throw error
    }
  }
  return {
    /** The reason why writes are refused; undefined: they are accepted. */
    displaced: () => displaced,
    /** Throws the reason. */
    check: checkNow,
    watched: (writer: Writer): Writer => ({
      ...writer,
      async write(batch) {
        // A writer that was idle opens what is there now: it must not write into another file.
        if (performance.now() - checkedAtMs > checkedForMs) checkNow()
        const answer = await writer.write(batch)
        // What went into a file without a name is lost with the process: nobody is told that it was stored.
        checkNow()
        return answer
      },
    }),
  }
}

/** More than a commit or two add to the write-ahead log. */
const roomBytes = 1024 * 1024

/**
 * Returns a check that rejects with `StorageUnavailable` if less is free on the disk of the file. A quota and a limit of a process
 * are not seen here. It writes nothing.
 */
export function roomCheck(
  file: string,
  look: (path: string) => Promise<{ readonly bavail: number; readonly bsize: number }> = statfs,
): () => Promise<void> {
  return async () => {
    const { bavail, bsize } = await look(file)
    if (bavail * bsize < roomBytes) throw new StorageUnavailable(`The disk of ${file} is nearly full.`)
  }
}

/** Returns device and inode; undefined: no such file. */
function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true })
    return `${dev}:${ino}`
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw new StorageUnavailable(`The database ${path} cannot be looked up (${code}).`, { cause: error })
  }
}

function exchanged(path: string, isGone: boolean): StorageUnavailable {
  const what = isGone ? 'removed' : 'replaced by another file'
  return new StorageUnavailable(
    `${path} was ${what} while the service was using it, so nothing more is written: ` +
      'put the file back, or restart the service to use what is there now.',
  )
}

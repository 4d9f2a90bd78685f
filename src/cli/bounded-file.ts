/** Files that a command is told to read: a path may name a device or a pipe, which has no end. */
import { closeSync, openSync, readSync } from 'node:fs'
import { resolve } from 'node:path'
import { Refused } from '../server/refused.ts'
import type { CommandContext } from './context.ts'

const chunkBytes = 64 * 1024

/** Returns the content; undefined: it has more bytes than that, of which no more are read. Throws what the system says of the file. */
export function readAtMost(path: string, bytesAtMost: number): Buffer | undefined {
  const file = openSync(path, 'r')
  try {
    const chunks: Buffer[] = []
    let length = 0
    for (;;) {
      const chunk = Buffer.allocUnsafe(chunkBytes)
      const read = readSync(file, chunk, 0, chunkBytes, null)
      if (read === 0) return Buffer.concat(chunks)
      length += read
      if (length > bytesAtMost) return undefined
      chunks.push(chunk.subarray(0, read))
    }
  } finally {
    closeSync(file)
  }
}

/** Returns a text of UTF-8. `file` is relative to the working directory, `what` is what it is for. Throws `Refused`. */
export function readText(
  { cwd = process.cwd() }: CommandContext,
  what: string,
  file: string,
  bytesAtMost = 16 * 1024 * 1024,
): string {
  const path = resolve(cwd, file)
  try {
    const bytes = readAtMost(path, bytesAtMost)
    if (bytes) return bytes.toString('utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Refused(
      `${what}: ${code === 'ENOENT' ? `there is no file ${path}` : `${path} cannot be read (${code})`}.`,
    )
  }
  throw new Refused(`${what}: ${path} is larger than ${bytesAtMost / 1024} KiB.`)
}

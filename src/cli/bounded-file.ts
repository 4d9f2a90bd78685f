/** Files that a command is told to read: a path may name a device or a pipe, which has no end. */
import { closeSync, openSync, readSync } from 'node:fs'

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

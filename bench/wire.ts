/**
 * The least that a client of PostgreSQL can do: one prepared statement with one parameter, messages of one turn of the event loop in
 * one write, rows read where they lie. It checks nothing, knows one way to be let in (trust), and only serves to be measured.
 */
import { connect as dial, type Socket } from 'node:net'

export type Wire = {
  /** Sends the statement with its parameter; resolves to the columns of the row, as text. */
  ask(value: string): Promise<readonly (string | null)[]>
  end(): void
}

const headerBytes = 5
const statementName = 's'

export async function openWire(url: string, text: string): Promise<Wire> {
  const { hostname, port, username, pathname } = new URL(url)
  const socket = dial({ host: hostname, port: Number(port), noDelay: true })
  const waiting: Answer[] = []
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>()
  let isReady = false
  const read = reader((type, at, bytes) => {
    if (type === 'E'.charCodeAt(0)) throw new Error(bytes.toString('utf8', at))
    if (type === 'Z'.charCodeAt(0)) {
      if (isReady) (waiting.shift() as Answer).done()
      else {
        isReady = true
        resolve()
      }
    } else if (type === 'D'.charCodeAt(0)) (waiting[0] as Answer).row = columnsAt(bytes, at)
  })
  socket.on('error', reject)
  socket.on('data', (chunk: Buffer) => {
    try {
      read(chunk)
    } catch (error) {
      socket.destroy(error as Error)
    }
  })
  socket.write(startup(username, pathname.slice(1)))
  await ready
  const prepared = newAnswer()
  waiting.push(prepared.answer)
  socket.write(Buffer.concat([message('P', `${statementName}\0${text}\0\0\0`), sync]))
  await prepared.promise
  const write = together(socket)
  return {
    ask(value) {
      const { answer, promise } = newAnswer()
      waiting.push(answer)
      write(query(value))
      return promise
    },
    end: () => void socket.end(message('X', '')),
  }
}

type Answer = { row: readonly (string | null)[]; done(): void }

function newAnswer(): { answer: Answer; promise: Promise<readonly (string | null)[]> } {
  const { promise, resolve } = Promise.withResolvers<readonly (string | null)[]>()
  const answer: Answer = { row: [], done: () => resolve(answer.row) }
  return { answer, promise }
}

/** Collects what is written in one turn. */
function together(socket: Socket): (bytes: Buffer) => void {
  let collected: Buffer[] = []
  const flush = () => {
    const [only] = collected
    socket.write(collected.length === 1 ? (only as Buffer) : Buffer.concat(collected))
    collected = []
  }
  return (bytes) => {
    if (collected.push(bytes) === 1) queueMicrotask(() => queueMicrotask(flush))
  }
}

/** Calls `take` with type, place of the content and bytes of each whole message. */
function reader(take: (type: number, at: number, bytes: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer | undefined
  return (chunk) => {
    const bytes = rest === undefined ? chunk : Buffer.concat([rest, chunk])
    let at = 0
    while (bytes.length - at >= headerBytes) {
      const end = at + 1 + bytes.readUInt32BE(at + 1)
      if (end > bytes.length) break
      take(bytes[at] as number, at + headerBytes, bytes)
      at = end
    }
    rest = at === bytes.length ? undefined : bytes.subarray(at)
  }
}

function columnsAt(bytes: Buffer, from: number): (string | null)[] {
  const columns: (string | null)[] = []
  let at = from + 2
  for (let left = bytes.readUInt16BE(from); left > 0; left -= 1) {
    const length = bytes.readInt32BE(at)
    at += 4
    columns.push(length < 0 ? null : bytes.toString('latin1', at, at + length))
    if (length > 0) at += length
  }
  return columns
}

function message(type: string, content: string): Buffer {
  const bytes = Buffer.alloc(headerBytes + Buffer.byteLength(content))
  bytes.write(type)
  bytes.writeUInt32BE(bytes.length - 1, 1)
  bytes.write(content, headerBytes)
  return bytes
}

function startup(user: string, database: string): Buffer {
  const text = `user\0${user}\0database\0${database}\0\0`
  const bytes = Buffer.alloc(8 + text.length)
  bytes.writeUInt32BE(bytes.length)
  bytes.writeUInt32BE(0x3_0000, 4)
  bytes.write(text, 8)
  return bytes
}

const sync = message('S', '')
const execute = message('E', '\0\0\0\0\0')

/** Bind, Execute and Sync. Everything is sent and returned as text. */
function query(value: string): Buffer {
  const length = Buffer.byteLength(value)
  const bindBytes = headerBytes + 1 + statementName.length + 1 + 2 + 2 + 4 + length + 2
  const bytes = Buffer.alloc(bindBytes + execute.length + sync.length)
  bytes.write('B')
  bytes.writeUInt32BE(bindBytes - 1, 1)
  bytes.write(statementName, headerBytes + 1)
  // No format is named for parameters, and one parameter follows.
  const at = headerBytes + 1 + statementName.length + 1 + 2
  bytes.writeUInt16BE(1, at)
  bytes.writeInt32BE(length, at + 2)
  bytes.write(value, at + 6)
  execute.copy(bytes, bindBytes)
  sync.copy(bytes, bindBytes + execute.length)
  return bytes
}

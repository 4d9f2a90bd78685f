/** A line to PostgreSQL that can keep back the news of a commit: it happened, and whoever asked for it never hears so. */
import { createServer, connect as dial, type Socket } from 'node:net'

export type WithholdingLine = {
  readonly port: number
  /** The next change of the table that is committed is not told. Resolves when PostgreSQL has said that it is. */
  withholdNextCommit(table: string): Promise<void>
  end(): void
}

/** Relays to `port`. Reads the messages of the server (PostgreSQL's frontend/backend protocol 3.0): type, length, content. */
export async function withholdingLine(port: number): Promise<WithholdingLine> {
  let withhold: { readonly table: string; readonly told: () => void } | undefined
  const sockets = new Set<Socket>()
  const relay = createServer((near) => {
    const far = dial(port, '127.0.0.1')
    let unread = Buffer.alloc(0)
    let untold: Buffer[] = []
    let changed = false
    let silent = false
    const asked = statementsOf(near)
    const tell = (): void => {
      near.write(Buffer.concat(untold))
      untold = []
    }
    const hear = (message: Buffer): void => {
      untold.push(message)
      const type = String.fromCharCode(message[0] ?? 0)
      const content = message.toString('latin1', 5)
      // CommandComplete or ErrorResponse: the end of one statement.
      const statement = type === 'C' || type === 'E' ? asked.shift() : undefined
      if (type === 'C' && withhold !== undefined && isChangeOf(withhold.table, statement ?? '')) changed = true
      // ReadyForQuery; `I`: in no transaction any more, so what was changed is committed.
      if (type !== 'Z') return
      const committed = changed && content === 'I'
      if (committed) changed = false
      if (committed && withhold !== undefined) {
        silent = true
        withhold.told()
        withhold = undefined
      } else {
        tell()
      }
    }
    far.on('data', (data: Buffer) => {
      unread = Buffer.concat([unread, data])
      while (!silent && unread.length >= 5 && unread.length > unread.readUInt32BE(1)) {
        const length = 1 + unread.readUInt32BE(1)
        hear(unread.subarray(0, length))
        unread = unread.subarray(length)
      }
      if (!silent && !(changed && withhold !== undefined)) tell()
    })
    near.on('data', (data) => far.write(data))
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
    }
  })
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve))
  return {
    port: (relay.address() as { port: number }).port,
    withholdNextCommit: (table) =>
      new Promise((resolve) => {
        withhold = { table, told: resolve }
      }),
    end() {
      for (const socket of sockets) socket.destroy()
      relay.close()
    },
  }
}

/** A service also writes of itself, such as that it lives. */
const isChangeOf = (table: string, statement: string): boolean =>
  /^\s*(?:insert|update|delete|with act as)\b/i.test(statement) && statement.includes(`"${table}"`)

/** The statements that a client has asked for and that are not done, oldest first: SQL texts. */
function statementsOf(client: Socket): string[] {
  const asked: string[] = []
  const prepared = new Map<string, string>()
  let unread = Buffer.alloc(0)
  let hasBegun = false
  client.on('data', (data: Buffer) => {
    unread = Buffer.concat([unread, data])
    for (;;) {
      // The message that begins a connection has no type.
      const start = hasBegun ? 1 : 0
      if (unread.length < start + 4) return
      const length = start + unread.readUInt32BE(start)
      if (unread.length < length) return
      const [first = '', second = ''] = unread.toString('utf8', start + 4, length).split('\0')
      const type = hasBegun ? String.fromCharCode(unread[0] ?? 0) : ''
      // Parse: name, text. Bind: portal, name. Query: text.
      if (type === 'P') prepared.set(first, second)
      if (type === 'B') asked.push(prepared.get(second) ?? '')
      if (type === 'Q') asked.push(first)
      hasBegun = true
      unread = unread.subarray(length)
    }
  })
  return asked
}

/** A mail server that keeps what it receives: the real protocol, with STARTTLS and sign-in. */
import type { AddressInfo } from 'node:net'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export type ReceivedMail = ParsedMail & {
  readonly sender: string
  readonly recipients: readonly string[]
  readonly isEncrypted: boolean
}

type Options = SMTPServerOptions & {
  /** The reply to a recipient, such as `550 no such user`; undefined: accepts it. */
  readonly refuse?: (address: string) => string | undefined
  /** Called after each mail. */
  readonly onReceived?: () => void
}

export async function mailServer(options: Options = {}) {
  const { refuse = () => undefined, onReceived = () => {}, ...own } = options
  const received: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    logger: false,
    onRcptTo({ address }, _session, done) {
      const reply = refuse(address)
      if (reply === undefined) return done()
      const responseCode = Number(reply.slice(0, 3))
      return done(Object.assign(new Error(reply.slice(4)), { responseCode }))
    },
    async onData(stream, session, done) {
      const mail = await simpleParser(stream)
      const { mailFrom, rcptTo } = session.envelope
      received.push(
        Object.assign(mail, {
          sender: mailFrom === false ? '' : mailFrom.address,
          recipients: rcptTo.map(({ address }) => address),
          isEncrypted: session.secure,
        }),
      )
      done()
      onReceived()
    },
    ...own,
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return { port, received, stop: () => new Promise<void>((resolve) => server.close(() => resolve())) }
}

/** How mails leave: by SMTP, or as files. */
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import type { SendMailOptions } from 'nodemailer'
import type { WrittenMail } from '../mail/rendering.ts'
import { type WayOut, wayOutOf } from '../outbound/way-out.ts'
import type { Settings } from '../settings/settings.ts'
import { visible } from '../text.ts'
import { isEmailAddress } from '../users/email.ts'

export type Letter = WrittenMail & {
  /** Identifies the mail: a repeated one has the same `Message-ID`. */
  readonly id: string
  readonly to: string
  /** In epoch milliseconds. */
  readonly atMs: number
  /** The name of the service, which stands before the address of the sender without `Mail:From`. */
  readonly service: string
}

export type MailTransport = {
  /** Resolves when the mail was accepted. Rejects with `NotSent`. Ends within 90 seconds. */
  send(letter: Letter): Promise<void>
  /** Connects and signs in, or checks that files can be written. Rejects with `NotSent`. */
  check(): Promise<void>
  /** Names where mails go, without user name and password. */
  readonly place: string
}

/** A mail that was not accepted. The message is one line without the password. */
export class NotSent extends Error {
  override readonly name = 'NotSent'
  /** Whether the mail itself was refused, so that another attempt is pointless. */
  readonly isPermanent: boolean
  constructor(message: string, isPermanent: boolean) {
    super(message)
    this.isPermanent = isPermanent
  }
}

/** Shorter than the time after which another process repeats an attempt. */
const sendWithinMs = 90_000
const stepWithinMs = 20_000

type TransportSettings = Pick<Settings, 'mail' | 'oauth' | 'outbound'>

/** Returns the transport of the settings; undefined: `Mail:Url` is not set. Loads the library with the first mail. */
export function mailTransport(settings: TransportSettings): MailTransport | undefined {
  const { url } = settings.mail
  if (url === null) return undefined
  const compose = composerFor(settings)
  return url.kind === 'file'
    ? fileTransport(url.folder, compose)
    : smtpTransport(url.url, compose, wayOutOf(settings.outbound))
}

type Compose = (letter: Letter) => SendMailOptions

/** Every address is an object, so that no text is parsed as a list of addresses. */
function composerFor({ mail, oauth }: TransportSettings): Compose {
  const host = new URL(oauth.issuer).hostname
  const domain = isIP(host.replace(/^\[|\]$/g, '')) > 0 ? 'localhost' : host
  const fixed = mail.from === null ? undefined : toMailbox(mail.from)
  const from = (service: string) => fixed ?? { name: service, address: `no-reply@${domain}` }
  return ({ id, to, subject, text, html, logos, atMs, service }) => ({
    from: from(service),
    to: { name: '', address: to },
    ...(mail.replyTo !== null && { replyTo: toMailbox(mail.replyTo) }),
    envelope: { from: from(service).address, to: [to] },
    subject,
    text,
    html,
    ...(logos && {
      attachments: logos.map(({ cid, bytes, type, filename }) => ({
        cid,
        content: bytes,
        contentType: type,
        filename,
      })),
    }),
    date: new Date(atMs),
    messageId: `<${id}@${domain}>`,
    // No answers from absence notices (RFC 3834 §5).
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** `Name <name@example.com>` or `name@example.com`, as `Mail:From` is checked. */
function toMailbox(text: string): { readonly name: string; readonly address: string } {
  const [, name = '', address = text] = /^(.*) <(.*)>$/.exec(text) ?? []
  return { name, address }
}

/** An address in the record of a mail may be older than the rule, or be that of a damaged record. */
function requireAddress({ to }: Letter): void {
  if (!isEmailAddress(to)) throw new NotSent('The address of the recipient is not valid.', true)
}

const loadLibrary = async () => (await import('nodemailer')).default

function smtpTransport(address: string, compose: Compose, way: WayOut): MailTransport {
  const url = new URL(address)
  const isSecure = url.protocol === 'smtps:'
  const isPlain = url.searchParams.get('tls') === 'off'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = url.port === '' ? (isSecure ? 465 : 587) : Number(url.port)
  const [user, pass] = [decodeURIComponent(url.username), decodeURIComponent(url.password)]
  const open = async () => {
    const ca = await way.authorities()
    return (await loadLibrary()).createTransport({
      host,
      port,
      secure: isSecure,
      requireTLS: !isSecure && !isPlain,
      ignoreTLS: isPlain,
      tls: { minVersion: 'TLSv1.2', ...(ca && { ca }) },
      connectionTimeout: stepWithinMs,
      greetingTimeout: stepWithinMs,
      dnsTimeout: stepWithinMs,
      socketTimeout: sendWithinMs,
      ...(user !== '' && { auth: { user, pass } }),
    })
  }
  const told = (error: unknown): NotSent => toNotSent(error, [pass, url.password])
  return {
    place: `${url.protocol}//${url.hostname}:${port}`,
    async send(letter) {
      requireAddress(letter)
      const signal = AbortSignal.timeout(sendWithinMs)
      try {
        await (await open()).sendMail({ ...compose(letter), signal })
      } catch (error) {
        throw told(error)
      }
    },
    async check() {
      const transport = await open()
      try {
        await transport.verify()
      } catch (error) {
        throw told(error)
      } finally {
        transport.close()
      }
    },
  }
}

const reasonLength = 300

/** What the library reports, as one line without secrets. */
function toNotSent(error: unknown, secrets: readonly string[]): NotSent {
  const { message, code, responseCode } = error as { message: string; code?: string; responseCode?: number }
  // An answer of the envelope or of the content concerns this mail; of the greeting or the sign-in, the service.
  const concernsMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  const isFinal = responseCode === undefined ? code === 'EENVELOPE' : responseCode >= 500
  let reason = visible(message.replaceAll(/\s+/g, ' ')).slice(0, reasonLength)
  for (const secret of secrets) if (secret !== '') reason = reason.replaceAll(secret, '…')
  return new NotSent(reason, concernsMail && isFinal)
}

/** One `.eml` file a mail, in a folder that only this account can read. Names sort by time. */
function fileTransport(folder: string, compose: Compose): MailTransport {
  const prepare = () => mkdir(folder, { recursive: true, mode: 0o700 })
  const told = (error: unknown): NotSent => new NotSent((error as Error).message, false)
  return {
    place: `file:${folder}`,
    async send(letter) {
      requireAddress(letter)
      try {
        const transport = (await loadLibrary()).createTransport({
          streamTransport: true,
          buffer: true,
          newline: 'windows',
        })
        const { message } = await transport.sendMail(compose(letter))
        await prepare()
        const name = `${new Date(letter.atMs).toISOString().replaceAll(/[-:.]/g, '')}-${letter.id}.eml`
        // Whoever looks into the folder sees whole mails.
        const unfinished = join(folder, `.${name}`)
        await writeFile(unfinished, message as Buffer, { mode: 0o600 })
        await rename(unfinished, join(folder, name))
      } catch (error) {
        throw told(error)
      }
    },
    async check() {
      try {
        await prepare()
        const probe = join(folder, '.latchkey-check')
        await writeFile(probe, '', { mode: 0o600 })
        await rm(probe)
      } catch (error) {
        throw told(error)
      }
    },
  }
}

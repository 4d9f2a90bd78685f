/**
 * Writes a mail: subject, plain text, and HTML in the looks of the pages, which loads nothing and is readable in the dark. Values cannot become
 * markup, header lines or further paragraphs.
 */
import type { Message } from '#messages'
import { fillMessage, type Values } from '../message.ts'
import { type BrandMembers, defaultName } from '../protocol/branding/brand.ts'
import { type BrandImage, fileLogoBytes, imageOfUrl, isForMail } from '../protocol/branding/brand-image.ts'
import type { Catalogue, MailTexts } from './catalogues.ts'
import { htmlMail, type MailBody } from './html.ts'
import type { MailContent, MailFacts, MailValue } from './mail.ts'

/** What every mail says of the service. */
export type Sender = {
  readonly brand: BrandMembers
  /** With its trailing slash. */
  readonly issuer: string
}

/** `logos`: pictures that the HTML shows from the mail itself. */
export type WrittenMail = {
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly logos?: readonly MailLogo[]
}

export type MailLogo = {
  readonly cid: string
  readonly filename: string
  readonly type: string
  readonly bytes: Buffer
}

/** The mails of a catalogue by purpose, as far as a stored purpose is one of them. */
type Texts = {
  readonly subject: Text
  readonly paragraphs: readonly Text[]
  readonly action?: Text
}

/** The values of a stored mail are not known to the compiler; they were when it was queued. */
type Text = string | Message<string, string>

export function isPurpose(purpose: string, texts: MailTexts): purpose is keyof MailTexts['mails'] {
  return Object.hasOwn(texts.mails, purpose)
}

/** Throws if the purpose is unknown, or the link leads away from the issuer. `gathered`: for how many more notices it stands. */
export function writeMail(
  to: string,
  content: MailContent,
  { language, texts }: Catalogue,
  by: Sender,
  gathered = 0,
): WrittenMail {
  const { purpose, data = {}, link, code, validSeconds, facts } = content
  if (!isPurpose(purpose, texts)) throw new Error(`There is no text for mails of the purpose ${purpose}.`)
  const { common } = texts
  const own: Texts = texts.mails[purpose]
  const shared = { service: by.brand.name ?? defaultName, host: new URL(by.issuer).host, to }
  const given: Readonly<Record<string, MailValue>> = { ...shared, ...data }
  const say = (text: Text, values: Readonly<Record<string, MailValue>> = {}): string => {
    const written = Object.entries({ ...given, ...values }).map(([name, value]) => [
      name,
      oneLine(valueText(value, language)),
    ])
    return fillMessage(text, Object.fromEntries(written) as Values<string, string, string>, language).join('')
  }
  const [lead = '', ...rest] = own.paragraphs.map((paragraph) => say(paragraph))
  const body: MailBody = {
    subject: say(own.subject),
    lead,
    action: link === undefined ? undefined : { label: say(own.action ?? own.subject), url: ownUrl(link, by.issuer) },
    code: code === undefined ? undefined : { label: link === undefined ? common.code : common.codeOrLink, code },
    valid:
      validSeconds === undefined || (link ?? code) === undefined
        ? undefined
        : say(common.valid, { duration: { seconds: validSeconds } }),
    rest: gathered > 0 ? [...rest, say(common.gathered)] : rest,
    facts: facts === undefined ? [] : factRows(facts, [common.time, common.browser, common.address], language),
    footer: say(common.footer),
  }
  const { light, dark } = logosIn(by.brand)
  const logos = [
    ...(light === undefined ? [] : [attached('logo', light)]),
    ...(dark === undefined ? [] : [attached('logo-dark', dark)]),
  ]
  const html = htmlMail(body, {
    language,
    direction: texts.direction,
    brand: by.brand,
    logo: light && shownFrom('logo', light),
    darkLogo: dark && shownFrom('logo-dark', dark),
  })
  const text = plainText(body, say(common.link, { action: body.action?.label ?? '' }))
  return { subject: body.subject, text, html, ...(logos.length > 0 && { logos }) }
}

type Logos = { readonly light?: BrandImage | undefined; readonly dark?: BrandImage | undefined }

/** One for the dark theme alone is none: most programs do not tell the theme. */
function logosIn(brand: BrandMembers): Logos {
  const light = pngIn(brand.logo_mail) ?? pngIn(brand.logo)
  return light === undefined ? {} : { light, dark: pngIn(brand.logo_mail_dark) ?? pngIn(brand.logo_dark) }
}

function pngIn(url: string | null): BrandImage | undefined {
  const image = url === null ? undefined : imageOfUrl(url, fileLogoBytes)
  return typeof image === 'object' && isForMail(image) ? image : undefined
}

type LogoName = 'logo' | 'logo-dark'

const cidOf = (name: LogoName): string => `${name}@latchkey`

const attached = (name: LogoName, { type, bytes }: BrandImage): MailLogo => ({
  cid: cidOf(name),
  filename: `${name}.png`,
  type,
  bytes,
})

const shownFrom = (name: LogoName, { width }: BrandImage) => ({ src: `cid:${cidOf(name)}`, width })

/** Returns the address of a path of this service. Throws for an address of any other site. */
function ownUrl(path: string, issuer: string): string {
  const url = new URL(path, issuer)
  if (url.origin !== new URL(issuer).origin) throw new Error('A mail can link to this service alone.')
  return url.href
}

const valueLength = 200

/** Returns text without line breaks and without characters that are invisible or change the direction. */
function oneLine(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  return line.length > valueLength ? `${line.slice(0, valueLength).toWellFormed()}…` : line
}

function valueText(value: MailValue, language: string): string {
  if (typeof value === 'string') return value
  if ('atMs' in value) return timeText(value.atMs, language)
  return durationText(value.seconds, language)
}

function timeText(atMs: number, language: string): string {
  const format = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const
  return `${new Intl.DateTimeFormat(language, format).format(atMs)} UTC`
}

const units = [
  ['days', 86_400],
  ['hours', 3600],
  ['minutes', 60],
  ['seconds', 1],
] as const

/** In the largest unit that leaves no remainder: `15 minutes`, `24 hours` as `1 day`. */
function durationText(seconds: number, language: string): string {
  const [unit, size] = units.find(([, size]) => seconds >= size && seconds % size === 0) ?? ['seconds', 1]
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: unit.slice(0, -1),
    unitDisplay: 'long',
  }).format(seconds / size)
}

function factRows(
  facts: MailFacts,
  [time, browser, address]: readonly [time: string, browser: string, address: string],
  language: string,
): MailBody['facts'] {
  const rows = [
    [time, timeText(facts.atMs, language)],
    [browser, oneLine(facts.browser ?? '')],
    [address, oneLine(facts.address ?? '')],
  ] as const
  return rows.filter(([, value]) => value !== '')
}

/** `linkLine`: what stands above the link. */
function plainText({ lead, action, code, valid, rest, facts, footer }: MailBody, linkLine: string): string {
  const parts = [
    lead,
    action && `${linkLine}\n${action.url}`,
    code && `${code.label}\n${code.code}`,
    valid,
    ...rest,
    facts.map(([label, value]) => `${label}: ${value}`).join('\n'),
    // The mark of a signature (RFC 3676 §4.3).
    `-- \n${footer}`,
  ]
  return `${parts.filter((part) => part !== undefined && part !== '').join('\n\n')}\n`
}

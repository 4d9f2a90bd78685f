/** The kinds of settings about accounts, mail and appearance. */
import { resolve } from 'node:path'
import { backgrounds } from '../protocol/branding/brand.ts'
import { authenticationClasses } from '../protocol/claims/authentication-methods.ts'
import { isReadableAccent, nearestReadableAccent, type ThemeName } from '../protocol/contrast.ts'
import { type LanguageTag, languageTags } from '../protocol/language-tags.ts'
import { isLoopbackHost } from '../protocol/loopback.ts'
import { Fault, type Kind, oneOf, text } from './kinds.ts'
import { origins } from './list-kinds.ts'

export const accountRegistration = oneOf('closed', 'open', 'invite')
export const onOrOff = oneOf('on', 'off')
export const authenticationClass = oneOf(...authenticationClasses)
export const secondFactorMode = oneOf('optional', 'required')

export const languageTag = oneOf<LanguageTag>(...languageTags)

export type MailTransportSettings =
  /** `url` contains the password. */
  | { readonly kind: 'smtp'; readonly url: string }
  /** An absolute folder. */
  | { readonly kind: 'file'; readonly folder: string }

export const mailTransport: Kind<MailTransportSettings> = {
  type: '`smtp://…`, `smtps://…` or `file:DIRECTORY`',
  // A mail address may contain a password.
  secret: true,
  read(raw, folder) {
    const forms = new Fault('must be smtp://user:password@host:587, smtps://user:password@host or file:DIRECTORY')
    const address = text.read(raw, folder)
    if (address instanceof Fault) return forms
    if (address.startsWith('file:')) {
      const directory = address.slice('file:'.length)
      // file://DIRECTORY would name a host.
      return /^(?:$|\/\/)/.test(directory) ? forms : { kind: 'file', folder: resolve(folder, directory) }
    }
    if (!/^smtps?:\/\/./i.test(address) || !URL.canParse(address)) return forms
    const url = new URL(address)
    const extras = [...url.searchParams.keys()].filter((name) => name !== 'tls')
    if (url.hostname === '' || !/^\/?$/.test(url.pathname) || url.hash !== '' || extras.length > 0) return forms
    const tls = url.searchParams.get('tls')
    if (tls === null) return { kind: 'smtp', url: address }
    if (tls !== 'off' || url.protocol !== 'smtp:') return new Fault('can have tls=off only, after smtp://')
    if (!isLoopbackHost(url.hostname)) return new Fault('can have tls=off only with a loopback host')
    return { kind: 'smtp', url: address }
  },
}

/** A mailbox with or without a name (RFC 5322 §3.4): `name@example.com` or `Name <name@example.com>`. */
export const mailbox: Kind<string> = {
  type: 'mail address',
  read(raw, folder) {
    const value = text.read(raw, folder)
    const syntax =
      /^(?:[^<>@,;:"\\]{1,100} <[^\s<>@,;:"\\]{1,64}@[^\s<>@,;:"\\]{1,255}>|[^\s<>@,;:"\\]{1,64}@[^\s<>@,;:"\\]{1,255})$/
    if (!(value instanceof Fault) && syntax.test(value)) return value
    return new Fault('must be an address such as no-reply@example.com or Name <no-reply@example.com>')
  },
}

export const brandBackground = oneOf(...backgrounds)

/** `#rrggbb`, in lower case, told from the pages of the themes and readable under text. */
function accent(themes: readonly ThemeName[], words: string): Kind<string> {
  return {
    type: 'colour such as `#0b57d0`',
    read(raw) {
      if (typeof raw !== 'string' || !/^#[0-9a-f]{6}$/i.test(raw)) {
        return new Fault('must be a colour of six hexadecimal digits such as #0b57d0')
      }
      const colour = raw.toLowerCase()
      if (isReadableAccent(colour, themes)) return colour
      const nearest = nearestReadableAccent(colour, themes)
      return new Fault(
        `must be a colour with a contrast of 4.5:1 with its text and 3:1 with the page, in ${words}; the nearest one is ${nearest}`,
      )
    },
  }
}

export const color = accent(['light', 'dark'], 'light and dark')
export const darkColor = accent(['dark'], 'dark')

/** `https` origins that share this service's passkeys. */
export const secureOrigins: Kind<readonly string[]> = {
  ...origins,
  read(raw, folder) {
    const read = origins.read(raw, folder)
    if (read instanceof Fault) return new Fault('must be exact origins such as https://example.com')
    return read.every((origin) => origin.startsWith('https:')) ? read : new Fault('must be origins with https')
  },
}

/** The bytes of a secret of Standard Webhooks: 24 to 64. */
export const webhookSecret: Kind<Uint8Array> = {
  type: 'secret',
  secret: true,
  read(raw) {
    const text = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(String(raw))?.[1]
    const bytes = Buffer.from(text ?? '', 'base64')
    if (bytes.length < 24 || bytes.length > 64)
      return new Fault('must be whsec_ and Base64 of 24 to 64 bytes: echo whsec_$(openssl rand -base64 32)')
    return bytes
  },
}

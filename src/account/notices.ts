/** Notices: mails that tell the owner of an account what happened to it. */
import type { AuditEvents } from '../audit/entry.ts'
import type { Request } from '../http/request.ts'
import type { DataOf, Mail, Purpose } from '../mail/mail.ts'
import { acceptedLanguages, type LanguageTag, languageTags, lookUpLanguage } from '../protocol/language-tags.ts'
import type { Service } from '../service.ts'
import type { KnownBrowser } from '../users/known-browser.ts'
import type { Candidate } from '../users/lockout.ts'
import type { PreparedSignIn } from '../users/sign-in.ts'
import type { User } from '../users/user.ts'
import { describeAgent } from '../users/user-agent.ts'

/** Purposes whose texts name the account, and further values. */
type Notice = { [P in Purpose]: DataOf<P> extends { readonly username: unknown } ? P : never }[Purpose]

/** What the texts need, beside the name of the account. */
type Data<P extends Notice> = Omit<DataOf<P>, 'username'>

/** The page on which people check how their account is protected. */
const securityPage = '/Account/Security'

/**
 * Returns the event with a mail to the address of `user`, which leads to the security page. An address that nobody confirmed
 * may be anybody's: it gets none.
 */
export function withNotice<P extends Notice>(
  service: Service,
  request: Request,
  event: AuditEvents[number],
  user: User,
  { purpose, data }: { readonly purpose: P; readonly data: Data<P> },
): AuditEvents[number] {
  if (!service.mail.enabled || !user.emailConfirmed) return event
  const { browser, system } = describeAgent(request.headers['user-agent'] ?? '')
  const notice = {
    to: user.email,
    purpose,
    language: ownLanguage(service, user),
    isNotice: true,
    data: { username: user.name, ...data },
    link: securityPage,
    facts: {
      atMs: event.atMs,
      browser: [browser, system].filter((name) => name !== null).join(', '),
      address: request.address,
    },
  }
  // The members of `data` are those of the purpose.
  return service.mail.withMail(event, notice as unknown as Mail)
}

/** Returns the events of a sign-in with a notice if the browser was not known before. `stored`: the user before it. */
export function withBrowserNotice(
  service: Service,
  request: Request,
  { user }: Pick<Candidate, 'user'>,
  { newBrowserId }: Pick<PreparedSignIn, 'newBrowserId'>,
  decided: { readonly outcome: string; readonly browser?: KnownBrowser },
  events: AuditEvents,
): AuditEvents {
  const isNew = decided.outcome === 'signed_in' && decided.browser?.id === newBrowserId
  if (!service.mail.enabled || !isNew) return events
  return events.map((event) =>
    event.kind !== 'sign_in' ? event : withNotice(service, request, event, user, { purpose: 'new_browser', data: {} }),
  )
}

/** The language of a notice: of the profile, never of the browser, which may be somebody else's. */
export function ownLanguage({ settings }: Service, { claims }: User): LanguageTag {
  return lookUpLanguage([claims.locale ?? ''], languageTags) ?? settings.pages.defaultLanguage
}

/** The language to keep of somebody who registers; undefined: that of the service. */
export function registrationLanguage(service: Service, request: Request): LanguageTag | undefined {
  const language = mailLanguage(service, request, undefined)
  return language === service.settings.pages.defaultLanguage ? undefined : language
}

/** The language of a mail that was asked for: of the profile, else of the browser. */
export function mailLanguage({ settings }: Service, request: Request, user: User | undefined): LanguageTag {
  const ranges = [
    user?.claims.locale ?? '',
    request.cookies['latchkey.language'] ?? '',
    ...acceptedLanguages(request.headers['accept-language'] ?? ''),
  ].filter((range) => range !== '')
  return lookUpLanguage(ranges, languageTags) ?? settings.pages.defaultLanguage
}

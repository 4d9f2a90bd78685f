/** `POST /Account/SetUp`: creates the first administrator of a new installation, whose link was opened in this browser. */
import { passwordDetail } from '../audit/entry.ts'
import { auditEvent } from '../audit/request-events.ts'
import { removeConfirmationCookie } from '../browser/confirmation-cookie.ts'
import { type Answer, json, redirect, withCookies } from '../http/answer.ts'
import type { Endpoint, Request } from '../http/request.ts'
import { administratorRole } from '../protocol/scope/admin-scopes.ts'
import { withoutRules } from '../protocol/scope/scope.ts'
import { standardScopes } from '../protocol/scope/scope-registration.ts'
import { isRefusal } from '../refusal.ts'
import { uuidv7 } from '../secrets/opaque.ts'
import type { Service } from '../service.ts'
import { firstAdministrator } from '../users/first-administrator.ts'
import { localUrlOrRoot } from '../users/local-url.ts'
import { accountFault, accountName } from '../users/own-registration.ts'
import { enterConfirmed } from './enter-confirmed.ts'
import { accountPage, readFields } from './form-fields.ts'
import { hashInTurn, judgePassword } from './new-password.ts'
import { registrationLanguage } from './notices.ts'
import { readPostedForm } from './posted-form.ts'
import { findOpened } from './set-up-link.ts'
import { firstPasskey } from './set-up-passkey.ts'

const root = localUrlOrRoot('/')

/** Signs the administrator in and continues in the console. */
export function setUp(service: Service): Endpoint {
  const { answers, clock, cookies, random, settings, storage } = service
  return async (request) => {
    // gather
    const posted = await readPostedForm(service, request)
    if (isRefusal(posted)) return answers.refuseSilently(request, posted)
    const fields = readFields(posted.form, ['email', 'username', 'password', 'credential', 'passkeyName'])
    if (isRefusal(fields)) return answers.refuseReadably(request, fields)
    const link = await findOpened(service, request)
    // Never opened here, expired, or over since somebody has an account.
    const over = redirect(accountPage('Confirm', { purpose: 'setup', error: 'code_invalid' }, root))
    if (link === undefined) return over
    const entered = { email: fields.text('email'), username: fields.text('username') }
    const askAgain = (error: string): Answer => redirect(accountPage('SetUp', { error, ...entered }, root))
    const fault = accountFault(entered)
    if (fault !== undefined) return askAgain(fault)
    const owner = { name: accountName(entered), email: entered.email }
    const password = fields.password('password')
    // The account comes into being with a way to sign in: whoever leaves before that can open the form again.
    const isByPasskey = settings.accounts.passkeys === 'on' && password === '' && fields.has('credential')
    const passkey = isByPasskey ? await firstPasskey(service, request, posted.form, link.id) : undefined
    if (passkey !== undefined && isRefusal(passkey)) return askAgain('passkey_failed')
    const error = passkey === undefined ? await judgePassword(service, password, owner) : undefined
    if (error !== undefined) return askAgain(error)
    const hashed = passkey === undefined ? await hashInTurn(service, request, password, link.id) : undefined
    if (hashed !== undefined && 'busy' in hashed) return hashed.busy(request)

    // decide
    const nowMs = clock()
    const id = passkey?.passkey.userId ?? uuidv7(nowMs, random)
    const account = {
      ...entered,
      id,
      passwordHash: hashed?.hash ?? null,
      role: administratorRole,
      // Nobody could sign in otherwise where mail is not set up right yet.
      emailConfirmed: settings.accounts.requireConfirmedEmail,
      locale: registrationLanguage(service, request),
    }
    const user = firstAdministrator(account, nowMs)
    if (isRefusal(user)) return askAgain('username_invalid')

    // commit
    const details = { method: 'setup', roles: [administratorRole], ...passwordDetail(user) }
    const event = auditEvent(request, nowMs, 'account_registered', { userId: id }, details)
    const events = passkey === undefined ? [event] : [event, passkey.eventAt(nowMs)]
    const outcome = await storage.setUp.finish(link.id, user, events, passkey)
    if (outcome === 'gone') return withCookies(over, [removeConfirmationCookie(cookies, 'setup')])
    if (outcome === 'passkey_refused') return askAgain('passkey_failed')
    if (outcome !== 'created') return askAgain('username_taken')
    await addStandardScopes(service, request, id)

    // answer
    request.log.info({ registered: { user: id } }, 'the installation is set up')
    const entering = { former: posted.signedIn, returnUrl: consoleOf(service), isRegistration: true }
    const proved = passkey && { passkeyMethods: passkey.methods }
    const answer = await enterConfirmed(service, request, user, { ...entering, ...proved })
    return withCookies(answer, [removeConfirmationCookie(cookies, 'setup')])
  }
}

/** `GET /Account/SetUpContext`: what the page shows. `open`: whether this browser opened a link that is still good. */
export function setUpContext(service: Service): Endpoint {
  const { accounts } = service.settings
  return async (request) =>
    json({
      open: (await findOpened(service, request)) !== undefined,
      password_min_length: accounts.password.minLength,
      passkeys: accounts.passkeys === 'on',
      service: service.brand.name(),
    })
}

/** Adds those that are missing, such as `profile` and `email`, in the name of the first administrator. */
async function addStandardScopes({ clock, storage }: Service, request: Request, actor: string): Promise<void> {
  for (const one of standardScopes) {
    const createdAtMs = clock()
    const details = { actor, actorKind: 'user', name: one.name, resources: [] }
    const recorded = auditEvent(request, createdAtMs, 'scope_added', {}, details)
    await storage.scopes.create({ ...one, resources: [], ...withoutRules, createdAtMs }, [recorded])
  }
}

/** A console on a port of its own is another origin, where no form may lead. */
function consoleOf({ settings: { admin } }: Service) {
  return localUrlOrRoot(admin.port === null ? '/admin/' : '/Account/Security')
}

/** The passkey with which the first administrator may come into being: one ceremony, and one commit with the account. */
import type { AuditEvent } from '../audit/entry.ts'
import { auditEvent } from '../audit/request-events.ts'
import { json } from '../http/answer.ts'
import { fieldIgnoringCase, readForm } from '../http/parameters.ts'
import type { Endpoint, Request } from '../http/request.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import { uuidv7 } from '../secrets/opaque.ts'
import type { Service } from '../service.ts'
import type { SpentValue } from '../storage/port/grants.ts'
import { accountFault, accountName } from '../users/own-registration.ts'
import { type Passkey, passkeyMethods, passkeyName } from '../users/passkey.ts'
import { createdCredential, passkeyDetails } from './passkeys/created.ts'
import { creationOptions, relyingPartyOf } from './passkeys/relying-party.ts'
import { findOpened } from './set-up-link.ts'

/**
 * `POST /Account/SetUpPasskeyOptions` with `email` and `username`, in the body alone, so that no log of a proxy has them: answers
 * `PublicKeyCredentialCreationOptionsJSON` in the browser that opened the link, or `fault` about the names. It stores nothing. The new account has the id of the link, so that a second ceremony replaces the passkey of one that was left.
 */
export function setUpPasskeyOptions(service: Service): Endpoint {
  const { answers, passkeyChallenges, passkeyManufacturers, settings } = service
  return async (request) => {
    const form = readForm(request)
    if (isRefusal(form)) return answers.refuseAsProblem(request, form)
    const link = await findOpened(service, request)
    if (link === undefined || settings.accounts.passkeys !== 'on')
      return answers.refuseAsProblem(request, refuse('passkey_challenge_invalid'))
    const entered = { email: lastOf(form, 'email'), username: lastOf(form, 'username') }
    const fault = accountFault(entered)
    if (fault !== undefined) return json({ fault })
    if (!passkeyChallenges.mayIssue(request)) {
      const rule = 'the anti-forgery cookie is missing'
      return answers.refuseAsProblem(request, refuse('antiforgery_failed', '', { rule }))
    }
    const challenge = passkeyChallenges.issue(request, 'create', link.id)
    const user = { id: link.id, name: accountName(entered) }
    return json(creationOptions(relyingPartyOf(service), challenge, user, [], passkeyManufacturers !== null))
  }
}

const lastOf = (form: Parameters, wanted: string): string =>
  (form.findLast(([name]) => name === wanted)?.[1] ?? '').trim()

/** What comes into being with the account. `methods`: RFC 8176 values of a sign-in with it. */
export type FirstPasskey = {
  readonly passkey: Passkey
  readonly challenge: SpentValue
  readonly methods: readonly string[]
  eventAt(nowMs: number): AuditEvent
}

/** Reads the fields `credential`, the JSON text of a new credential, and `passkeyName`. */
export async function firstPasskey(
  service: Service,
  request: Request,
  form: Parameters,
  userId: string,
): Promise<FirstPasskey | Refusal> {
  const { clock, passkeyManufacturers, random } = service
  const created = await createdCredential(service, request, fieldIgnoringCase(form, 'credential') ?? '', userId)
  if (isRefusal(created)) return created
  const createdAtMs = clock()
  const { challenge, ...credential } = created
  const passkey: Passkey = {
    ...credential,
    id: uuidv7(createdAtMs, random),
    userId,
    name: passkeyName(fieldIgnoringCase(form, 'passkeyName')) ?? 'Passkey',
    createdAtMs,
    lastUsedAtMs: null,
  }
  return {
    passkey,
    challenge,
    methods: passkeyMethods(passkey, passkeyManufacturers !== null),
    eventAt: (nowMs) => auditEvent(request, nowMs, 'passkey_added', { userId }, passkeyDetails(passkey)),
  }
}

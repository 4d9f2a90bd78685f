/** `/Account/Self/passkeys`: the passkeys of the signed-in person. */
import { auditEvent } from '../../audit/request-events.ts'
import { json } from '../../http/answer.ts'
import type { Endpoint } from '../../http/request.ts'
import { refuse } from '../../protocol/refusals/index.ts'
import { isRefusal } from '../../refusal.ts'
import { uuidv7 } from '../../secrets/opaque.ts'
import type { Service } from '../../service.ts'
import { maxPasskeys, type Passkey, passkeyName } from '../../users/passkey.ts'
import { isoTime } from '../../users/user-record.ts'
import { withNotice } from '../notices.ts'
import { createdCredential, passkeyDetails } from '../passkeys/created.ts'
import { creationOptions, relyingPartyOf, userHandle } from '../passkeys/relying-party.ts'
import { done, fault, selfChange, selfRead } from './endpoint.ts'
import { anything, text } from './members.ts'
import { usableWays } from './sign-in-ways.ts'

const nameFault = fault('name', 'name_invalid', 'The name must have 1 to 100 characters, and no control characters.')
/** In UTF-16 code units, before it is trimmed. */
const longestName = 1000

/**
 * `GET …/passkeys`: the list, and what `PublicKeyCredential.signalAllAcceptedCredentials` takes beside the credential
 * ids: `rp_id` and `user_handle`.
 */
export function listPasskeys(service: Service): Endpoint {
  const { id } = relyingPartyOf(service)
  return selfRead(service, async ({ signedIn }) => {
    const items = await service.storage.passkeys.list(signedIn.user.id)
    return json({ items: items.map(describePasskey), rp_id: id, user_handle: userHandle(signedIn.user.id) })
  })
}

/** `POST …/passkeys/options`: answers `PublicKeyCredentialCreationOptionsJSON`. */
export function startPasskey(service: Service): Endpoint {
  const party = relyingPartyOf(service)
  return selfChange(service, { recent: true }, async ({ request, signedIn }) => {
    const passkeys = await service.storage.passkeys.list(signedIn.user.id)
    if (passkeys.length >= maxPasskeys) return refuse('passkeys_full', '', { limit: maxPasskeys })
    const challenge = service.passkeyChallenges.issue(request, 'create', signedIn.user.id)
    return json(creationOptions(party, challenge, signedIn.user, passkeys, service.passkeyManufacturers !== null))
  })
}

/** `POST …/passkeys`: `name`, and `credential` as `PublicKeyCredential.toJSON()` returns it. Answers the new passkey. */
export function addPasskey(service: Service): Endpoint {
  const { clock, random, storage } = service
  const members = { name: text(longestName), credential: anything }
  return selfChange(service, { recent: true, members }, async (visit) => {
    // gather
    const { request, signedIn, body } = visit
    const name = passkeyName(body.name)
    if (name === undefined) return nameFault
    const created = await createdCredential(service, request, body.credential, signedIn.user.id)
    if (isRefusal(created)) return created

    // commit
    const nowMs = clock()
    const { challenge, ...credential } = created
    const passkey: Passkey = {
      ...credential,
      id: uuidv7(nowMs, random),
      userId: signedIn.user.id,
      name,
      createdAtMs: nowMs,
      lastUsedAtMs: null,
    }
    const event = auditEvent(request, nowMs, 'passkey_added', { userId: passkey.userId }, passkeyDetails(passkey))
    const notice = { purpose: 'passkey_added', data: {} } as const
    const told = withNotice(service, request, event, signedIn.user, notice)
    switch (await storage.passkeys.add(passkey, challenge, [told], signedIn.user.sessionsEndedAtMs)) {
      case 'added':
        return json(describePasskey(passkey))
      case 'taken':
        return refuse('passkey_taken')
      case 'too_many':
        return refuse('passkeys_full', '', { limit: maxPasskeys })
      case 'spent':
        return refuse('passkey_challenge_invalid', '', { rule: 'it was used before' })
      case 'no_user':
        return refuse('self_session_missing')
    }
  })
}

/** `PATCH …/passkeys/:id`: `name`. */
export function renamePasskey(service: Service): Endpoint {
  const members = { name: text(longestName) }
  return selfChange(service, { recent: false, members }, async ({ request, signedIn, body }) => {
    const name = passkeyName(body.name)
    if (name === undefined) return nameFault
    const renamed = await service.storage.passkeys.rename(signedIn.user.id, request.params.id ?? '', name)
    return renamed === undefined ? refuse('passkey_unknown') : json(describePasskey(renamed))
  })
}

/** `DELETE …/passkeys/:id`. Refuses the last way to sign in. */
export function removePasskey(service: Service): Endpoint {
  const { storage } = service
  return selfChange(service, { recent: true }, async ({ request, signedIn, nowMs }) => {
    const userId = signedIn.user.id
    const passkey = (await storage.passkeys.list(userId)).find(({ id }) => id === request.params.id)
    if (passkey === undefined) return refuse('passkey_unknown')
    const event = auditEvent(request, nowMs, 'passkey_removed', { userId }, passkeyDetails(passkey))
    const notice = { purpose: 'passkey_removed', data: { added: { atMs: passkey.createdAtMs } } } as const
    const told = withNotice(service, request, event, signedIn.user, notice)
    switch (await storage.passkeys.remove(userId, passkey.id, usableWays(service), [told])) {
      case 'removed':
        return done
      case 'last':
        return refuse('last_sign_in_method')
      case 'not_found':
        return refuse('passkey_unknown')
    }
  })
}

function describePasskey({
  id,
  name,
  createdAtMs,
  lastUsedAtMs,
  synced,
  attested,
  credentialId,
  isSecondFactor,
}: Passkey) {
  return {
    id,
    name,
    created_at: isoTime(createdAtMs),
    last_used_at: lastUsedAtMs === null ? null : isoTime(lastUsedAtMs),
    synced,
    attested,
    second_factor: isSecondFactor === true,
    credential_id: credentialId,
  }
}

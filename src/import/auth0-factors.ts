/**
 * Second factors and passkeys of Auth0: `mfa_factors`, as its bulk import and its support have them, and `authentication_methods`, which
 * is the answer of `GET /api/v2/users/{id}/authentication-methods` as a member of the person.
 */
import { isObject, type JsonObject } from '../protocol/json-value.ts'
import { readSecret } from '../users/imported-factors.ts'
import { heldFactor } from './credentials.ts'
import { usablePasskeys } from './passkeys.ts'
import { isGiven, type Note, type PasskeyFacts } from './source.ts'
import type { RowResult } from './source-table.ts'

/** More leave the person out. */
const appsAtMost = 5

/** Factors that no other system can take over, by their names there. */
const elsewhere: Readonly<Record<string, string>> = {
  phone: 'codes by text message or voice',
  email: 'codes by mail',
  push: 'a push message to the app of Auth0',
  guardian: 'a push message to the app of Auth0',
  duo: 'Duo',
}
const withoutSecret = 'an authenticator app without its secret'
const unknownKind = 'an unknown factor'
/** They stand in for a factor, or prove an address. */
const noFactors = ['recovery-code', 'email-verification']

type Found = {
  readonly apps: JsonObject[]
  readonly keys: { readonly member: string; readonly record: JsonObject }[]
  /** Names of factors that do not come. */
  readonly lost: Set<string>
  readonly notes: Note[]
}

/** Reads them together: whoever had a second factor of which nothing comes is held, and never comes in with the password alone. */
export function auth0Factors(...[factors, methods, legacy, name, given]: readonly unknown[]): RowResult {
  const facts = given as PasskeyFacts | undefined
  const found: Found = { apps: [], keys: [], lost: new Set(), notes: [] }
  for (const one of listIn(factors)) readFactor(one, found)
  for (const one of listIn(methods)) readMethod(one, facts, found)
  const apps = onceEach(found.apps)
  const others = apps.slice(appsAtMost).map(({ name }): Note => {
    const called = name === undefined ? '' : ` (${name})`
    return {
      member: 'mfa_factors',
      severity: 'lost',
      reason: `An authenticator app${called} is more than ${appsAtMost}.`,
    }
  })
  const usable = usablePasskeys(found.keys, facts)
  const { passkeys } = usable
  const isProved = apps.length > 0 || passkeys.some((one) => one.second_factor === true)
  const isLost = found.lost.size > 0 || found.keys.some(({ record }) => record.second_factor === true)
  // `multifactor` names how the person enrolled, and nothing that proves it.
  const isHeld = !isProved && (isLost || isGiven(legacy))
  const had = [...found.lost].map((one) => elsewhere[one] ?? one).join(', ')
  const held = isHeld ? [heldFactor({ email: name, name }, passkeys.length > 0, had || 'a second factor')] : []
  return {
    members: {
      ...(apps.length > 0 && { authenticator_apps: apps.slice(0, appsAtMost) }),
      ...(passkeys.length > 0 && { passkeys }),
      ...(isHeld && { had_second_factor: true }),
    },
    lost: [...found.lost].map((one) => ({
      member: `mfa_factors ${one}`,
      reason: `Second factors of Auth0 by ${elsewhere[one] ?? one} do not come.`,
    })),
    notes: [...found.notes, ...others, ...usable.notes, ...held],
  }
}

/** An object with one of `totp`, `phone` and `email`. */
function readFactor(one: JsonObject, { apps, lost }: Found): void {
  const kinds = Object.entries(one)
  if (kinds.length === 0) lost.add(unknownKind)
  for (const [kind, value] of kinds) {
    const secret = kind === 'totp' && isObject(value) ? readSecret(value.secret) : undefined
    if (secret !== undefined) apps.push({ secret })
    else lost.add(kind === 'totp' ? withoutSecret : visibleKind(kind))
  }
}

function readMethod(one: JsonObject, facts: PasskeyFacts | undefined, { apps, keys, lost, notes }: Found): void {
  const { type, confirmed, name, totp_secret: text } = one
  // Begun there, and never proved.
  if (confirmed === false || noFactors.includes(String(type))) return
  const member = `authentication_methods ${visibleKind(type)}`
  switch (type) {
    case 'totp': {
      const secret = readSecret(text)
      if (secret !== undefined) apps.push({ secret, ...(typeof name === 'string' && name !== '' && { name }) })
      // Its secret is beside it, where support gave it out.
      else if (apps.length === 0) lost.add(withoutSecret)
      break
    }
    case 'webauthn-roaming':
    case 'webauthn-platform':
      keys.push({ member, record: { ...keyOf(one, facts), second_factor: true } })
      break
    case 'passkey':
      if (isGiven(one.user_handle)) keys.push({ member, record: keyOf(one, facts) })
      else {
        const reason = `The passkey "${name ?? 'Passkey'}" has no user_handle, by which its authenticator names the person.`
        notes.push({ member, severity: 'lost', reason })
      }
      break
    default:
      lost.add(visibleKind(type))
  }
}

/** As a record has it. Bytes are Base64 of either alphabet. */
function keyOf(one: JsonObject, facts: PasskeyFacts | undefined): JsonObject {
  const { key_id: id, public_key: key, relying_party_identifier: host = facts?.host } = one
  const { name, transports, aaguid, created_at, user_handle: handle, credential_device_type: device } = one
  return {
    ...{ credential_id: urlSafe(id), public_key: urlSafe(key), name, transports, aaguid, created_at },
    ...(device === 'single_device' && { synced: false }),
    ...(isGiven(handle) && { user_handle: urlSafe(handle) }),
    ...(typeof host === 'string' && { rp_id: host }),
  }
}

const urlSafe = (text: unknown): unknown =>
  typeof text === 'string' ? text.replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_') : text

/** Both members may have the same app: the one with a name counts. */
function onceEach(apps: readonly JsonObject[]): readonly JsonObject[] {
  const named = new Map<unknown, JsonObject>()
  for (const app of apps) if (named.get(app.secret)?.name === undefined) named.set(app.secret, app)
  return [...named.values()]
}

/** A name of a kind, or what stands for a text that could be anything. */
const visibleKind = (kind: unknown): string =>
  typeof kind === 'string' && /^[\w -]{1,40}$/.test(kind) ? kind : unknownKind

const factorsAtMost = 100

/** What is no object is a factor that nobody knows, and so are those beyond the bound: they are not passed over. */
function listIn(list: unknown): readonly JsonObject[] {
  const all: readonly unknown[] = Array.isArray(list)
    ? [...list.slice(0, factorsAtMost), ...list.slice(factorsAtMost, factorsAtMost + 1).map(() => null)]
    : isGiven(list)
      ? [list]
      : []
  return all.map((one) => (isObject(one) ? one : {}))
}

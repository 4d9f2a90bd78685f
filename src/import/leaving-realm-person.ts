/** A person of an installation as a member of a realm of Keycloak. */

import type { RequiredAction } from '../person-fields.ts'
import { parseForeign } from '../secrets/foreign-hash.ts'
import { foreignPrefix } from '../secrets/recovery-codes.ts'
import { groupPaths } from '../users/groups.ts'
import { hasLock } from '../users/lockout.ts'
import type { Passkey } from '../users/passkey.ts'
import { hasOwnAddress } from '../users/user.ts'
import type { AttributeValue } from '../users/user-attributes.ts'
import type { LeavingApp, LeavingPerson } from './leaving-people.ts'
import { everybodys, type LeavingRealm, type Members, namedRoles } from './leaving-realm.ts'

/** Returns where Keycloak's own mappers of claims look for a field of a person that it has no member for: `phoneNumber`. */
const attributeOf = (field: string): string => field.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())
const addressAttributes = { street_address: 'street' } as Readonly<Record<string, string>>

const leftHash = 'password hashes of a kind that Keycloak does not check: they are asked for a new password there'
const leftProof =
  'second factors that cannot leave, without an e-mail address of their own to prove: they are disabled there until somebody enables them'
const leftLock = 'locks with an end: they are disabled there until somebody enables them'

const actionNames: Readonly<Record<RequiredAction, string>> = {
  ...{ update_password: 'UPDATE_PASSWORD', verify_email: 'VERIFY_EMAIL', set_up_second_factor: 'CONFIGURE_TOTP' },
}

/** Returns a person as a member of the realm, and why something of them cannot be one. */
export function realmPerson(
  { user, apps, recoveryHashes, passkeys, logins, left }: LeavingPerson,
  { name: realmName, groups, clientIds }: LeavingRealm,
  nowMs: number,
): { readonly text: string; readonly left: readonly string[] } {
  const { name, given_name, family_name, address = {}, updated_at: _, ...claims } = user.claims
  const { realm, client } = namedRoles(user.roles, clientIds)
  const credential = user.passwordHash === null ? undefined : passwordCredential(user.passwordHash)
  const isLost = user.passwordHash !== null && credential === undefined
  // A lockout after failed passwords ends soon, and says nothing of the person.
  const isHeld = !user.disabled && user.lockoutBeganAtMs === null && hasLock(user, nowMs)
  // Keycloak asks nobody for a code by mail after the password, but has addresses verified that are not.
  const isUnproven = user.hadSecondFactor === true
  const isBarred = isUnproven && !hasOwnAddress(user)
  const asked = new Set<RequiredAction>(user.requiredActions ?? [])
  if (isLost) asked.add('update_password')
  if (isUnproven) asked.add('verify_email')
  const values = [
    ...Object.entries(claims).map(([claim, value]) => [attributeOf(claim), value] as const),
    ...Object.entries(address).map(([part, value]) => [addressAttributes[part] ?? part, value] as const),
    ...Object.entries(user.attributes),
    // An import of the realm holds the person again.
    ...(isUnproven ? [['hadSecondFactor', true] as const] : []),
  ]
  const member = {
    id: user.id,
    username: user.name,
    ...(user.email !== '' && { email: user.email }),
    emailVerified: user.emailConfirmed && !isUnproven,
    enabled: !user.disabled && !isHeld && !isBarred,
    createdTimestamp: user.createdAtMs,
    // It has the parts alone.
    ...(given_name !== undefined ? { firstName: given_name } : name !== undefined && { firstName: name }),
    ...(family_name !== undefined && { lastName: family_name }),
    attributes: Object.fromEntries(values.map(([attribute, value]) => [attribute, texts(value)])),
    credentials: [
      ...(credential === undefined ? [] : [credential]),
      ...apps.map(totpCredential),
      ...(recoveryHashes.length === 0 ? [] : [recoveryCredential(recoveryHashes)]),
      ...passkeys.map(passkeyCredential),
    ],
    requiredActions: [...asked].map((action) => actionNames[action]),
    realmRoles: [everybodys(realmName), ...realm],
    clientRoles: client,
    groups: groupPaths(user.groupIds ?? [], groups),
    federatedIdentities: logins.map(({ provider, subject }) => ({
      identityProvider: provider,
      userId: subject,
      userName: user.name,
    })),
  }
  return {
    text: JSON.stringify(member),
    left: [...left, ...(isLost ? [leftHash] : []), ...(isHeld ? [leftLock] : []), ...(isBarred ? [leftProof] : [])],
  }
}

const texts = (value: AttributeValue): readonly string[] => [value].flat().map(String)

/** Of a hash that Keycloak checks; undefined: it is another one. */
function passwordCredential(stored: string): Members | undefined {
  const own = /^\$argon2(id|i|d)\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(stored)
  if (own !== null) {
    const [, type = '', memory = '', passes, parallelism = '', salt = '', hash = ''] = own
    const length = String(Buffer.from(hash, 'base64').length)
    return credentialOf('password', padded(hash), padded(salt), {
      hashIterations: Number(passes),
      algorithm: 'argon2',
      additionalParameters: {
        hashLength: [length],
        memory: [memory],
        type: [type],
        version: ['1.3'],
        parallelism: [parallelism],
      },
    })
  }
  const foreign = parseForeign(stored)
  if (foreign?.kind !== 'pbkdf2') return undefined
  const { digest, rounds, salt, hash } = foreign
  const algorithm = digest === 'sha1' ? 'pbkdf2' : `pbkdf2-${digest}`
  const bytes = (value: Uint8Array) => Buffer.from(value).toString('base64')
  return credentialOf('password', bytes(hash), bytes(salt), {
    hashIterations: rounds,
    algorithm,
    additionalParameters: {},
  })
}

function totpCredential({ secret, algorithm, digits, period, name }: LeavingApp): Members {
  const form = { digits, counter: 0, period, algorithm: `Hmac${algorithm}` }
  return {
    ...{ type: 'otp', ...(name !== undefined && { userLabel: name }), secretData: JSON.stringify({ value: secret }) },
    credentialData: JSON.stringify({ subType: 'totp', ...form, secretEncoding: 'BASE32' }),
  }
}

function passkeyCredential(passkey: Passkey): Members {
  const { credentialId, publicKey, counter, transports, name, isSecondFactor, aaguid, createdAtMs } = passkey
  const data = {
    aaguid: aaguid ?? '00000000-0000-0000-0000-000000000000',
    credentialId: padded(credentialId.replaceAll('-', '+').replaceAll('_', '/')),
    counter,
    attestationStatementFormat: 'none',
    credentialPublicKey: publicKey,
    ...(transports.length > 0 && { transports }),
  }
  return {
    ...{ type: isSecondFactor ? 'webauthn' : 'webauthn-passwordless', userLabel: name, createdDate: createdAtMs },
    ...{ secretData: '{}', credentialData: JSON.stringify(data) },
  }
}

function recoveryCredential(hashes: readonly string[]): Members {
  const codes = hashes.map((hash, at) => ({ number: at + 1, encodedHashedValue: hash.slice(foreignPrefix.length) }))
  const data = { algorithm: 'SHA-512', totalCodes: codes.length, remainingCodes: codes.length }
  return {
    type: 'recovery-authn-codes',
    secretData: JSON.stringify({ codes }),
    credentialData: JSON.stringify(data),
  }
}

function credentialOf(type: string, value: string, salt: string, data: object): Members {
  const secretData = JSON.stringify({ value, salt, additionalParameters: {} })
  return { type, secretData, credentialData: JSON.stringify(data) }
}

const padded = (text: string): string => Buffer.from(text, 'base64').toString('base64')

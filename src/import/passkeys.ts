/** How other systems keep passkeys. */
import { createHash } from 'node:crypto'
import { isObject, type JsonObject } from '../protocol/json-value.ts'
import { readPasskeys } from '../users/imported-passkeys.ts'
import { bytesOf } from './bytes.ts'
import { jsonOf, type Note, type PasskeyFacts } from './source.ts'
import type { TableRow } from './tables.ts'

type Read = { readonly passkeys: readonly JsonObject[]; readonly notes: readonly Note[] }

/** Splits records of passkeys in those that work here, and what is said of the others. */
export function usablePasskeys(
  records: readonly { readonly member: string; readonly record: JsonObject }[],
  facts: PasskeyFacts | undefined,
): Read {
  const passkeys: JsonObject[] = []
  const notes: Note[] = []
  for (const { member, record } of records) {
    const read = readPasskeys([record], facts?.rules, 0)
    if (read === undefined || read.passkeys.length > 0) passkeys.push(record)
    for (const { reason } of read?.lost ?? []) notes.push({ member, severity: 'lost', reason })
  }
  return { passkeys, notes }
}

/**
 * A credential of Keycloak. `host`: the relying party id; undefined: the export does not say it. Its user handle is the id of the person,
 * which stays the same.
 */
export function keycloakPasskey(credential: JsonObject, data: JsonObject, host: string | undefined): JsonObject {
  const { credentialId, credentialPublicKey, counter = 0, transports, aaguid } = data
  const { type, userLabel, createdDate } = credential
  return {
    ...{ credential_id: urlSafe(credentialId), public_key: urlSafe(credentialPublicKey), counter, aaguid },
    ...{ name: userLabel, transports, second_factor: type === 'webauthn' },
    ...(typeof createdDate === 'number' && createdDate > 0 && { created_at: new Date(createdDate).toISOString() }),
    ...(host !== undefined && { rp_id: host }),
  }
}

const urlSafe = (text: unknown): unknown =>
  typeof text === 'string' ? text.replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_') : text

/** The passkeys of ASP.NET Core Identity. Their user handle is the id of the person, and the attestation says the host. */
export function identityPasskeys(rows: unknown, facts: PasskeyFacts | undefined): Read {
  const all = (rows ?? []) as readonly TableRow[]
  const records = all.map(({ CredentialId, Data }) => {
    const data = jsonOf(Data ?? '')
    return { member: 'AspNetUserPasskeys', record: isObject(data) ? identityPasskey(CredentialId, data, facts) : {} }
  })
  return usablePasskeys(records, facts)
}

function identityPasskey(credentialId: unknown, data: JsonObject, facts: PasskeyFacts | undefined): JsonObject {
  const { PublicKey, SignCount, Transports, Name, CreatedAt, IsBackupEligible, AttestationObject } = data
  const object = binary(AttestationObject)
  const attested = object && facts?.attested(object)
  const host = attested === undefined ? facts?.host : hostOf(attested.rpIdHash, data, facts)
  return {
    ...{ credential_id: base64url(credentialId), public_key: base64url(PublicKey), counter: SignCount ?? 0 },
    ...{ name: Name, transports: Transports ?? [], synced: IsBackupEligible !== false, aaguid: attested?.aaguid },
    ...(typeof CreatedAt === 'string' && { created_at: CreatedAt }),
    ...(host !== undefined && { rp_id: host }),
  }
}

/** Returns the host that a hash is of, as far as it can be known. */
function hostOf(hash: Uint8Array, { ClientDataJson }: JsonObject, facts: PasskeyFacts | undefined): string {
  const own = facts?.rules.rpId ?? ''
  if (createHash('sha256').update(own).digest().equals(hash)) return own
  const client = jsonOf(binary(ClientDataJson)?.toString() ?? '')
  const origin = isObject(client) ? String(client.origin) : ''
  const host = URL.canParse(origin) ? new URL(origin).hostname : ''
  return host === '' || host === own ? 'of another relying party id' : host
}

const binary = (text: unknown): Buffer | undefined => (typeof text === 'string' ? bytesOf(text) : undefined)
const base64url = (text: unknown): unknown => binary(text)?.toString('base64url')

/** What tokens of applications of Keycloak say, and how long they live. */
import type { JsonObject } from '../../protocol/json-value.ts'
import type { Note } from '../source.ts'
import { mappedClients, type RealmFacts } from './facts.ts'

const seconds = (value: unknown): number | undefined => {
  const number = Number(value)
  return value !== '' && value !== null && Number.isInteger(number) && number > 0 ? number : undefined
}

/** There an id token lives as long as an access token. */
export function lifetimesOf(attributes: JsonObject, realm: JsonObject): JsonObject {
  const access = seconds(attributes['access.token.lifespan']) ?? seconds(realm.accessTokenLifespan)
  return {
    access_token_lifetime: access,
    id_token_lifetime: access,
    session_lifetime_max: seconds(attributes['client.session.max.lifespan']) ?? seconds(realm.clientSessionMaxLifespan),
  }
}

/** There a refresh token needs no scope, lives as long as a session that nobody uses, and rotates where the realm says so. */
export function refreshOf(
  client: JsonObject,
  attributes: JsonObject,
  realm: JsonObject,
  grants: readonly string[],
  notes: Note[],
): JsonObject {
  if (!grants.includes('refresh_token')) return {}
  const rotates = realm.revokeRefreshToken === true
  const isPublic = client.publicClient === true
  const isBound =
    attributes['dpop.bound.access.tokens'] === 'true' ||
    attributes['tls.client.certificate.bound.access.tokens'] === 'true'
  if (!rotates && isPublic && !isBound) {
    const reason = 'Its refresh tokens rotate (RFC 9700, section 4.14.2): it has to keep the new one of each answer.'
    notes.push({ member: 'publicClient', severity: 'changed', reason })
  }
  return {
    refresh_token_scope: 'openid',
    refresh_token_rotation: rotates || (isPublic && !isBound) ? undefined : false,
    refresh_token_lifetime:
      seconds(attributes['client.session.idle.timeout']) ??
      seconds(realm.clientSessionIdleTimeout) ??
      seconds(realm.ssoSessionIdleTimeout),
  }
}

export function tokensOf(
  client: JsonObject,
  attributes: JsonObject,
  facts: RealmFacts,
  isPairwise: boolean,
  notes: Note[],
): JsonObject {
  const id = String(client.clientId)
  const isLight = attributes['client.use.lightweight.access.token.enabled'] === 'true'
  const found = client.serviceAccountsEnabled === true ? facts.serviceAccounts.get(id) : undefined
  const account = found?.isDisabled === true ? undefined : found
  const hasAll = client.fullScopeAllowed !== false
  if (!hasAll) {
    const reason =
      'There its tokens had the roles that were mapped to it alone. Here they have the roles of the realm that the person has.'
    notes.push({ member: 'fullScopeAllowed', severity: 'changed', reason })
  }
  if (client.serviceAccountsEnabled === true) {
    const reason =
      'Tokens for itself have no claims of a person, such as preferred_username. They have the scopes that it has unasked where it asks for none.'
    notes.push({ member: 'serviceAccountsEnabled', severity: 'changed', reason })
  }
  return {
    claim_shape: 'keycloak',
    access_token_claims: isLight ? 'minimal' : undefined,
    role_clients: hasAll ? ['*'] : mappedClients(facts.realm, id).filter((of) => !facts.ownClients.has(of)),
    service_account_subject: account?.id,
    service_account_roles: account?.roles,
    subject_type: isPairwise ? 'pairwise' : undefined,
  }
}

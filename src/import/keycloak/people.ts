/** Where Keycloak has what belongs to a person, and what is to be said of what does not come. */
import type { FieldName, importedMembers, MemberName } from '../../person-fields.ts'
import { isObject } from '../../protocol/json-value.ts'
import { commandOf } from '../commands.ts'
import { isGiven, type Lost, type Note, type SourceConsent } from '../source.ts'
import type { RowResult, SourceTable } from '../source-table.ts'
import { type KeycloakPasskeys, keycloakCredentials } from './credentials.ts'
import { rolesOf } from './facts.ts'
import { pairwiseSubjects } from './pairwise.ts'
import { listIn, textsIn } from './realm-file.ts'
import { requestable } from './scopes.ts'

const addressParts = {
  ...{ formatted: 'formatted', street: 'street_address', locality: 'locality', region: 'region' },
  ...{ postal_code: 'postal_code', country: 'country' },
} as const

export const first = (values: unknown): unknown => (Array.isArray(values) ? values[0] : values)

/**
 * Without fields that are attributes there, which `person-tables.ts` adds. A row has besides the person `ownClients`, the clients that
 * are Keycloak's own, and `passkeys`, what is known of passkeys.
 */
export const keycloakPeople = {
  rows: [
    [
      ['credentials', 'requiredActions', 'username', 'federationLink', 'passkeys', 'attributes.hadSecondFactor'],
      provenBy,
    ],
    ['id', 'id'],
    ['username', 'username'],
    ['email', 'email'],
    ['emailVerified', 'email_verified'],
    ['enabled', 'disabled', (enabled) => enabled === false || undefined],
    ['createdTimestamp', 'created_at', (ms) => (typeof ms === 'number' ? new Date(ms).toISOString() : undefined)],
    ['firstName', 'given_name'],
    ['lastName', 'family_name'],
    // It has the parts alone.
    [['firstName', 'lastName'], 'name', (...names) => names.filter((one) => one && typeof one === 'string').join(' ')],
    [Object.keys(addressParts).map((part) => `attributes.${part}`), 'address', addressOf],
    [['realmRoles', 'clientRoles', 'ownClients', 'username'], rolesOfPerson],
    [['clientConsents', 'ownClients'], 'consents', consentsOf],
    [['pairwiseClients', 'id'], 'pairwise_subjects', pairwiseSubjects],
    ['groups', 'groups', (paths) => (Array.isArray(paths) && paths.length > 0 ? paths : undefined)],
    [
      'federatedIdentities',
      'external_logins',
      (list) =>
        Array.isArray(list)
          ? list.map((one) => ({ provider: String(one?.identityProvider), subject: one?.userId }))
          : undefined,
    ],
  ],
  nested: ['attributes'],
  ownNotes: [
    ...['totp', 'notBefore', 'access', 'disableableCredentialTypes', 'self', 'userProfileMetadata', 'realmRoles'],
    ...['ownClients', 'pairwiseClients', 'origin', 'federationLink'],
  ],
} as const satisfies SourceTable<
  FieldName | MemberName | keyof typeof importedMembers | 'groups' | 'consents' | 'pairwise_subjects'
>

/** Scopes that every realm has, and Latchkey has not, are no part of a consent. */
function consentsOf(given: unknown, own: unknown): readonly SourceConsent[] | undefined {
  const all = listIn(given).filter(({ clientId }) => !(own instanceof Set && own.has(clientId)))
  const consents = all.map(({ clientId, grantedClientScopes }) => ({
    clientId: String(clientId),
    scopes: ['openid', ...requestable(grantedClientScopes)],
  }))
  return consents.length > 0 ? consents : undefined
}

function addressOf(...values: readonly unknown[]): unknown {
  const parts = Object.values(addressParts).map((part, at) => [part, first(values[at])] as const)
  const given = parts.filter(([, value]) => isGiven(value))
  return given.length > 0 ? Object.fromEntries(given) : undefined
}

/** Roles of Keycloak's own clients, such as those of its administrators, mean nothing here. */
function rolesOfPerson(realmRoles: unknown, clientRoles: unknown, own: unknown, username: unknown): RowResult {
  const ownClients = own instanceof Set ? (own as ReadonlySet<string>) : new Set<string>()
  const ofOwn = Object.entries(isObject(clientRoles) ? clientRoles : {})
    .filter(([client]) => ownClients.has(client) && client !== 'account')
    .flatMap(([client, roles]) => textsIn(roles).map((role) => `${client}:${role}`))
  const notes: Note[] =
    ofOwn.length === 0
      ? []
      : [
          {
            ...{ member: 'clientRoles', severity: 'lost' },
            reason: `${ofOwn.join(', ')} gave rights over that system, and comes as nothing.`,
            ...commandOf('user add-role', username, 'latchkey-admin'),
          },
        ]
  return { members: { roles: rolesOf({ realmRoles, clientRoles }, ownClients) }, notes }
}

const actions: Readonly<Record<string, string>> = {
  ...{ UPDATE_PASSWORD: 'update_password', VERIFY_EMAIL: 'verify_email', CONFIGURE_TOTP: 'set_up_second_factor' },
}

/**
 * The password, the second factors and what is asked for at the next sign-in. Somebody whose only second factor cannot come is
 * held: the password alone is never enough. `hadFactor`: whether the person came there from here, and was held already.
 */
function provenBy(
  credentials: unknown,
  asked: unknown,
  username: unknown,
  federation: unknown,
  passkeys: unknown,
  hadFactor: unknown,
): RowResult {
  const read = keycloakCredentials(credentials, passkeys as KeycloakPasskeys)
  const lost: Lost[] = [...read.lost]
  const notes: Note[] = [...read.notes]
  const required = textsIn(asked).flatMap((action) => actions[action] ?? [])
  for (const action of textsIn(asked)) {
    if (!Object.hasOwn(actions, action))
      lost.push({ member: 'requiredActions', reason: `${action} is not asked for here.` })
  }
  const isHeld = read.isHeld || (first(hadFactor) === 'true' && !read.hasFactor)
  if (isHeld) {
    const reason =
      'No second factor of this person can come. The next sign-in proves the address with a mailed code, and sets up a new one.'
    notes.push({ member: 'credentials', severity: 'held', reason, ...commandOf('user recover', username) })
    required.push('set_up_second_factor')
  }
  if (isGiven(federation)) {
    const reason = 'The password is in another directory, which is asked no more.'
    notes.push({ member: 'federationLink', severity: 'held', reason, ...commandOf('user send-reset', username) })
  }
  const members = {
    ...read.members,
    ...(required.length > 0 && { required_actions: [...new Set(required)] }),
    ...((read.isWithoutApp || isHeld) && { had_second_factor: true }),
  }
  return { members, lost, notes }
}

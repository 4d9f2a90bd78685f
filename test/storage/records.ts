/** Records with every field set to something that is not a default, so that a column that gets lost is noticed. */

import { randomBytes } from 'node:crypto'
import type { AuditEvent } from '../../src/audit/entry.ts'
import type { QueuedMail } from '../../src/mail/queued-mail.ts'
import type { PushedRequest } from '../../src/protocol/authorization-request/pushed-request.ts'
import type { Client, RequestingClient } from '../../src/protocol/client/client.ts'
import { defaultClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import type { ClientRegistration, InitialAccessToken } from '../../src/protocol/client/registration-record.ts'
import type { DeviceApproval, DeviceCode } from '../../src/protocol/device/device-code.ts'
import type { Authorization, Grant, IntrospectedGrant, RefreshChain } from '../../src/protocol/grant/grant.ts'
import type { Scope } from '../../src/protocol/scope/scope.ts'
import type { ExchangeUser } from '../../src/storage/port/grants.ts'
import type { StoredKey } from '../../src/storage/port/keys.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import type { Attribute } from '../../src/users/attributes.ts'
import type { Confirmation } from '../../src/users/confirmation.ts'
import type { Group } from '../../src/users/groups.ts'
import type { KnownBrowser } from '../../src/users/known-browser.ts'
import type { Passkey } from '../../src/users/passkey.ts'
import type { SecondFactors } from '../../src/users/second-factor.ts'
import type { RequestingSession, Session } from '../../src/users/session.ts'
import type { ExternalLogin, User } from '../../src/users/user.ts'
import { bySecret } from '../support/clients.ts'

/** Above 2^32, as real times are. */
export const now = 1_790_000_000_000

let made = 0

/** Ascending, as UUIDv7 are. */
export function nextId(): string {
  made += 1
  const time = (now + made).toString(16).padStart(12, '0')
  const random = randomBytes(8).toString('hex')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-${random.slice(4)}`
}

export function aUser(changes: Partial<User> = {}): User {
  const id = changes.id ?? nextId()
  return {
    id,
    name: `Ünal-${id}`,
    email: `Ünal+${id}@example.com`,
    emailConfirmed: true,
    passwordHash: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA',
    roles: ['admin', 'quote"d'],
    disabled: true,
    lockedUntilMs: now + 1,
    failedAttempts: 3,
    lockoutBeganAtMs: now,
    sessionsEndedAtMs: now + 2,
    grantsEndedAtMs: now + 3,
    claims: {
      name: 'Jäne Doe',
      address: { locality: 'Köln' },
      phone_number_verified: false,
      updated_at: 1_790_000_000,
    },
    attributes: {},
    deletionDueAtMs: now + 6,
    createdAtMs: now + 4,
    updatedAtMs: now + 5,
    version: 7,
    ...changes,
  }
}

export const anAttribute = (name: string, change: Partial<Attribute> = {}): Attribute => ({
  name,
  type: 'choice',
  many: true,
  choices: [{ value: 'quote"d', labels: { '': 'Quoted', de: 'Zitiert' } }],
  labels: { '': 'Department', 'pt-br': 'Setor' },
  helps: {},
  required: true,
  editedBy: 'person',
  seenBy: 'person',
  unique: false,
  pattern: null,
  min: null,
  max: 9,
  searchable: true,
  createdAtMs: now,
  version: 1,
  ...change,
})

export function aSession(user: User, changes: Partial<Session> = {}): Session {
  return {
    id: nextId(),
    secretHash: randomBytes(32).toString('base64url'),
    userId: user.id,
    authenticatedAtMs: now + 1,
    methods: ['pwd'],
    persistent: true,
    createdAtMs: now + 2,
    expiresAtMs: now + 3,
    lastSeenAtMs: now + 4,
    clientAddress: '2001:db8::1',
    userAgent: 'Mozilla/5.0 (测试)',
    ...changes,
  }
}

export function aBrowser(user: User, changes: Partial<KnownBrowser> = {}): KnownBrowser {
  return {
    id: nextId(),
    userId: user.id,
    createdAtMs: now + 1,
    lastUsedAtMs: now + 2,
    expiresAtMs: now + 3,
    failedAttempts: 4,
    lockedUntilMs: now + 5,
    userAgent: 'Mozilla/5.0 (测试)',
    secondFactorUntilMs: now + 6,
    ...changes,
  }
}

export function someFactors(user: User, changes: Partial<SecondFactors> = {}): SecondFactors {
  return {
    userId: user.id,
    totp: { sealedSecret: 'sealed', sinceMs: now + 1, lastStep: 2, name: 'Phone' },
    furtherApps: [{ sealedSecret: 'sealed too', sinceMs: now + 1, lastStep: 3, name: 'Tablet' }],
    pendingTotp: { sealedSecret: 'waiting', untilMs: now + 3 },
    recoveryHashes: ['a', 'b'],
    recoverySinceMs: now + 2,
    mailCode: { hash: 'hash', signInId: nextId(), untilMs: now + 4 },
    isMailBarred: true,
    failedAttempts: 3,
    pausedUntilMs: now + 5,
    wrongCodes: { sinceMs: now + 6, strangers: 7, browsers: { 'browser-1': 8 } },
    version: 1,
    ...changes,
  }
}

export function aClient(changes: Partial<Client> = {}): Client {
  return {
    id: `client-${nextId()}`,
    name: 'A client',
    grantTypes: ['authorization_code', 'refresh_token'],
    authentication: bySecret(randomBytes(32).toString('base64url'), {
      hash: randomBytes(32).toString('base64url'),
      endsAtMs: now + 9,
    }),
    consent: 'explicit',
    requirePkce: true,
    redirectUris: ['https://client.example/callback', 'https://client.example/other?a="b"'],
    postLogoutRedirectUris: ['https://client.example/', 'https://client.example/bye'],
    scopes: ['demo_api', 'offline_access'],
    metadata: { ...defaultClientMetadata, dpop_bound_access_tokens: true, contacts: ['a@client.example'] },
    createdAtMs: now + 1,
    version: 3,
    ...changes,
  }
}

/** What the read of a token request or an introspection knows of the client. */
export function asRequesting({ name, redirectUris, postLogoutRedirectUris, version, ...known }: Client) {
  return known satisfies RequestingClient
}

/** What the read of a token request knows of the user. */
export function asExchanging(user: User) {
  const { id, name, email, emailConfirmed, roles, claims, attributes, createdAtMs, ...others } = user
  const { disabled, lockedUntilMs, lockoutBeganAtMs, grantsEndedAtMs } = others
  const described = { id, name, email, emailConfirmed, roles, claims, attributes, createdAtMs }
  return { ...described, disabled, lockedUntilMs, lockoutBeganAtMs, grantsEndedAtMs } satisfies ExchangeUser
}

/** What an authorization request needs of a session and its user. */
export function asSignedIn({ clientAddress, userAgent, ...session }: Session, user: User): RequestingSession {
  return { session, user: { ...asExchanging(user), sessionsEndedAtMs: user.sessionsEndedAtMs } }
}

/** What the read of an introspection knows of the grant. */
export function asIntrospected({ resources, nonce, expiresAtMs, ...known }: Grant) {
  return known satisfies IntrospectedGrant
}

export function aScope(name: string, changes: Partial<Scope> = {}): Scope {
  return {
    name,
    displayName: `The ${name}`,
    description: `Reads and writes ${name}`,
    resources: ['https://api.example/', 'https://other.example/'],
    claims: [{ claim: 'realm\\.x."roles', from: 'roles', in: ['id_token'], as: 'list' }],
    purposes: { '': 'To "order"', de: 'Für Bestellungen' },
    localized: { 'display_name#de': 'Bestellungen', 'description#pt-br': 'Ler e "escrever"' },
    accessTokenType: 'JWT',
    createdAtMs: now + 1,
    ...changes,
  }
}

export function aGroup(changes: Partial<Group> = {}): Group {
  const id = nextId()
  return {
    ...{ id, name: `Stäff-${id}`, parentId: null, description: 'All who work here', roles: ['editor', 'quote"d'] },
    ...{ createdAtMs: now + 1, version: 1 },
    ...changes,
  }
}

export function anAuthorization(user: User, client: Client, changes: Partial<Authorization> = {}): Authorization {
  return {
    id: nextId(),
    userId: user.id,
    clientId: client.id,
    scopes: ['demo_api', 'openid'],
    createdAtMs: now + 1,
    ...changes,
  }
}

export function aChain(generation: number, changes: Partial<RefreshChain> = {}): RefreshChain {
  return {
    generation,
    salt: randomBytes(16).toString('base64url'),
    derivationKeyId: 'derivation-1',
    expiresAtMs: now + 1_209_600_000 + generation,
    rotatedAtMs: [now + 20, now + 10],
    ...changes,
  }
}

/** Of a session that is not stored, where its refresh chain does not end with one. */
export function aGrant(user: User, client: Client, changes: Partial<Grant> = {}): Grant {
  const isOnline = changes.scopes?.includes('offline_access') === false
  return {
    id: nextId(),
    clientId: client.id,
    userId: user.id,
    authorizationId: null,
    scopes: ['demo_api', 'offline_access', 'openid'],
    resources: ['https://api.example/'],
    authenticatedAtMs: now + 1,
    methods: ['GitHub'],
    sessionId: isOnline ? null : nextId(),
    nonce: 'n-0S6_WzA2Mj',
    confirmation: { jkt: '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I' },
    claims: { idToken: ['acr'], userinfo: ['name', 'phone_number'] },
    createdAtMs: now + 2,
    revokedAtMs: null,
    expiresAtMs: now + 1_209_600_000,
    refresh: aChain(0),
    ...changes,
  }
}

export function aDeviceCode(client: Client, changes: Partial<DeviceCode> = {}): DeviceCode {
  return {
    id: nextId(),
    secretHash: randomBytes(32).toString('base64url'),
    userCodeHash: randomBytes(32).toString('base64url'),
    clientId: client.id,
    scopes: ['openid', 'demo_api'],
    resources: ['https://api.example/'],
    createdAtMs: now + 1,
    endsAtMs: now + 600_000,
    answer: null,
    ...changes,
  }
}

export function anApproval(user: User, authorizationId: string | null = null): DeviceApproval {
  return {
    kind: 'approved',
    userId: user.id,
    authorizationId,
    sessionId: nextId(),
    authenticatedAtMs: now + 1,
    methods: ['pwd', 'GitHub'],
    answeredAtMs: now + 2,
  }
}

export function aLogin(user: User, changes: Partial<ExternalLogin> = {}): ExternalLogin {
  return { provider: 'github', subject: nextId(), userId: user.id, createdAtMs: now + 1, ...changes }
}

export function aPasskey(user: User, changes: Partial<Passkey> = {}): Passkey {
  return {
    id: nextId(),
    userId: user.id,
    credentialId: randomBytes(32).toString('base64url'),
    publicKey: randomBytes(77).toString('base64url'),
    counter: 2 ** 32 - 2,
    name: 'Ünal’s phone',
    synced: true,
    attested: false,
    transports: ['internal', 'hybrid'],
    createdAtMs: now + 3,
    lastUsedAtMs: now + 4,
    ...changes,
  }
}

export function aKey(use: StoredKey['use'], algorithm: string, changes: Partial<StoredKey> = {}): StoredKey {
  return {
    id: nextId(),
    use,
    algorithm,
    publicJwk: '{"kty":"EC"}',
    wrapped: randomBytes(48).toString('base64url'),
    createdAtMs: now + 1,
    activeAtMs: now + 2,
    expiresAtMs: null,
    isForClients: false,
    ...changes,
  }
}

export function anEvent(changes: Partial<AuditEvent> = {}): AuditEvent {
  return {
    atMs: now,
    kind: 'tokens_issued',
    userId: 'user-1',
    clientId: 'client-1',
    traceId: '0af7651916cd43dd8448eb211c80319c',
    address: '2001:db8::1',
    details: { grant: 'authorization_code', scopes: ['openid'] },
    ...changes,
  }
}

/** The record, stored. */
export async function created<T>(records: { create(record: T): Promise<unknown> }, record: T): Promise<T> {
  await records.create(record)
  return record
}

/** The grant, redeemed. */
export async function redeemed(grants: Pick<Storage['grants'], 'redeem'>, grant: Grant): Promise<Grant> {
  await grants.redeem(grant)
  return grant
}

/** The consent, stored. */
export async function consented(authorizations: Pick<Storage['authorizations'], 'store'>, consent: Authorization) {
  await authorizations.store(consent)
  return consent
}

/** As `created`, several in their order. */
export async function createdAll<T, Records extends readonly T[]>(
  records: { create(record: T): Promise<unknown> },
  ...all: Records
): Promise<Records> {
  for (const record of all) await records.create(record)
  return all
}

/** What `count` simultaneous calls resolve to. */
export function atOnce<T>(count: number, call: (at: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, at) => call(at)))
}

export const countOf = <T>(values: readonly T[], value: T): number => values.filter((each) => each === value).length

export function anInitialAccessToken(changes: Partial<InitialAccessToken> = {}): InitialAccessToken {
  return {
    id: nextId(),
    secretHash: randomBytes(32).toString('base64url'),
    usesLeft: 2,
    createdAtMs: now,
    expiresAtMs: now + 3_600_000,
    ...changes,
  }
}

export function aClientRegistration(changes: Partial<ClientRegistration> = {}): ClientRegistration {
  return {
    id: nextId(),
    clientId: 'a client',
    secretHash: randomBytes(32).toString('base64url'),
    createdAtMs: now,
    unusedUntilMs: null,
    ...changes,
  }
}

export function aConfirmation(changes: Partial<Confirmation> = {}): Confirmation {
  const id = nextId()
  const hash = () => randomBytes(32).toString('base64url')
  return {
    id,
    purpose: 'register',
    subject: `subject of ${id}`,
    userId: null,
    tokenHash: hash(),
    codeHash: hash(),
    browserHash: hash(),
    attempts: 0,
    confirmedAtMs: null,
    details: { email: 'new@example.com', username: 'neu"d 测试', passwordHash: '$argon2id$x', returnUrl: '/a?b=c' },
    createdAtMs: now,
    expiresAtMs: now + 60_000,
    ...changes,
  }
}

export function aPushedRequest(changes: Partial<PushedRequest> = {}): PushedRequest {
  return {
    id: nextId(),
    secretHash: randomBytes(32).toString('base64url'),
    clientId: 'a client',
    parameters: [
      ['client_id', 'a client'],
      ['state', 'quote"d 测试'],
      ['resource', 'a'],
      ['resource', 'b'],
    ],
    signed: false,
    createdAtMs: now,
    opensUntilMs: now + 60_000,
    completedAtMs: null,
    expiresAtMs: now + 3_660_000,
    ...changes,
  }
}

export function aMail(changes: Partial<QueuedMail> = {}): QueuedMail {
  return {
    id: nextId(),
    to: 'ünal@example.com',
    userId: 'somebody',
    purpose: 'reset',
    content: 'a sealed text',
    createdAtMs: now,
    endsAtMs: now + 900_000,
    keptUntilMs: now + 2_000_000,
    ...changes,
  }
}

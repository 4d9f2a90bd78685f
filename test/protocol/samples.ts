/** Records for tests of the pure rules; each test changes what it is about. */

import type { Client } from '../../src/protocol/client/client.ts'
import { defaultClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import type { AuthenticatedClient } from '../../src/protocol/client-authentication/index.ts'
import type { CodeContent, CodeExchangeRequest, ExchangeParties } from '../../src/protocol/grant/authorization-code.ts'
import type { Grant } from '../../src/protocol/grant/grant.ts'
import type { RecognisedGeneration, RefreshRequest } from '../../src/protocol/grant/refresh-token.ts'
import type { Scope } from '../../src/protocol/scope/scope.ts'
import type { Session } from '../../src/users/session.ts'
import type { User } from '../../src/users/user.ts'

export const now = Date.parse('2026-03-01T12:00:00Z')

/** The pair printed in RFC 7636 Appendix B. */
export const appendixB = {
  verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
}

export function sampleClient(change: Partial<Client> = {}): Client {
  return {
    id: 'demo',
    name: 'Demo',
    authentication: { method: 'none' },
    grantTypes: ['authorization_code', 'refresh_token'],
    consent: 'explicit',
    requirePkce: true,
    redirectUris: ['http://localhost:5081/callback'],
    postLogoutRedirectUris: ['http://localhost:5081/'],
    scopes: ['offline_access', 'demo_api'],
    metadata: defaultClientMetadata,
    createdAtMs: now,
    version: 1,
    ...change,
  }
}

export function authenticatedClient(change: Partial<Client> = {}): AuthenticatedClient<Client> {
  return sampleClient(change) as AuthenticatedClient<Client>
}

export function recognised(generation: number | undefined): RecognisedGeneration | undefined {
  return generation as RecognisedGeneration | undefined
}

export function sampleScope(name: string, change: Partial<Scope> = {}): Scope {
  return {
    name,
    displayName: null,
    description: null,
    resources: [],
    accessTokenType: null,
    claims: [],
    purposes: {},
    localized: {},
    createdAtMs: now,
    ...change,
  }
}

export function sampleUser(change: Partial<User> = {}): User {
  return {
    id: '019a0000-0000-7000-8000-000000000001',
    name: 'alice',
    email: 'alice@example.com',
    emailConfirmed: true,
    passwordHash: '$argon2id$sample',
    roles: ['admin'],
    disabled: false,
    lockedUntilMs: null,
    deletionDueAtMs: null,
    failedAttempts: 0,
    lockoutBeganAtMs: null,
    sessionsEndedAtMs: null,
    grantsEndedAtMs: null,
    claims: {},
    attributes: {},
    createdAtMs: now - 1000,
    updatedAtMs: now - 1000,
    version: 1,
    ...change,
  }
}

export function sampleSession(change: Partial<Session> = {}): Session {
  return {
    id: '019a0000-0000-7000-8000-000000000002',
    secretHash: 'hash',
    userId: sampleUser().id,
    authenticatedAtMs: now,
    methods: ['pwd'],
    persistent: false,
    createdAtMs: now,
    expiresAtMs: now + 14 * 86_400_000,
    lastSeenAtMs: now,
    clientAddress: '127.0.0.1',
    userAgent: 'test',
    ...change,
  }
}

export function sampleCode(change: Partial<CodeContent> = {}): CodeContent {
  return {
    grantId: '019a0000-0000-7000-8000-000000000003',
    clientId: 'demo',
    userId: sampleUser().id,
    authorizationId: '019a0000-0000-7000-8000-000000000004',
    redirectUri: 'http://localhost:5081/callback',
    scopes: ['openid', 'offline_access', 'demo_api'],
    resources: [],
    codeChallenge: appendixB.challenge,
    nonce: null,
    claims: null,
    authenticatedAtMs: now - 5000,
    methods: ['pwd'],
    sessionId: '019a0000-0000-7000-8000-000000000002',
    dpopKey: null,
    issuedAtMs: now,
    expiresAtMs: now + 60_000,
    ...change,
  }
}

export function sampleGrant(change: Partial<Grant> = {}): Grant {
  const code = sampleCode()
  return {
    id: code.grantId,
    clientId: code.clientId,
    userId: code.userId,
    authorizationId: code.authorizationId,
    scopes: code.scopes,
    resources: code.resources,
    authenticatedAtMs: code.authenticatedAtMs,
    methods: ['pwd'],
    sessionId: '019a0000-0000-7000-8000-000000000002',
    nonce: null,
    confirmation: null,
    claims: null,
    createdAtMs: now,
    revokedAtMs: null,
    expiresAtMs: now + 1_209_600_000,
    refresh: {
      generation: 0,
      salt: 'AAAAAAAAAAAAAAAAAAAAAA',
      derivationKeyId: 'key',
      expiresAtMs: now + 1_209_600_000,
      rotatedAtMs: [],
    },
    ...change,
  }
}

export function sampleParties(change: Partial<ExchangeParties> = {}): ExchangeParties {
  return { user: { maySignIn: true, grantsEndedAtMs: null }, authorizationStands: true, grant: undefined, ...change }
}

export function sampleCodeExchange(change: Partial<CodeExchangeRequest> = {}): CodeExchangeRequest {
  return {
    code: 'code',
    redirectUri: 'http://localhost:5081/callback',
    codeVerifier: appendixB.verifier,
    resources: [],
    ...change,
  }
}

export function sampleRefresh(change: Partial<RefreshRequest> = {}): RefreshRequest {
  return {
    refreshToken: 'token',
    scopes: null,
    resources: [],
    ...change,
  }
}

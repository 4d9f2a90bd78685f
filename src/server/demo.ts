/** The demo: a client, a scope and a user with a public password. For loopback addresses only. */

import { type AuditKind, eventBy } from '../audit/entry.ts'
import type { ClientMetadata } from '../protocol/client/client-metadata.ts'
import { withoutRules } from '../protocol/scope/scope.ts'
import { isRefusal } from '../refusal.ts'
import { demo } from '../settings/demo.ts'
import type { Settings } from '../settings/settings.ts'
import type { Storage } from '../storage/port/storage.ts'
import { Refused } from './refused.ts'

/** Returns the settings with CORS for the demo client. */
export function withDemoOrigin(settings: Settings): Settings {
  const origins = [...new Set([...settings.cors.origins, demo.origin])]
  return Object.freeze({ ...settings, cors: Object.freeze({ ...settings.cors, origins: Object.freeze(origins) }) })
}

/** Adds missing demo records and keeps existing ones. */
export async function seedDemo(
  storage: Storage,
  clock: () => number,
  random: (bytes: number) => Uint8Array,
  accessTokenScope: ClientMetadata['access_token_scope'] = 'array',
): Promise<void> {
  const nowMs = clock()
  const added = (kind: AuditKind, parties: { userId?: string; clientId?: string }, details = {}) =>
    eventBy('demo', nowMs, kind, parties, details)
  // Looks up each record first, so that a start with all of them writes nothing and hashes no password.
  const [scope] = await storage.scopes.findMany([demo.scope])
  const scopeRecord = {
    name: demo.scope,
    displayName: 'Demo API',
    description: 'Read the weather forecast',
    resources: [],
    ...withoutRules,
    createdAtMs: nowMs,
  }
  if (scope === undefined)
    await storage.scopes.create(scopeRecord, [added('scope_added', {}, { name: demo.scope, resources: [] })])
  if ((await storage.clients.find(demo.clientId)) === undefined) {
    const { registerClient } = await import('../protocol/client/client-registration.ts')
    const set = (member: string, value: string | readonly string[]) => ({ member, operation: 'set', value }) as const
    const client = registerClient(
      demo.clientId,
      [
        set('client_name', 'Demo client'),
        set('redirect_uris', [`${demo.origin}/callback`]),
        set('post_logout_redirect_uris', [`${demo.origin}/`]),
        set('scope', `offline_access ${demo.scope}`),
      ],
      {
        registeredScopes: [demo.scope],
        newSecretHash: '',
        isLoopbackIssuer: true,
        isPostQuantum: false,
        accessTokenScope,
        nowMs,
      },
      nowMs,
    )
    if (isRefusal(client)) throw Refused.because(client.problems)
    await storage.clients.create(client, [added('client_added', { clientId: demo.clientId })])
  }
  if ((await storage.users.findByName(demo.userName)) !== undefined) return
  const [{ hashPassword }, { registerUser }, { uuidv7 }] = await Promise.all([
    import('../secrets/password.ts'),
    import('../users/registration.ts'),
    import('../secrets/opaque.ts'),
  ])
  const user = {
    id: uuidv7(nowMs, random),
    name: demo.userName,
    email: 'alice@example.com',
    emailConfirmed: true,
    passwordHash: await hashPassword(demo.password, random),
    roles: ['admin'],
  }
  const record = registerUser(user, nowMs)
  if (isRefusal(record)) throw Refused.because(record.problems)
  // The console of the demo is set up as that of any new installation.
  await storage.users.create(record, [added('user_added', { userId: record.id })], { keepsSetUp: true })
}

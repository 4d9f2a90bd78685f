/** The ways to sign in of a person, each with a list and a deletion. */
import type { TProperties } from 'typebox'
import { usableWays } from '../account/self/sign-in-ways.ts'
import { removalNotice, securityNotice } from '../mail/operator-mails.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import { appId } from '../secrets/app-id.ts'
import { removeApp } from '../users/app-removal.ts'
import { appsOf, lastUseMs } from '../users/second-factor.ts'
import { normalizeProvider, type User } from '../users/user.ts'
import { isoTime } from '../users/user-record.ts'
import { listedFrom } from './list.ts'
import { type Call, type Operation, type Outcome, operation } from './operation.ts'
import { checkUser } from './permissions.ts'
import { listQuery, named, nullable, pageSchema, strictObject, time } from './schemas.ts'
import { Type } from './type.ts'
import { changeablePerson, personOf, withMail } from './user-facts.ts'

type Item = { readonly id: string }

/** A kind of what belongs to a person. `remove` returns why it did not. */
type Kind<T extends Item> = {
  readonly path: string
  /** What the summaries call them. */
  readonly words: readonly [list: string, deletion: string]
  readonly name: string
  readonly schema: TProperties
  list(call: Call, user: User): Promise<readonly T[]>
  /** Returns an id as it is stored; absent: as it was sent. */
  readonly idOf?: (sent: string) => string
  toRecord(item: T): unknown
  /** Whether it may be the last way to sign in, which stays. */
  readonly mayBeLast: boolean
  remove(call: Call, user: User, item: T): Promise<Refusal | undefined>
}

function operationsOf<T extends Item>(kind: Kind<T>): Operation[] {
  const { path, words, name, schema, mayBeLast } = kind
  return [
    operation({
      method: 'GET',
      path: `/users/:id/${path}`,
      permission: 'admin:users:read',
      summary: words[0],
      query: listQuery({}),
      status: 200,
      answer: pageSchema(named(name, strictObject(schema))),
      refusals: [404],
      async run(call): Promise<Outcome> {
        const user = await personOf(call)
        if (isRefusal(user)) return user
        const items = [...(await kind.list(call, user))].sort((a, b) => (a.id < b.id ? -1 : 1))
        return listedFrom(call, items, ({ id }) => id, kind.toRecord)
      },
    }),
    operation({
      method: 'DELETE',
      path: `/users/:id/${path}/:item`,
      permission: 'admin:users',
      summary: words[1],
      status: 204,
      refusals: mayBeLast ? [404, 409] : [404],
      async run(call): Promise<Outcome> {
        const user = await changeablePerson(call)
        if (isRefusal(user)) return user
        // The same answer for what belongs to somebody else and for what does not exist.
        const { item: sent = '' } = call.params
        const wanted = kind.idOf?.(sent) ?? sent
        const item = (await kind.list(call, user)).find(({ id }) => id === wanted)
        if (item === undefined) return unknown(path, call)
        return (await kind.remove(call, user, item)) ?? {}
      },
    }),
  ]
}

function unknown(path: string, { params }: Call): Refusal {
  return refuse('admin_record_unknown', path, { id: params.item ?? '' })
}

const moment = nullable(time())

export const userItemOperations: readonly Operation[] = [
  ...operationsOf({
    path: 'external-logins',
    words: ['Lists the accounts at providers with which a person signs in', 'Unlinks an account at a provider'],
    name: 'ExternalLogin',
    schema: { id: Type.String(), provider: Type.String(), account: Type.String(), created_at: time() },
    mayBeLast: true,
    idOf: normalizeProvider,
    // A person has one account at each provider.
    list: async ({ service }, { id }) =>
      (await service.storage.externalLogins.list(id)).map((login) => ({ ...login, id: login.provider })),
    toRecord: ({ id, provider, subject, createdAtMs }) => ({
      id,
      provider,
      account: subject,
      created_at: isoTime(createdAtMs),
    }),
    async remove(call, user, { provider }) {
      const event = call.event('external_login_removed', { userId: user.id }, { method: provider })
      const { externalLogins } = call.service.storage
      const language = call.service.settings.pages.defaultLanguage
      const displayName = call.service.providers.find(provider)?.displayName ?? provider
      const removed = { purpose: 'external_login_removed', data: { provider: displayName } } as const
      const events = [withMail(call.service, event, removalNotice(user, removed, event.atMs, language))]
      const outcome = await externalLogins.unlink(user.id, provider, usableWays(call.service), events)
      if (outcome === 'unlinked') return undefined
      return outcome === 'last' ? refuse('last_sign_in_method') : unknown('external-logins', call)
    },
  }),
  ...operationsOf({
    path: 'passkeys',
    words: ['Lists the passkeys of a person', 'Removes a passkey'],
    name: 'Passkey',
    schema: {
      id: Type.String(),
      name: Type.String(),
      synced: Type.Boolean(),
      attested: Type.Boolean(),
      second_factor: Type.Boolean(),
      created_at: time(),
      last_used_at: moment,
    },
    mayBeLast: true,
    list: ({ service }, { id }) => service.storage.passkeys.list(id),
    toRecord: ({ id, name, synced, attested, isSecondFactor, createdAtMs, lastUsedAtMs }) => ({
      id,
      name,
      synced,
      attested,
      second_factor: isSecondFactor === true,
      created_at: isoTime(createdAtMs),
      last_used_at: lastUsedAtMs === null ? null : isoTime(lastUsedAtMs),
    }),
    async remove(call, user, { id, createdAtMs, synced }) {
      const event = call.event('passkey_removed', { userId: user.id }, { passkey: id, synced })
      const language = call.service.settings.pages.defaultLanguage
      const removed = { purpose: 'passkey_removed', data: { added: { atMs: createdAtMs } } } as const
      const events = [withMail(call.service, event, removalNotice(user, removed, event.atMs, language))]
      const outcome = await call.service.storage.passkeys.remove(user.id, id, usableWays(call.service), events)
      if (outcome === 'removed') return undefined
      return outcome === 'last' ? refuse('last_sign_in_method') : unknown('passkeys', call)
    },
  }),
  ...operationsOf({
    path: 'authenticator-apps',
    words: [
      'Lists the authenticator apps of a person',
      'Removes an authenticator app; recovery codes end with the last factor that they stand in for',
    ],
    name: 'AuthenticatorApp',
    schema: {
      id: Type.String(),
      name: nullable(Type.String()),
      created_at: time(),
      last_used_at: nullable(time('When a code of it was accepted last, to a minute; null: never here.')),
    },
    mayBeLast: false,
    list: async ({ service }, { id }) =>
      appsOf(await service.storage.secondFactors.find(id)).map((app) => ({ ...app, id: appId(app) })),
    toRecord: (app) => {
      const usedAtMs = lastUseMs(app)
      return {
        id: app.id,
        name: app.name ?? null,
        created_at: isoTime(app.sinceMs),
        last_used_at: usedAtMs === null ? null : isoTime(usedAtMs),
      }
    },
    async remove(call, user, { id }) {
      const { settings, storage } = call.service
      const language = settings.pages.defaultLanguage
      const decided = await storage.secondFactors.change(user.id, ({ user: owner, factors, passkeys = 0 }) => {
        const refused = checkUser(call.caller, owner)
        if (refused !== undefined) return { refused }
        const hasPasskeys = passkeys > 0 && settings.accounts.passkeys === 'on'
        const removal = removeApp(factors, (app) => appId(app) === id, hasPasskeys)
        if (removal === undefined) return {}
        const { isLast } = removal
        const change = isLast ? 'totp_off' : 'totp_removed'
        const event = call.event('user_changed', { userId: owner.id }, { change })
        const notice = securityNotice(owner, isLast ? 'second_factor_off' : 'app_removed', event.atMs, language)
        const events = [withMail(call.service, event, notice)]
        return { factors: removal.factors, forgetsRemembered: isLast && !hasPasskeys, events }
      })
      if (decided !== undefined && 'refused' in decided) return decided.refused
      return decided?.factors === undefined ? unknown('authenticator-apps', call) : undefined
    },
  }),
]

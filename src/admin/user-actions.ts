/** What is done to a person as a whole: lock, password, second factor, roles. */

import type { AuditEvents } from '../audit/entry.ts'
import { securityNotice } from '../mail/operator-mails.ts'
import { isRefusal } from '../refusal.ts'
import { lock, unlock, withPassword } from '../users/changes.ts'
import { roleListProblems, withRoles } from '../users/roles.ts'
import { noSecondFactors, resetFactors } from '../users/second-factor.ts'
import type { User } from '../users/user.ts'
import { ownerlessProblems, problemsOf } from './changing.ts'
import { type Call, type Operation, type Outcome, operation } from './operation.ts'
import { instantMs } from './period.ts'
import { checkRoles, checkUser } from './permissions.ts'
import { named, nullable, strictObject, time } from './schemas.ts'
import { Type } from './type.ts'
import {
  changeablePerson,
  changePerson,
  etagOfUser,
  hashFor,
  isPerson,
  overNoticeLimit,
  passwordProblem,
  personOf,
  shownUser,
  unknownUser,
  withMail,
} from './user-facts.ts'
import { passwordSchema, rolesSchema, userSchema } from './user-schemas.ts'
import { faultsOfProblems } from './validation.ts'

const lockSchema = named(
  'Lock',
  strictObject({ until: Type.Optional(nullable(time('The end of the lock; null or absent: it has none.'))) }),
)

const act = {
  method: 'POST',
  permission: 'admin:users',
  status: 200,
  answer: userSchema,
  refusals: [404],
  hasVersion: true,
} as const

export const userActionOperations: readonly Operation[] = [
  operation({
    ...act,
    path: '/users/:id/lock',
    summary: 'Locks a person, and ends their sessions and refresh tokens',
    body: lockSchema,
    isBodyOptional: true,
    refusals: [404, 409],
    async run(call) {
      const { until } = call.body
      // What is a date and a time need not be one that exists.
      const untilMs = until === undefined || until === null ? null : instantMs(until)
      if (untilMs === undefined) {
        return {
          faults: [
            { member: 'until', code: 'member_invalid', message: 'until must be a time such as 2030-01-31T12:00:00Z.' },
          ],
        }
      }
      return change(call, { change: 'locked', untilMs }, (user, nowMs) => lock(user, untilMs, nowMs))
    },
  }),
  operation({
    ...act,
    path: '/users/:id/unlock',
    summary: 'Ends a lock, and a pause after wrong passwords',
    run: (call) => change(call, { change: 'unlocked' }, unlock),
  }),
  operation({
    ...act,
    path: '/users/:id/set-password',
    summary: 'Sets a password, and ends the sessions of the old one',
    body: passwordSchema,
    refusals: [404, 429],
    async judge(call) {
      const { password } = call.body
      const owner = await changeablePerson(call)
      const judged =
        password === undefined || isRefusal(owner) ? undefined : await passwordProblem(call, password, owner)
      return judged === undefined ? [] : [judged]
    },
    async run(call) {
      const owner = await changeablePerson(call)
      if (isRefusal(owner)) return owner
      const hashed = await hashFor(call, call.body.password, owner)
      if (!('hash' in hashed)) return hashed
      const limited = await overNoticeLimit(call, owner)
      if (limited !== undefined) return limited
      const tell = told(call, 'password_changed')
      return change(call, { change: 'password_set' }, (user, nowMs) => withPassword(user, hashed.hash, nowMs), tell)
    },
  }),
  operation({
    ...act,
    path: '/users/:id/reset-second-factor',
    summary:
      'Removes the authenticator app, keys that are a second factor alone and the recovery codes, and forgets remembered browsers; passkeys that sign in stay',
    refusals: [404, 429],
    run: resetSecondFactor,
  }),
  operation({
    method: 'GET',
    path: '/users/:id/roles',
    permission: 'admin:users:read',
    summary: 'Returns the roles of a person; the ETag is that of the person',
    status: 200,
    answer: rolesSchema,
    refusals: [404],
    hasVersion: true,
    async run(call) {
      const user = await personOf(call)
      return isRefusal(user) ? user : { body: user.roles, etag: etagOfUser(user, call.nowMs) }
    },
  }),
  operation({
    method: 'PUT',
    path: '/users/:id/roles',
    permission: 'admin:users',
    summary: 'Gives a person exactly these roles',
    body: rolesSchema,
    status: 200,
    answer: rolesSchema,
    refusals: [404, 409],
    hasVersion: true,
    judge: async ({ body }) => roleListProblems(body),
    async run(call) {
      const roles = call.body
      const judged = await Promise.all(roles.map((role, at) => ownerlessProblems(call, `${at}`, [role])))
      if (judged.flat().length > 0) return { faults: faultsOfProblems(judged.flat()) }
      const check = (user: User) => checkRoles(call.caller, user.roles, roles)
      const what = { change: 'roles_set', members: ['roles'], roles }
      const changed = await changePerson(call, what, (user, nowMs) => withRoles(user, roles, nowMs), { check })
      if (isPerson(changed)) return { body: changed.roles, etag: etagOfUser(changed, call.nowMs) }
      // The rule about people names their member; the body is the list itself.
      return problemsOf(changed).length > 0 ? { faults: faultsOfProblems(roleListProblems(roles)) } : changed
    },
  }),
]

type Tell = (event: AuditEvents[number], owner: User) => AuditEvents[number]

async function change(
  call: Call,
  what: Parameters<typeof changePerson>[1],
  rule: Parameters<typeof changePerson>[2],
  tell?: Tell,
): Promise<Outcome> {
  const changed = await changePerson(call, what, rule, tell && { tell })
  return isPerson(changed) ? shownUser(call, changed) : changed
}

/** Tells the owner of the account, if mail is sent. */
function told({ service }: Call, purpose: 'password_changed' | 'second_factor_off'): Tell {
  const language = service.settings.pages.defaultLanguage
  return (event, owner) => withMail(service, event, securityNotice(owner, purpose, event.atMs, language))
}

async function resetSecondFactor(call: Call): Promise<Outcome> {
  const { service, caller } = call
  const owner = await changeablePerson(call)
  if (isRefusal(owner)) return owner
  const limited = await overNoticeLimit(call, owner)
  if (limited !== undefined) return limited
  const reset = call.event('user_changed', { userId: owner.id }, { change: 'second_factor_reset' })
  const events = [told(call, 'second_factor_off')(reset, owner)]
  const decided = await service.storage.secondFactors.change(owner.id, (stored) => {
    const { user, factors, passkeys = 0, secondFactorKeys = 0 } = stored
    const refused = checkUser(caller, user)
    if (refused !== undefined) return { refused }
    if (factors !== undefined || secondFactorKeys > 0) {
      const reset = resetFactors(factors ?? noSecondFactors(owner.id))
      return { factors: reset, removesKeys: true, forgetsRemembered: true, events }
    }
    return passkeys > 0 ? { forgetsRemembered: true, events: [reset] } : {}
  })
  if (decided !== undefined && 'refused' in decided && decided.refused !== undefined) return decided.refused
  const user = decided && (await service.storage.users.find(owner.id))
  return user === undefined ? unknownUser(owner.id) : shownUser(call, user)
}

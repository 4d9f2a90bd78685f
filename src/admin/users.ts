/** `/users`: the people who have an account. */
import { passwordDetail } from '../audit/entry.ts'
import { emailNotice } from '../mail/operator-mails.ts'
import { fieldsWith, fixedMembers } from '../person-fields.ts'
import { refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import { uuidv7 } from '../secrets/opaque.ts'
import { changeUser, newUserProblems, type UserMembers } from '../users/changes.ts'
import { conflictProblem, type NameConflict, registerUser } from '../users/registration.ts'
import type { User } from '../users/user.ts'
import { changing, mergePatch, ownerlessProblems, problemsOf, withProblems } from './changing.ts'
import { type Call, type Operation, type Outcome, operation, type Refused } from './operation.ts'
import { checkRoles, checkUser } from './permissions.ts'
import {
  attributeRules,
  namesIn,
  newAttributeProblems,
  refusingValues,
  type SentAttributes,
  withAttributes,
} from './user-attributes.ts'
import {
  changeablePerson,
  etagOfUser,
  faultsOf,
  hashOf,
  isSame,
  overMailLimit,
  passwordProblem,
  personOf,
  readOnlyFaultsOf,
  shownUser,
  unknownUser,
  withMail,
} from './user-facts.ts'
import { newUserSchema, userChangesSchema, userSchema } from './user-schemas.ts'

const one = { path: '/users/:id', refusals: [404] } as const

export const userOperations: readonly Operation[] = [
  operation({
    method: 'POST',
    path: '/users',
    permission: 'admin:users',
    summary: 'Adds a person; without a password they sign in by a link, a provider or a passkey',
    body: newUserSchema,
    status: 201,
    answer: userSchema,
    refusals: [409],
    hasVersion: true,
    judge: async (call) => {
      const { username, email, password = null, email_verified, roles = [], attributes, ...claims } = call.body
      const names = { name: username ?? '', email: email === undefined ? '' : email }
      const judged =
        password === null ? undefined : await passwordProblem(call, password, { ...names, email: names.email ?? '' })
      const problems = [
        ...newUserProblems({ ...names, roles }, claims),
        ...(await newAttributeProblems(call, attributes)),
        ...(judged === undefined ? [] : [judged]),
      ]
      const isThere: Record<string, boolean> = { username: username !== undefined, email: email !== undefined }
      return problems.filter(({ member }) => isThere[member] !== false)
    },
    run: create,
  }),
  operation({
    ...one,
    method: 'GET',
    permission: 'admin:users:read',
    summary: 'Returns a person',
    status: 200,
    answer: userSchema,
    hasVersion: true,
    async run(call) {
      const user = await personOf(call)
      return isRefusal(user) ? user : shownUser(call, user)
    },
  }),
  operation({
    ...one,
    method: 'PATCH',
    permission: 'admin:users',
    summary: 'Changes members of a person (JSON merge patch)',
    body: userChangesSchema,
    status: 200,
    answer: userSchema,
    refusals: [404, 409, 429],
    hasVersion: true,
    judge: async (call) => {
      const owner = await personOf(call)
      if (isRefusal(owner)) return []
      const { attributes, ...body } = call.body
      const next = changeUser(owner, merged(owner, settableOf(body)), call.nowMs)
      return problemsOf(withAttributes(owner, next, { attributes }, await attributeRules(call), call.nowMs))
    },
    run: alter,
  }),
  operation({
    ...one,
    method: 'DELETE',
    permission: 'admin:users',
    summary: 'Deletes a person with all sessions, consents and tokens',
    status: 204,
    refusals: [404, 409],
    hasVersion: true,
    run: remove,
  }),
]

type NewUser = UserMembers &
  SentAttributes & {
    readonly username: string
    readonly email: string | null
    readonly password?: string | null
    readonly roles?: readonly string[]
  }

async function create(call: Call<unknown, NewUser>): Promise<Outcome> {
  // gather
  const { service, body, nowMs, caller } = call
  const { username: name, email, email_verified: emailConfirmed = false, password = null, roles = [], ...rest } = body
  const { attributes, ...claims } = rest
  const names = { name, email: email ?? '' }
  const judged = password === null ? undefined : await passwordProblem(call, password, names)
  const problems = [
    ...newUserProblems({ name, email, roles }, claims),
    ...(await ownerlessProblems(call, 'roles', roles)),
    ...(await newAttributeProblems(call, attributes)),
    ...(judged === undefined ? [] : [judged]),
  ]
  if (problems.length > 0) return faultsOf(problems)
  const exceeding = checkRoles(caller, [], roles)
  if (exceeding !== undefined) return exceeding
  const [conflict] = await service.storage.users.conflicts(names)
  if (conflict !== undefined) return taken(call, conflict, names)
  const hashed = password === null ? undefined : await hashOf(call, password)
  if (isRefusal(hashed)) return hashed

  // decide
  const id = uuidv7(nowMs, service.random)
  const user = registerUser({ id, name, email, emailConfirmed, passwordHash: hashed?.hash ?? null, roles }, nowMs)
  if (isRefusal(user)) return user
  const claimed = Object.keys(claims).length === 0 ? user : changeUser(user, claims, nowMs)
  const described = withAttributes(user, claimed, { attributes }, await attributeRules(call), nowMs)
  if (isRefusal(described)) return described

  // commit
  const event = call.event(
    'user_added',
    { userId: id },
    {
      roles: described.roles,
      ...namesIn(body),
      ...passwordDetail(described),
    },
  )
  const outcome = await refusingValues(() => service.storage.users.create(described, [event]))
  if (typeof outcome === 'object') return outcome
  if (outcome !== 'created') return taken(call, outcome, described)
  return { ...shownUser(call, described), location: `/users/${id}` }
}

async function alter(call: Call<unknown, UserMembers & SentAttributes>): Promise<Outcome> {
  const { service, nowMs, caller } = call
  const { attributes, ...body } = call.body
  const owner = await personOf(call)
  if (isRefusal(owner)) return owner
  const members = settableOf(body)
  const rules = await attributeRules(call)
  const { decide, refused } = changing((user: User) => {
    const no = call.expects(etagOfUser(user, nowMs)) ?? checkUser(caller, user)
    if (no !== undefined) return no
    const changed = changeUser(user, merged(user, members), nowMs)
    const next = withAttributes(user, changed, { attributes }, rules, nowMs)
    const readOnly = readOnlyFaultsOf(call, user, body)
    if (readOnly !== undefined) return withProblems(readOnly, next)
    return !isRefusal(next) && isSame(user, next) ? user : next
  })
  const event = call.event(
    'user_changed',
    { userId: owner.id },
    { change: 'set', ...namesIn({ ...members, attributes }) },
  )
  const username = members.username ?? owner.name
  const email = members.email === undefined ? owner.email : (members.email ?? '')
  // What is refused takes no place of the mails.
  decide(owner)
  const early = refused()
  if (early !== undefined) return early
  const isRenamed = ['username', 'email', 'email_verified'].some((member) => Object.hasOwn(members, member))
  const [conflict] = await service.storage.users.conflicts({
    ...{ id: owner.id, name: username, email },
    ...(!isRenamed && owner.sharesEmail === true && { sharesEmail: true }),
  })
  if (conflict !== undefined) return taken(call, conflict, { name: username, email })
  const notice = emailNotice(owner, email, nowMs, service.settings.pages.defaultLanguage)
  const limited = notice && (await overMailLimit(call, notice.to, 'notice'))
  if (limited !== undefined) return limited
  const events = [withMail(service, event, notice)]
  const { users } = service.storage
  const update = isRenamed ? users.updateNames : users.update
  const changed = await refusingValues(() => update(owner.id, decide, events))
  if (typeof changed === 'object' && 'refusal' in changed) return changed
  const no = refused()
  if (no !== undefined) return no
  if (changed === undefined) return unknownUser(owner.id)
  return typeof changed === 'string' ? taken(call, changed, { name: username, email }) : shownUser(call, changed)
}

const readOnlyMembers: readonly string[] = [...fixedMembers, 'effective_roles']

function settableOf(body: UserMembers): UserMembers {
  const settable = Object.entries(body).filter(([member]) => !readOnlyMembers.includes(member))
  return Object.fromEntries(settable)
}

/** An address is a JSON object, which is merged member by member. */
function merged({ claims }: User, members: UserMembers): UserMembers {
  const patches = fieldsWith({ type: 'address' }).flatMap((name) => {
    const patch = members[name]
    if (patch === undefined || patch === null) return []
    const next = mergePatch(claims[name] ?? {}, patch) as NonNullable<typeof patch>
    return [[name, Object.keys(next).length === 0 ? null : next]]
  })
  return { ...members, ...Object.fromEntries(patches) }
}

async function remove(call: Call): Promise<Outcome> {
  // Decided again if the person is changed meanwhile: a new role may be more than the caller's.
  for (;;) {
    const user = await changeablePerson(call)
    if (isRefusal(user)) return user
    const stale = call.expects(etagOfUser(user, call.nowMs))
    if (stale !== undefined) return stale
    const event = call.event('user_deleted', { userId: user.id })
    if (await call.service.storage.users.delete(user.id, [event], { decidedOn: user.version })) return {}
  }
}

/** Another person has the name or the address. */
async function taken({ service }: Call, conflict: NameConflict, names: Pick<User, 'name' | 'email'>): Promise<Refused> {
  const text = conflict === 'email_taken' ? names.email : names.name
  const isName = (await service.storage.users.findByName(text)) !== undefined
  const { member, message } = conflictProblem(conflict, names, isName === (conflict === 'email_taken'))
  const errors = [{ path: `/${member}`, message, code: 'already_exists' }]
  return { refusal: refuse('admin_record_exists', member), members: { errors } }
}

/** The commands that change a user: `lock`, `unlock`, `set-password`, `end-sessions`, `set`, roles and browsers. */
import { type Command, Option } from 'commander'
import type { AuditDetails, AuditEvents } from '../audit/entry.ts'
import { loadPatterns } from '../patterns.ts'
import type { Judged } from '../problem.ts'
import { shellWord } from '../protocol/shell-word.ts'
import { isRefusal } from '../refusal.ts'
import { hashPassword } from '../secrets/password.ts'
import { Refused } from '../server/refused.ts'
import { isoTime } from '../text.ts'
import { changeAttributes } from '../users/attribute-changes.ts'
import { changeUser, endSessions, lock, unlock, withPassword } from '../users/changes.ts'
import { isLocked } from '../users/lockout.ts'
import { roleProblems, withoutRole, withRole } from '../users/roles.ts'
import { noSecondFactors, resetFactors } from '../users/second-factor.ts'
import type { User } from '../users/user.ts'
import { userRecord } from '../users/user-record.ts'
import { type CommandContext, deciding, type Workspace, withStorage } from './context.ts'
import type { MemberText } from './member-values.ts'
import { withEmailNotice, withSecurityNotice } from './notices.ts'
import { readNewPassword } from './password-input.ts'
import { requireOwners } from './role.ts'
import { parseTime } from './time.ts'
import { conflictRefusal, forceOption, keepingAdministrator, requireUser, unknownUser } from './user-lookup.ts'
import { attributesOf, givenMembers, membersOf } from './user-members.ts'

export function registerChanges(leaf: (signature: string, about: string) => Command, context: CommandContext): void {
  leaf('lock <name>', 'lock an account and end its sessions and refresh tokens')
    .option('--until <time>', 'end of the lock, such as 2030-01-31T12:00:00Z; default: no end', parseTime)
    .addOption(forceOption())
    .action((name: string, { until, force = false }: { until?: number; force?: boolean }, command: Command) => {
      const end = until === undefined ? '' : ` until ${isoTime(until)}`
      const what = { change: 'locked', untilMs: until ?? null }
      const rule: Rule = (found, nowMs) => lock(found, until ?? null, nowMs)
      return change(context, name, command, what, (changed) => `${changed.name} is locked${end}.`, rule, force)
    })

  leaf('unlock <name>', 'end a lock').action((name: string, _options, command: Command) => {
    const done = (changed: User) => `${changed.name} is not locked.`
    return change(context, name, command, { change: 'unlocked' }, done, unlock)
  })

  leaf('set-password <name>', 'set a new password and end the sessions of the old one')
    .addOption(new Option('--password-stdin', 'read the password from standard input'))
    .action((name: string, { passwordStdin }: { passwordStdin?: boolean }, command: Command) =>
      withStorage(context, command, async (workspace) => {
        const owner = await requireUser(workspace.storage, name)
        const { password, warning } = await readNewPassword(
          context,
          passwordStdin === true,
          workspace.settings,
          owner,
          '',
        )
        const hash = await hashPassword(password, context.random)
        const done = (changed: User) => {
          const locked = isLocked(changed, context.clock())
            ? ` Still locked: latchkey user unlock ${shellWord(name)}`
            : ''
          return `${changed.name} has a new password.${warning}${locked}`
        }
        const rule: Rule = (found, nowMs) => withPassword(found, hash, nowMs)
        const tell = (event: AuditEvents[number]) =>
          withSecurityNotice(context, workspace, event, owner, 'password_changed')
        await changeIn(workspace, context, name, { change: 'password_set' }, done, rule, tell)
      }),
    )

  leaf('end-sessions <name>', 'sign a user out everywhere; refresh tokens stay valid').action(
    (name: string, _options, command: Command) => {
      const done = (changed: User) => `${changed.name} is signed out everywhere.`
      return change(context, name, command, { change: 'sessions_ended' }, done, endSessions)
    },
  )

  leaf(
    'set <name> <member=value...>',
    'set username, email, email_verified, required_actions, had_second_factor, a claim or a declared attribute; what has no value is removed',
  )
    .addOption(forceOption())
    .action((name: string, words: readonly string[], { force = false }: { force?: boolean }, command: Command) =>
      set(context, name, words, force, command),
    )

  leaf('forget-browsers <name>', 'treat every browser as one that has not signed in before').action(
    (name: string, _options, command: Command) =>
      withStorage(context, command, async ({ storage, event, print }) => {
        const found = await requireUser(storage, name)
        const changed = event('user_changed', { userId: found.id }, { change: 'browsers_forgotten' })
        const forgotten = await storage.users.forgetBrowsers(found.id, [changed])
        const count = forgotten === 1 ? '1 browser' : `${forgotten} browsers`
        print({ ...userRecord(found, context.clock()), forgotten }, `Forgot ${count} of ${found.name}.`)
      }),
  )

  leaf(
    'reset-second-factor <name>',
    'remove the authenticator app, security keys and recovery codes; passkeys that sign in stay',
  ).action((name: string, _options, command: Command) =>
    withStorage(context, command, async (workspace) => {
      const { storage, event, print } = workspace
      const found = await requireUser(storage, name)
      const reset = event('user_changed', { userId: found.id }, { change: 'second_factor_reset' })
      const events = [await withSecurityNotice(context, workspace, reset, found, 'second_factor_off')]
      const decided = await storage.secondFactors.change(
        found.id,
        ({ factors, passkeys = 0, secondFactorKeys = 0 }) => {
          if (factors !== undefined || secondFactorKeys > 0) {
            const reset = resetFactors(factors ?? noSecondFactors(found.id))
            return { factors: reset, removesKeys: true, forgetsRemembered: true, events }
          }
          return passkeys > 0 ? { forgetsRemembered: true, events: [reset] } : {}
        },
      )
      const had = decided?.factors !== undefined
      const done = had ? `${found.name} has no second factor.` : `${found.name} had no second factor.`
      print({ ...userRecord(found, context.clock()), reset: had }, done)
    }),
  )

  leaf('add-role <name> <role>', 'give a role').action((name: string, role: string, _options, command: Command) => {
    const problems = roleProblems([role])
    if (problems.length > 0) throw Refused.because(problems)
    const done = (changed: User) => `${changed.name} has the role ${role}.`
    const rule: Rule = (found, nowMs) => withRole(found, role, nowMs)
    return withStorage(context, command, async (workspace) => {
      await requireOwners(workspace.storage, [role])
      await changeIn(workspace, context, name, { change: 'role_added', role }, done, rule)
    })
  })

  leaf('remove-role <name> <role>', 'take a role away')
    .addOption(forceOption())
    .action((name: string, role: string, { force = false }: { force?: boolean }, command: Command) => {
      const done = (changed: User) => `${changed.name} does not have the role ${role}.`
      const rule: Rule = (found, nowMs) => withoutRole(found, role, nowMs)
      return change(context, name, command, { change: 'role_removed', role }, done, rule, force)
    })
}

/** Returns the user's next state, or the given object if nothing changes. Pure. */
type Rule = (user: User, nowMs: number) => Judged<User>

/** Returns the message after the change. */
type Done = (changed: User) => string

/** `what`: the details for the audit trail. */
function change(
  context: CommandContext,
  name: string,
  command: Command,
  what: AuditDetails,
  done: Done,
  rule: Rule,
  force = false,
): Promise<void> {
  return withStorage(context, command, (workspace) =>
    changeIn(workspace, context, name, what, done, rule, undefined, force),
  )
}

async function changeIn(
  { storage, event, print }: Workspace,
  context: CommandContext,
  name: string,
  what: AuditDetails,
  done: Done,
  rule: Rule,
  /** Adds a notice to the event. */
  tell: (event: AuditEvents[number]) => Promise<AuditEvents[number]> = async (event) => event,
  force = false,
): Promise<void> {
  const { id } = await requireUser(storage, name)
  // Reads the clock on every attempt, so that a session started between two attempts still ends.
  const { decide, check } = deciding((found: User) => changeOf(found, rule(found, context.clock())))
  const told = await tell(event('user_changed', { userId: id }, what))
  const changed = await keepingAdministrator(name, () => storage.users.update(id, decide, [told], { force }))
  check()
  if (changed === undefined) throw new Refused(unknownUser(name))
  print(userRecord(changed, context.clock()), done(changed))
}

function set(
  context: CommandContext,
  name: string,
  words: readonly string[],
  force: boolean,
  command: Command,
): Promise<void> {
  const given = givenMembers(words)
  return withStorage(context, command, async (workspace) => {
    const { settings, storage, event, print } = workspace
    const { known: declared } = await storage.attributes.all()
    const isAttribute = ({ member }: MemberText) => declared.has(member)
    const members = membersOf(
      given.filter((one) => !isAttribute(one)),
      [...declared.keys()],
    )
    const values = attributesOf(given.filter(isAttribute), declared)
    const { matches } = await loadPatterns()
    const rule: Rule = (found, nowMs) => {
      const changed = changeUser(found, members, nowMs)
      return isRefusal(changed) ? changed : changeAttributes(changed, values, 'operator', { declared, matches }, nowMs)
    }
    const owner = await requireUser(storage, name)
    const { id, name: formerName, email: formerEmail } = owner
    const { decide, check } = deciding((found: User) => changeOf(found, rule(found, context.clock())))
    const what = { change: 'set', members: given.map(({ member }) => member) }
    const newEmail = members.email === undefined ? formerEmail : (members.email ?? '')
    const set = event('user_changed', { userId: id }, what)
    const events = [await withEmailNotice(context, workspace, set, owner, newEmail)]
    const isRenamed = ['username', 'email', 'email_verified'].some((member) => Object.hasOwn(members, member))
    const update = isRenamed ? storage.users.updateNames : storage.users.update
    const changed = await keepingAdministrator(name, () => update(id, decide, events, { force }))
    check()
    if (changed === undefined) throw new Refused(unknownUser(name))
    if (typeof changed === 'string') {
      const { username = formerName } = members
      throw await conflictRefusal(storage, changed, { name: username, email: newEmail })
    }
    const isBarred = settings.accounts.requireConfirmedEmail && !changed.emailConfirmed
    const bar = isBarred
      ? ' The account cannot sign in until the address is confirmed (Accounts:RequireConfirmedEmail).'
      : ''
    const address =
      changed.email === ''
        ? 'no e-mail address'
        : `${changed.email}, ${changed.emailConfirmed ? 'confirmed' : 'not confirmed'}`
    print(userRecord(changed, context.clock()), `${changed.name} (${address}).${bar}`)
  })
}

/** Returns undefined if nothing changes. */
function changeOf(found: User, judged: Judged<User>): Judged<User> | undefined {
  if (isRefusal(judged)) return judged
  const { updatedAtMs: _now, ...next } = judged
  const { updatedAtMs: _then, ...before } = found
  return JSON.stringify(next) === JSON.stringify(before) ? undefined : judged
}

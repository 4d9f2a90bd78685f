/** `latchkey user …`: accounts of people. */
import { type Command, Option } from 'commander'
import type { AuditDetails } from '../audit/entry.ts'
import { hashPassword } from '../secrets/password.ts'
import type { Storage } from '../storage/port.ts'
import { isLocked } from '../users/lockout.ts'
import { endAtMs, type User } from '../users/user.ts'
import {
  type CommandContext,
  collect,
  parseTime,
  Refused,
  type Session,
  withCommonOptions,
  withStorage,
} from './context.ts'
import { readNewPassword } from './password-input.ts'
import { isoTime, table } from './text.ts'
import {
  checkRole,
  checkRoleCount,
  checkUser,
  createUser,
  noEndMs,
  sortedSet,
  userHeadings,
  userJson,
  userRow,
  userText,
} from './user-record.ts'

type AddOptions = {
  readonly email: string
  readonly role: readonly string[]
  readonly emailConfirmed?: boolean
  /** False after `--no-password`. */
  readonly password: boolean
  readonly passwordStdin?: boolean
}

export function register(parent: Command, context: CommandContext): void {
  const user = withCommonOptions(parent.command('user').description('accounts of people'))
  const leaf = (signature: string, description: string) =>
    withCommonOptions(user.command(signature).description(description))
  const fromStdin = () => new Option('--password-stdin', 'read the password from standard input')

  leaf('add <name>', 'add a user')
    .requiredOption('--email <address>', 'the e-mail address')
    .option('--role <name>', 'give a role; may be repeated', collect, [])
    .option('--email-confirmed', 'the address is known to be theirs')
    .option('--no-password', 'an account that only an external provider can sign in to')
    .addOption(fromStdin())
    .action((name: string, options: AddOptions, command: Command) => add(context, name, options, command))

  leaf('list', 'list all users').action((_options, command: Command) =>
    withStorage(context, command, async ({ storage, print }) => {
      const users = await storage.users.list()
      const nowMs = context.clock()
      const json = users.map((one) => userJson(one, nowMs))
      const rows = users.map((one) => userRow(one, nowMs))
      const empty = 'There are no users yet. Add one with: latchkey user add NAME --email ADDRESS'
      print(json, users.length === 0 ? empty : table(userHeadings, rows))
    }),
  )

  leaf('show <name>', 'show one user').action((name: string, _options, command: Command) =>
    withStorage(context, command, async ({ storage, print }) => {
      const found = await requireUser(storage, name)
      print(userJson(found, context.clock()), userText(found, context.clock()))
    }),
  )

  leaf('delete <name>', 'delete a user with all sessions, consents and tokens').action(
    (name: string, _options, command: Command) =>
      withStorage(context, command, async ({ storage, event, print }) => {
        const found = await requireUser(storage, name)
        const deleted = event('user_deleted', { userId: found.id }, { name: found.name })
        if (!(await storage.users.delete(found.id, [deleted]))) throw new Refused(unknownUser(name))
        print({ ...userJson(found, context.clock()), deleted: true }, `Deleted ${found.name}.`)
      }),
  )

  leaf('lock <name>', 'lock a user out and end their sessions and refresh tokens')
    .option('--until <time>', 'an end of the lock, such as 2030-01-31T12:00:00Z; without it there is none', parseTime)
    .action((name: string, { until }: { until?: number }, command: Command) => {
      if (until !== undefined && until <= context.clock()) throw new Refused(`${isoTime(until)} has passed already.`)
      const end = until === undefined ? '' : ` until ${isoTime(until)}`
      const done = (changed: User) => `${changed.name} is locked${end}.`
      const what = { change: 'locked', untilMs: until ?? null }
      return change(context, name, command, what, done, (found, nowMs) => ({
        ...found,
        disabled: until === undefined,
        lockedUntilMs: until ?? noEndMs,
        lockoutBeganAtMs: null,
        sessionsEndedAtMs: endAtMs(nowMs, found.sessionsEndedAtMs),
        grantsEndedAtMs: endAtMs(nowMs, found.grantsEndedAtMs),
      }))
    })

  leaf('unlock <name>', 'end a lock').action((name: string, _options, command: Command) =>
    change(
      context,
      name,
      command,
      { change: 'unlocked' },
      (changed) => `${changed.name} is not locked.`,
      (found) => ({
        ...found,
        disabled: false,
        lockedUntilMs: null,
        failedAttempts: 0,
        lockoutBeganAtMs: null,
      }),
    ),
  )

  leaf('set-password <name>', 'set a new password and end the sessions of the old one')
    .addOption(fromStdin())
    .action((name: string, { passwordStdin }: { passwordStdin?: boolean }, command: Command) =>
      withStorage(context, command, async (session) => {
        await requireUser(session.storage, name)
        const { passwordMinLength } = session.settings.accounts
        const password = await readNewPassword(context, passwordStdin === true, passwordMinLength, '')
        const passwordHash = await hashPassword(password, context.random)
        // Who locks decides about the end: a new password ends no lock.
        const done = (changed: User) => {
          const locked = isLocked(changed, context.clock()) ? ` Still locked: latchkey user unlock ${name}` : ''
          return `${changed.name} has a new password.${locked}`
        }
        await changeIn(session, context, name, { change: 'password_set' }, done, (found, nowMs) => ({
          ...found,
          passwordHash,
          failedAttempts: 0,
          sessionsEndedAtMs: endAtMs(nowMs, found.sessionsEndedAtMs),
        }))
      }),
    )

  leaf('forget-browsers <name>', 'treat every browser as a stranger that has not signed in before').action(
    (name: string, _options, command: Command) =>
      withStorage(context, command, async ({ storage, event, print }) => {
        const found = await requireUser(storage, name)
        const changed = event('user_changed', { userId: found.id }, { change: 'browsers_forgotten' })
        const forgotten = await storage.users.forgetBrowsers(found.id, [changed])
        const count = forgotten === 1 ? '1 browser is' : `${forgotten} browsers are`
        print({ ...userJson(found, context.clock()), forgotten }, `${count} not known as ${found.name}'s any more.`)
      }),
  )

  leaf('add-role <name> <role>', 'give a role').action((name: string, role: string, _options, command: Command) => {
    checkRole(role)
    const done = (changed: User) => `${changed.name} has the role ${role}.`
    return change(context, name, command, { change: 'role_added', role }, done, (found) => {
      if (found.roles.includes(role)) return undefined
      const roles = sortedSet([...found.roles, role])
      checkRoleCount(roles)
      return { ...found, roles }
    })
  })

  leaf('remove-role <name> <role>', 'take a role away').action(
    (name: string, role: string, _options, command: Command) => {
      const done = (changed: User) => `${changed.name} does not have the role ${role}.`
      return change(context, name, command, { change: 'role_removed', role }, done, (found) =>
        found.roles.includes(role) ? { ...found, roles: found.roles.filter((one) => one !== role) } : undefined,
      )
    },
  )
}

function add(context: CommandContext, name: string, options: AddOptions, command: Command): Promise<void> {
  const { email, role: roles, emailConfirmed = false, password: wanted, passwordStdin = false } = options
  if (!wanted && passwordStdin)
    command.error("error: options '--no-password' and '--password-stdin' exclude each other")
  checkUser({ name, email, roles })
  return withStorage(context, command, async ({ settings, storage, event, print }) => {
    const nameTaken = new Refused(`There is a user called ${name} already.`)
    // Asked first, so that nobody types a password in vain; the creation below decides.
    if ((await storage.users.findByName(name)) !== undefined) throw nameTaken
    const { passwordMinLength } = settings.accounts
    const advice = ', or add the user without one with --no-password'
    const password = wanted ? await readNewPassword(context, passwordStdin, passwordMinLength, advice) : null
    const passwordHash = password === null ? null : await hashPassword(password, context.random)
    const nowMs = context.clock()
    const user = createUser({ name, email, emailConfirmed, passwordHash, roles }, nowMs, context.random)
    const added = event('user_added', { userId: user.id }, { name, roles })
    const outcome = await storage.users.create(user, [added])
    const isName = async (text: string) => (await storage.users.findByName(text)) !== undefined
    if (outcome === 'name_taken') {
      if (await isName(name)) throw nameTaken
      throw new Refused(`${name} is another user's e-mail address, with which they sign in. Choose another name.`)
    }
    if (outcome === 'email_taken') {
      if (!(await isName(email))) throw new Refused(`Another user has the e-mail address ${email} already.`)
      throw new Refused(`${email} is another user's name, with which they sign in. Choose another address.`)
    }
    print(userJson(user, nowMs), `Added ${name} (${user.id}).`)
  })
}

/** The next state of a user; undefined: nothing changes. Pure. */
type Change = (user: User, nowMs: number) => User | undefined

/** What to say afterwards. */
type Done = (changed: User) => string

/** `what`: what the audit trail says of the change. */
function change(
  context: CommandContext,
  name: string,
  command: Command,
  what: AuditDetails,
  done: Done,
  decide: Change,
): Promise<void> {
  return withStorage(context, command, (session) => changeIn(session, context, name, what, done, decide))
}

async function changeIn(
  { storage, event, print }: Session,
  context: CommandContext,
  name: string,
  what: AuditDetails,
  done: Done,
  decide: Change,
): Promise<void> {
  const { id } = await requireUser(storage, name)
  const decideNow = (found: User) => {
    // Read anew each time, so that no session that began between two tries is older than what ends it.
    const nowMs = context.clock()
    const next = decide(found, nowMs)
    return next && { ...next, updatedAtMs: nowMs }
  }
  const changed = await storage.users.update(id, decideNow, [event('user_changed', { userId: id }, what)])
  if (changed === undefined) throw new Refused(unknownUser(name))
  print(userJson(changed, context.clock()), done(changed))
}

export async function requireUser(storage: Storage, name: string): Promise<User> {
  const found = await storage.users.findByName(name)
  if (found === undefined) throw new Refused(unknownUser(name))
  return found
}

function unknownUser(name: string): string {
  return `There is no user called ${name}. See: latchkey user list`
}

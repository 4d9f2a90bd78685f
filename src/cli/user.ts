/** `latchkey user …`: user accounts. */

import { type Command, Option } from 'commander'
import { passwordDetail } from '../audit/entry.ts'
import { shellWord } from '../protocol/shell-word.ts'
import { uuidv7 } from '../secrets/opaque.ts'
import { hashPassword } from '../secrets/password.ts'
import { Refused } from '../server/refused.ts'
import type { UserDependents } from '../storage/port/users.ts'
import { pathOf } from '../users/groups.ts'
import { conflictProblem, registerUser, registrationProblems } from '../users/registration.ts'
import type { User } from '../users/user.ts'
import { userRecord } from '../users/user-record.ts'
import { accepted, type CommandContext, collect, withCommonOptions, withStorage } from './context.ts'
import { readNewPassword } from './password-input.ts'
import { confirmLoss, countsOf, yesOption } from './removing.ts'
import { requireOwners } from './role.ts'
import { table } from './text.ts'
import { registerApps } from './user-apps.ts'
import { registerChanges } from './user-changes.ts'
import { registerData } from './user-data.ts'
import {
  conflictRefusal,
  forceOption,
  keepingAdministrator,
  requireUser,
  unknownUser,
  usersWith,
} from './user-lookup.ts'
import { registerMails } from './user-mails.ts'
import { userHeadings, userRow, userText } from './user-record.ts'
import { registerRecovery } from './user-recover.ts'

type AddOptions = {
  /** False with `--no-email`. */
  readonly email?: string | false
  readonly role?: readonly string[]
  readonly emailConfirmed?: boolean
  /** False with `--no-password`. */
  readonly password: boolean
  readonly passwordStdin?: boolean
}

export function register(parent: Command, context: CommandContext): void {
  const user = withCommonOptions(parent.command('user').description('user accounts'))
  const leaf = (signature: string, description: string) =>
    withCommonOptions(user.command(signature).description(description))

  leaf('add <name>', 'add a user')
    .option('--email <address>', 'the e-mail address')
    .option('--no-email', 'create an account without an e-mail address: no mail, no reset by mail')
    .option('--role <name>', 'a role; repeatable', collect)
    .option('--email-confirmed', 'mark the address as confirmed')
    .option('--no-password', 'create an account that signs in through an external provider only')
    .addOption(new Option('--password-stdin', 'read the password from standard input'))
    .action((name: string, options: AddOptions, command: Command) => add(context, name, options, command))

  leaf('list', 'list all users')
    .option('--role <name>', 'those who have the role, as an own one, by a group, by another role, or as everybody')
    .action(({ role }: { readonly role?: string }, command: Command) =>
      withStorage(context, command, async ({ storage, print }) => {
        const users = role === undefined ? await storage.users.list() : await usersWith(storage, role)
        const nowMs = context.clock()
        const json = users.map((one) => userRecord(one, nowMs))
        const rows = users.map((one) => userRow(one, nowMs))
        const empty =
          role === undefined
            ? 'There are no users yet. Add one with: latchkey user add NAME --email ADDRESS'
            : `Nobody has the role ${role}. Give it to somebody with: latchkey user add-role USER ${shellWord(role)}`
        print(json, users.length === 0 ? empty : table(userHeadings, rows))
      }),
    )

  leaf('show <name>', 'show one user').action((name: string, _options, command: Command) =>
    withStorage(context, command, async ({ storage, print }) => {
      const found = await requireUser(storage, name)
      const { groups, effectiveRolesOf } = await storage.catalogue.now()
      const effective = effectiveRolesOf(found)
      const paths = (found.groupIds ?? []).flatMap((id) => groups.get(id) ?? []).map((group) => pathOf(group, groups))
      const json = { ...userRecord(found, context.clock()), groups: paths.sort(), effective_roles: effective }
      print(json, userText(found, context.clock(), paths, effective))
    }),
  )

  leaf('delete <name>', 'delete a user with all sessions, consents and tokens')
    .addOption(yesOption())
    .addOption(forceOption())
    .action((name: string, { yes = false, force = false }: { yes?: boolean; force?: boolean }, command: Command) =>
      withStorage(context, command, async ({ storage, event, print }) => {
        const found = await requireUser(storage, name)
        const lost = await storage.users.dependents(found.id, context.clock())
        await confirmLoss(context, lossOf(found, lost), yes)
        const deleted = event('user_deleted', { userId: found.id })
        const remove = () => storage.users.delete(found.id, [deleted], { force })
        if (!(await keepingAdministrator(name, remove))) throw new Refused(unknownUser(name))
        print({ ...userRecord(found, context.clock()), deleted: true }, `Deleted ${found.name}.`)
      }),
    )

  registerChanges(leaf, context)
  registerApps(leaf, context)
  registerMails(leaf, context)
  registerData(leaf, context)
  registerRecovery(leaf, context)
}

function add(context: CommandContext, name: string, options: AddOptions, command: Command): Promise<void> {
  const { email: given, role: roles = [], emailConfirmed = false, password: wanted, passwordStdin = false } = options
  if (!wanted && passwordStdin)
    command.error("error: options '--no-password' and '--password-stdin' exclude each other")
  if (given === undefined) command.error("error: required option '--email <address>' not specified, nor '--no-email'")
  if (given === false && emailConfirmed)
    command.error("error: options '--no-email' and '--email-confirmed' exclude each other")
  const email = given === false ? null : given
  const problems = registrationProblems({ name, email, roles })
  if (problems.length > 0) throw Refused.because(problems)
  return withStorage(context, command, async ({ settings, storage, event, print }) => {
    await requireOwners(storage, roles)
    // Checked first to avoid a needless password prompt; the insert below decides.
    if ((await storage.users.findByName(name)) !== undefined) {
      throw Refused.because([conflictProblem('name_taken', { name, email: email ?? '' })])
    }
    const advice = ', or add the user without one with --no-password'
    const entered = wanted
      ? await readNewPassword(context, passwordStdin, settings, { name, email: email ?? '' }, advice)
      : undefined
    const passwordHash = entered === undefined ? null : await hashPassword(entered.password, context.random)
    const nowMs = context.clock()
    const id = uuidv7(nowMs, context.random)
    const user = accepted(registerUser({ id, name, email, emailConfirmed, passwordHash, roles }, nowMs))
    const added = event('user_added', { userId: user.id }, { roles, ...passwordDetail(user) })
    const outcome = await storage.users.create(user, [added])
    if (outcome !== 'created') throw await conflictRefusal(storage, outcome, user)
    print(userRecord(user, nowMs), `Added ${name} (${user.id}).${entered?.warning ?? ''}`)
  })
}

function lossOf({ name }: User, lost: UserDependents): string {
  const counts = countsOf([
    [lost.sessions, 'session', 'sessions'],
    [lost.grants, 'grant', 'grants'],
    [lost.consents, 'consent', 'consents'],
    [lost.externalLogins, 'external sign-in', 'external sign-ins'],
  ])
  return `This deletes the user ${name} with ${counts ?? 'no session, grant or consent'}, for good.`
}

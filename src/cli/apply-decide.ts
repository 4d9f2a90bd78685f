/** What `latchkey apply` reads before it changes anything, and the plan that follows. */
import { randomBytes } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { changesOf, type DeclaredSecret, secretFault } from '../configuration/clients.ts'
import { type Declaration, type Declarations, keyOf, placed } from '../configuration/declaration.ts'
import type { SourceFile } from '../configuration/files.ts'
import { type Plan, type PlanContext, planChanges, type Stored } from '../configuration/plan.ts'
import { undeclaredClients } from '../configuration/roles-of-clients.ts'
import type { DeclaredPassword } from '../configuration/users.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import { loadPatterns } from '../patterns.ts'
import type { Problem } from '../problem.ts'
import { storedLogoBytes } from '../protocol/branding/brand-image.ts'
import { isSealed } from '../protocol/client-authentication/client-secret-jwt.ts'
import { clientSecretMatches, hashSecret, isForeignSecret, uuidv7 } from '../secrets/opaque.ts'
import { hashPassword, verifyPassword } from '../secrets/password.ts'
import { sealClientSecret, unsealClientSecret } from '../secrets/sealed-secret.ts'
import { Refused } from '../server/refused.ts'
import { environmentOf } from '../settings/read.ts'
import type { Storage } from '../storage/port/storage.ts'
import { conflictProblem } from '../users/registration.ts'
import { normalizeName, type User } from '../users/user.ts'
import { membersLost, ownerlessRoles, unfitValues } from './apply-values.ts'
import { readAtMost } from './bounded-file.ts'
import { lengthProblemsOf } from './claim-rules.ts'
import { registrationContext } from './client-changes.ts'
import { type CommandContext, openKeys, type Workspace } from './context.ts'
import { checkPassword } from './password-input.ts'

/** References to files are relative to the file that has them. */
export function readSource({ cwd = process.cwd(), env }: CommandContext, name: string): SourceFile {
  const path = resolve(cwd, name)
  const text = textOf(path)
  if (text === undefined) {
    const isThere = existsSync(path)
    throw new Refused(isThere ? `${path} cannot be read as a text of at most 16 MiB.` : `There is no file ${path}.`)
  }
  const environment = environmentOf(env)
  const lookup = {
    variable: (variable: string) => (Object.hasOwn(environment, variable) ? environment[variable] : undefined),
    file: (reference: string) => textOf(resolve(dirname(path), reference))?.replace(/\r?\n$/, ''),
    picture: (reference: string) => pictureOf(resolve(dirname(path), reference)),
  }
  return { name, text, lookup }
}

const fileBytesAtMost = 16 * 1024 * 1024

function textOf(path: string): string | undefined {
  try {
    const bytes = readAtMost(path, fileBytesAtMost)
    return bytes && new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Reads regular files only: opening a pipe blocks until it has a writer. */
function pictureOf(path: string): Buffer | undefined {
  try {
    const found = statSync(path)
    return found.isFile() ? readAtMost(path, storedLogoBytes) : undefined
  } catch {
    return undefined
  }
}

export async function readStored(storage: Storage, declared: Declarations, prune: boolean): Promise<Stored> {
  const { records, kinds } = declared
  // Before the roles: what is newer than it makes the commit fail.
  const { version: catalogueVersion } = await storage.catalogue.now()
  const named = records.filter(({ kind }) => kind === 'users')
  const users =
    prune && kinds.has('users')
      ? await storage.users.list()
      : await Promise.all(
          named.flatMap(({ id, members }) => [
            storage.users.findByName(id),
            // A name that is new may be that of somebody who is there.
            ...(typeof members.id === 'string' ? [storage.users.find(members.id)] : []),
          ]),
        )
  const [attributes, scopes, resources, roles, groups, clients, brand] = await Promise.all([
    storage.attributes.all(),
    storage.scopes.list(),
    storage.resources.all(),
    storage.roles.list(),
    storage.groups.all(),
    storage.clients.list(),
    storage.branding.find(),
  ])
  const going = prune ? undeclaredClients(declared, clients).flatMap(({ before }) => before?.id ?? []) : []
  const goingRoles = going.length === 0 ? [] : await storage.clients.rolesOf(...going)
  const byId = new Map(users.flatMap((user) => (user === undefined ? [] : [[user.id, user] as const])))
  const ruled = [...resources.known.values()]
  const people = [...byId.values()]
  const fields = [...attributes.known.values()]
  const known = {
    attributes: fields,
    scopes,
    resources: ruled,
    roles,
    groups: groups.known,
    clients,
    goingRoles,
    brand,
  }
  return { ...known, users: people, catalogueVersion }
}

export async function decide(
  context: CommandContext,
  { storage, settings }: Workspace,
  declared: Declarations,
  stored: Stored,
  { prune, guardedRoles, isPlan }: Pick<PlanContext, 'prune' | 'guardedRoles'> & { readonly isPlan: boolean },
): Promise<{ readonly plan: Plan; readonly warnings: readonly string[] }> {
  const nowMs = context.clock()
  const problems: Problem[] = []
  const warnings: string[] = []
  let opened: Promise<KeyRing> | undefined
  const keys = (): Promise<KeyRing> => {
    opened ??= openKeys(context, { storage, settings })
    return opened
  }
  const secrets = new Map<string, DeclaredSecret>()
  const passwords = new Map<string, DeclaredPassword>()
  const owners = new Map(stored.users.map((user) => [normalizeName(user.name), user]))
  for (const one of declared.records) {
    const { client_secret, password } = one.secrets
    if (client_secret !== undefined) secrets.set(one.id, await secretOf(one, client_secret, stored, problems, keys))
    if (password === undefined) continue
    const owner = owners.get(keyOf(one))
    const current = owner?.passwordHash ?? null
    if (current !== null) {
      const isCurrent = await verifyPassword(current, password)
      passwords.set(one.id, { isCurrent, hash: isCurrent ? current : null })
      continue
    }
    const names = { name: one.id, email: String(one.members.email ?? owner?.email ?? '') }
    const checked = await checkPassword(settings, names, password)
    if ('problem' in checked) {
      problems.push(...placed(one, [checked.problem]))
      continue
    }
    passwords.set(one.id, { isCurrent: false, hash: await hashPassword(password, context.random) })
    if (checked.warning !== '') warnings.push(`${one.id}: ${checked.warning}`)
  }
  const clients = declared.records.filter(({ kind }) => kind === 'clients')
  const {
    registeredScopes: _,
    newSecretHash: __,
    ...facts
  } = await registrationContext({ storage, settings }, clients.flatMap(changesOf), '', nowMs)
  const newId = () => uuidv7(nowMs, context.random)
  const patterns = await loadPatterns()
  const given = { secrets, passwords, newId, patterns, prune, guardedRoles, nowMs }
  const plan = planChanges(declared, stored, { ...facts, ...given })
  const taken = await conflicts(storage, declared, plan)
  const unfit = await unfitValues(storage, plan, patterns, isPlan)
  const lost = await membersLost(storage, plan)
  const faults = [...problems, ...plan.problems, ...taken, ...unfit.problems, ...lost]
  const records = { ...stored, resources: new Map(stored.resources.map((one) => [one.identifier, one])) }
  const changed = plan.changes.map(({ record }) => record)
  const long = faults.length > 0 ? [] : await lengthProblemsOf({ storage, settings }, records, changed)
  warnings.push(...(await ownerlessRoles(storage, plan)))
  return { plan: { ...plan, changes: unfit.changes, problems: [...faults, ...long] }, warnings }
}

async function secretOf(
  declaration: Declaration,
  secret: string,
  stored: Stored,
  problems: Problem[],
  keys: () => Promise<KeyRing>,
): Promise<DeclaredSecret> {
  const before = stored.clients.find(({ id }) => id === declaration.id)?.authentication
  const isSigning = declaration.members.token_endpoint_auth_method === 'client_secret_jwt'
  const old = before?.method === 'client_secret' ? before.secretHash : undefined
  const isSame = old !== undefined && isSealed(old) === isSigning
  const isCurrent =
    isSame && (isSigning ? unsealClientSecret(await keys(), old) === secret : await isSecret(secret, old))
  const fault = isCurrent ? undefined : secretFault(secret)
  if (fault !== undefined) {
    problems.push(...placed(declaration, [{ member: 'client_secret', message: `client_secret ${fault}.` }]))
  }
  if (!isSigning) return { hash: hashSecret(secret), isCurrent }
  return { hash: isCurrent ? (old ?? '') : sealClientSecret(await keys(), secret, randomBytes), isCurrent }
}

async function isSecret(secret: string, hash: string): Promise<boolean> {
  if (!isForeignSecret(hash)) return clientSecretMatches(secret, hash)
  return (await import('../secrets/client-secrets.ts')).foreignSecretMatches(secret, hash)
}

/** Returns a problem for each name and address that another person has, stored or declared. */
async function conflicts(storage: Storage, { records }: Declarations, { changes, after }: Plan): Promise<Problem[]> {
  const problems: Problem[] = []
  const declared = new Map(records.filter(({ kind }) => kind === 'users').map((one) => [keyOf(one), one]))
  const owners = ownersOf(after.users)
  const freed = freedAddresses(changes)
  const isFreed = (text: string) => freed.has(normalizeName(text)) && owners.get(normalizeName(text))?.size === 1
  for (const { record, id } of changes) {
    if (record.kind !== 'user' || record.after === undefined) continue
    const { before, after: next } = record
    const isSameAddress = before !== undefined && normalizeName(before.email) === normalizeName(next.email)
    if (isSameAddress) continue
    const found = (await storage.users.conflicts(next)).filter(
      (one) => !(one === 'email_taken' && isFreed(next.email)) && !(one === 'name_taken' && isFreed(next.name)),
    )
    const stored = before === undefined ? found : found.filter((one) => one === 'email_taken')
    const conflict = stored[0] ?? ((owners.get(normalizeName(next.email))?.size ?? 0) > 1 ? 'email_taken' : undefined)
    const declaration = declared.get(normalizeName(id))
    if (conflict !== undefined && declaration !== undefined) {
      problems.push(...placed(declaration, [conflictProblem(conflict, next)]))
    }
  }
  return problems
}

/** Returns the addresses that people lose, in normal form: others may have them in the same run. */
function freedAddresses(changes: Plan['changes']): ReadonlySet<string> {
  return new Set(
    changes.flatMap(({ record }) => {
      if (record.kind !== 'user' || record.before === undefined) return []
      const address = normalizeName(record.before.email)
      return record.after !== undefined && normalizeName(record.after.email) === address ? [] : [address]
    }),
  )
}

/** Returns the ids of those who have a text as name or address, by its normal form. */
function ownersOf(users: readonly User[]): ReadonlyMap<string, ReadonlySet<string>> {
  const owners = new Map<string, Set<string>>()
  for (const { id, name, email } of users) {
    for (const text of [name, email].map(normalizeName)) owners.set(text, (owners.get(text) ?? new Set()).add(id))
  }
  return owners
}

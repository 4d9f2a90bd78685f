/** `latchkey export users` and `latchkey export keycloak`: everybody, with password hashes, as an import of that kind takes them. */
import { once } from 'node:events'
import { createWriteStream, existsSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import type { Command } from 'commander'
import { type LeavingPerson, leavingPeople } from '../import/leaving-people.ts'
import { type LeavingRealm, realmBeginning, realmEnd } from '../import/leaving-realm.ts'
import { realmPerson } from '../import/leaving-realm-person.ts'
import { userLine } from '../import/leaving-users.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import { type Client, clientType } from '../protocol/client/client.ts'
import { Refused } from '../server/refused.ts'
import type { Settings } from '../settings/settings.ts'
import type { Storage } from '../storage/port/storage.ts'
import { visible } from '../text.ts'
import { linkedRoles } from '../users/effective-roles.ts'
import { undescribedRole } from '../users/roles.ts'
import type { FactorRules } from '../users/sign-in-steps.ts'
import { type CommandContext, openKeys, type Workspace, withStorage } from './context.ts'

type Options = { readonly realm?: string }

/** How a file of a kind reads: its beginning, each person, and its end. */
type Format = {
  /** What does not leave, whoever the people are. */
  readonly left: readonly string[]
  /** Whether the system asks for a security key after the password, without anybody setting that up. */
  readonly asksForKeys: boolean
  readonly beginning: string
  /** `isShared`: whether some of the people have an e-mail address that others may have, too. */
  readonly end: (isShared: boolean) => string
  /** What is to be said where some have. */
  readonly shared?: string
  readonly between: string
  person(one: LeavingPerson): { readonly text: string; readonly left: readonly string[] }
}

/** `rpId`: the host that passkeys belong to. */
type About = { readonly nowMs: number; readonly name: string; readonly rpId: string }

const formats: Readonly<Record<string, (storage: Storage, about: About) => Promise<Format>>> = {
  users: async (storage, { nowMs, rpId }) => ({
    left: [
      'groups, roles that are described, attributes and clients: latchkey export writes them without a system',
      ...leftSubjects(await storage.clients.list()),
    ],
    asksForKeys: true,
    beginning: '',
    end: () => '',
    shared: 'Several people may have one e-mail address: import the file with --shared-emails.',
    between: '',
    person: (one) => ({ text: userLine(one, rpId, nowMs), left: one.left }),
  }),
  keycloak: async (storage, { nowMs, name, rpId }) => {
    const realm = await readRealm(storage, name)
    const confidential = realm.clients.filter((client) => clientType(client) === 'confidential').length
    const secrets = `secrets of applications (${confidential}), of which only hashes are stored: make new ones`
    return {
      left: [...(confidential === 0 ? [] : [secrets]), ...leftSubjects(realm.clients)],
      // Its built-in flow has them switched off.
      asksForKeys: false,
      beginning: realmBeginning(realm, rpId),
      end: realmEnd,
      between: ',\n',
      person: (one) => realmPerson(one, realm, nowMs),
    }
  },
}

/** They are made with a secret of this installation. */
function leftSubjects(clients: readonly Client[]): string[] {
  const pairwise = clients.filter(({ metadata }) => metadata.subject_type === 'pairwise').length
  const of = pairwise === 1 ? '1 application' : `${pairwise} applications`
  return pairwise === 0 ? [] : [`pairwise identifiers of people for ${of}, which will know them by others`]
}

export const systems: readonly string[] = Object.keys(formats)

export function exportPeople(
  context: CommandContext,
  command: Command,
  system: string,
  place: string | undefined,
  { realm }: Options,
): Promise<void> {
  return withStorage(context, command, async (workspace) => {
    const { storage, settings, event } = workspace
    const file = place === undefined ? undefined : resolve(context.cwd ?? process.cwd(), place)
    if (file !== undefined && existsSync(file)) throw new Refused(`${place} is there already.`)
    const nowMs = context.clock()
    const rpId = new URL(settings.oauth.issuer).hostname
    const format = await formats[system]?.(storage, { nowMs, name: realm ?? rpId, rpId })
    if (format === undefined) throw new Error(`no format ${system}`)
    // Before the first line: whoever reads the file has what the entry says.
    await storage.audit.append([event('data_exported', {}, { kind: system })])
    if (file === undefined) {
      report(context, format, await write(context, workspace, format, context.stdout))
      return
    }
    const out = createWriteStream(file, { flags: 'wx', mode: 0o600 })
    let isMade = false
    out.once('open', () => {
      isMade = true
    })
    try {
      const written = await write(context, workspace, format, out)
      out.end()
      await finished(out)
      report(context, format, written)
    } catch (error) {
      // Opening the file may be under way, and would make it after its removal.
      out.destroy()
      await finished(out).catch(() => {})
      if (isMade) rmSync(file, { force: true })
      const { code } = error as NodeJS.ErrnoException
      if (error === out.errored) throw new Refused(`${place} cannot be written (${code}).`)
      throw error
    }
  })
}

type Written = { readonly people: number; readonly left: ReadonlyMap<string, number>; readonly isShared: boolean }

async function write(
  context: CommandContext,
  { storage, settings }: Workspace,
  format: Format,
  out: NodeJS.WritableStream,
): Promise<Written> {
  let ring: Promise<KeyRing> | undefined
  const keys = () => {
    ring ??= openKeys(context, { storage, settings })
    return ring
  }
  let failed: unknown
  const fail = (error: unknown) => {
    failed = error
  }
  out.on('error', fail)
  const put = async (text: string): Promise<void> => {
    if (failed !== undefined) throw failed
    if (text !== '' && !out.write(text)) await once(out, 'drain')
  }
  const left = new Map<string, number>()
  let people = 0
  let isShared = false
  await put(format.beginning)
  for await (const one of leavingPeople({
    storage,
    keys,
    rules: factorRules(settings),
    asksForKeys: format.asksForKeys,
  })) {
    const made = format.person(one)
    for (const reason of made.left) left.set(reason, (left.get(reason) ?? 0) + 1)
    await put(`${people === 0 ? '' : format.between}${made.text}`)
    people += 1
    isShared ||= one.user.sharesEmail === true
    if (people % 500 === 0 && context.stderr.isTTY === true) context.stderr.write(`\r\u001b[K${people} people`)
  }
  await put(format.end(isShared))
  if (failed !== undefined) throw failed
  if (context.stderr.isTTY === true) context.stderr.write('\r\u001b[K')
  out.off('error', fail)
  return { people, left, isShared }
}

const factorRules = ({ accounts }: Settings): FactorRules => ({
  ...{ mode: accounts.secondFactor.mode, email: false, external: false, passkeys: accounts.passkeys === 'on' },
})

/** On standard error: standard output may be the file. */
function report(
  { stderr }: CommandContext,
  { left: always, shared }: Format,
  { people, left, isShared }: Written,
): void {
  const count = people === 1 ? '1 person' : `${people} people`
  stderr.write(`${count} exported, with password hashes and secrets of second factors: keep the file safe.\n`)
  if (isShared && shared !== undefined) stderr.write(`${shared}\n`)
  for (const what of always) stderr.write(`not exported: ${what}\n`)
  for (const [what, of] of left)
    stderr.write(`not exported, for ${of === 1 ? '1 person' : `${of} people`}: ${visible(what)}\n`)
}

async function readRealm(storage: Storage, name: string): Promise<LeavingRealm> {
  const [described, held, catalogue, { known: groups }, clients] = await Promise.all([
    storage.roles.list(),
    storage.userSearch.heldRoles(),
    storage.catalogue.now(),
    storage.groups.all(),
    storage.clients.list(),
  ])
  // Roles exist by being given, too.
  const roles = new Map([...held, ...linkedRoles(catalogue)].map((role) => [role, undescribedRole(role)]))
  for (const role of described) roles.set(role.name, role)
  return { name, roles: [...roles.values()], groups, clients, clientIds: new Set(clients.map(({ id }) => id)) }
}

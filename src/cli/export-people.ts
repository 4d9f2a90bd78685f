/** `latchkey export users` and `latchkey export keycloak`: everybody, with password hashes, as an import of that kind takes them. */
import { once } from 'node:events'
import { createWriteStream, existsSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { type LeavingPerson, leavingPeople } from '../import/leaving-people.ts'
import { type LeavingRealm, realmBeginning, realmEnd } from '../import/leaving-realm.ts'
import { realmPerson } from '../import/leaving-realm-person.ts'
import { userLine } from '../import/leaving-users.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import { clientType } from '../protocol/client/client.ts'
import { Refused } from '../server/refused.ts'
import type { Storage } from '../storage/port/storage.ts'
import { visible } from '../text.ts'
import { linkedRoles } from '../users/effective-roles.ts'
import { undescribedRole } from '../users/roles.ts'
import { type CommandContext, openKeys, type Workspace, withStorage } from './context.ts'

type Options = { readonly realm?: string }

/** How a file of a kind reads: its beginning, each person, and its end. */
type Format = {
  /** What does not leave, whoever the people are. */
  readonly left: readonly string[]
  readonly beginning: string
  readonly end: string
  readonly between: string
  person(one: LeavingPerson): { readonly text: string; readonly left: readonly string[] }
}

/** `rpId`: the host that passkeys belong to. */
type About = { readonly nowMs: number; readonly name: string; readonly rpId: string }

const formats: Readonly<Record<string, (storage: Storage, about: About) => Promise<Format>>> = {
  users: async (_storage, { nowMs, rpId }) => ({
    left: ['groups, roles that are described, attributes and clients: latchkey export writes them without a system'],
    beginning: '',
    end: '',
    between: '',
    person: (one) => ({ text: userLine(one, rpId, nowMs), left: one.left }),
  }),
  keycloak: async (storage, { nowMs, name, rpId }) => {
    const realm = await readRealm(storage, name)
    const confidential = realm.clients.filter((client) => clientType(client) === 'confidential').length
    return {
      left:
        confidential === 0
          ? []
          : [`secrets of applications (${confidential}), of which only hashes are stored: make new ones`],
      beginning: realmBeginning(realm, rpId),
      end: realmEnd,
      between: ',\n',
      person: (one) => realmPerson(one, realm, nowMs),
    }
  },
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
    const out = file === undefined ? context.stdout : createWriteStream(file, { flags: 'wx', mode: 0o600 })
    try {
      const { people, left } = await write(context, workspace, format, out)
      if (file !== undefined) await closed(out)
      report(context, people, format.left, left)
    } catch (error) {
      if (file !== undefined) rmSync(file, { force: true })
      const { code } = error as NodeJS.ErrnoException
      if (file !== undefined && code !== undefined) throw new Refused(`${place} cannot be written (${code}).`)
      throw error
    }
  })
}

async function write(
  context: CommandContext,
  { storage, settings }: Workspace,
  format: Format,
  out: NodeJS.WritableStream,
): Promise<{ readonly people: number; readonly left: ReadonlyMap<string, number> }> {
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
  await put(format.beginning)
  for await (const one of leavingPeople({ storage, keys })) {
    const made = format.person(one)
    for (const reason of made.left) left.set(reason, (left.get(reason) ?? 0) + 1)
    await put(`${people === 0 ? '' : format.between}${made.text}`)
    people += 1
    if (people % 500 === 0 && context.stderr.isTTY === true) context.stderr.write(`\r\u001b[K${people} people`)
  }
  await put(format.end)
  if (context.stderr.isTTY === true) context.stderr.write('\r\u001b[K')
  out.off('error', fail)
  return { people, left }
}

async function closed(out: NodeJS.WritableStream): Promise<void> {
  out.end()
  await once(out, 'close')
}

/** On standard error: standard output may be the file. */
function report(
  { stderr }: CommandContext,
  people: number,
  always: readonly string[],
  left: ReadonlyMap<string, number>,
): void {
  const count = people === 1 ? '1 person' : `${people} people`
  stderr.write(`${count} exported, with password hashes and secrets of second factors: keep the file safe.\n`)
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

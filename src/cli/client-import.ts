/** `latchkey client import`: registers clients from a file of client metadata (RFC 7591 §2). */
import type { Command } from 'commander'
import type { Problem } from '../problem.ts'
import type { KnownRules } from '../protocol/claims/known-rules.ts'
import type { Client } from '../protocol/client/client.ts'
import { type MemberChange, readOnlyMembers } from '../protocol/client/client-members.ts'
import { type RegistrationContext, registerClient } from '../protocol/client/client-registration.ts'
import { clientRecord } from '../protocol/client/records.ts'
import { isObject } from '../protocol/json-value.ts'
import { isRefusal } from '../refusal.ts'
import type { MintedSecret } from '../secrets/sealed-secret.ts'
import { Refused } from '../server/refused.ts'
import { eventsOfAdded, registrationContext, requireRoom, warnAbout } from './client-changes.ts'
import { mintSecret, publishKeys } from './client-keys.ts'
import { readJson, toSet } from './client-options.ts'
import { type CommandContext, withStorage } from './context.ts'
import { allowAdminOption } from './role.ts'

/** Bounds one commit. */
const clientsAtMost = 1000

type Document = Readonly<Record<string, unknown>>

export function registerImport(leaf: (signature: string, about: string) => Command, context: CommandContext): void {
  leaf('import <file>', 'register applications from a JSON file: one with its client_id, or an array of them')
    .option(...allowAdminOption)
    .action((file: string, options: { readonly allowAdmin?: boolean }, command: Command) =>
      withStorage(context, command, async ({ storage, settings, event, print }) => {
        const documents = documentsIn(readJson(context, 'client import', file))
        const minted: MintedSecret[] = []
        for (const document of documents) {
          minted.push(await mintSecret(context, { storage, settings }, changesIn(document)))
        }
        const read = await Promise.all(
          documents.map(async (document, at) => {
            const id = typeof document.client_id === 'string' ? document.client_id : ''
            const changes = changesIn(document)
            const hash = minted[at]?.stored ?? ''
            const judging = await registrationContext({ storage, settings }, changes, hash, context.clock(), options)
            return { id, changes, judging, isTaken: (await storage.clients.find(id)) !== undefined }
          }),
        )
        const clients = await storage.claimRules.addClients(
          (rules) => requireRoom({ storage, settings }, rules, registered(read, rules, context.clock())),
          (added) => added.flatMap((client) => eventsOfAdded(event, client)),
        )
        if (clients === 'taken') {
          throw new Refused('One of the clients was registered meanwhile. Nothing was imported.')
        }
        await warnAbout(context, { settings }, clients)
        for (const [at, client] of clients.entries()) warnOfReadOnly(context, documents[at] ?? {}, client)
        await publishKeys(context, { storage, settings }, clients)
        const records = clients.map((client, at) => {
          const hasSecret = client.authentication.method === 'client_secret'
          const secret = hasSecret ? { client_secret: minted[at]?.secret, client_secret_expires_at: 0 } : {}
          return { ...clientRecord(client, context.clock()), ...secret }
        })
        const secrets = records.flatMap((one) =>
          'client_secret' in one ? [`\nThe secret of ${one.client_id}, shown only once: ${one.client_secret}`] : [],
        )
        print(records, `Imported ${clients.map(({ id }) => id).join(', ')}.${secrets.join('')}`)
      }),
    )
}

type ReadClient = {
  readonly id: string
  readonly changes: readonly MemberChange[]
  readonly judging: RegistrationContext
  readonly isTaken: boolean
}

/** Throws `Refused` with the problems of all of them. */
function registered(read: readonly ReadClient[], rules: KnownRules, nowMs: number): readonly Client[] {
  const clients: Client[] = []
  const problems: Problem[] = []
  const taken = new Set<string>()
  for (const [at, { id, changes, judging, isTaken }] of read.entries()) {
    // They may name one another.
    const missingClients = (judging.missingClients ?? []).filter((one) => !read.some((other) => other.id === one))
    const judged = registerClient(id, changes, { ...judging, missingClients, rules }, nowMs)
    if (isRefusal(judged)) problems.push(...named(id, at, judged.problems))
    else if (taken.has(id) || isTaken) {
      problems.push(...named(id, at, [{ member: 'client_id', message: 'There is a client with this id already.' }]))
    } else clients.push(judged)
    taken.add(id)
  }
  if (problems.length > 0) throw Refused.because(problems)
  return clients
}

function documentsIn(json: unknown): Document[] {
  const documents: unknown[] = Array.isArray(json) ? json : [json]
  if (documents.length === 0 || documents.length > clientsAtMost || !documents.every(isObject)) {
    throw new Refused(`The file must contain an object with client_id, or an array of 1 to ${clientsAtMost} of them.`)
  }
  return documents
}

/** What follows from other members comes back as it was read, or otherwise: then it is said that it was not taken. */
function warnOfReadOnly({ clock, stderr }: CommandContext, document: Document, client: Client): void {
  const record: Document = clientRecord(client, clock())
  const others = readOnlyMembers.filter(
    (member) => Object.hasOwn(document, member) && JSON.stringify(document[member]) !== JSON.stringify(record[member]),
  )
  if (others.length === 0) return
  stderr.write(`warning: ${client.id}: not taken, because nobody sets it: ${others.join(', ')}\n`)
}

/** Leaves out what `client show --json` prints besides the members that can be set. */
function changesIn(document: Document): MemberChange[] {
  return toSet(
    Object.fromEntries(
      Object.entries(document).filter(([member]) => !(readOnlyMembers as readonly string[]).includes(member)),
    ),
  )
}

function named(id: string, at: number, problems: readonly Problem[]): Problem[] {
  const name = id === '' ? `client ${at + 1}` : id
  return problems.map(({ member, message }) => ({ member, message: `${name}: ${message}` }))
}

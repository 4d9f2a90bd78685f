/** `/setup`: what is to do in a new installation, until an operator has seen to it. */
import { addressFault } from '../mail/operator-mails.ts'
import { isLoopbackHost } from '../protocol/loopback.ts'
import { refuse } from '../protocol/refusals/index.ts'
import { demo } from '../settings/demo.ts'
import type { SetUpMark } from '../storage/port/set-up.ts'
import type { Storage } from '../storage/port/storage.ts'
import { type Call, type Operation, type Outcome, operation } from './operation.ts'
import { named, nullable, strictObject } from './schemas.ts'
import { Type } from './type.ts'
import { overMailLimit } from './user-facts.ts'

/** In the order in which they are shown. */
const points = ['second_factor', 'application', 'people', 'mail', 'address', 'backup', 'keys'] as const

/** What an operator can say. */
const marks = ['hidden', 'mail', 'backup', 'keys'] as const satisfies readonly SetUpMark[]
type Mark = (typeof marks)[number]
const isMark = (name: string): name is Mark => (marks as readonly string[]).includes(name)

const setupSchema = named(
  'Setup',
  strictObject({
    hidden: Type.Boolean({ description: 'Whether the console leaves the list out.' }),
    points: Type.Array(
      strictObject({
        point: Type.Enum([...points]),
        done: Type.Boolean({ description: '`second_factor`: of the caller.' }),
      }),
    ),
    issuer: Type.String(),
    mail: strictObject({
      enabled: Type.Boolean({ description: 'Whether `Mail:Url` is set.' }),
      test: nullable(
        strictObject({
          state: Type.Enum(['queued', 'sent', 'failed']),
          error: nullable(Type.String()),
        }),
      ),
    }),
  }),
)

export const setupOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/setup',
    permission: 'admin:read',
    summary: 'Returns what is to do in a new installation, and the newest test mail',
    status: 200,
    answer: setupSchema,
    run: read,
  }),
  operation({
    method: 'POST',
    path: '/setup/marks/:mark',
    permission: 'admin:write',
    summary: 'Says that `mail`, `backup` or `keys` is seen to, or that the list is to be left out (`hidden`)',
    status: 204,
    refusals: [404],
    run: (call) => change(call, true),
  }),
  operation({
    method: 'DELETE',
    path: '/setup/marks/:mark',
    permission: 'admin:write',
    summary: 'Takes that back',
    status: 204,
    refusals: [404],
    run: (call) => change(call, false),
  }),
  operation({
    method: 'POST',
    path: '/setup/test-mail',
    permission: 'admin:write',
    summary: 'Queues a test mail to the caller',
    status: 202,
    answer: strictObject({ email: Type.String() }),
    refusals: [409, 429],
    run: sendTest,
  }),
]

async function read({ service, caller, nowMs }: Call): Promise<Outcome> {
  const { storage, settings, mail } = service
  const id = caller.user?.id
  const [done, factors, passkeys, totals, mails, demonstrated] = await Promise.all([
    storage.setUp.marks(),
    id === undefined ? undefined : storage.secondFactors.find(id),
    id === undefined ? [] : storage.passkeys.list(id),
    storage.statistics.totals(nowMs),
    storage.mails.list(),
    demoRecords(storage),
  ])
  const { issuer } = settings.oauth
  const { protocol, hostname } = new URL(issuer)
  const { masterKey, masterKeyFile } = settings.keys
  const states: Readonly<Record<(typeof points)[number], boolean>> = {
    second_factor: (factors?.totp ?? null) !== null || passkeys.length > 0,
    // The console is one.
    application: totals.clients - demonstrated.clients > 1,
    people: totals.people - demonstrated.people > 1,
    mail: mail.enabled && (done.has('mail') || mails.some(({ state }) => state === 'sent')),
    address: protocol === 'https:' && !isLoopbackHost(hostname),
    backup: done.has('backup'),
    keys: masterKey !== null || masterKeyFile !== null || done.has('keys'),
  }
  const test = mails.find(({ purpose }) => purpose === 'test')
  const body = {
    hidden: done.has('hidden'),
    points: points.map((point) => ({ point, done: states[point] })),
    issuer,
    mail: { enabled: mail.enabled, test: test === undefined ? null : { state: test.state, error: test.error } },
  }
  return { body }
}

/** Counts the records that `--demo` added, which complete no step of the set-up. */
async function demoRecords({
  clients,
  users,
}: Storage): Promise<{ readonly clients: number; readonly people: number }> {
  const client = await clients.find(demo.clientId)
  if (client?.redirectUris.every((uri) => uri.startsWith(`${demo.origin}/`)) !== true) return { clients: 0, people: 0 }
  return { clients: 1, people: (await users.findByName(demo.userName)) === undefined ? 0 : 1 }
}

async function change(call: Call, isDone: boolean): Promise<Outcome> {
  const { service, params, nowMs } = call
  const { mark = '' } = params
  if (!isMark(mark)) return refuse('admin_record_unknown', 'mark', { id: mark })
  const event = call.event('setup_changed', {}, { mark, done: isDone })
  const { setUp } = service.storage
  await (isDone ? setUp.mark(mark, nowMs, [event]) : setUp.unmark(mark, [event]))
  return {}
}

/** To the caller alone: nobody else gets a mail by it. */
async function sendTest(call: Call): Promise<Outcome> {
  const { service, caller } = call
  if (!service.mail.enabled) return refuse('admin_mail_off')
  const user = caller.user && (await service.storage.users.find(caller.user.id))
  const rule = user === undefined ? 'is a program' : addressFault(user)
  if (user === undefined || rule !== undefined) return refuse('admin_mail_nowhere', 'email', { rule: rule ?? '' })
  const limited = await overMailLimit(call, user.email, 'link')
  if (limited !== undefined) return limited
  const language = service.settings.pages.defaultLanguage
  const asked = call.event('setup_changed', { userId: user.id }, { mark: 'mail', test: true })
  await service.storage.audit.append([service.mail.withMail(asked, { to: user.email, purpose: 'test', language })])
  return { body: { email: user.email } }
}

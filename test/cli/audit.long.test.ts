import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { userInfo } from 'node:os'
import { PassThrough } from 'node:stream'
import { describe, it, type TestContext } from 'node:test'
import { main } from '../../src/main.ts'
import { aBrowser, anEvent, aSession } from '../storage/records.ts'
import { placeAfter, type Workplace, workplace } from './run.ts'

type PrintedEntry = {
  readonly kind: string
  readonly user_id: string | null
  readonly client_id: string | null
  readonly at: string
  readonly details: Record<string, unknown>
}

/** A folder in which each command runs a second after the one before. */
function workplaceOverTime(t: TestContext): Workplace {
  const place = workplace(t)
  const { run } = place
  place.run = (line, input) => {
    place.nowMs += 1000
    return run(line, input)
  }
  return place
}

const list = async (place: Workplace, options = '') => (await place.json(`audit list ${options}`)) as PrintedEntry[]

describe('latchkey audit list', () => {
  it('has what every command changed, and who ran it', async (t) => {
    const place = workplaceOverTime(t)
    assert.match((await place.run('audit list')).stdout, /No entries match/)
    await place.run('scope add read')
    await place.run('client add app --redirect-uri https://a.example/ --scope read')
    await place.run('user add alice --email a@b --no-password')
    await place.run('user lock alice')
    await place.run('user unlock alice')
    await place.run('user add-role alice admin')
    await place.run('user add-role alice admin')
    await place.run('user remove-role alice admin')
    await place.run('user set-password alice --password-stdin', { stdin: 'correct horse battery' })
    await place.run('user forget-browsers alice')
    await place.withStorage(async ({ users }) => {
      const user = await users.findByName('alice')
      assert.ok(user)
      await users.recordSignIn({ user }, () => ({ outcome: 'in', session: aSession(user), browser: aBrowser(user) }))
    })
    await place.run('user forget-browsers alice')
    await place.run('user delete alice --yes')
    await place.run('client delete app --yes')
    await place.run('scope delete read --yes')
    await place.run('scope delete read --yes')
    await place.run('keys rotate')
    const entries = await list(place)
    assert.deepEqual(
      entries.map(({ kind, details }) => `${kind} ${details.change ?? ''}`.trim()),
      [
        'scope_added',
        'client_added',
        'user_added',
        'user_changed locked',
        'user_changed unlocked',
        'user_changed role_added',
        'user_changed role_removed',
        'user_changed password_set',
        'user_changed browsers_forgotten',
        'user_deleted',
        'client_deleted',
        'scope_deleted',
        'keys_created',
        'keys_rotated',
      ],
    )
    for (const { details } of entries) assert.equal(details.actor, userInfo().username)
    assert.ok(!JSON.stringify(entries).includes('correct horse'))
    assert.match((await place.run('audit verify')).stdout, /^The audit trail is intact: 14 entries of 13 writers/)
  })

  it('filters by time, kind, user, client and trace id, and shows the latest', async (t) => {
    const place = await placeAfter(t, 'user add alice --email a@b --no-password')
    const alice = await place.withStorage(async (storage) => {
      const id = (await storage.users.findByName('alice'))?.id ?? ''
      await storage.audit.append([
        anEvent({ atMs: place.nowMs + 1000, kind: 'sign_in', userId: id, traceId: 'trace-1' }),
        anEvent({ atMs: place.nowMs + 2000, kind: 'refusal', clientId: 'app', traceId: 'trace-2' }),
        anEvent({ atMs: place.nowMs + 3000, details: { text: '\u001b[2J\u202eevil' } }),
      ])
      return id
    })
    const kinds = async (options: string) => (await list(place, options)).map(({ kind }) => kind)
    assert.deepEqual(await kinds('--user ALICE'), ['user_added', 'sign_in'])
    assert.deepEqual(await kinds(`--user ${alice} --kind sign_in`), ['sign_in'])
    assert.deepEqual(await kinds('--client app'), ['refusal'])
    assert.deepEqual(await kinds('--trace trace-1'), ['sign_in'])
    assert.deepEqual(await kinds('--trace trace-2'), ['refusal'])
    assert.deepEqual(await kinds('--since 2027-01-01T00:00:01Z --until 2027-01-01T00:00:02Z'), ['sign_in', 'refusal'])
    assert.deepEqual(await kinds('--limit 2'), ['refusal', 'tokens_issued'])
    const { stdout } = await place.run('audit list --limit 1')
    assert.match(
      stdout,
      /^TIME +KIND +USER +CLIENT +ADDRESS +TRACE +DETAILS\n2027-01-01T00:00:03.000Z {2}tokens_issued/,
    )
    // Nothing that a terminal would obey.
    assert.doesNotMatch(stdout.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u)
    await place.misuses('audit list --limit 0', /whole number, 1 or more/)
    await place.misuses('audit list --since yesterday', /2030-01-31T12:00:00Z/)
  })

  it('goes on with what comes, one entry a line, until it is interrupted', async (t) => {
    const place = await placeAfter(t, 'scope add before')
    const [stdout, stderr, stdin] = [new PassThrough(), new PassThrough(), new PassThrough()]
    const interruption = new AbortController()
    const context = { stdin, stdout, stderr, env: {}, cwd: place.folder, clock: () => place.nowMs, random: randomBytes }
    const ended = main(['audit', 'list', '--follow', '--json'], { ...context, interrupted: interruption.signal })
    const lines: PrintedEntry[] = []
    for await (const chunk of stdout) {
      for (const line of String(chunk).trimEnd().split('\n')) lines.push(JSON.parse(line))
      if (lines.length === 1) await place.run('scope add during')
      if (lines.length === 2) break
    }
    interruption.abort()
    assert.equal(await ended, 0)
    assert.deepEqual(
      lines.map(({ details }) => details.name),
      ['before', 'during'],
    )
  })
})

describe('latchkey audit checkpoint', () => {
  it('signs what is there, prints what to keep elsewhere, and a backup carries all of it', async (t) => {
    const place = workplaceOverTime(t)
    await place.run('scope add read')
    const { stdout } = await place.run('audit checkpoint')
    const hash = /^hash +([\w-]{43})$/m.exec(stdout)?.[1]
    assert.match(stdout, /audit verify --anchor/)
    assert.match((await place.run(`audit verify --anchor ${hash}`)).stdout, /1 checkpoints are valid/)
    await place.refuses(`audit verify --anchor ${'x'.repeat(43)}`, /checkpoint 2 was removed/)
    await place.run('db backup copy.db')
    await place.run('scope add later')
    assert.equal((await place.run('db restore copy.db --force')).code, 0)
    const names = (await list(place)).map(({ kind }) => kind)
    assert.deepEqual(names.at(-1), 'database_restored')
    assert.match((await place.run(`audit verify --anchor ${hash}`)).stdout, /1 entries after it are not signed yet/)
  })

  it('can be verified after the master key was lost, by who says which key to trust', async (t) => {
    const place = await placeAfter(t, 'scope add read', 'audit checkpoint')
    const [lost] = ((await place.json('keys list')) as { use: string; id: string }[]).filter(
      ({ use }) => use === 'audit',
    )
    const env = { Keys__MasterKey: Buffer.alloc(32, 9).toString('base64') }
    assert.equal((await place.run('keys rotate --lost-master-key', { env })).code, 0)
    assert.equal((await place.run('audit checkpoint', { env })).code, 0)
    await place.refuses('audit verify', /checkpoint 1 is forged: its signature/, { env })
    const { stdout } = await place.run(`audit verify --trust ${lost?.id}`, { env })
    assert.match(stdout, /2 checkpoints are valid/)
  })
})

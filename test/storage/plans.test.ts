/** Every statement on the way of a request finds its rows by an index, as each engine itself says. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import postgres from 'postgres'
import { newTail } from '../../src/audit/chain.ts'
import { entryColumns } from '../../src/storage/audit-rows.ts'
import type { Engine } from '../../src/storage/engine.ts'
import { recording } from '../../src/storage/postgres/audit.ts'
import { gatheredChange } from '../../src/storage/postgres/gathered-changes.ts'
import { gatheredText } from '../../src/storage/postgres/gathered-readings.ts'
import '../../src/storage/postgres/statements.ts'
import { grantTypes } from '../../src/storage/sql/grant-row.ts'
import type { Dialect, Statement } from '../../src/storage/sql/statement.ts'
import { sqlStorage } from '../../src/storage/sql/storage.ts'
import { tables } from '../../src/storage/sql/tables.ts'
import { adminProgram } from '../support/admin.ts'
import { postgresServer } from '../support/postgres.ts'
import { startService, testUser } from '../support/service.ts'
import { openInMemory } from '../support/sqlite.ts'
import { statements } from '../support/statements.ts'

/** The verbs of the port, and those of their compiled statements that look something up. */
const hotPath: Readonly<Record<string, string>> = {
  'authorizations.findForRequest': 'authorizations.forRequest',
  'authorizations.store': 'authorizations.standing',
  'authorizations.store, when nothing was stored': 'authorizations.parties',
  'grants.findForExchange': 'grants.forExchange',
  'grants.findForRefresh': 'grants.forRefresh',
  'grants.redeem': 'grants.insertGrant',
  'grants.rotate': 'grants.rotateChain',
  'grants.revoke': 'grants.revokeGrant',
  'deviceCodes.findForPoll': 'device-codes.forPoll',
  'deviceCodes.findByUserCode': 'device-codes.byUserCode',
  'deviceCodes.answer': 'device-codes.answerCode',
  'deviceCodes.answer, of an approval': 'device-codes.holdSession',
  'accessTokens.isRevoked': 'access-tokens.standing',
  'accessTokens.isClientTokenRevoked': 'access-tokens.standingOfClient',
  'pushedRequests.find': 'pushed-requests.byId',
  'pushedRequests.complete': 'pushed-requests.complete',
  'confirmations.find': 'confirmations.byId',
  'confirmations.countAttempt': 'confirmations.countAttempt',
  'confirmations.confirm': 'confirmations.confirm',
  'confirmations.remove': 'confirmations.remove',
  'users.update, with an end of sessions': 'user-ends.deletePending',
  'confirmations.changeNames': 'confirmations.removeUndos',
  'confirmations.changeNames, of a held address': 'user-names.rename',
  'sessions.end, of what was begun': 'begun.ofSession',
  'sessions.delete, of what was begun': 'begun.ofSignOut',
  'users.update, of what was begun': 'begun.ofUser',
  'passwordKinds.list': 'password-kinds.after',
  'passwordKinds.count': 'password-kinds.count',
  'mails.due': 'mails.due',
  'mails.page': 'mails.page-newest',
  'mails.page, oldest first': 'mails.page-oldest',
  'mails.page, in a state': 'mails.pageInState-newest',
  'mails.page, in a state, oldest first': 'mails.pageInState-oldest',
  'mails.retry': 'mails.retry',
  'mails.withdraw': 'mails.withdraw',
  'invitations.page': 'invitations.page-newest',
  'invitations.page, oldest first': 'invitations.page-oldest',
  'invitations.ofSubject': 'invitations.bySubject',
  'mails.claim': 'mails.claim',
  'mails.takePlaces': 'places.taken',
  'places.take': 'places.taken',
  'places.free': 'places.free',
  'users.delete': 'deletions.confirmations',
  'registrations.findToken': 'registrations.tokenById',
  'registrations.register': 'registrations.useToken',
  'registrations.find': 'registrations.byId',
  'registrations.replace': 'registrations.rotate',
  'registrations.keep': 'registrations.keep',
  'registrations.delete': 'registrations.remove',
  'passkeys.list': 'passkeys.ofUser',
  'passkeys.findForSignIn': 'passkeys.candidate',
  'passkeys.add': 'passkeys.insert',
  'passkeys.rename': 'passkeys.rename',
  'passkeys.remove': 'passkeys.remove',
  'sessions.find': 'sessions.withUser',
  'sessions.renew': 'sessions.renewSession',
  'sessions.delete': 'sessions.deleteSession',
  'sessions.ofUser': 'sessions.ofUser',
  'sessions.endOthers': 'sessions.deleteOthers',
  'sessions.end, of grants': 'sessionGrants.endIn',
  'sessions.endOthers, of grants': 'sessionGrants.endElsewhere',
  'knownBrowsers.list': 'known-browsers.ofUser',
  'knownBrowsers.forget': 'known-browsers.removeOne',
  'externalLogins.list': 'external-logins.ofUser',
  'externalLogins.link': 'external-logins.insertOnly',
  'externalLogins.unlink': 'external-logins.remove',
  'applications.list, of consents': 'applications.consents',
  'applications.list, of grants': 'applications.grants',
  'applications.remove, of consents': 'applications.deleteConsents',
  'applications.remove, of grants': 'applications.revokeGrants',
  'audit.activity': 'audit.activity',
  'audit.last': 'audit.last',
  'clientActivity.ofClients': 'client-activity.ofClients',
  'clientActivity.usedAmong': 'client-activity.usedAmong',
  'clientActivity.byDay': 'client-activity.byDay',

  'deletions.due': 'deletions.due',
  'deletions.delete': 'deletions.dueUser',
  'deletions.delete, of mails': 'deletions.mails',
  'personalData.read, of grants': 'personal-data.grants',
  'personalData.read, of confirmations': 'personal-data.confirmations',
  'personalData.read, of mails': 'personal-data.mails',
  'clients.find': 'clients.byId',
  'clients.page': 'clients.page500',
  'clients.ruled': 'clients.ruled',
  'clients.shapes': 'clients.shapes',
  'clients.webOrigins': 'clients.withOrigins',
  'clients.page, of the first': 'clients.page64',
  'clientLists.inOrder, by name': 'client-lists.name500',
  'clientLists.inOrder, by name backwards': 'client-lists.-name64',
  'clientLists.inOrder, by time': 'client-lists.created_at500',
  'clientLists.inOrder, by time backwards': 'client-lists.-created_at64',
  'users.find': 'users.byId',
  'users.findByName': 'users.byName',
  'users.findByExternalLogin': 'users.byExternalLogin',
  'users.findForSignIn': 'candidates.byNameOrEmail',
  'users.findForSignIn, by an external login': 'candidates.byExternalLogin',
  'users.recordSignIn': 'users.updateUser',
  'users.recordSignIn, when the user was stale': 'candidates.byId',
  'users.recordSignIn, with a browser': 'known-browsers.update',
  'users.recordSignIn, with a new browser': 'known-browsers.removeSurplus',
  'users.forgetBrowsers': 'known-browsers.removeAll',
  'users.recordSignIn, with a session': 'sessions.insertAt',
  'users.recordSignIn, with many sessions': 'sessions.lockUser',
  'users.recordSignIn, with too many sessions': 'sessions.removeSurplus',
  'users.registerExternal': 'user-names.insertUser',
  'users.registerExternal, when something is taken': 'user-names.holders',
  'users.page, by name': 'user-pages.normalized_name500',
  'users.page, by address': 'user-pages.normalized_email500',
  'users.page, of the first by name': 'user-pages.normalized_name64',
  'users.page, of the first by address': 'user-pages.normalized_email64',
  'users.update, of a full name': 'search-keys.removeAll',
  'removals.goOn, of words of values': 'search-keys.removeSome',
  'userLists.inState, locked': 'user-lists.locked500',
  'userLists.inState, unconfirmed': 'user-lists.unconfirmed500',
  'userLists.count, of locked': 'user-lists.countLocked',
  'userLists.count, of unconfirmed': 'user-lists.countUnconfirmed',
  'userLists.namesBefore': 'user-lists.namesBefore500',
  'userLists.newer': 'user-lists.newer500',
  'userLists.older': 'user-lists.older500',
  'userLists.lastSignIns, by session': 'user-lists.bySession',
  'userLists.lastSignIns, by browser': 'user-lists.byBrowser',
  'userLists.window, with a factor': 'user-windows.withFactor',
  'userLists.window, without a factor': 'user-windows.withoutFactor',
  'userLists.window, signed in since': 'user-windows.signedInSince',
  'userLists.window, not signed in since': 'user-windows.notSignedInSince',
  'userLists.window, in a group': 'user-windows.inGroup',
  'userLists.window, from a source': 'user-windows.from',
  'userLists.window, to its end': 'user-windows.end',
  'userLists.window, of people': 'user-windows.people',
  'userLists.fromSource': 'user-windows.fromSource',
  'userSearch.page': 'user-pages.keys500',
  'userSearch.page, of the first': 'user-pages.keys64',
  'userSearch.page, of people': 'user-search.people',
  'userSearch.holders': 'role-holders.under',
  'userSearch.given': 'role-holders.given',
  'userSearch.isHeld': 'user-search.firstUnder',
  'userSearch.withSecondFactor, by app': 'user-search.withApp',
  'userSearch.withSecondFactor, by passkey': 'user-search.withPasskey',
  'userSearch.fillNext': 'user-search.nextPeople',
  'userSearch.fillNext, of keys': 'user-search.keysOf',
  'roles.deleteEverywhere, of keys': 'search-keys.removeUnder',
  'roles.dependents, of names': 'dependents.namesOfHolders',
  'clients.dependents, of grants': 'dependents.fewGrantsOf',
  'clients.dependents, of consents': 'dependents.fewConsentsOf',
  'clients.delete, of grants': 'removals.grantsOfClient',
  'clients.delete, of consents': 'removals.consentsOfClient',
  'clients.delete, of sessions': 'session-clients.forgetOfClient',
  'removals.goOn, of grants': 'removals.fromGrants',
  'removals.goOn, of consents': 'removals.fromConsents',
  'catalogue.now': 'catalogue.version',
  'groups.members': 'groups.membersAfter',
  'groups.ofUser': 'groups.ofUser',
  'groups.addMembers': 'groups.insertMember',
  'groups.addMembers, of the person': 'groups.lockPerson',
  'groups.addMembers, of what is there': 'groups.stateOf',
  'groups.removeMember': 'groups.deleteMember',
  'removals.goOn, of members': 'removals.membersOfGroup',
  'removals.goOn, of people': 'removals.fromUsers',
  'removals.goOn, of keys': 'removals.keysOfRole',
  'accessPages.sessions': 'access-pages.sessions',
  'accessPages.sessions, of a person': 'access-pages.sessionsOfUser',
  'accessPages.sessionsOfPeople': 'access-pages.sessionsOfPeople',
  'accessPages.grants': 'access-pages.grants',
  'accessPages.grants, of a person': 'access-pages.grantsOfUser',
  'accessPages.grants, of people': 'access-pages.people',
  'accessPages.grants, of consents': 'access-pages.standing',
  'accessPages.authorizations': 'access-pages.authorizations',
  'accessPages.authorizations, of a person': 'access-pages.authorizationsOfUser',
  'accessPages.ofClient, of grants': 'access-pages.grantsOfClient',
  'accessPages.ofClient, of consents': 'access-pages.authorizationsOfClient',
  'accessPages.findGrant': 'access-pages.grant',
  'accessPages.findAuthorization': 'access-pages.authorization',
  'scopes.findMany': 'scopes.byNames',
  'audit.list, of a refusal': 'audit.refusalsOfTrace',
  'audit.list': 'audit.filtered',
  'audit.page': 'audit.latest',
  'audit.page, since a time': 'audit.page',
  'audit.newest, of refusals': 'audit.newestRefusals',
  'audit.page, with filters': 'audit.horizon',
  'audit.stored': 'audit.stored',
  'audit.cut': 'audit.removeBefore',
  sweep: 'sweep.window.grants',
  'sweep, of what expired': 'sweep.remove.grants',
}

function textOf(dialect: Dialect, name: string): string {
  const statement = statements[dialect][name]
  assert.ok(statement, `there is no statement ${name}`)
  return statement.text
}

/** The statements that PostgreSQL runs for several requests at once. */
const gathered: readonly string[] = [
  'access-tokens.forIntrospection',
  'access-tokens.holder',
  'authorizations.forRequest',
  'clients.byId',
  'grants.forExchange',
  'grants.forRefresh',
  'sessions.withUser',
  'users.byId',
]

/**
 * Tables of few rows, which are read as a whole: what an operator declares. All but the keys are the catalogue, which a process reads
 * once for each of its versions.
 */
const smallTables: readonly string[] = ['keys', 'attributes', 'groups', 'roles', 'scopes', 'resources']

/** Some of the statements that `GET /doctor` and `GET /stats` run, so that none of them is missing from those below. */
const overview = [
  'audit.newestRefusals',
  'keys.all',
  'password-kinds.after',
  'password-kinds.count',
  'weak-passwords.window',
  'user-search.fill',
  'statistics.byHour',
  'statistics.byDay',
  'statistics.people',
  'statistics.clients',
  'statistics.sessions',
  'statistics.grants',
]

/** Returns what a service runs on its database for `GET /doctor` and `GET /stats`, whatever that is. */
async function runForOverview(): Promise<readonly Statement[]> {
  const { engine, appliedMigrations } = await openInMemory()
  const run = new Map<string, Statement>()
  const noted = <One extends Statement>(statement: One): One => {
    run.set(statement.toSql('sqlite').text, statement)
    return statement
  }
  const watched: Engine = {
    ...engine,
    read: (statement) => engine.read(noted(statement)),
    commit: (all, ...more) => engine.commit(all.map(noted), ...more),
  }
  const service = await startService({}, { storage: sqlStorage({ engine: watched, appliedMigrations }) })
  try {
    const passwordHash = `$2b$10$${'a'.repeat(53)}`
    await service.storage.users.create(testUser({ name: 'foreign', email: 'foreign@example.com', passwordHash }))
    const admin = await adminProgram(service, ['admin:read'])
    run.clear()
    for (const path of ['/doctor', '/stats', '/stats?step=day']) assert.equal((await admin.get(path)).status, 200)
    return [...run.values()]
  } finally {
    await service.stop()
  }
}
const ranForOverview = await runForOverview()

/** Returns the large tables that the overview reads from one end to the other. */
async function scannedForOverview(
  dialect: Dialect,
  planOf: (text: string) => Promise<{ readonly scanned: readonly (string | undefined)[] }>,
): Promise<readonly (string | undefined)[]> {
  const texts = ranForOverview.map((statement) => statement.toSql(dialect).text)
  for (const name of overview) assert.ok(texts.includes(textOf(dialect, name)), `${name} was not run`)
  const plans = []
  for (const text of texts) plans.push(await planOf(text))
  return plans.flatMap(({ scanned }) => scanned).filter((table) => !smallTables.includes(table ?? ''))
}

/** Another index finds the same people among all others. */
const indexOfOrder = {
  'client-lists.name500': 'clients_by_name',
  'client-lists.-created_at500': 'clients_by_created',
  'user-lists.locked500': 'users_locked',
  'user-lists.unconfirmed500': 'users_unconfirmed',
  'user-lists.countLocked': 'users_locked',
  'user-lists.countUnconfirmed': 'users_unconfirmed',
}

describe('plans on SQLite', async () => {
  const { engine } = await openInMemory()
  after(() => engine.close())

  /** The tables that are read from one end to the other, and how many are searched by an index. */
  async function planOf(text: string) {
    const explain = { mustChange: false, toSql: () => ({ text: `explain query plan ${text}`, parameters: [] }) }
    const details = (await engine.read<{ detail: string }>(explain)).map(({ detail }) => detail)
    const scanned = details.flatMap((detail) => tables.filter((table) => detail.startsWith(`SCAN ${table}`)))
    return { scanned, searches: details.filter((detail) => /^SEARCH .* USING .*INDEX/.test(detail)).length }
  }

  for (const [verb, name] of Object.entries(hotPath)) {
    it(`search by an index in ${verb}`, async () => {
      const { scanned, searches } = await planOf(textOf('sqlite', name))
      assert.deepEqual(scanned, [])
      assert.ok(searches > 0)
    })
  }

  it('take the indexes that are there for an order', async () => {
    for (const [name, index] of Object.entries(indexOfOrder)) {
      const explain = {
        mustChange: false,
        toSql: () => ({ text: `explain query plan ${textOf('sqlite', name)}`, parameters: [] }),
      }
      assert.match(JSON.stringify(await engine.read(explain)), new RegExp(index), name)
    }
  })

  it('read no large table as a whole for GET /doctor and GET /stats', async () => {
    assert.deepEqual(await scannedForOverview('sqlite', planOf), [])
  })

  it('would show a scan: users by their e-mail address as it was written', async () => {
    assert.deepEqual((await planOf('select id from users where email = ?')).scanned, ['users'])
  })
})

describe('plans on PostgreSQL', async () => {
  const server = await postgresServer()
  const sql = postgres(await server.createDatabase(), { max: 1, onnotice: () => {} })
  await fill(sql)
  after(async () => {
    await sql.end()
    await server.stop()
  })

  /** The plan for whatever values, which a prepared statement is run with. */
  async function planOf(text: string) {
    const rows = await sql.unsafe<Explained[]>(`explain (generic_plan, format json) ${text}`).simple()
    const nodes = nodesOf(rows[0]?.['QUERY PLAN'][0]?.Plan)
    return {
      scanned: nodes.flatMap((node) => (node['Node Type'] === 'Seq Scan' ? [node['Relation Name']] : [])),
      searches: nodes.filter((node) => /Index/.test(node['Node Type'])).length,
    }
  }

  it('take the indexes that are there for an order', async () => {
    for (const [name, index] of Object.entries(indexOfOrder)) {
      const text = `explain (generic_plan, format json) ${textOf('postgres', name)}`
      assert.match(JSON.stringify(await sql.unsafe(text).simple()), new RegExp(index), name)
    }
  })

  for (const [verb, name] of Object.entries(hotPath)) {
    it(`search by an index in ${verb}`, async () => {
      const { scanned, searches } = await planOf(textOf('postgres', name))
      assert.deepEqual(scanned, [])
      assert.ok(searches > 0)
    })
  }

  // For several requests they are other statements.
  it('search by an index in what reads for several requests', async () => {
    assert.equal(gathered.length, 8)
    for (const name of gathered) {
      const { text, parameters } = statements.postgres[name] ?? assert.fail(name)
      const places = parameters.map((at) => ('name' in at ? { type: 'text' as const } : at.value))
      const statement = { mustChange: false, toSql: () => ({ text, parameters: [] }), gathered: () => places }
      const { scanned, searches } = await planOf(gatheredText(statement))
      assert.deepEqual(scanned, [], name)
      assert.ok(searches > 0, name)
    }
  })

  it('search by an index in what changes something for several requests, with the entries that theirs continue', async () => {
    for (const name of ['grants.insertGrant', 'grants.rotateChain']) {
      const { text, parameters } = statements.postgres[name] ?? assert.fail(name)
      const types = grantTypes as Readonly<Record<string, 'text' | 'bigint'>>
      const places = parameters.map((at) => ('name' in at ? { type: types[at.name] ?? ('bigint' as const) } : at.value))
      const statement: Statement = {
        mustChange: true,
        toSql: () => ({ text, parameters: parameters.map(() => null) }),
        gathered: () => places,
        changed: { column: 'id', key: null },
      }
      const { scanned, searches } = await planOf(gatheredChange({ statement, entries: [] }))
      assert.deepEqual(scanned, [], name)
      assert.ok(searches > 1, name)
    }
  })

  // With their audit entry they are another statement, and that is the one that runs.
  for (const name of ['grants.insertGrant', 'grants.rotateChain', 'grants.revokeGrant']) {
    it(`search by an index in ${name} with its audit entry`, async () => {
      const bare = textOf('postgres', name)
      const parameters = Array.from({
        length: Math.max(...(bare.match(/\$\d+/g) ?? []).map((one) => Number(one.slice(1)))),
      })
      const values = entryColumns.map(() => null)
      // The first of a chain, and one that continues it.
      for (const after of [undefined, newTail('acts')]) {
        const { text } = recording(
          { text: bare, parameters: parameters.fill(null) as null[] },
          {
            entries: [{ values, after }],
            mails: [],
          },
        )
        const { scanned, searches } = await planOf(text)
        assert.deepEqual(scanned, [])
        assert.ok(searches > 0)
      }
    })
  }

  it('read no large table as a whole for GET /doctor and GET /stats', async () => {
    assert.deepEqual(await scannedForOverview('postgres', planOf), [])
  })

  it('would show a scan: users by their e-mail address as it was written', async () => {
    assert.deepEqual((await planOf('select id from users where email = $1')).scanned, ['users'])
  })
})

type Explained = { readonly 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }

type PlanNode = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly Plans?: readonly PlanNode[]
}

function nodesOf(node: PlanNode | undefined): PlanNode[] {
  return node === undefined ? [] : [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}

/** Counted by a thousand rows at a time, which is to be little. */
const counted: readonly string[] = ['users', 'clients', 'sessions', 'grants']

/** So many rows that reading all of a table is never the cheapest; every row refers to the ones of its number. */
async function fill(sql: postgres.Sql): Promise<void> {
  for (const table of tables) {
    const columns = await sql`
      select column_name as name, data_type as type, column_default as usual from information_schema.columns
      where table_schema = current_schema() and table_name = ${table}`
    assert.ok(columns.length > 0, table)
    // A mark that few rows have, as in a database in use.
    const values = columns.map(({ type, usual }) => usual ?? (type === 'text' ? "'row-' || i" : 'i'))
    const names = columns.map(({ name }) => `"${name}"`)
    // A list looks through many people at once.
    const rows = table === 'users' ? 80_000 : counted.includes(table) ? 20_000 : 5000
    await sql.unsafe(
      `insert into ${table} (${names.join(', ')}) select ${values.join(', ')} from generate_series(1, ${rows}) i`,
    )
    await sql.unsafe(`analyze ${table}`)
  }
}

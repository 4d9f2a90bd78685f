/** Fields that operators of other systems defined, and the attributes that take them. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { type AuditKind, eventBy } from '../../src/audit/entry.ts'
import { importId } from '../../src/import/files.ts'
import { judgePeople } from '../../src/import/people.ts'
import { readers } from '../../src/import/readers.ts'
import { runImport } from '../../src/import/run.ts'
import { countsOf, find, lines, placeWith, type Result, result } from './import-place.ts'
import type { Workplace } from './run.ts'
import { wholeFolder } from './whole-tables.ts'

type Report = Result & {
  readonly not_kept?: Readonly<Record<string, number>>
  readonly findings?: readonly {
    readonly kind: string
    readonly member: string
    readonly severity: string
    readonly reason: string
    readonly command?: string
    readonly people: number
  }[]
}

const report = async (at: Workplace, line: string) => (await result(at, line)) as Report
const attributesOf = async (at: Workplace, name: string) => (await find(at, name)).attributes

/** A person who is left out has no number of people. */
const counted = (findings: Report['findings'] = []) => findings.filter(({ people }) => people !== undefined)

/** By member: the reason, the command and the number of people. */
const foundIn = ({ findings = [] }: Report) =>
  Object.fromEntries(
    counted(findings).map(({ member, reason, command, people }) => [member, [reason, command, people]]),
  )

const malformed = 'The name of an attribute has 1 to 63 of a to z, 0 to 9 and _, and begins with a letter.'
const taken = (name: string) => `The name ${name} is that of a claim or a member of every person.`

function realmOf(people: Readonly<Record<string, object>>): string {
  const users = Object.entries(people).map(([username, attributes]) => {
    return { username, email: `${username}@example.com`, enabled: true, attributes }
  })
  return JSON.stringify({ realm: 'shop', users })
}

async function declare(at: Workplace, ...all: readonly string[]): Promise<void> {
  for (const one of all) await at.json(`attribute add ${one}`)
}

describe('fields that another system has besides those of everybody (claims and groups, section 1)', () => {
  it('become values of declared attributes, by the type of each, those of sources, too', async (t) => {
    const alice = {
      ...{ locale: ['de'], department: ['Sales'], level: ['3'], manager: ['True'], hired: ['2020-02-29'] },
      ...{ site: ['berlin'], teams: ['b', 'a', 'b', ''], office: [''] },
    }
    const bert = { department: 'Board', manager: ['false'], teams: ['c'] }
    const at = placeWith(t, { 'realm.json': realmOf({ alice, bert }) })
    await declare(at, 'department --edited-by source', 'level --type integer', 'manager --type boolean')
    await declare(at, 'hired --type date', 'site --choices berlin,bonn', 'teams --many', 'office')
    const found = await report(at, 'keycloak realm.json')
    assert.deepEqual([...countsOf(found), found.not_kept, found.findings], [2, 2, 0, 0, 0, undefined, []])
    assert.deepEqual(await attributesOf(at, 'alice'), {
      ...{ department: 'Sales', level: 3, manager: true, hired: '2020-02-29', site: 'berlin', teams: ['b', 'a'] },
    })
    assert.deepEqual(await attributesOf(at, 'bert'), { department: 'Board', manager: false, teams: ['c'] })
    assert.equal((await find(at, 'alice')).claims.locale, 'de')
  })

  it('are counted with the command that declares them, and in a dry run as when they are stored', async (t) => {
    const people = {
      alice: { costCentre: ['100', '200'], department: ['SECRET'], 'https://acme.example/id': ['7'], sub: ['x'] },
      bert: { costCentre: ['100'], department: ['SECRET'], empty: [] },
      'no name': { department: ['SECRET'], lonely: ['1'] },
    }
    const at = placeWith(t, { 'realm.json': realmOf(people) })
    const dry = await report(at, 'keycloak realm.json --dry-run')
    assert.deepEqual(foundIn(dry), {
      'attributes.costCentre': ['cost_centre is not declared.', 'latchkey attribute add cost_centre --many', 2],
      'attributes.department': ['department is not declared.', 'latchkey attribute add department', 2],
      'attributes.https://acme.example/id': [malformed, undefined, 1],
      'attributes.sub': [taken('sub'), undefined, 1],
    })
    assert.deepEqual(dry.not_kept, {
      ...{ 'attributes.costCentre': 2, 'attributes.department': 2 },
      ...{ 'attributes.https://acme.example/id': 1, 'attributes.sub': 1 },
    })
    assert.deepEqual([...new Set(dry.findings?.map(({ kind, severity }) => `${kind} ${severity}`))], ['person lost'])
    const { stdout } = await at.run('import keycloak realm.json --dry-run')
    const line =
      'attributes.department of 2 people: department is not declared. Take it with: latchkey attribute add department'
    assert.ok(stdout.split('\n').includes(line), stdout)
    assert.doesNotMatch(stdout, /SECRET/)
    await declare(at, 'department')
    for (const { command = '' } of dry.findings ?? []) {
      if (command.includes('cost_centre')) await at.json(command.replace('latchkey ', ''))
    }
    const stored = await report(at, 'keycloak realm.json')
    assert.deepEqual(Object.keys(foundIn(stored)), ['attributes.https://acme.example/id', 'attributes.sub'])
    assert.deepEqual(countsOf(stored), [3, 2, 0, 0, 1])
    assert.deepEqual(await attributesOf(at, 'alice'), { cost_centre: ['100', '200'], department: 'SECRET' })
    assert.deepEqual(await attributesOf(at, 'bert'), { cost_centre: ['100'], department: 'SECRET' })
  })

  it('whose value does not fit are left out and counted with the reason; the person comes', async (t) => {
    const alice = {
      level: ['high'],
      teams: ['a', 'b'],
      site: ['Rome'],
      hired: ['2021-02-29'],
      number: ['c-1'],
      ok: ['1'],
    }
    const bert = { level: ['7'], manager: ['maybe'], number: ['C-1'], site: [{ city: 'Rome' }] }
    const at = placeWith(t, { 'realm.json': realmOf({ alice, bert, cleo: { level: ['high'], number: ['C-1'] } }) })
    await declare(at, 'level --type integer', 'teams', 'site --choices berlin,bonn', 'hired --type date', 'ok')
    await declare(at, 'number --unique --pattern C-.*', 'manager --type boolean')
    const reasons = {
      'attributes.level': ['level must be a whole number.', undefined, 1],
      'attributes.teams': ['teams takes one value, and there are several.', undefined, 1],
      'attributes.site': ['site must be one of berlin, bonn.', undefined, 2],
      'attributes.hired': ['hired must be a date such as 2026-03-01.', undefined, 1],
      'attributes.number': ['number must match the pattern C-.*.', undefined, 1],
      'attributes.manager': ['manager must be true or false.', undefined, 1],
    }
    // A value that only one person may have leaves out the other, as it does in JSON; what cleo loses does not count.
    for (const option of [' --dry-run', '']) {
      const found = await report(at, `keycloak realm.json${option}`)
      assert.deepEqual(countsOf(found), [3, 2, 0, 0, 1], option)
      assert.equal(found.rows[0]?.reason, 'cleo: bert has the same number.')
      assert.deepEqual(foundIn(found), reasons, option)
    }
    assert.deepEqual(await attributesOf(at, 'alice'), { ok: '1' })
    assert.deepEqual(await attributesOf(at, 'bert'), { level: 7, number: 'C-1' })
  })

  it('have the name of an attribute, or differ by case, hyphens and humps alone; the very name comes first', async (t) => {
    const people = {
      alice: { costCentre: ['1'], 'Home-Office': ['2'], LEVEL: ['3'], XMLName: ['4'] },
      bert: { costCentre: ['1'], cost_centre: ['2'], level: ['5'], Level: ['6'] },
      cleo: { shoeSize: ['44'], shoesize: ['45'] },
      dora: { shoeSize: ['44'], co_st_centre: ['1'] },
    }
    const at = placeWith(t, { 'realm.json': realmOf(people) })
    await declare(at, 'cost_centre', 'home_office', 'level', 'xml_name', 'shoe_size', 'shoesize')
    const found = await report(at, 'keycloak realm.json')
    assert.deepEqual(await attributesOf(at, 'alice'), { cost_centre: '1', home_office: '2', level: '3', xml_name: '4' })
    assert.deepEqual(await attributesOf(at, 'bert'), { cost_centre: '2', level: '5' })
    assert.deepEqual(await attributesOf(at, 'cleo'), { shoesize: '45' })
    assert.deepEqual(await attributesOf(at, 'dora'), {})
    assert.deepEqual(foundIn(found), {
      'attributes.costCentre': ['cost_centre has the value of another field.', undefined, 1],
      'attributes.Level': ['level has the value of another field.', undefined, 1],
      'attributes.shoeSize': ['shoe_size and shoesize both fit.', undefined, 2],
      'attributes.co_st_centre': ['co_st_centre is not declared.', 'latchkey attribute add co_st_centre', 1],
    })
  })

  it('are columns and claims in ASP.NET Core Identity, several claims of a type as a list', async (t) => {
    const at = placeWith(
      t,
      wholeFolder('tables', {
        AspNetUsers: `Id,UserName,Email,DisplayName,IsActive,Birthday,Tags,Level,SecurityStamp
1,ann,ann@example.com,Ann A.,t,1987-10-16 00:00:00+00,"[""x"",""y""]",9,s
2,ben,ben@example.com,,False,1987-10-16 08:00:00,z,,s
`,
        AspNetUserClaims: `Id,UserId,ClaimType,ClaimValue
1,1,department,R&D
2,1,department,Board
3,1,amr,pwd
4,2,level,4
5,2,http://schemas.xmlsoap.org/ws/2005/05/identity/claims/dateofbirth,1987-10-16
`,
      }),
    )
    await declare(at, 'display_name', 'is_active --type boolean', 'birthday --type date', 'tags --many')
    await declare(at, 'department --many', 'level --type integer')
    const found = await report(at, 'aspnet-identity tables')
    const tags = ['x', 'y']
    assert.deepEqual(await attributesOf(at, 'ann'), {
      ...{ display_name: 'Ann A.', is_active: true, birthday: '1987-10-16', tags, level: 9 },
      department: ['R&D', 'Board'],
    })
    assert.deepEqual(await attributesOf(at, 'ben'), { is_active: false, tags: ['z'], level: 4 })
    const birth = 'claim http://schemas.xmlsoap.org/ws/2005/05/identity/claims/dateofbirth'
    assert.deepEqual(foundIn(found), {
      'claim amr': ['amr is a claim of the protocol, which no person brings.', undefined, 1],
      Birthday: ['birthday must be a date such as 2026-03-01.', undefined, 1],
      [birth]: [malformed, undefined, 1],
    })
  })

  it('are metadata in Auth0, where what people set themselves becomes what people edit here alone', async (t) => {
    const user = (at: number, user_metadata: object, app_metadata: object) => ({
      ...{ user_id: `auth0|${at}`, email: `a${at}@example.com`, user_metadata, app_metadata },
    })
    const people = lines(
      user(1, { colour: 'red', plan: 'gold', size: { shoe: 44 } }, { plan: 'basic', seats: 5, beta: false }),
      user(2, { colour: 'blue', plan: 'gold', shape: 'round' }, { roles: ['staff'], seats: '6' }),
    )
    const at = placeWith(t, { 'users.json': people })
    await declare(at, 'colour --edited-by person', 'plan', 'seats --type integer', 'beta --type boolean')
    const found = await report(at, 'auth0 users.json')
    assert.deepEqual(await attributesOf(at, 'a1@example.com'), { colour: 'red', plan: 'basic', seats: 5, beta: false })
    assert.deepEqual(await attributesOf(at, 'a2@example.com'), { colour: 'blue', seats: 6 })
    const reason = 'People set it themselves there, and plan is not edited by people.'
    assert.deepEqual(foundIn(found), {
      'user_metadata.plan': [reason, 'latchkey attribute set plan edited_by=person', 2],
      'user_metadata.size': ['No attribute has members of its own.', undefined, 1],
      'user_metadata.shape': ['shape is not declared.', 'latchkey attribute add shape --edited-by person', 1],
    })
    await at.json('attribute set plan edited_by=person')
    assert.equal((await report(at, 'auth0 users.json --on-conflict update')).updated, 2)
    // What operators of the source set counts before what the person did.
    assert.equal((await attributesOf(at, 'a1@example.com')).plan, 'basic')
    assert.equal((await attributesOf(at, 'a2@example.com')).plan, 'gold')
  })

  it('are custom claims in Firebase', async (t) => {
    const claims = JSON.stringify({ accessLevel: 9, beta: true, gone: null, team: 'a' })
    const users = [
      { localId: 'f1', email: 'f1@example.com', customAttributes: claims },
      { localId: 'f2', email: 'f2@example.com', customAttributes: '[' },
    ]
    const at = placeWith(t, { 'firebase.json': JSON.stringify({ users }) })
    await declare(at, 'access_level --type integer', 'beta --type boolean')
    const found = await report(at, 'firebase firebase.json')
    assert.deepEqual(await attributesOf(at, 'f1@example.com'), { access_level: 9, beta: true })
    assert.deepEqual(found.not_kept, { 'customAttributes.team': 1, customAttributes: 1 })
    assert.deepEqual(foundIn(found)['customAttributes.team']?.[1], 'latchkey attribute add team')
  })

  it('are counted apart up to 200, and what no person may have together is left out, too', async (t) => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`field${at}`, ['x']]))
    const long = Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`note${at}`, ['x'.repeat(4000)]]))
    const at = placeWith(t, { 'realm.json': realmOf({ alice: { ...long, ...many }, bert: many }) })
    for (let one = 0; one < 5; one += 1) await declare(at, `note${one} max=4096`)
    const found = await report(at, 'keycloak realm.json')
    assert.deepEqual(countsOf(found), [2, 2, 0, 0, 0])
    assert.equal(found.findings?.length, 201)
    assert.deepEqual(foundIn(found).others, ['More than 200 fields are not counted apart.', undefined, 2])
    const size = 'The attributes of a person have at most 16384 bytes as JSON.'
    assert.deepEqual(foundIn(found)['attributes.note4'], [size, undefined, 1])
    assert.deepEqual(Object.keys(await attributesOf(at, 'alice')), ['note0', 'note1', 'note2', 'note3'])
  })

  it('are counted on where an import that stopped goes on', async (t) => {
    const people = Array.from({ length: 700 }, (_, at) => [`p${at}`, { team: at === 3 ? ['a', 'b'] : ['a'] }] as const)
    const at = placeWith(t, { 'realm.json': realmOf(Object.fromEntries(people)) })
    const files = [join(at.folder, 'realm.json')]
    const id = await importId('keycloak', files)
    await at.withStorage(async (storage) => {
      let batches = 0
      const imports = {
        ...storage.imports,
        store: (...batch: Parameters<typeof storage.imports.store>) => {
          batches += 1
          return batches > 1 ? Promise.reject(new Error('killed')) : storage.imports.store(...batch)
        },
      }
      const attributes = { declared: new Map(), matches: () => true }
      const rules = { nowMs: at.nowMs, judgeHash: () => ({ fault: '' }), roleFault: () => undefined, attributes }
      const judging = { storage, rules, onConflict: 'fail', isWrapped: false, random: randomBytes } as const
      const run = {
        ...{ id, kind: 'keycloak', records: readers.keycloak(files, { attributes }), isDryRun: false, nowMs: at.nowMs },
        ...{ storage: { imports }, register: () => assert.fail(), progress() {} },
        people: judgePeople({ origin: 'users', ...judging, keys: () => assert.fail() }),
        event: (kind: AuditKind) => eventBy('test', at.nowMs, kind, {}),
      }
      await assert.rejects(runImport({ ...run, file: 'source' }), /killed/)
      assert.equal((await imports.find(id))?.recordsRead, 500)
    })
    const found = await report(at, 'keycloak realm.json')
    assert.deepEqual(countsOf(found), [700, 700, 0, 0, 0])
    const command = 'latchkey attribute add team --many'
    assert.deepEqual(foundIn(found), { 'attributes.team': ['team is not declared.', command, 700] })
  })
})

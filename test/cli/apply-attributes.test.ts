/** `attributes:` in configuration files (claims and groups, section 1). */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { workplace } from './run.ts'

type Applied = { readonly changes: readonly { readonly kind: string; readonly action: string; readonly id: string }[] }

function place(t: TestContext) {
  const at = workplace(t)
  return { ...at, file: (content: object) => writeFileSync(join(at.folder, 'site.json'), JSON.stringify(content)) }
}

const department = { name: 'department', type: 'choice', choices: ['Sales', { value: 'IT', 'label#de': 'EDV' }] }
const carol = { username: 'carol', email: 'carol@example.com', attributes: { department: 'IT' } }
const rule = { claim: 'department', from: 'attribute:department' }

describe('attributes in configuration files', () => {
  it('are declared before the rules and the people of the same file, changed, and exported as they can be applied again', async (t) => {
    const at = place(t)
    const scopes = [{ name: 'orders', claims: [rule] }]
    at.file({ users: [carol], scopes, attributes: [department] })
    const { changes } = (await at.json('apply site.json')) as Applied
    assert.deepEqual(
      changes.map(({ kind, action, id }) => `${action} ${kind} ${id}`),
      ['create attribute department', 'create scope orders', 'create user carol'],
    )
    const [person] = (await at.json('user list')) as { attributes: object }[]
    assert.deepEqual(person?.attributes, { department: 'IT' })
    const exported = (await at.json('export')) as { attributes: object[] }
    assert.deepEqual(exported.attributes, [
      {
        ...{
          name: 'department',
          type: 'choice',
          many: false,
          choices: [{ value: 'Sales' }, { value: 'IT', 'label#de': 'EDV' }],
        },
        ...{
          required: false,
          edited_by: 'operator',
          seen_by: 'person',
          unique: false,
          pattern: null,
          min: null,
          max: null,
        },
        searchable: false,
      },
    ])
    at.file(exported)
    assert.deepEqual(((await at.json('apply site.json --prune')) as Applied).changes, [])
    at.file({ attributes: [{ ...department, searchable: true }] })
    assert.equal(((await at.json('apply site.json')) as Applied).changes[0]?.action, 'update')
    const [shown] = (await at.json('attribute list')) as { searchable: boolean }[]
    assert.equal(shown?.searchable, true)
    const entries = await at.withStorage(({ audit }) => audit.list({}, undefined, 50))
    const kinds = entries.map(({ kind }) => kind)
    for (const kind of ['attribute_added', 'attribute_changed', 'claim_rule_added']) {
      assert.equal(kinds.filter((one) => one === kind).length, 1, kind)
    }
  })

  it('are refused where they cannot be, where rules name others, and where the values of people do not fit', async (t) => {
    const at = place(t)
    at.file({ attributes: [{ name: 'email' }, { name: 'a', pattern: '(?=b)' }, { name: 'b', shoe: 4 }] })
    const { code, stderr } = await at.run('apply site.json')
    assert.equal(code, 1)
    assert.deepEqual(
      stderr.split('\n').map((line) => /attribute (\w+): /.exec(line)?.[1]),
      ['email', 'a', 'b', undefined],
    )
    at.file({ attributes: [department], scopes: [{ name: 'orders', claims: [{ ...rule, from: 'attribute:dept' }] }] })
    await at.refuses('apply site.json', /The attribute dept is not declared/)
    at.file({ attributes: [department], users: [carol] })
    await at.json('apply site.json')
    at.file({ attributes: [{ name: 'department', type: 'integer' }] })
    await at.refuses('apply site.json', /The attribute department has values that do not fit, .*: carol/)
    const dave = { ...carol, username: 'dave', email: 'dave@example.com' }
    at.file({ attributes: [{ name: 'department' }], users: [carol, dave] })
    await at.json('apply site.json')
    at.file({ attributes: [{ name: 'department', unique: true }] })
    await at.refuses('apply site.json', /cannot be unique: several people have the same value: /)
  })

  it('are given to people by files as everywhere: of their type, all together 16 KB, and an empty text removes one', async (t) => {
    const at = place(t)
    const names = ['a', 'b', 'c', 'd', 'e']
    const attributes = [
      ...[
        { name: 'level', type: 'integer' },
        { name: 'remote', type: 'boolean' },
        { name: 'since', type: 'date' },
      ],
      ...[department, { name: 'teams', many: true }, { name: 'badge', pattern: '[A-Z]{2}' }],
      ...names.map((name) => ({ name, max: 4096 })),
    ]
    const giving = (values: object) => at.file({ attributes, users: [{ ...carol, attributes: values }] })
    const wrong: readonly (readonly [string, unknown])[] = [
      ['level', '3'],
      ['remote', 'true'],
      ['since', '2026-02-30'],
      ['department', 'HR'],
      ['teams', 'a'],
      ['badge', 'ABC'],
      ['a', 5],
      ['shoe', 44],
    ]
    giving(Object.fromEntries(wrong))
    const { code, stderr } = await at.run('apply site.json')
    assert.equal(code, 1)
    for (const [name] of wrong) assert.match(stderr, new RegExp(`user carol: .*\\b${name} `), name)
    giving(Object.fromEntries(names.map((name) => [name, 'x'.repeat(4000)])))
    await at.refuses('apply site.json', /user carol: The attributes of a person have at most 16384 bytes/)
    assert.deepEqual(await at.json('user list'), [])
    const values = { level: 3, remote: false, since: '2026-03-01', department: 'IT', teams: ['b', 'a'], badge: 'AB' }
    giving(values)
    await at.json('apply site.json')
    const stored = async () => ((await at.json('user list')) as { attributes: object }[])[0]?.attributes
    assert.deepEqual(await stored(), values)
    giving({ ...values, badge: '', level: '' })
    await at.json('apply site.json')
    const { badge: _, level: __, ...left } = values
    assert.deepEqual(await stored(), left)
  })

  it('change in no way where a change of their type is planned', async (t) => {
    const at = place(t)
    at.file({ attributes: [{ name: 'level' }], users: [{ ...carol, attributes: { level: 'high' } }] })
    await at.json('apply site.json')
    const stored = () => {
      const database = new DatabaseSync(join(at.folder, 'data', 'latchkey.db'), { readOnly: true })
      const tables = database.prepare("select name from sqlite_master where type = 'table' order by name").all()
      const rows = tables.map(({ name }) => [name, database.prepare(`select * from "${name}"`).all()])
      database.close()
      return rows
    }
    const before = stored()
    at.file({ attributes: [{ name: 'level', type: 'integer' }] })
    await at.refuses('apply site.json --plan', /The attribute level has values that do not fit, .*: carol/)
    assert.deepEqual(stored(), before)
    at.file({ attributes: [{ name: 'level', type: 'choice', choices: ['high'] }] })
    const { changes } = (await at.json('apply site.json --plan')) as Applied
    assert.deepEqual(
      changes.map(({ action, id }) => `${action} ${id}`),
      ['update level'],
    )
    assert.deepEqual(stored(), before)
    await at.json('apply site.json')
    assert.notDeepEqual(stored(), before)
  })

  it('that a file leaves out are deleted by --prune alone, and not where people have values or rules use them', async (t) => {
    const at = place(t)
    at.file({
      attributes: [department, { name: 'unused' }],
      users: [carol],
      scopes: [{ name: 'orders', claims: [rule] }],
    })
    await at.json('apply site.json')
    at.file({ attributes: [] })
    assert.deepEqual(((await at.json('apply site.json')) as Applied).changes, [])
    const { code, stderr } = await at.run('apply site.json --prune')
    assert.equal(code, 1)
    assert.match(stderr, /department would be deleted, .* rules of claims use it: department of the scope orders\.\n/)
    assert.match(stderr, /department would be deleted, .* 1 person has a value\. Delete it first/)
    assert.equal(((await at.json('attribute list')) as object[]).length, 2)
    at.file({ attributes: [department] })
    const { changes } = (await at.json('apply site.json --prune')) as Applied
    assert.deepEqual(
      changes.map(({ action, id }) => `${action} ${id}`),
      ['delete unused'],
    )
  })
})

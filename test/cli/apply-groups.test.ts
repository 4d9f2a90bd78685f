/** Groups in configuration files. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { placeAfter, type Workplace, workplace } from './run.ts'

const alice = 'user add alice --email alice@example.com --no-password'

type Change = {
  readonly action: string
  readonly id: string
  readonly after: { readonly parent?: string; readonly name?: string; readonly roles?: readonly string[] } | null
}

const write = (place: Workplace, text: string) => writeFileSync(join(place.folder, 'site.yaml'), text)
const applied = async (place: Workplace, options = '', env = {}) =>
  ((await place.json(`apply site.yaml ${options}`, { env })) as { changes: Change[] }).changes
const summary = (changes: readonly Change[]) => changes.map(({ action, id }) => `${action} ${id}`)
const paths = async (place: Workplace) =>
  ((await place.json('group list')) as { path: string }[]).map(({ path }) => path)

const site = `groups:
  - {name: berlin, parent: /staff, description: Those in Berlin, roles: [editor, author]}
  - {name: staff, roles: [employee]}
  - {name: east, parent: /Staff/Berlin}
`

describe('groups in configuration files', () => {
  it('are made with their parents in any order, changed by their path, and nothing the second time', async (t) => {
    const place = workplace(t)
    write(place, site)
    const planned = await applied(place, '--plan')
    assert.deepEqual(await paths(place), [])
    const made = await applied(place)
    assert.deepEqual(made, planned)
    assert.deepEqual(summary(made), ['create /staff', 'create /staff/berlin', 'create /staff/berlin/east'])
    assert.deepEqual(made[1]?.after, {
      ...{ name: 'berlin', parent: '/staff', description: 'Those in Berlin', roles: ['author', 'editor'] },
    })
    assert.deepEqual(await applied(place), [])
    assert.equal((await place.run('apply site.yaml')).stdout, 'Nothing to change: everything is as the files say.\n')
    // Names are the same as user names are, and members that are left out take their defaults.
    write(place, 'groups:\n  - {name: STAFF, roles: [employee]}\n  - {name: berlin, parent: /staff}\n')
    const { stdout } = await place.run('apply site.yaml --plan')
    assert.match(stdout, /~ group \/STAFF\n {4}name: "staff" → "STAFF"\n~ group \/STAFF\/berlin\n {4}description: /)
    const id = ((await place.json('group show /staff')) as { id: string }).id
    assert.deepEqual(summary(await applied(place)), ['update /STAFF', 'update /STAFF/berlin'])
    assert.equal(((await place.json('group show /staff')) as { id: string }).id, id)
    assert.deepEqual(await paths(place), ['/STAFF', '/STAFF/berlin', '/STAFF/berlin/east'])
    const audited = (await place.json('audit list --kind group_changed')) as { details: Record<string, unknown> }[]
    const named = audited.map(({ details: { group, change, members } }) => ({ group, change, members }))
    assert.deepEqual(named, [
      { group: '/STAFF', change: 'applied', members: ['name'] },
      { group: '/STAFF/berlin', change: 'applied', members: ['description', 'roles'] },
    ])
  })

  it('are written as they are taken back, without ids and members, and keep their members', async (t) => {
    const place = await placeAfter(t, alice)
    write(place, site)
    await applied(place)
    await place.json('group member add /staff/berlin alice')
    const { stdout } = await place.run('export --kind groups')
    assert.equal(
      stdout,
      `groups:
  - name: staff
    parent: null
    description: null
    roles:
      - employee
  - name: berlin
    parent: /staff
    description: Those in Berlin
    roles:
      - author
      - editor
  - name: east
    parent: /staff/berlin
    description: null
    roles: []
`,
    )
    write(place, stdout)
    assert.deepEqual(await applied(place, '--prune'), [])
    assert.equal(((await place.json('group members /staff/berlin')) as unknown[]).length, 1)
    // What group show says besides may come back as it was read.
    const shown = JSON.stringify(await place.json('group show /staff/berlin'))
    write(place, `groups: [${shown}]`)
    assert.deepEqual(await applied(place), [])
    write(place, `groups: [${shown.replace('"path":"/staff/berlin"', '"path":"/staff/bonn"')}]`)
    await place.refuses('apply site.yaml', /group \/staff\/berlin: path cannot be set/)
  })

  it('refuse parents that are not there, circles, depth, names and members that cannot be, all with their line', async (t) => {
    const place = workplace(t)
    const deep = Array.from({ length: 11 }, (_, at) => ({
      name: `d${at}`,
      parent: at === 0 ? null : Array.from({ length: at }, (_, above) => `/d${above}`).join(''),
    }))
    const cases: [string, RegExp][] = [
      ['{name: berlin, parent: /none}', /group \/none\/berlin: The group \/none is not there, and no file declares it/],
      ['{name: a, parent: /a}', /group \/a\/a: The group \/a is not there/],
      [`${JSON.stringify(deep)}`.slice(1, -1), /are at most 10 inside each other/],
      ['{name: a/b}', /The name of a group must not contain "\/"/],
      ['{name: a, parent: staff}', /parent must be the path of a group, such as \/staff/],
      ['{name: a, parent: [b]}', /parent must be the path of a group/],
      ['{name: a, roles: b}', /roles must be a list of texts/],
      ['{name: a, roles: [""]}', /A role /],
      ['{name: a, description: 7}', /description must be a text/],
      ['{name: a, members: [alice]}', /members is not a member of a group\. These are: parent, description, roles/],
      ['{name: a}, {name: A}', /group \/A: It is declared already: site.yaml, line 1/],
      ['{parent: /a}', /a group needs name/],
    ]
    for (const [text, refusal] of cases) {
      write(place, `groups: [${text}]`)
      await place.refuses('apply site.yaml', refusal)
    }
    // Each of the two is inside the other: neither has a parent that is there.
    write(place, 'groups: [{name: a, parent: /b/a}, {name: b, parent: /a/b}]')
    const { code, stderr } = await place.run('apply site.yaml')
    assert.equal(code, 1)
    assert.match(stderr, /group \/b\/a\/a: The group \/b\/a is not there/)
    assert.match(stderr, /group \/a\/b\/b: The group \/a\/b is not there/)
    assert.deepEqual(await paths(place), [])
  })

  it('that a file leaves out are deleted by --prune alone, and not where people are in them or others are declared', async (t) => {
    const place = await placeAfter(t, alice)
    write(place, site)
    await applied(place)
    await place.json('group member add /staff/berlin/east alice')
    write(place, 'groups:\n  - {name: staff, roles: [employee]}\n')
    assert.deepEqual(await applied(place), [])
    await place.refuses(
      'apply site.yaml --prune',
      /group \/staff\/berlin\/east would be deleted, because no file declares it, and 1 person is in it\..*group delete \/staff\/berlin\/east --yes --recursive/,
    )
    await place.json('group member remove /staff/berlin/east alice')
    write(place, 'groups:\n  - {name: berlin, parent: /staff}\n')
    await place.refuses('apply site.yaml --prune', /The group \/staff would be deleted, because no file declares it/)
    write(place, 'groups:\n  - {name: staff, roles: [employee]}\n')
    assert.match((await place.run('apply site.yaml --prune --plan')).stdout, /- group \/staff\/berlin\n/)
    assert.deepEqual(summary(await applied(place, '--prune')), ['delete /staff/berlin', 'delete /staff/berlin/east'])
    assert.deepEqual(await paths(place), ['/staff'])
    write(place, 'roles: []\n')
    assert.deepEqual(await applied(place, '--prune'), [])
  })

  it('name roles of the same file, not those that are deleted', async (t) => {
    const place = workplace(t)
    write(place, 'roles: [{name: editor}, {name: author}]\ngroups: [{name: staff, roles: [editor, other]}]')
    assert.deepEqual(summary(await applied(place)), ['create editor', 'create author', 'create /staff'])
    write(place, 'roles: [{name: author}]\ngroups: [{name: staff, roles: [editor]}]')
    await place.refuses('apply site.yaml --prune', /group \/staff: The role editor would be deleted/)
    write(place, 'roles: []')
    await applied(place, '--prune')
    assert.deepEqual(((await place.json('group show /staff')) as { roles: string[] }).roles, ['other'])
  })

  it('give the roles of administrators only when that is allowed, by whatever way they come to do it', async (t) => {
    const place = workplace(t)
    const refused = /group \/board(\/east)?: The role latchkey-admin gives rights over the whole service/
    for (const text of [
      'groups: [{name: board, roles: [latchkey-admin]}]',
      'groups: [{name: board, roles: [chief]}]\nroles: [{name: chief, includes: [latchkey-admin]}]',
    ]) {
      write(place, text)
      assert.match((await place.run('apply site.yaml')).stderr, refused)
      await applied(place, '--plan --allow-admin')
    }
    await applied(place, '--allow-admin')
    assert.deepEqual(await applied(place), [])
    write(place, 'groups: [{name: east, parent: /board}]')
    await place.refuses('apply site.yaml', refused)
    await applied(place, '--allow-admin')
  })

  it('keep the last administrator', async (t) => {
    const place = await placeAfter(t, `${alice} --role latchkey-admin`)
    await place.json('group add /board --role latchkey-admin --allow-admin')
    await place.json('group member add /board alice')
    await place.json('user remove-role alice latchkey-admin')
    write(place, 'groups: [{name: board}]')
    await place.refuses('apply site.yaml', /Nobody who can sign in would have the role latchkey-admin any more/)
    await place.json('user add ben --email ben@example.com --no-password --role latchkey-admin')
    await applied(place)
  })

  it('show what came from the environment as the file writes it', async (t) => {
    const place = workplace(t)
    write(place, `groups:\n  - {name: "\${TOP}", description: "\${ABOUT}"}\n  - {name: a, parent: "/\${TOP}"}\n`)
    const env = { TOP: 'secret-name', ABOUT: 'secret-text' }
    const { stdout } = await place.run('apply site.yaml --json', { env })
    assert.doesNotMatch(stdout, /secret/)
    const { changes } = JSON.parse(stdout) as { changes: Change[] }
    assert.deepEqual(summary(changes), [`create /\${TOP}`, `create /\${TOP}/a`])
    assert.deepEqual([changes[0]?.after?.name, changes[1]?.after?.parent], [`\${TOP}`, `/\${TOP}`])
    assert.deepEqual(await paths(place), ['/secret-name', '/secret-name/a'])
    assert.deepEqual(await applied(place, '', env), [])
  })
})

/** Groups, and what roles include, on the command line. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fillSearch } from '../../src/server/search-filling.ts'
import { aUser } from '../storage/records.ts'
import { placeAfter, workplace } from './run.ts'

const alice = 'user add alice --email alice@example.com --no-password --role admin'
const ben = 'user add ben --email ben@example.com --no-password'

type Effective = { readonly effective_roles: readonly { readonly role: string; readonly from: readonly string[] }[] }

describe('latchkey group and role', () => {
  it('give roles by groups, by other roles and to everybody, and say where each comes from', async (t) => {
    const place = await placeAfter(t, alice)
    await place.json('group add /staff --role employee')
    const berlin = (await place.json('group add /staff/berlin --role editor')) as { path: string; parent: string }
    assert.deepEqual([berlin.path, berlin.parent], ['/staff/berlin', '/staff'])
    assert.deepEqual(await place.json('group member add /Staff/Berlin alice'), {
      ...{ group: '/Staff/Berlin', added: ['alice'] },
    })
    await place.json('role add editor includes=author,viewer')
    await place.json('role add reader default=true')
    const { effective_roles } = (await place.json('user show alice')) as Effective
    assert.deepEqual(effective_roles, [
      { role: 'admin', from: ['own'] },
      { role: 'author', from: ['included by editor'] },
      { role: 'editor', from: ['/staff/berlin'] },
      { role: 'employee', from: ['/staff'] },
      { role: 'reader', from: ['everybody'] },
      { role: 'viewer', from: ['included by editor'] },
    ])
    assert.match((await place.run('user show alice')).stdout, /employee \(\/staff\)/)
    const paths = async (words: string) => ((await place.json(words)) as { path: string }[]).map(({ path }) => path)
    assert.deepEqual(await paths('group list'), ['/staff', '/staff/berlin'])
    assert.deepEqual(await paths('group list --under /staff'), ['/staff/berlin'])
    await place.json('group role remove /staff employee')
    await place.json('group set /staff/berlin name=bonn parent=')
    assert.deepEqual(await paths('group list'), ['/bonn', '/staff'])
    await place.json('group member remove /bonn alice')
    assert.deepEqual(await place.json('group members /bonn'), [])
    await place.json('role delete editor --yes')
    assert.deepEqual(((await place.json('group show /bonn')) as { roles: string[] }).roles, [])
  })

  it('list, show, change and delete plain roles, also those that a group gives or another role includes alone', async (t) => {
    const place = await placeAfter(t, alice)
    await place.json('group add /staff --role employee')
    const editor = { name: 'editor', description: 'Edits', includes: ['author'], default: false }
    const added = await place.json("role add editor includes=author --description 'Edits'")
    assert.deepEqual(added, { ...editor, created_at: '2027-01-01T00:00:00.000Z' })
    assert.deepEqual(await place.json('role show editor'), added)
    await place.refuses('role add editor', /The role editor is there already/)
    const names = async () => ((await place.json('role list')) as { name: string }[]).map(({ name }) => name)
    const builtIn = ['latchkey-admin', 'latchkey-viewer']
    assert.deepEqual(await names(), ['admin', 'author', 'editor', 'employee', ...builtIn])
    const linked = { description: null, includes: [], default: false, created_at: null }
    assert.deepEqual(await place.json('role show author'), { name: 'author', ...linked })
    const everybodys = (await place.json('role set employee default=true')) as { default: boolean }
    assert.equal(everybodys.default, true)
    await place.refuses('role set reader default=true', /There is no role called reader/)
    await place.refuses(
      'role delete author',
      /role author, which nobody was given, and takes it from the role editor\./,
    )
    await place.refuses('role delete employee', /employee, which everybody has, and takes it from \/staff\./)
    for (const name of ['author', 'employee', 'editor']) await place.json(`role delete ${name} --yes`)
    assert.deepEqual(await names(), ['admin', ...builtIn])
    await place.refuses('role show employee', /There is no role called employee/)
  })

  it('find people by the roles that they have in effect', async (t) => {
    const place = await placeAfter(t, alice)
    await place.json(ben)
    await place.json('user add Cid --email cid@example.com --no-password --role editor')
    await place.json('group add /staff --role editor')
    await place.json('group add /staff/berlin')
    await place.json('group member add /staff/berlin ben')
    await place.json('role add editor includes=author')
    await place.json('role add reader default=true')
    const having = async (role: string) =>
      ((await place.json(`user list --role ${role}`)) as { username: string }[]).map(({ username }) => username)
    for (const isFilled of [false, true]) {
      if (isFilled)
        await place.withStorage((storage) => fillSearch({ ...storage, clock: () => place.nowMs }, () => true))
      assert.deepEqual(await having('editor'), ['ben', 'Cid'])
      assert.deepEqual(await having('author'), ['ben', 'Cid'])
      assert.deepEqual(await having('reader'), ['alice', 'ben', 'Cid'])
      assert.deepEqual(await having('admin'), ['alice'])
      assert.deepEqual(await having('none'), [])
    }
    const roles = ((await place.json('role list')) as { name: string }[]).map(({ name }) => name)
    assert.ok(roles.includes('author'))
    assert.equal(((await place.json('role show author')) as { name: string }).name, 'author')
    await place.refuses('role delete author', /deletes the role author, which 2 people have/)
    assert.match((await place.run('user list --role none')).stdout, /Nobody has the role none/)
  })

  it('refuse circles, names in use, parents inside, and a deletion that loses something', async (t) => {
    const place = await placeAfter(t, alice)
    await place.json('group add /staff')
    await place.refuses('group add /STAFF', /is there already/)
    await place.refuses('group add /none/berlin', /\/none is not there/)
    await place.refuses('group add staff', /begins with/)
    await place.json('group add /staff/berlin')
    await place.refuses('group set /staff parent=/staff/berlin', /must not be the group itself, or inside it/)
    await place.refuses('group set /staff parent=/staff', /must not be the group itself, or inside it/)
    await place.json('role add editor includes=author')
    await place.refuses('role add author includes=editor', /would include itself: author → editor → author/)
    await place.refuses('role add shop:admin', /The client shop is not there/)
    // Nothing before the colon, or nothing behind it: tokens take these for plain roles, too.
    for (const plain of [':admin', 'shop:']) await place.run(`role add ${plain}`)
    const added = (await place.json('role list')) as { readonly name: string }[]
    assert.ok([':admin', 'shop:'].every((name) => added.some((one) => one.name === name)))
    for (const plain of [':admin', 'shop:']) await place.run(`role delete ${plain} --yes`)
    await place.refuses('group delete /staff', /--yes --recursive/)
    await place.json('group member add /staff alice')
    await place.json('group delete /staff --yes --recursive')
    assert.deepEqual(await place.json('group list'), [])
  })

  it('a role of a client goes with it when forced; one whose client is not there is plain, and doctor names it', async (t) => {
    const place = await placeAfter(t, alice)
    await place.json('client add shop --redirect-uri https://shop.example/callback')
    await place.json('role add shop:clerk')
    await place.json('group add /staff --role shop:buyer')
    await place.json('user add-role alice shop:admin')
    await place.withStorage(({ users }) => users.create(aUser({ name: 'nora', roles: ['ward:nurse'] })))
    // It is there already, so it is a plain one, for others as well.
    await place.json('user add-role alice ward:nurse')
    const doctor = async () => (await place.json('doctor')) as { check: string; status: string; message: string }[]
    const ofRoles = async () => (await doctor()).filter(({ check }) => check === 'roles')
    const [{ status, message } = { status: '', message: '' }, ...others] = await ofRoles()
    assert.deepEqual([status, others], ['note', []])
    assert.match(message, /before the colon of ward:nurse: they are plain roles/)
    const named = /The client shop has the roles shop:admin, shop:buyer, shop:clerk\..*--force/
    for (const options of ['', ' --yes']) await place.refuses(`client delete shop${options}`, named)
    const deleted = await place.json('client delete shop --force')
    assert.deepEqual(deleted, { client_id: 'shop', deleted: true, roles: ['shop:admin', 'shop:buyer', 'shop:clerk'] })
    assert.deepEqual(((await place.json('user show alice')) as { roles: string[] }).roles, ['admin', 'ward:nurse'])
    assert.deepEqual(((await place.json('group show /staff')) as { roles: string[] }).roles, [])
    await place.refuses('role show shop:clerk', /no role called shop:clerk/)
  })

  it('a role of a client that is not there is given to nobody, by whatever command', async (t) => {
    const place = await placeAfter(t, alice)
    await place.json('group add /staff')
    await place.json('role add editor')
    for (const command of [
      'user add-role alice shpo:admin',
      'user add bob --email bob@example.com --no-password --role shpo:admin',
      'user invite bob@example.com --link --role shpo:admin',
      'group add /other --role shpo:admin',
      'group role add /staff shpo:admin',
      'role add author includes=shpo:admin',
      'role set editor includes=shpo:admin',
      'role add shpo:admin',
    ]) {
      await place.refuses(command, /The client shpo is not there, and the role( shpo:admin)? would belong to it\./)
    }
    const roles = ((await place.json('role list')) as { name: string }[]).map(({ name }) => name)
    assert.deepEqual(roles, ['admin', 'editor', 'latchkey-admin', 'latchkey-viewer'])
    assert.equal(((await place.json('user list')) as unknown[]).length, 1)
    assert.equal(((await place.json('group list')) as unknown[]).length, 1)
    // Taking one away needs no client.
    await place.json('user remove-role alice shpo:admin')
    await place.json('group role remove /staff shpo:admin')
    await place.json('client add shpo --redirect-uri https://shpo.example/cb')
    await place.json('user add-role alice shpo:admin')
    await place.json('group role add /staff shpo:clerk')
  })

  it('a role of a client that is not there comes in by files with a warning, since it may be a plain one elsewhere', async (t) => {
    const place = await placeAfter(t, alice)
    const file = (text: string) => writeFileSync(join(place.folder, 'site.yaml'), text)
    const people = 'users:\n  - {username: alice, email: alice@example.com, roles: [admin, shpo:admin]}\n'
    file(`${people}groups:\n  - {name: staff, roles: [shpo:clerk, stay:clerk]}\n`)
    const clients = 'clients:\n  - {client_id: stay, redirect_uris: [https://stay.example/cb]}\n'
    writeFileSync(join(place.folder, 'clients.yaml'), clients)
    const warned = (role: string) => `The client shpo is not there, and the role ${role} would belong to it.`
    for (const option of [' --plan', '']) {
      const { code, stderr } = await place.run(`apply site.yaml clients.yaml${option}`)
      const expected = ['shpo:admin', 'shpo:clerk'].map(
        (role) => `warning: ${warned(role)} Until then it is a plain role.`,
      )
      assert.deepEqual([code, stderr.trimEnd().split('\n').sort()], [0, expected], option)
    }
    assert.deepEqual(((await place.json('apply site.yaml clients.yaml')) as { changes: unknown[] }).changes, [])
    await place.refuses('client delete stay --yes', /stay:clerk/)
  })

  it('a role of a client that a file leaves out goes with it, and is named in the plan', async (t) => {
    const place = await placeAfter(t, alice)
    for (const id of ['shop', 'stay']) await place.json(`client add ${id} --redirect-uri https://${id}.example/cb`)
    await place.json('role add shop:clerk includes=shop:buyer')
    await place.json('role add stay:clerk')
    await place.json('group add /staff --role shop:seller')
    await place.withStorage(({ users }) => users.create(aUser({ name: 'nora', roles: ['ward:nurse'] })))
    for (const role of ['shop:admin', 'stay:admin', 'ward:nurse']) await place.json(`user add-role alice ${role}`)
    const file = (text: string) => writeFileSync(join(place.folder, 'site.yaml'), text)
    const stay = 'clients:\n  - {client_id: stay, redirect_uris: [https://stay.example/cb]}\n'
    const named = async (words: string) => {
      const { changes } = (await place.json(words)) as { changes: { action: string; kind: string; id: string }[] }
      return changes.map(({ action, kind, id }) => `${action} ${kind} ${id}`)
    }
    file(stay)
    assert.deepEqual(await named('apply site.yaml --plan'), [])
    const going = ['admin', 'buyer', 'clerk', 'seller'].map((role) => `delete role shop:${role}`)
    assert.deepEqual(await named('apply site.yaml --prune --plan'), [...going, 'delete client shop'])
    const { stdout } = await place.run('apply site.yaml --prune --plan')
    assert.match(stdout, /- role shop:admin\n {4}taken from: alice\n/)
    // What still names them is refused.
    const naming = [
      ['roles:\n  - name: shop:clerk\n', /role shop:clerk: The client shop would be deleted/],
      ['roles:\n  - {name: all, includes: [shop:admin]}\n', /role all: The role shop:admin would be deleted/],
      [
        'users:\n  - {username: alice, email: alice@example.com, roles: [shop:admin]}\n',
        /user alice: The role shop:admin would be deleted/,
      ],
    ] as const
    for (const [text, refusal] of naming) {
      file(stay + text)
      await place.refuses('apply site.yaml --prune', refusal)
    }
    file(stay)
    assert.deepEqual(await named('apply site.yaml --prune'), [...going, 'delete client shop'])
    const { roles } = (await place.json('user show alice')) as { roles: string[] }
    assert.deepEqual(roles, ['admin', 'stay:admin', 'ward:nurse'])
    assert.deepEqual(((await place.json('group show /staff')) as { roles: string[] }).roles, [])
    const left = ((await place.json('role list')) as { name: string }[]).map(({ name }) => name)
    assert.deepEqual(
      left.filter((name) => name.includes(':')),
      ['stay:admin', 'stay:clerk', 'ward:nurse'],
    )
    const audited = (await place.json('audit list --kind role_deleted')) as unknown[]
    assert.equal(audited.length, 4)
    assert.deepEqual(await named('apply site.yaml --prune'), [])
  })

  it('a new role of a client is declared with its client alone', async (t) => {
    const place = workplace(t)
    const role = 'roles:\n  - name: shop:admin\n'
    const file = (text: string) => writeFileSync(join(place.folder, 'site.yaml'), text)
    file(role)
    await place.refuses('apply site.yaml', /role shop:admin: The client shop is not there/)
    file(`${role}clients:\n  - {client_id: shop, redirect_uris: [https://shop.example/cb]}\n`)
    await place.json('apply site.yaml')
    file(role)
    assert.deepEqual(((await place.json('apply site.yaml --prune')) as { changes: unknown[] }).changes, [])
    file('roles: []\nclients: []\n')
    assert.equal(((await place.json('apply site.yaml --prune')) as { changes: unknown[] }).changes.length, 2)
  })

  it('add several people to a group, all of them or none', async (t) => {
    const place = await placeAfter(t, alice)
    await place.json(ben)
    await place.json('group add /staff')
    await place.refuses('group member add /staff alice nobody', /There is no user called nobody/)
    assert.deepEqual(await place.json('group members /staff'), [])
    await place.json('group member add /staff alice ben')
    assert.equal(((await place.json('group members /staff')) as object[]).length, 2)
  })

  it('have room for a person in 200 of them, and are at most 10 deep', async (t) => {
    const place = await placeAfter(t, alice)
    await place.withStorage(async ({ groups, users }) => {
      const { id } = (await users.findByName('alice')) ?? assert.fail()
      const named = Array.from({ length: 201 }, (_, at) => `g${at}`)
      const group = (name: string) => ({
        ...{ id: name, name, parentId: null, description: null, roles: [], createdAtMs: 1, version: 1 },
      })
      await groups.change(() => ({ changes: named.map((name) => ({ id: name, after: group(name) })) }))
      for (const name of named.slice(0, 199)) await groups.addMembers(name, [id])
    })
    await place.json('group member add /g199 alice')
    await place.refuses('group member add /g200 alice', /200 groups/)
    assert.deepEqual(await place.json('group members /g200'), [])
    let path = ''
    for (let depth = 1; depth <= 10; depth += 1) {
      path += '/d'
      await place.json(`group add ${path}`)
    }
    await place.refuses(`group add ${path}/d`, /are at most 10 inside each other/)
    await place.refuses('group set /d parent=/g0', /are at most 10 inside each other/)
  })

  it('give the roles of administrators to many only when that is allowed, as files do', async (t) => {
    const place = await placeAfter(t, alice)
    const refused = /gives rights over the whole service/
    await place.refuses('group add /board --role latchkey-admin', refused)
    await place.refuses('role add chief includes=latchkey-viewer', refused)
    await place.json('role add chief includes=latchkey-viewer --allow-admin')
    await place.json('group add /board')
    await place.refuses('group role add /board chief', refused)
    await place.refuses('role set chief default=true', refused)
    await place.json('group role add /board chief --allow-admin')
    await place.refuses('group add /board/east', refused)
    await place.json('group add /board/east --allow-admin')
    writeFileSync(join(place.folder, 'site.yaml'), 'roles:\n  - name: boss\n    includes: [latchkey-admin]\n')
    await place.refuses('apply site.yaml', refused)
    await place.json('apply site.yaml --allow-admin')
    assert.deepEqual(((await place.json('role show boss')) as { includes: string[] }).includes, ['latchkey-admin'])
    await place.json('user add-role alice boss')
    const last = /Nobody who can sign in would have the role latchkey-admin any more/
    await place.refuses('role set boss includes=', last)
    await place.refuses('role delete boss --yes', last)
    await place.refuses('user remove-role alice boss', /alice is the last person with the role latchkey-admin/)
    writeFileSync(join(place.folder, 'none.yaml'), 'roles: []\n')
    await place.refuses('apply none.yaml --prune', last)
    // What was allowed stays so when something else is changed.
    await place.json('role set chief default=true --allow-admin')
    await place.json('role set chief description=Heads')
    await place.json('group set /board description=Heads')
  })

  it('guard administrators by them against imports, too', async (t) => {
    const place = await placeAfter(t, alice)
    await place.json('group add /board --role latchkey-admin --allow-admin')
    await place.json('group member add /board alice')
    await place.json('role add chief includes=latchkey-viewer --allow-admin')
    const taken = { username: 'alice', email: 'alice@example.com', nickname: 'Mallory' }
    const people = [taken, { username: 'dan', email: 'dan@example.com', roles: ['chief'] }]
    writeFileSync(join(place.folder, 'people.jsonl'), people.map((one) => `${JSON.stringify(one)}\n`).join(''))
    const { code, stdout } = await place.run('import users people.jsonl --on-conflict update')
    assert.equal(code, 1)
    assert.match(stdout, /alice has the role latchkey-admin and is changed with --allow-admin only/)
    assert.match(stdout, /The role chief comes in with --allow-admin only/)
    assert.equal((await place.run('import users people.jsonl --on-conflict update --allow-admin --restart')).code, 0)
    // Nobody but alice administers: no import takes that away.
    writeFileSync(join(place.folder, 'locked.jsonl'), `${JSON.stringify({ ...taken, disabled: true })}\n`)
    const locking = await place.run('import users locked.jsonl --on-conflict update --allow-admin')
    assert.match(locking.stdout, /alice would not administer this service any more/)
  })

  it('are in files that are written and applied again without a change, and circles of them are refused', async (t) => {
    const place = await placeAfter(t, alice)
    await place.json('role add editor includes=author,viewer')
    await place.json('role add reader default=true')
    const { stdout } = await place.run('export')
    writeFileSync(join(place.folder, 'roles.yaml'), stdout)
    const { changes } = (await place.json('apply roles.yaml')) as { changes: unknown[] }
    assert.deepEqual(changes, [])
    const circle = 'roles:\n  - {name: a, includes: [b]}\n  - {name: b, includes: [c]}\n  - {name: c, includes: [a]}\n'
    writeFileSync(join(place.folder, 'circle.yaml'), circle)
    const { code, stderr } = await place.run('apply circle.yaml')
    assert.equal(code, 1)
    assert.match(stderr, /role a: The role a would include itself: a → b → c → a/)
  })
})

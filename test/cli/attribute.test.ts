import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { aUser } from '../storage/records.ts'
import { placeAfter, type Workplace, workplace } from './run.ts'

const person = (name: string) => `user add ${name} --email ${name}@example.com --no-password`
type Person = { readonly attributes?: Readonly<Record<string, unknown>> }
const valuesOf = async (place: Workplace, name = 'alice') =>
  ((await place.json(`user show ${name}`)) as Person).attributes
const eventsOf = (place: Workplace, kind: string) =>
  place.withStorage(async ({ audit }) => {
    const entries = await audit.list({}, undefined, 100)
    return entries.filter((entry) => entry.kind === kind).map(({ details }) => details)
  })

describe('latchkey attribute (claims and groups, section 1)', () => {
  it('declares fields, shows, changes and deletes them, each with an entry in the trail', async (t) => {
    const place = workplace(t)
    const added = await place.json('attribute add department --choices sales,tech --label Department required=true')
    const member = { name: 'department', type: 'choice', many: false, label: 'Department', required: true }
    const rest = { edited_by: 'operator', seen_by: 'person', unique: false, pattern: null, min: null, max: null }
    const choices = [{ value: 'sales' }, { value: 'tech' }]
    const expected = { ...member, choices, ...rest, searchable: false, created_at: '2027-01-01T00:00:00.000Z' }
    assert.deepEqual(added, expected)
    assert.deepEqual(await place.json('attribute show department'), expected)
    await place.refuses('attribute add department', /There is an attribute called department already/)
    const changed = await place.json('attribute set department label#de=Abteilung required= searchable=true')
    assert.deepEqual(changed, { ...expected, 'label#de': 'Abteilung', required: false, searchable: true })
    assert.deepEqual(await place.json('attribute list'), [changed])
    await place.refuses('attribute delete department', /of which nobody has a value.* add --yes/)
    const deleted = { name: 'department', deleted: true, people: 0 }
    assert.deepEqual(await place.json('attribute delete department --yes'), deleted)
    await place.refuses('attribute show department', /There is no attribute called department/)
    for (const kind of ['attribute_added', 'attribute_changed', 'attribute_deleted']) {
      assert.deepEqual(
        (await eventsOf(place, kind)).map((details) => details?.name),
        ['department'],
        kind,
      )
    }
  })

  it('takes every member as an option, and all that have none as member=value', async (t) => {
    const place = workplace(t)
    const options = `--type text --label Badge --required --edited-by person --seen-by person --unique --pattern [A-Z]+ --searchable`
    const badge = await place.json(`attribute add badge ${options} min=2 max=9 label#de=Ausweis 'help=On the card'`)
    assert.deepEqual(badge, {
      ...{ name: 'badge', type: 'text', many: false, label: 'Badge', 'label#de': 'Ausweis', help: 'On the card' },
      ...{ required: true, edited_by: 'person', seen_by: 'person', unique: true, pattern: '[A-Z]+', min: 2, max: 9 },
      ...{ searchable: true, created_at: '2027-01-01T00:00:00.000Z' },
    })
    const colors = (await place.json('attribute add colors --many --choices red,green --seen-by operator')) as object
    const many = { type: 'choice', many: true, choices: [{ value: 'red' }, { value: 'green' }], seen_by: 'operator' }
    assert.deepEqual({ ...colors, ...many }, colors)
    const choices = `choices=["red",{"value":"blue","label":"Blue","label#de":"Blau"}]`
    const changed = (await place.json(`attribute set colors '${choices}'`)) as { choices: object[] }
    const blue = { value: 'blue', label: 'Blue', 'label#de': 'Blau' }
    assert.deepEqual(changed.choices, [{ value: 'red' }, blue])
    await place.misuses('attribute add x --type number', /Allowed choices are text, integer, boolean, date, choice/)
    await place.misuses('attribute add x --edited-by nobody', /Allowed choices are operator, person, source/)
    await place.misuses('attribute add x --seen-by source', /Allowed choices are operator, person/)
  })

  it('are 64 at most, by command and by file', async (t) => {
    const place = workplace(t)
    const file = (count: number) => {
      const attributes = Array.from({ length: count }, (_, at) => ({ name: `field_${at}` }))
      writeFileSync(join(place.folder, 'fields.json'), JSON.stringify({ attributes }))
    }
    file(65)
    await place.refuses('apply fields.json', /The service has at most 64 attributes/)
    file(64)
    await place.json('apply fields.json')
    await place.refuses('attribute add one_more', /The service has at most 64 attributes/)
    assert.equal(((await place.json('attribute list')) as object[]).length, 64)
    await place.json('attribute delete field_0 --yes')
    await place.json('attribute add one_more')
  })

  it('refuses declarations that cannot be, and patterns that are no RE2', async (t) => {
    const place = workplace(t)
    await place.refuses('attribute add email', /The name email is that of a claim or a member of every person/)
    await place.refuses('attribute add azp', /The name azp/)
    await place.refuses('attribute add Dept', /1 to 63 of a to z/)
    await place.refuses('attribute add a --pattern (?=b)', /syntax of RE2/)
    await place.refuses("attribute add a --pattern '(a'", /syntax of RE2/)
    // 4096 characters against it hold the event loop for a third of a second.
    await place.refuses('attribute add a --pattern (?:a?b?){1000}', /must repeat less: it has 4002 steps, of 1024/)
    await place.json('attribute add bounded --pattern [a-z]{1,500}')
    await place.json('attribute delete bounded --yes')
    await place.refuses('attribute add a --many --unique', /can be unique/)
    await place.refuses('attribute add a color=red', /color is not a member of an attribute/)
    await place.refuses('attribute add a max=many', /max must be a whole number/)
    assert.deepEqual(await place.json('attribute list'), [])
  })

  it('gives people values of each type, which are in their records', async (t) => {
    const place = await placeAfter(t, person('alice'))
    await place.json('attribute add department')
    await place.json('attribute add teams --many')
    await place.json('attribute add level --type integer')
    await place.json('attribute add remote --type boolean')
    await place.json('attribute add since --type date')
    const set = `user set alice department=sales 'teams=["a","b"]' level=7 remote=true since=2026-03-01`
    const values = { department: 'sales', teams: ['a', 'b'], level: 7, remote: true, since: '2026-03-01' }
    assert.deepEqual(((await place.json(set)) as Person).attributes, values)
    assert.deepEqual(await valuesOf(place), values)
    assert.deepEqual(((await place.json('user list')) as Person[])[0]?.attributes, values)
    assert.match((await place.run('user show alice')).stdout, /teams +\["a","b"\]/)
    // Later than the entry before, so that the newest is known.
    place.nowMs += 1000
    await place.json('user set alice teams= level=')
    assert.deepEqual(Object.keys((await valuesOf(place)) ?? {}), ['department', 'remote', 'since'])
    const named = (await eventsOf(place, 'user_changed')).at(-1)
    assert.deepEqual(named?.members, ['teams', 'level'])
    const trail = JSON.stringify(await eventsOf(place, 'user_changed'))
    assert.ok(!trail.includes('sales'), 'a value is in the trail')
  })

  it('refuses values of the wrong type, and changes nothing then', async (t) => {
    const place = await placeAfter(t, person('alice'))
    await place.json('attribute add level --type integer max=9')
    await place.json('attribute add remote --type boolean')
    await place.json('attribute add since --type date')
    await place.json('attribute add department --choices sales,tech')
    await place.json('attribute add badge --pattern [A-Z]{2}')
    await place.json('attribute add number --edited-by source')
    const wrong = {
      'level=x': /level must be a whole number/,
      'level=10': /level must be from/,
      'remote=yes': /remote must be true or false/,
      'since=2026-02-30': /since must be a date/,
      'department=hr': /department must be one of sales, tech/,
      'badge=ABC': /badge must match the pattern/,
      'number=1': /number is changed by imports and provisioning alone/,
      'shoe=44': /shoe is not a member of a user/,
    }
    for (const [word, message] of Object.entries(wrong))
      await place.refuses(`user set alice level=3 ${word}`.replace('level=3 level', 'level'), message)
    assert.equal(await valuesOf(place), undefined)
  })

  it('gives a person 16 KB of values at most', async (t) => {
    const place = await placeAfter(t, person('alice'))
    const names = ['a', 'b', 'c', 'd', 'e']
    for (const name of names) await place.json(`attribute add ${name} max=4096`)
    const words = (...of: readonly string[]) => of.map((name) => `${name}=${'x'.repeat(4000)}`).join(' ')
    await place.json(`user set alice ${words(...names.slice(0, 4))}`)
    await place.refuses(`user set alice ${words('e')}`, /at most 16384 bytes/)
    await place.json(`user set alice a= ${words('e')}`)
    assert.deepEqual(Object.keys((await valuesOf(place)) ?? {}), ['b', 'c', 'd', 'e'])
  })

  it('is not changed to what values do not fit, and names the first ten of the people', async (t) => {
    const place = workplace(t)
    await place.json('attribute add level')
    await place.withStorage(async ({ users }) => {
      for (let at = 0; at < 12; at += 1) {
        const name = `p${String(at).padStart(2, '0')}`
        await users.create(aUser({ name, attributes: { level: at === 3 ? '3' : 'same' } }))
      }
    })
    const ten = (...names: string[]) => new RegExp(`: ${names.join(', ')}\\.?\n`)
    const first = ten('p00', 'p01', 'p02', 'p03', 'p04', 'p05', 'p06', 'p07', 'p08', 'p09')
    for (const change of ['type=integer', 'many=true']) await place.refuses(`attribute set level ${change}`, first)
    const sharing = ten('p00', 'p01', 'p02', 'p04', 'p05', 'p06', 'p07', 'p08', 'p09', 'p10')
    await place.refuses('attribute set level unique=true', sharing)
    const { type, unique, many } = (await place.json('attribute show level')) as Record<string, unknown>
    assert.deepEqual([type, unique, many], ['text', false, false])
  })

  it('separates values by commas in choices alone: another list repeats an option, or is JSON', async (t) => {
    const place = await placeAfter(t, person('alice'))
    await place.json('attribute add teams --many')
    await place.json('attribute add city --choices Bonn,Berlin')
    await place.json('user set alice teams=a,b')
    assert.deepEqual(await valuesOf(place), { teams: ['a,b'] })
    await place.refuses('user set alice city=Bonn,Berlin', /city must be one of Bonn, Berlin/)
    const group = (await place.json('group add /staff --role a,b --role c')) as { roles: string[] }
    assert.deepEqual(group.roles, ['a,b', 'c'])
    await place.json('scope add orders')
    await place.misuses('scope claim add orders x --from id --in id_token,userinfo', /It is one of id_token, /)
    const rule = (await place.json('scope claim add orders x --from id --in id_token --in userinfo')) as {
      in: string[]
    }
    assert.deepEqual(rule.in, ['id_token', 'userinfo'])
  })

  it('keeps unique values apart, and names the people to whom a change does not fit', async (t) => {
    const place = await placeAfter(t, person('alice'))
    await place.json(person('bob'))
    await place.json('attribute add number')
    await place.json('user set alice number=A-1')
    await place.json('user set bob number=a-1')
    await place.refuses('attribute set number unique=true', /Several people have the same number: alice, bob/)
    await place.refuses('attribute set number type=integer', /do not fit.*: alice, bob/)
    await place.json('user set bob number=2')
    await place.json('attribute set number unique=true')
    await place.refuses('user set bob number=A-1', /Somebody else has this number/)
    await place.refuses('attribute delete number', /the attribute number, of which 2 people have a value.* add --yes/)
    const deleted = (await place.json('attribute delete number --yes')) as { people: number }
    assert.equal(deleted.people, 2)
    assert.equal(await valuesOf(place), undefined)
  })
})

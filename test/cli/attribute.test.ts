import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
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

  it('refuses declarations that cannot be, and patterns that are no RE2', async (t) => {
    const place = workplace(t)
    await place.refuses('attribute add email', /The name email is that of a claim or a member of every person/)
    await place.refuses('attribute add azp', /The name azp/)
    await place.refuses('attribute add Dept', /1 to 63 of a to z/)
    await place.refuses('attribute add a --pattern (?=b)', /syntax of RE2/)
    await place.refuses("attribute add a --pattern '(a'", /syntax of RE2/)
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
    const deleted = (await place.json('attribute delete number --yes')) as { people: number }
    assert.equal(deleted.people, 2)
    assert.equal(await valuesOf(place), undefined)
  })
})

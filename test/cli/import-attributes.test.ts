import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { countsOf, find, lines, placeWith, result } from './import-place.ts'

const person = (name: string, attributes?: object) => ({ username: name, email: `${name}@example.com`, attributes })

describe('attributes of imported people (claims and groups, section 1)', () => {
  it('come in from JSON and from columns of their names in CSV, those of sources, too', async (t) => {
    const place = placeWith(t, {
      'people.jsonl': lines(person('alice', { level: 3, teams: ['a', 'b'], number: 'N1' })),
      'people.csv':
        'username,email,level,teams,number\nbob,bob@example.com,4,"[""c""]",N2\ncarol,carol@example.com,,,\n',
    })
    await place.json('attribute add level --type integer')
    await place.json('attribute add teams --many')
    await place.json('attribute add number --edited-by source --unique')
    assert.deepEqual(countsOf(await result(place, 'users people.jsonl')), [1, 1, 0, 0, 0])
    assert.deepEqual(countsOf(await result(place, 'users people.csv')), [2, 2, 0, 0, 0])
    assert.deepEqual((await find(place, 'alice')).attributes, { level: 3, teams: ['a', 'b'], number: 'N1' })
    assert.deepEqual((await find(place, 'bob')).attributes, { level: 4, teams: ['c'], number: 'N2' })
    assert.deepEqual((await find(place, 'carol')).attributes, {})
  })

  it('of people who are there are removed by an empty text or null of JSON, and kept by an empty column', async (t) => {
    const place = placeWith(t, {
      'given.jsonl': lines(person('alice', { level: 3, teams: ['a'], number: 'N1' })),
      'empty.csv': 'username,email,level,teams,number\nalice,alice@example.com,,,\n',
      'removing.jsonl': lines(person('alice', { level: '', number: null })),
    })
    await place.json('attribute add level --type integer')
    await place.json('attribute add teams --many')
    await place.json('attribute add number --edited-by source --unique')
    await result(place, 'users given.jsonl')
    const values = { level: 3, teams: ['a'], number: 'N1' }
    assert.equal((await result(place, 'users empty.csv --on-conflict update')).updated, 1)
    assert.deepEqual((await find(place, 'alice')).attributes, values)
    assert.equal((await result(place, 'users removing.jsonl --on-conflict update')).updated, 1)
    assert.deepEqual((await find(place, 'alice')).attributes, { teams: ['a'] })
  })

  it('have 16 KB at most for each person, all together', async (t) => {
    const [names, long] = [['a', 'b', 'c', 'd', 'e'], 'x'.repeat(4000)]
    const cells = names.map(() => long)
    const place = placeWith(t, {
      'people.jsonl': lines(person('alice', Object.fromEntries(names.map((name) => [name, long])))),
      'people.csv': `username,email,${names}\nbob,bob@example.com,${cells}\n`,
    })
    for (const name of names) await place.json(`attribute add ${name} max=4096`)
    for (const file of ['people.jsonl', 'people.csv']) {
      const found = await result(place, `users ${file}`)
      assert.deepEqual(countsOf(found), [1, 0, 0, 0, 1], file)
      assert.match(found.rows[0]?.reason ?? '', /attributes of a person have at most 16384 bytes/)
    }
  })

  it('of the wrong type, undeclared, or taken by another person leave out the row alone', async (t) => {
    const place = placeWith(t, {
      'people.jsonl': lines(
        person('alice', { level: '3' }),
        person('bob', { shoe: 44 }),
        { ...person('carol'), attributes: 'x' },
        person('dora', { number: 'N1' }),
        person('erin', { number: 'n1' }),
        { ...person('finn'), level: 3 },
      ),
      'people.csv': 'username,email,level\ngina,gina@example.com,high\n',
    })
    await place.json('attribute add level --type integer')
    await place.json('attribute add number --unique')
    const found = await result(place, 'users people.jsonl')
    assert.deepEqual(countsOf(found), [6, 1, 0, 0, 5])
    const reasons = Object.fromEntries(found.rows.map(({ line, reason }) => [line, reason]))
    assert.match(reasons[1] ?? '', /level must be a whole number/)
    assert.match(reasons[2] ?? '', /shoe is not declared/)
    assert.match(reasons[3] ?? '', /attributes must be an object/)
    assert.match(reasons[5] ?? '', /dora has the same number/)
    assert.match(reasons[6] ?? '', /level is not a member of a person/)
    assert.match((await result(place, 'users people.csv')).rows[0]?.reason ?? '', /level must be a whole number/)
  })

  it('take fields of another system by their names, and the report names what it does not take', async (t) => {
    const attributes = { department: ['Sales'], costCentre: ['1', '2'], level: ['high'], locale: ['de'] }
    const users = [{ username: 'alice', email: 'alice@example.com', attributes }]
    const place = placeWith(t, { 'realm.json': JSON.stringify({ realm: 'shop', users }) })
    await place.json('attribute add department --edited-by source')
    await place.json('attribute add level --type integer')
    const findings = [
      { member: 'attributes.costCentre', reason: 'cost_centre is not declared.' },
      { member: 'attributes.level', reason: 'level must be a whole number.' },
    ].map((one) => ({ ...one, kind: 'person', source: 'alice', severity: 'lost', people: 1 }))
    const command = 'latchkey attribute add cost_centre --many'
    for (const option of [' --dry-run', '']) {
      const found = (await result(place, `keycloak realm.json${option}`)) as { readonly findings?: unknown }
      assert.deepEqual(found.findings, [{ ...findings[0], command }, findings[1]], option)
    }
    assert.deepEqual((await find(place, 'alice')).attributes, { department: 'Sales' })
  })

  it('of people are written by export and taken by apply', async (t) => {
    const place = placeWith(t, { 'people.jsonl': lines(person('alice', { level: 3, city: 'Köln' })) })
    await place.json('attribute add level --type integer')
    await place.json('attribute add city --edited-by person')
    await result(place, 'users people.jsonl')
    const exported = (await place.run('export --kind users')).stdout
    writeFileSync(join(place.folder, 'users.yaml'), exported)
    assert.match((await place.run('apply users.yaml --plan')).stdout, /Nothing/)
    writeFileSync(join(place.folder, 'users.yaml'), exported.replace('level: 3', 'level: 5').replace('Köln', 'Bonn'))
    const applied = (await place.json('apply users.yaml')) as { left_to_people?: unknown }
    assert.deepEqual(applied.left_to_people, [{ username: 'alice', members: ['city'] }])
    // What people set themselves stays theirs.
    assert.deepEqual((await find(place, 'alice')).attributes, { level: 5, city: 'Köln' })
    writeFileSync(join(place.folder, 'users.yaml'), exported.replace('level: 3', 'level: high'))
    const wrong = await place.run('apply users.yaml')
    assert.equal(wrong.code, 1)
    assert.match(wrong.stderr, /level must be a whole number/)
  })
})

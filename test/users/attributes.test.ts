import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { RE2JS } from 're2js'
import { isRefusal } from '../../src/refusal.ts'
import { changeAttributes } from '../../src/users/attribute-changes.ts'
import { keysOf, readValue, valueFault } from '../../src/users/attribute-values.ts'
import { type Attribute, countProblems, registerAttribute, translated } from '../../src/users/attributes.ts'
import { userRecord } from '../../src/users/user-record.ts'
import { sampleUser } from '../protocol/samples.ts'
import { textAttribute } from '../support/text-attribute.ts'

const attribute = (change: Partial<Attribute> = {}): Attribute =>
  textAttribute('department', { editedBy: 'operator', ...change })
const patternFault = (pattern: string) => {
  try {
    RE2JS.compile(pattern)
    return undefined
  } catch {
    return 'is no RE2'
  }
}
const matches = (pattern: string, text: string) => RE2JS.compile(pattern).matcher(text).matches()
const messages = (change: Partial<Attribute>) => {
  const judged = registerAttribute(attribute(change), patternFault)
  return isRefusal(judged) ? judged.problems.map(({ message }) => message) : []
}
const choices = ['red', 'green'].map((value) => ({ value, labels: {} }))

describe('the declaration of an attribute', () => {
  for (const [what, change] of [
    ['a text', {}],
    ['the longest name', { name: `a${'b'.repeat(62)}` }],
    [
      '200 choices',
      { type: 'choice', choices: Array.from({ length: 200 }, (_, at) => ({ value: `${at}`, labels: {} })) },
    ],
    ['a pattern of 200 characters', { pattern: 'a'.repeat(200) }],
    ['a choice with labels', { type: 'choice', choices: [{ value: 'red', labels: { '': 'Red', de: 'Rot' } }] }],
    ['an integer with one bound', { type: 'integer', min: 0 }],
    ['a unique integer in bounds', { type: 'integer', unique: true, min: -(2 ** 53), max: 2 ** 53 }],
    ['a text with a pattern', { pattern: '[A-Z]{3}-\\d+', min: 5, max: 20 }],
    [
      'a label and help in languages',
      { labels: { '': 'Department', 'pt-br': 'Setor' }, helps: { de: 'Wo Sie arbeiten' } },
    ],
  ] as const satisfies readonly (readonly [string, Partial<Attribute>])[]) {
    it(`can be declared as ${what}`, () => assert.deepEqual(messages(change), []))
  }

  for (const name of ['', 'A', '1a', '_a', 'a-b', 'ä', `a${'b'.repeat(63)}`]) {
    it(`has no name like ${JSON.stringify(name.slice(0, 10))}`, () => assert.equal(messages({ name }).length, 1))
  }

  for (const name of [
    'email',
    'username',
    'address',
    'sub',
    'iss',
    'scope',
    'roles',
    'role',
    'id',
    'groups',
    'updated_at',
    'returnurl',
  ]) {
    it(`has not the name ${name}, which means something else`, () => {
      assert.deepEqual(messages({ name }), [`The name ${name} is that of a claim or a member of every person.`])
    })
  }

  it('has the name of no standard claim, of none that RFC 7519 registers or tokens have, and of no member of a record', () => {
    const standard =
      'sub name given_name family_name middle_name nickname preferred_username profile picture website email ' +
      'email_verified gender birthdate zoneinfo locale phone_number phone_number_verified address updated_at'
    const ofTokens =
      'iss aud exp nbf iat jti azp nonce auth_time acr amr at_hash c_hash sid scope client_id cnf act may_act'
    const everything = { attributes: { a: 'x' }, requiredActions: ['update_password'], hadSecondFactor: true } as const
    const members = Object.keys(userRecord({ ...sampleUser(), ...everything }, 0))
    assert.ok(members.length >= 11)
    for (const name of [...standard.split(' '), ...ofTokens.split(' '), ...members, 'effective_roles', 'groups']) {
      assert.equal(messages({ name }).length, 1, name)
    }
  })

  for (const [what, change, member] of [
    ['a unique date', { unique: true, type: 'date' }, 'unique'],
    ['a unique choice', { unique: true, type: 'choice', choices }, 'unique'],
    ['a unique list', { unique: true, many: true }, 'unique'],
    ['a unique boolean', { unique: true, type: 'boolean' }, 'unique'],
    ['what people edit and do not see', { editedBy: 'person', seenBy: 'operator' }, 'edited_by'],
    ['many booleans', { type: 'boolean', many: true }, 'many'],
    ['choices of a text', { choices }, 'choices'],
    ['a choice without choices', { type: 'choice' }, 'choices'],
    ['a choice that is there twice', { type: 'choice', choices: [...choices, ...choices.slice(1)] }, 'choices'],
    [
      'too many choices',
      { type: 'choice', choices: Array.from({ length: 201 }, (_, at) => ({ value: `${at}`, labels: {} })) },
      'choices',
    ],
    ['an empty choice', { type: 'choice', choices: [{ value: '', labels: {} }] }, 'choices'],
    ['a label in no language', { labels: { 'no_language!': 'x' } }, 'label'],
    ['an empty label', { labels: { '': '' } }, 'label'],
    ['a pattern of an integer', { type: 'integer', pattern: '1+' }, 'pattern'],
    ['a pattern that looks ahead, which RE2 does not', { pattern: '(?=a)' }, 'pattern'],
    ['a pattern that repeats repetitions without end', { pattern: '((a{100}){100}){100}' }, 'pattern'],
    ['a pattern that is too long', { pattern: 'a'.repeat(201) }, 'pattern'],
    ['bounds of a date', { type: 'date', min: 1 }, 'min'],
    ['a minimum beyond the maximum', { min: 3, max: 2 }, 'min'],
    ['a broken bound', { type: 'integer', max: 1.5 }, 'min'],
    ['an integer that numbers cannot hold', { type: 'integer', max: 2 ** 54 }, 'min'],
  ] as const satisfies readonly (readonly [string, Partial<Attribute>, string])[]) {
    it(`cannot be declared as ${what}`, () => {
      const judged = registerAttribute(attribute(change), patternFault)
      assert.ok(isRefusal(judged))
      assert.deepEqual(
        judged.problems.map((one) => one.member),
        [member],
      )
    })
  }

  it('is one of 64 at most', () => {
    assert.deepEqual(countProblems(64), [])
    assert.equal(countProblems(65).length, 1)
  })

  it('is worded in the language of the person, or in that of everybody', () => {
    const labels = { '': 'Department', de: 'Abteilung', 'pt-br': 'Setor' }
    const words = ['de-AT', 'pt-BR', 'fr'].map((tag) => translated(labels, tag, 'department'))
    assert.deepEqual([...words, translated({}, 'de', 'department')], ['Abteilung', 'Setor', 'Department', 'department'])
  })
})

describe('the value of an attribute', () => {
  const many = { many: true } as const
  for (const [what, change, value] of [
    ['a text', {}, 'Sales'],
    ['256 characters', {}, '𝄞'.repeat(256)],
    ['a text between its bounds', { min: 2, max: 4 }, 'abc'],
    ['a text as short as the minimum', { min: 2 }, 'ab'],
    ['a text as long as the maximum, beyond 256 characters', { max: 300 }, 'x'.repeat(300)],
    ['what the pattern matches as a whole', { pattern: 'a|ab' }, 'ab'],
    ['an integer', { type: 'integer' }, -5],
    ['the largest integer', { type: 'integer' }, 2 ** 53],
    ['a boolean', { type: 'boolean' }, false],
    ['a leap day', { type: 'date' }, '2028-02-29'],
    ['a choice', { type: 'choice', choices }, 'green'],
    ['a list', many, ['b', 'a']],
  ] as const satisfies readonly (readonly [string, Partial<Attribute>, unknown])[]) {
    it(`can be ${what}`, () => assert.equal(valueFault(attribute(change), value, matches), undefined))
  }

  for (const [what, change, value, fault] of [
    ['a number for a text', {}, 5, 'must be a text'],
    ['an empty text', {}, '', 'must not be empty'],
    ['257 characters', {}, 'x'.repeat(257), 'must have at most 256 characters'],
    ['more than the maximum', { max: 3 }, 'abcd', 'must have at most 3 characters'],
    ['less than the minimum', { min: 3 }, 'ab', 'must have at least 3 characters'],
    ['what the pattern matches in part', { pattern: '[a-z]+' }, 'ab1', 'must match the pattern [a-z]+'],
    ['a text for an integer', { type: 'integer' }, '5', 'must be a whole number'],
    ['half a number', { type: 'integer' }, 0.5, 'must be a whole number'],
    ['an integer beyond what numbers hold', { type: 'integer' }, 2 ** 54, `must be from ${-(2 ** 53)} to ${2 ** 53}`],
    ['an integer below the minimum', { type: 'integer', min: 1, max: 9 }, 0, 'must be from 1 to 9'],
    ['a text for a boolean', { type: 'boolean' }, 'true', 'must be true or false'],
    ['a day that is not there', { type: 'date' }, '2026-02-29', 'must be a date such as 2026-03-01'],
    ['a date and time', { type: 'date' }, '2026-03-01T00:00:00Z', 'must be a date such as 2026-03-01'],
    ['no choice', { type: 'choice', choices }, 'blue', 'must be one of red, green'],
    ['one value for a list', many, 'a', 'must be a list of values'],
    ['an empty list', many, [], 'must be a list of values'],
    [
      'a text of more digits than numbers hold',
      { type: 'integer' },
      Infinity,
      `must be from ${-(2 ** 53)} to ${2 ** 53}`,
    ],
    ['no number', { type: 'integer' }, Number.NaN, 'must be a whole number'],
    ['a list in a list', many, [['a']], 'has a value that must be a text'],
    ['too many values', many, Array.from({ length: 101 }, (_, at) => `${at}`), 'must have at most 100 values'],
    ['an object', {}, { a: 1 }, 'must be a text'],
  ] as const satisfies readonly (readonly [string, Partial<Attribute>, unknown, string])[]) {
    it(`cannot be ${what}`, () => assert.equal(valueFault(attribute(change), value, matches), fault))
  }

  for (const [what, change, text, value] of [
    ['a text', {}, 'Sales', 'Sales'],
    ['nothing', {}, '', undefined],
    ['an integer', { type: 'integer' }, '-12', -12],
    ['the least integer', { type: 'integer' }, '-9007199254740992', -(2 ** 53)],
    ['one that numbers do not hold exactly', { type: 'integer' }, '9007199254740993', Infinity],
    ['one below what they hold', { type: 'integer' }, '-90071992547409930', -Infinity],
    ['no integer', { type: 'integer' }, '1e3', '1e3'],
    ['a boolean', { type: 'boolean' }, 'true', true],
    ['no', { type: 'boolean' }, 'false', false],
    ['no boolean', { type: 'boolean' }, 'yes', 'yes'],
    ['a list', many, '["b","a","b"]', ['b', 'a']],
    ['a list of one', many, 'a, b', ['a, b']],
    ['a list of integers as text', { type: 'integer', many: true }, '["1",2]', [1, 2]],
    ['an empty list', many, '[]', undefined],
    ['what is no list', many, '[a', '[a'],
  ] as const satisfies readonly (readonly [string, Partial<Attribute>, string, unknown])[]) {
    it(`is read from text as ${what}`, () => assert.deepEqual(readValue(attribute(change), text), value))
  }

  it('is compared as user names are', () => {
    assert.deepEqual(keysOf('Straße'), keysOf('STRASSE'))
    assert.deepEqual(keysOf(['A', 'b']), ['a', 'b'])
    assert.deepEqual(keysOf(7), ['7'])
  })

  it('is declared, and all of a person fit in 16 KB', () => {
    const declared = new Map(['a', 'b', 'c', 'd', 'e'].map((name) => [name, attribute({ name, max: 4096 })]))
    const member = (values: Record<string, unknown>) => {
      const changed = changeAttributes(sampleUser(), values, 'operator', { declared, matches }, 0)
      return isRefusal(changed) ? changed.problems.map((one) => one.member) : []
    }
    assert.deepEqual(member({ a: 'x', unknown: 'y' }), ['attributes.unknown'])
    assert.deepEqual(member({ a: 5 }), ['attributes.a'])
    const long = 'x'.repeat(4000)
    assert.deepEqual(member({ a: long, b: long, c: long, d: long }), [])
    assert.deepEqual(member({ a: long, b: long, c: long, d: long, e: long }), ['attributes'])
  })

  it('is matched against its pattern only with as much text as fits, because matching holds the event loop', () => {
    const declared = new Map([['department', attribute({ many: true, max: 4096, pattern: '[a-z0-9]+' })]])
    let matched = 0
    const counted = (pattern: string, text: string) => {
      matched += text.length
      return matches(pattern, text)
    }
    const department = Array.from({ length: 100 }, (_, at) => `${at}${'x'.repeat(4000)}`)
    const changed = changeAttributes(sampleUser(), { department }, 'operator', { declared, matches: counted }, 0)
    assert.ok(isRefusal(changed))
    assert.equal(matched, 0)
  })
})

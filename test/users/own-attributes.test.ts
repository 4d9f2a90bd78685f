import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isRefusal } from '../../src/refusal.ts'
import type { Attribute } from '../../src/users/attributes.ts'
import {
  changeOwnAttributes,
  isIncomplete,
  missingFields,
  seenFields,
  seenValues,
} from '../../src/users/own-attributes.ts'
import type { User } from '../../src/users/user.ts'
import { testUser } from '../support/service.ts'

const nowMs = Date.UTC(2026, 0, 1)
const byDefault: Omit<Attribute, 'name'> = {
  type: 'text',
  many: false,
  choices: [],
  labels: {},
  helps: {},
  required: false,
  editedBy: 'person',
  seenBy: 'person',
  unique: false,
  pattern: null,
  min: null,
  max: null,
  searchable: false,
  createdAtMs: 0,
  version: 1,
}

function declared(...attributes: (Partial<Attribute> & { readonly name: string })[]): ReadonlyMap<string, Attribute> {
  return new Map(attributes.map((attribute) => [attribute.name, { ...byDefault, ...attribute }]))
}

const fields = declared(
  { name: 'nick', labels: { '': 'Call me', de: 'Rufname' }, helps: { '': 'What colleagues say' } },
  { name: 'department', editedBy: 'operator' },
  { name: 'score', seenBy: 'operator', editedBy: 'operator', type: 'integer' },
  {
    name: 'teams',
    many: true,
    type: 'choice',
    choices: [
      { value: 'a', labels: { de: 'Eins' } },
      { value: 'b', labels: {} },
    ],
  },
  { name: 'size', required: true, type: 'integer' },
)

const matches = () => true
const change = (user: User, changes: Record<string, unknown>) =>
  changeOwnAttributes(user, changes, fields, matches, nowMs)
const person = (attributes: User['attributes'] = {}): User => ({ ...testUser({ name: 'ann' }), attributes })

/** The names of members with a fault, and what it says. */
function faults(user: User, changes: Record<string, unknown>): Record<string, string> {
  const decided = change(user, changes)
  if (!isRefusal(decided)) return {}
  return Object.fromEntries(decided.problems.map(({ member, message }) => [member, message]))
}

describe('the declared fields that a person sees', () => {
  it('are those that people see, with labels and choices in the language', () => {
    const shown = seenFields(fields, 'de-AT')
    assert.deepEqual(
      shown.map(({ name, label, editable, required }) => [name, label, editable, required]),
      [
        ['nick', 'Rufname', true, false],
        ['department', 'department', false, false],
        ['teams', 'teams', true, false],
        ['size', 'size', true, true],
      ],
    )
    assert.deepEqual(shown[2]?.choices, [
      { value: 'a', label: 'Eins' },
      { value: 'b', label: 'b' },
    ])
    assert.equal(seenFields(fields, 'fr')[0]?.label, 'Call me')
    assert.equal(seenFields(fields, 'fr')[0]?.help, 'What colleagues say')
  })

  it('have no values of fields that operators see, and of those that are not declared any more', () => {
    assert.deepEqual(seenValues({ nick: 'A', score: 3, gone: 'x' }, fields), { nick: 'A' })
  })

  it('are incomplete while one that the person fills in and that is required has no value', () => {
    assert.ok(isIncomplete({ nick: 'A' }, fields))
    assert.deepEqual(
      missingFields({ nick: 'A' }, fields, 'en').map(({ name }) => name),
      ['size'],
    )
    assert.ok(!isIncomplete({ size: 0 }, fields))
    assert.ok(!isIncomplete({}, declared({ name: 'x', required: true, editedBy: 'operator' })))
  })
})

describe('what people change of their declared fields', () => {
  it('sets and removes values, and leaves the others', () => {
    const changed = change(person({ nick: 'A', department: 'sales', size: 3 }), { nick: null, teams: ['b', 'a'] })
    assert.ok(!isRefusal(changed))
    assert.deepEqual(changed.attributes, { department: 'sales', size: 3, teams: ['b', 'a'] })
    assert.equal(changed.updatedAtMs, nowMs)
  })

  it('is the person as stored where nothing changes', () => {
    const user = person({ nick: 'A' })
    assert.equal(change(user, { nick: 'A' }), user)
  })

  it('refuses what is not there for them, what others fill in, and values that do not fit, each by its name', () => {
    const found = faults(person(), { score: 1, none: 'x', department: 'sales', teams: ['c'], size: 'big', nick: 5 })
    assert.deepEqual(Object.keys(found).sort(), [
      'attributes.department',
      'attributes.nick',
      'attributes.none',
      'attributes.score',
      'attributes.size',
      'attributes.teams',
    ])
    // A field for operators is told from none by nothing.
    assert.equal(found['attributes.score']?.replace('score', 'none'), found['attributes.none'])
  })

  it('refuses to empty what is required', () => {
    for (const empty of [null, '']) assert.ok(faults(person({ size: 3 }), { size: empty })['attributes.size'])
  })
})

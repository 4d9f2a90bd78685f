import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Attribute } from '../../src/users/attributes.ts'
import { isIncomplete, missingFields, seenFields } from '../../src/users/own-attributes.ts'
import { textAttribute } from '../support/text-attribute.ts'

function declared(...attributes: (Partial<Attribute> & { readonly name: string })[]): ReadonlyMap<string, Attribute> {
  return new Map(attributes.map((attribute) => [attribute.name, textAttribute(attribute.name, attribute)]))
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

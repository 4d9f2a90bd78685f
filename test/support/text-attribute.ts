import type { Attribute } from '../../src/users/attributes.ts'

/** A declared field with a text that the person sees and changes. */
export const textAttribute = (name: string, change: Partial<Attribute> = {}): Attribute => ({
  name,
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
  ...change,
})

/** Makes the JSON schema of configuration files, from the schemas of the admin API. */

import { newAttributeSchema } from '../src/admin/attribute-schemas.ts'
import { brandSchemas } from '../src/admin/branding.ts'
import { newClientSchema } from '../src/admin/client-schemas.ts'
import { claimRulesSchema } from '../src/admin/schemas.ts'
import { fieldEntries, type MembersWith } from '../src/person-fields.ts'
import { pictureMembers } from '../src/protocol/branding/brand.ts'
import { accessTokenTypes } from '../src/protocol/token/access-token-type.ts'

const text = { type: 'string' }
const optional = { type: ['string', 'null'] }
const texts = { type: 'array', items: text }
const reference = (what: string) => ({
  type: 'string',
  pattern: '^\\$\\{[^}]+\\}$',
  description: `${what}, as a reference: \${NAME} to the environment, or \${file:PATH}.`,
})

const record = (required: readonly string[], properties: Readonly<Record<string, unknown>>) => ({
  type: 'array',
  items: { type: 'object', additionalProperties: false, required, properties },
})

function scopes() {
  const { items } = record(['name'], {
    name: text,
    display_name: optional,
    description: optional,
    resources: { ...texts, description: 'Audiences of access tokens with the scope.' },
    claims: claimRules,
    access_token_type: {
      enum: [...accessTokenTypes, null],
      description: 'The type (`typ`) of access tokens with the scope.',
    },
    purpose: { ...optional, description: 'Why it is asked for; purpose#de in a language.' },
  })
  return { type: 'array', items: { ...items, patternProperties: { '^purpose#[A-Za-z0-9-]{2,40}$': optional } } }
}

const attributes = () => ({ type: 'array', items: JSON.parse(JSON.stringify(newAttributeSchema)) })

function clients() {
  const { properties: all, patternProperties } = JSON.parse(JSON.stringify(newClientSchema))
  // Files have what a template makes.
  const { template: _template, base_url: _base, ...properties } = all
  const { items } = record(['client_id'], { ...properties, client_secret: reference('The secret') })
  return { type: 'array', items: { ...items, patternProperties } }
}

const claimRules = JSON.parse(JSON.stringify(claimRulesSchema))

const types = { text: 'string', flag: 'boolean', address: 'object' }
const fields = Object.fromEntries(fieldEntries.map(([name, { type }]) => [name, { type: [types[type], 'null'] }]))

/** What files say of people, besides their fields. */
const members = {
  username: text,
  id: {
    type: 'string',
    pattern: '^[!-~]{1,255}$',
    description: 'Becomes sub. For a person who moves here and keeps it.',
  },
  email: {
    type: 'string',
    format: 'email',
    description: 'Of a new person, who needs one. Of others: if it is to change.',
  },
  email_verified: { type: 'boolean' },
  roles: texts,
} satisfies Readonly<Record<MembersWith<{ readonly inFiles: true }>, unknown>>

/** Returns `docs/latchkey.schema.json`, which editors complete and check files with. */
export function configurationSchema(): string {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Latchkey configuration',
    description: 'Files for latchkey apply. Members that are left out take their defaults.',
    type: 'object',
    additionalProperties: false,
    properties: {
      $schema: text,
      attributes: attributes(),
      scopes: scopes(),
      resources: record(['identifier'], { identifier: text, claims: claimRules }),
      roles: record(['name'], {
        ...{ name: text, description: optional },
        includes: { ...texts, description: 'Roles that whoever has this one has, too.' },
        default: { type: 'boolean', description: 'Everybody has it.' },
      }),
      groups: record(['name'], {
        name: { ...text, description: 'Unique below its parent.' },
        parent: { ...optional, description: 'The path of the group that it is in, such as /staff; none: top level.' },
        description: optional,
        roles: { ...texts, description: 'Roles that its members have, and those of the groups in it.' },
      }),
      clients: clients(),
      branding: { type: 'object', additionalProperties: false, properties: brandProperties() },
      users: record(['username'], {
        ...members,
        password: reference('The password'),
        attributes: { type: 'object', description: 'Values of declared attributes, by their names.' },
        ...fields,
      }),
    },
  }
  return JSON.stringify(schema, null, 2)
}

/** Pictures are files here, too. */
function brandProperties(): Record<string, unknown> {
  const properties = JSON.parse(JSON.stringify(brandSchemas))
  for (const member of pictureMembers) {
    const kind = member.includes('mail') ? 'a PNG' : 'an SVG, PNG or WebP image'
    const description = `The path of ${kind} of at most 20 KiB, relative to this file, or a \`data:\` URL. The type is that of its content.`
    properties[member] = { type: ['string', 'null'], description }
  }
  return properties
}

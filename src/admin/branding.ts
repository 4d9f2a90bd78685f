/** `/branding`: the looks and links of pages and mails, as far as no setting fixes them. */
import type { TSchema } from 'typebox'
import {
  type BrandMember,
  type BrandMembers,
  backgrounds,
  brandMembers,
  nameAtMost,
  pictureMembers,
  radiusAtMost,
  type StoredBrand,
} from '../protocol/branding/brand.ts'
import { changeBrand } from '../protocol/branding/brand-changes.ts'
import { isObject } from '../protocol/json-value.ts'
import { refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import { settingSources } from '../settings/read.ts'
import { changedMembers, problemsOf, readOnlyFaults, withProblems } from './changing.ts'
import { type Call, type Done, type Operation, type Outcome, operation } from './operation.ts'
import { named, nullable, strictObject } from './schemas.ts'
import { Type } from './type.ts'
import { etagOf } from './version.ts'

type Members = Readonly<Record<string, unknown>>

/** Of a `data:` URL with the largest logo that is stored. */
const logoUrlAtMost = 28_000

const colour = (description: string) => nullable(Type.String({ maxLength: 7, description }))
const link = (description: string) => nullable(Type.String({ maxLength: 2000, description }))
const logo = (description: string) => nullable(Type.String({ maxLength: logoUrlAtMost, description }))

/** Of each member. */
export const brandSchemas = {
  name: nullable(Type.String({ maxLength: nameAtMost, description: 'Null: Latchkey.' })),
  accent_color: colour('Of buttons and links, such as `#0b57d0`: 3:1 with the page of each theme that shows it.'),
  accent_color_dark: colour('In the dark theme; null: `accent_color`.'),
  corner_radius: nullable(
    Type.Integer({ minimum: 0, maximum: radiusAtMost, description: 'Of fields and buttons, in pixels; null: 10.' }),
  ),
  background: nullable(Type.Enum([...backgrounds], { description: 'What is behind the card; null: `glow`.' })),
  logo: logo('A `data:` URL of an SVG, PNG or WebP image of at most 20 KiB. The type is that of its content.'),
  logo_dark: logo('In the dark theme; null: `logo`, on white.'),
  logo_mail: logo('A PNG for mails, few of whose programs show another image; null: `logo`, if it is one.'),
  logo_mail_dark: logo(
    'In the dark theme of mails; null: `logo_dark`, if it is a PNG, otherwise `logo_mail`, on white.',
  ),
  show_name: nullable(Type.Boolean({ description: 'Whether the name stands beside a logo; null: true.' })),
  support_url: link('Where people find help.'),
  terms_url: link('The terms of service.'),
  privacy_url: link('The privacy policy.'),
  imprint_url: link('Who runs the service.'),
} satisfies Record<BrandMember, unknown>

const fixed = Type.Array(
  strictObject({
    member: Type.Enum([...brandMembers]),
    setting: Type.String({ description: 'Such as `Brand:Name`.' }),
    source: Type.Enum(['file', 'environment']),
  }),
  { description: 'Members that settings fix. They can be sent as they are, and not be changed.' },
)

const brandingSchema = named(
  'Branding',
  // A logo that a setting names may be larger.
  strictObject({
    ...brandSchemas,
    ...Object.fromEntries(pictureMembers.map((one) => [one, nullable(Type.String())])),
    fixed,
  }),
)
const changesSchema = named(
  'BrandingChanges',
  strictObject(
    Object.fromEntries(
      Object.entries({ ...brandSchemas, fixed }).map(([member, schema]) => [member, Type.Optional(schema as TSchema)]),
    ),
  ),
)

export const brandingOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/branding',
    permission: 'admin:read',
    summary: 'Returns the looks and links of pages and mails',
    status: 200,
    answer: brandingSchema,
    hasVersion: true,
    run: async ({ service }) => shown(service, await service.storage.branding.find()),
  }),
  operation({
    method: 'PATCH',
    path: '/branding',
    permission: 'admin:write',
    summary: 'Changes them (JSON merge patch), for every process within seconds',
    body: changesSchema,
    status: 200,
    answer: brandingSchema,
    hasVersion: true,
    judge: async (call) => problemsOf(changed(call, await call.service.storage.branding.find())),
    run: change,
  }),
]

async function change(call: Call): Promise<Outcome> {
  const { service, nowMs } = call
  const body = call.body as Members
  const stored = await service.storage.branding.find()
  const before = shown(service, stored)
  const stale = call.expects(before.etag)
  if (stale !== undefined) return stale
  const next = changed(call, stored)
  const readOnly = readOnlyFaults(before.body, body, ['fixed'])
  if (readOnly !== undefined) return withProblems(readOnly, next)
  if (isRefusal(next)) return next
  const differing = brandMembers.filter((member) => next[member] !== stored.members[member])
  if (differing.length === 0) return before
  const event = call.event('branding_changed', {}, changedMembers(Object.fromEntries(differing.map((one) => [one, 0]))))
  const isDone = await service.storage.branding.change(stored, next, nowMs, [event])
  await service.brand.renewed()
  return isDone
    ? shown(service, { version: stored.version + 1, members: next })
    : refuse('admin_version_stale', 'If-Match')
}

function changed({ service, body }: Call, stored: StoredBrand) {
  const { fixed: _, ...given } = isObject(body) ? body : {}
  const { brand } = service
  return changeBrand(stored.members, given, brand.fixed, brand.with(stored))
}

function shown(
  { brand, settings }: Service,
  stored: StoredBrand,
): Done & { readonly body: Members; readonly etag: string } {
  const sources = settingSources(settings)
  const fixed = [...brand.fixed].map(([member, setting]) => ({
    member,
    setting,
    source: sources.find(({ name }) => name === setting)?.source ?? 'file',
  }))
  const body: BrandMembers & { readonly fixed: typeof fixed } = { ...brand.with(stored), fixed }
  return { body, etag: etagOf(body, stored.version) }
}

/** Where OpenIddict has what belongs to an application, and what of it does not come. An application gets no more than it had there. */
import { X509Certificate } from 'node:crypto'
import type { SettableMember } from '../protocol/client/member-table.ts'
import { isGrantType } from '../protocol/grant/grant-types.ts'
import { isObject, isTexts, type JsonObject } from '../protocol/json-value.ts'
import { isLoopbackHost } from '../protocol/loopback.ts'
import { commandOf } from './commands.ts'
import { findingsOf, jsonOf, type Note, present, type SourceRecord } from './source.ts'
import type { TableRow } from './tables.ts'

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange'

/** What OpenIddict itself demands beside the permission of a grant type. */
const alsoNeeded: Readonly<Record<string, readonly string[]>> = {
  authorization_code: ['ept:authorization', 'ept:token', 'rst:code'],
  [deviceGrant]: ['ept:device_authorization', 'ept:token'],
}

/** Who has a permission of one of these may be named in requests there. */
const audiences = ['aud:', 'rsrc:']

/** Resources of scopes, by whose names an application introspects there. */
export type KnownResources = ReadonlySet<string>

export function openIddictClient(line: number, row: TableRow, resources: KnownResources): SourceRecord {
  const id = row.ClientId ?? ''
  const place = { table: 'OpenIddictApplications', key: id }
  const of = { kind: 'client', source: id } as const
  const left = (fault: string): SourceRecord => ({ line, place, of, fault: `The application ${id} ${fault}` })
  const names = ['Permissions', 'Requirements', 'RedirectUris', 'PostLogoutRedirectUris'] as const
  const broken = names.find((name) => listIn(row[name]) === undefined)
  if (broken !== undefined) {
    return left(`has ${broken} that is no list: ${names.join(', ')} must be JSON arrays of texts.`)
  }
  // Version 5 renamed the column.
  const isPublic = (row.ClientType ?? row.Type ?? 'public').toLowerCase() !== 'confidential'
  const secret = row.ClientSecret
  const keys = isPublic ? undefined : keysIn(row.JsonWebKeySet)
  if (!isPublic && !secret && keys === undefined) return left('is confidential, and has neither a secret nor keys.')
  const notes: Note[] = []
  const say = (
    member: string,
    severity: Note['severity'],
    reason: string,
    command: { command?: string } = {},
  ): void => {
    notes.push({ member, severity, reason: `${id}: ${reason}`, ...command })
  }
  const permissions = new Set(listIn(row.Permissions))
  const grants = grantsOf(permissions, say)
  const introspects = permissions.has('ept:introspection') && !isPublic
  if (grants.length === 0 && !introspects) {
    const given = permitted('gt:', permissions).join(', ') || 'none'
    return left(
      `comes with none of its grant types: none of them is supported, or none was permitted there (${given}).`,
    )
  }
  if (grants.length === 0) {
    say(
      'Permissions.ept:introspection',
      'changed',
      'it introspects alone. Every application here has a grant type: it comes with client_credentials and without scopes.',
    )
  }
  if (grants.includes(exchangeGrant)) {
    const why = 'token exchange works for the clients that may_exchange names, and OpenIddict has no such list.'
    say('Permissions.gt:token-exchange', 'held', why, commandOf('client set', id, 'may_exchange+=CLIENT'))
  }
  const method = isPublic ? 'none' : secret ? 'client_secret_basic' : keys?.method
  if (secret && keys !== undefined) {
    say('JsonWebKeySet', 'lost', 'it has a secret as well, and a client has one method here: its keys do not come.')
  }
  const isByKeys = !isPublic && !secret && keys !== undefined
  const members = {
    client_name: row.DisplayName,
    ...localisedNames(row.DisplayNames),
    ...addresses(row, permissions, say),
    scope: scopesOf(permissions, grants),
    grant_types: grants.length > 0 ? grants : ['client_credentials'],
    token_endpoint_auth_method: method,
    ...(isByKeys && { jwks: keys?.jwks }),
    consent: consentOf(row.ConsentType),
    // As version 7 writes it.
    access_token_scope: 'string',
    // Without the code flow nothing is lowered.
    require_pkce:
      listIn(row.Requirements)?.includes('ft:pkce') === true || (isPublic && !grants.includes('authorization_code')),
    ...(listIn(row.Requirements)?.includes('ft:par') && { require_pushed_authorization_requests: true }),
    ...(row.ApplicationType === 'native' && { application_type: 'native' }),
    ...(introspects && resources.has(id) && { resources: [id] }),
    ...lifetimes(row.Settings, say),
  } satisfies Partial<Record<SettableMember | `client_name#${string}`, unknown>>
  if (isPublic && grants.includes('authorization_code') && !members.require_pkce) {
    const why = 'a public client that may leave PKCE out: whoever reads a code can use it.'
    say('Requirements', 'risk', why, commandOf('client set', id, 'require_pkce=true'))
  }
  for (const uri of members.redirect_uris ?? []) {
    if (/^http:\/\//i.test(uri) && !isLoopbackHost(URL.parse(uri)?.hostname ?? '')) {
      say('RedirectUris', 'risk', `codes for ${uri} go over plain http, where others can read them.`)
    }
  }
  if (row.Properties && row.Properties !== '{}') say('Properties', 'lost', 'properties of your own do not come.')
  const stored = !isPublic && secret && { secret: { hash: `aspnet:${secret}` } }
  const client = { id, ...stored, members: present(members), names: sourceNames }
  return { line, place, client, findings: findingsOf('client', id, notes) }
}

const sourceNames: Readonly<Record<string, string>> = {
  client_name: 'DisplayName',
  redirect_uris: 'RedirectUris',
  post_logout_redirect_uris: 'PostLogoutRedirectUris',
  scope: 'Permissions',
  grant_types: 'Permissions',
  consent: 'ConsentType',
  require_pkce: 'Requirements',
  jwks: 'JsonWebKeySet',
  access_token_lifetime: 'Settings.tkn_lft:act',
  id_token_lifetime: 'Settings.tkn_lft:idt',
  refresh_token_lifetime: 'Settings.tkn_lft:reft',
  client_id: 'ClientId',
}

type Say = (member: string, severity: Note['severity'], reason: string) => void

/** Returns the grant types that worked there and are supported. The others are named. */
function grantsOf(permissions: ReadonlySet<string>, say: Say): string[] {
  const kept: string[] = []
  for (const grant of permitted('gt:', permissions)) {
    const lacking = (alsoNeeded[grant] ?? ['ept:token']).filter((one) => !permissions.has(one))
    if (!isGrantType(grant)) say(`Permissions.gt:${grant}`, 'lost', `the grant type ${grant} is not supported.`)
    else if (lacking.length > 0) {
      say(
        `Permissions.gt:${grant}`,
        'lost',
        `the grant type ${grant} was of no use there without ${lacking.join(', ')}.`,
      )
    } else kept.push(grant)
  }
  for (const type of permitted('rst:', permissions)) {
    if (type !== 'code') say(`Permissions.rst:${type}`, 'lost', `the response type ${type} is not supported.`)
  }
  for (const prefix of audiences) {
    for (const name of permitted(prefix, permissions)) {
      say(
        `Permissions.${prefix}${name}`,
        'lost',
        `whom it may name in requests (${name}) follows from its scopes here.`,
      )
    }
  }
  const isAlone = kept.every((grant) => grant === 'refresh_token')
  return isAlone ? [] : kept
}

/** OpenIddict gives refresh tokens for the scope, without a permission of its own, to who may refresh. */
function scopesOf(permissions: ReadonlySet<string>, grants: readonly string[]): string {
  const scopes = permitted('scp:', permissions).filter((scope) => scope !== 'openid' && scope !== 'offline_access')
  return [...scopes, ...(grants.includes('refresh_token') ? ['offline_access'] : [])].join(' ')
}

/** A missing one is explicit. External: only people with an authorization that an administrator made. Systematic: asked each time. */
function consentOf(type: string | null | undefined): string {
  const kinds: Readonly<Record<string, string>> = { implicit: 'implicit', external: 'external', systematic: 'always' }
  return kinds[(type ?? '').toLowerCase()] ?? 'explicit'
}

/** Sign-out leads nowhere there without a permission for the endpoint. */
function addresses(row: TableRow, permissions: ReadonlySet<string>, say: Say) {
  const after = listIn(row.PostLogoutRedirectUris) ?? []
  const isLeft = after.length > 0 && !permissions.has('ept:end_session') && !permissions.has('ept:logout')
  if (isLeft)
    say('PostLogoutRedirectUris', 'lost', 'its addresses after a sign-out were of no use without ept:end_session.')
  return { redirect_uris: listIn(row.RedirectUris), ...(!isLeft && { post_logout_redirect_uris: after }) }
}

/** `{"de-DE":"Laden"}`. */
function localisedNames(text: string | null | undefined): Record<`client_name#${string}`, string> {
  const names = jsonOf(text ?? '')
  const entries = isObject(names) ? Object.entries(names) : []
  return Object.fromEntries(
    entries.flatMap(([language, name]) =>
      typeof name === 'string' && name !== '' ? [[`client_name#${language}` as const, name] as const] : [],
    ),
  )
}

const lifetimeMembers: Readonly<Record<string, string>> = {
  'tkn_lft:act': 'access_token_lifetime',
  'tkn_lft:idt': 'id_token_lifetime',
  'tkn_lft:reft': 'refresh_token_lifetime',
}

function lifetimes(text: string | null | undefined, say: Say): Record<string, number> {
  const settings = jsonOf(text ?? '')
  const found: Record<string, number> = {}
  for (const [key, value] of isObject(settings) ? Object.entries(settings) : []) {
    const member = lifetimeMembers[key]
    const seconds = secondsIn(value)
    if (member === undefined) say(`Settings.${key}`, 'lost', `${key} (${String(value)}) has no place here.`)
    else if (seconds === undefined) say(`Settings.${key}`, 'lost', `${key} (${String(value)}) is no time span.`)
    else found[member] = seconds
  }
  return found
}

/** Reads a .NET time span such as `00:05:00` or `10.00:00:00`, in seconds. */
function secondsIn(span: unknown): number | undefined {
  const match = /^(?:(\d+)\.)?(\d\d):(\d\d):(\d\d)(?:\.\d+)?$/.exec(String(span))
  if (match === null) return undefined
  const [, days = '0', hours, minutes, seconds] = match
  return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)
}

/** Each key has empty lists there, such as `oth`. Keys with a certificate prove the client by that (RFC 8705 §2.2). */
function keysIn(text: string | null | undefined) {
  const set = jsonOf(text ?? '')
  const keys = isObject(set) && Array.isArray(set.keys) ? set.keys.filter(isObject).map(withoutEmptyLists) : []
  if (keys.length === 0) return undefined
  const method = keys.some((key) => key.x5c !== undefined) ? 'self_signed_tls_client_auth' : 'private_key_jwt'
  return { method, jwks: { keys } }
}

const withoutEmptyLists = (key: JsonObject): JsonObject => {
  const given = Object.entries(key).filter(([, value]) => !(Array.isArray(value) && value.length === 0))
  return { ...certifiedKey(key), ...Object.fromEntries(given) }
}

/** A key with a certificate may have its own members there alone. */
function certifiedKey({ x5c }: JsonObject): JsonObject {
  const [first] = Array.isArray(x5c) ? x5c : []
  if (typeof first !== 'string') return {}
  try {
    return { ...new X509Certificate(Buffer.from(first, 'base64')).publicKey.export({ format: 'jwk' }) }
  } catch {
    return {}
  }
}

function permitted(prefix: string, permissions: ReadonlySet<string>): string[] {
  return [...permissions].flatMap((one) => (one.startsWith(prefix) ? one.slice(prefix.length) : []))
}

/** Undefined: no list. A missing value is an empty one. */
export function listIn(text: string | null | undefined): readonly string[] | undefined {
  if (text === null || text === undefined || text === '') return []
  const value = jsonOf(text)
  return isTexts(value) ? value : undefined
}

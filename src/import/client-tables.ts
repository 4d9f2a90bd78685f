/** Where other systems have what belongs to a client, and which clients and scopes cannot come. */
import type { SettableMember } from '../protocol/client/member-table.ts'
import { isGrantType } from '../protocol/grant/grant-types.ts'
import { isTexts } from '../protocol/json-value.ts'
import { resourceFault } from '../protocol/scope/resource-name.ts'
import { jsonOf, present, type SourceRecord } from './source.ts'
import { type Row, readRows } from './source-table.ts'
import type { TableRow } from './tables.ts'

type ClientRow = Row<SettableMember>

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

// With its lists read, and whether it is public.
const openIddictRows: readonly ClientRow[] = [
  ['DisplayName', 'client_name'],
  ['RedirectUris', 'redirect_uris'],
  ['PostLogoutRedirectUris', 'post_logout_redirect_uris'],
  ['Permissions', 'scope', permittedScopes],
  ['Permissions', 'grant_types', (permissions) => permitted('gt:', permissions).filter(isGrantType)],
  [['isPublic', 'ClientSecret'], 'token_endpoint_auth_method', methodOf],
  ['ConsentType', 'consent', (type) => (/^implicit$/i.test(String(type)) ? 'implicit' : 'explicit')],
  [
    ['isPublic', 'Requirements'],
    'require_pkce',
    (isPublic, all) => isPublic === true || textsIn(all).includes('ft:pkce'),
  ],
  ['Requirements', 'require_pushed_authorization_requests', (all) => textsIn(all).includes('ft:par') || undefined],
  ['ApplicationType', 'application_type', (type) => (type === 'native' ? type : undefined)],
  [
    ['isPublic', 'ClientSecret', 'JsonWebKeySet'],
    'jwks',
    (isPublic, secret, keys) => (methodOf(isPublic, secret) === 'private_key_jwt' ? jsonOf(String(keys)) : undefined),
  ],
]

/** A resource that is neither a URI nor a name is reported, and the scope comes in without it: clients need the scope. */
export function openIddictScope(line: number, row: TableRow): SourceRecord[] {
  const { Name: name, DisplayName: displayName = null, Description: description = null } = row
  const all = listIn(row.Resources)
  if (all === undefined) return [{ line, fault: 'Resources is no JSON array of texts.' }]
  const isNone = (resource: string): boolean =>
    !URL.canParse(resource) && resourceFault(resource, resource.length) !== undefined
  const resources = all.filter((resource) => !isNone(resource))
  const scope = { line, scope: { name: name ?? '', displayName, description, resources } }
  const others = all.filter(isNone)
  if (others.length === 0) return [scope]
  const fault = `The scope ${name} came in without ${others.join(', ')}: a resource must be an absolute URI or a name.`
  return [scope, { line, fault }]
}

export function openIddictClient(line: number, row: TableRow): SourceRecord {
  const names = ['Permissions', 'Requirements', 'RedirectUris', 'PostLogoutRedirectUris']
  const lists = names.map((name) => [name, listIn(row[name])] as const)
  if (lists.some(([, list]) => list === undefined)) {
    const fault = 'Permissions, Requirements, RedirectUris and PostLogoutRedirectUris must be JSON arrays of texts.'
    return { line, fault }
  }
  const { ClientId: id, ClientSecret: secret } = row
  // Version 5 renamed the column.
  const isPublic = (row.ClientType ?? row.Type ?? 'public').toLowerCase() !== 'confidential'
  if (!isPublic && !secret && !row.JsonWebKeySet)
    return { line, fault: 'A confidential client has neither a secret nor keys.' }
  const { members } = readRows(openIddictRows, { ...row, ...Object.fromEntries(lists), isPublic })
  if (textsIn(members.grant_types).length === 0) {
    const grants = permitted('gt:', lists[0]?.[1]).join(', ')
    return { line, fault: `None of its grant types is supported (${grants || 'none'}).` }
  }
  const stored = !isPublic && secret && { secret: { hash: `aspnet:${secret}` } }
  return { line, client: { id: id ?? '', ...stored, members: present(members) } }
}

function methodOf(isPublic: unknown, secret: unknown): string {
  if (isPublic === true) return 'none'
  return secret ? 'client_secret_basic' : 'private_key_jwt'
}

function permitted(prefix: string, permissions: unknown): string[] {
  return textsIn(permissions).flatMap((one) => (one.startsWith(prefix) ? one.slice(prefix.length) : []))
}

/** OpenIddict gives refresh tokens for the scope without a permission of its own. */
function permittedScopes(permissions: unknown): string {
  const scopes = permitted('scp:', permissions).filter((scope) => scope !== 'openid')
  const isLacking = permitted('gt:', permissions).includes('refresh_token') && !scopes.includes('offline_access')
  return [...scopes, ...(isLacking ? ['offline_access'] : [])].join(' ')
}

/** Undefined: no list. A missing value is an empty one. */
function listIn(text: string | null | undefined): readonly string[] | undefined {
  if (text === null || text === undefined) return []
  const value = jsonOf(text)
  return isTexts(value) ? value : undefined
}

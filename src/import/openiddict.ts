/** The tables of applications and scopes of OpenIddict. */
import { isGrantType } from '../protocol/grant/grant-types.ts'
import { isTexts } from '../protocol/json-value.ts'
import { present, type Reader, type SourceRecord } from './source.ts'
import { openTables, type TableRow } from './tables.ts'

export const readOpenIddict: Reader = async function* (places) {
  for (const place of places) {
    const tables = openTables(place, 'OpenIddictApplications')
    try {
      // Clients name scopes, which must be there first.
      for await (const read of tables.rows('OpenIddictScopes')) {
        if ('fault' in read) yield read
        else yield* toScope(read.line, read.row)
      }
      for await (const read of tables.rows('OpenIddictApplications')) {
        yield 'fault' in read ? read : toClient(read.line, read.row)
      }
    } finally {
      tables.close()
    }
  }
}

/** A resource that is no URI is reported, and the scope comes in without it: clients need the scope. */
function* toScope(line: number, row: TableRow): Generator<SourceRecord> {
  const { Name: name, DisplayName: displayName = null, Description: description = null } = row
  const all = textsIn(row.Resources)
  if (all === undefined) {
    yield { line, fault: 'Resources is no JSON array of texts.' }
    return
  }
  const resources = all.filter((uri) => URL.canParse(uri))
  yield { line, scope: { name: name ?? '', displayName, description, resources } }
  const names = all.filter((uri) => !URL.canParse(uri))
  if (names.length === 0) return
  const fault = `The scope ${name} came in without ${names.join(', ')}: a resource must be an absolute URI.`
  yield { line, fault }
}

function toClient(line: number, row: TableRow): SourceRecord {
  const [permissions, requirements] = [textsIn(row.Permissions), textsIn(row.Requirements)]
  const [redirectUris, postLogoutRedirectUris] = [textsIn(row.RedirectUris), textsIn(row.PostLogoutRedirectUris)]
  if (!permissions || !requirements || !redirectUris || !postLogoutRedirectUris) {
    const fault = 'Permissions, Requirements, RedirectUris and PostLogoutRedirectUris must be JSON arrays of texts.'
    return { line, fault }
  }
  const { ClientSecret: secret } = row
  // Version 5 renamed the column.
  const isPublic = (row.ClientType ?? row.Type ?? 'public').toLowerCase() !== 'confidential'
  if (!isPublic && !secret && !row.JsonWebKeySet)
    return { line, fault: 'A confidential client has neither a secret nor keys.' }
  const of = (prefix: string) =>
    permissions.filter((one) => one.startsWith(prefix)).map((one) => one.slice(prefix.length))
  const grants = of('gt:').filter(isGrantType)
  if (grants.length === 0)
    return { line, fault: `None of its grant types is supported (${of('gt:').join(', ') || 'none'}).` }
  const scopes = of('scp:').filter((scope) => scope !== 'openid')
  // OpenIddict gives refresh tokens for the scope without a permission of its own.
  if (grants.includes('refresh_token') && !scopes.includes('offline_access')) scopes.push('offline_access')
  const method = isPublic ? 'none' : secret ? 'client_secret_basic' : 'private_key_jwt'
  return {
    line,
    client: {
      id: row.ClientId ?? '',
      ...(!isPublic && secret && { secret: { hash: `aspnet:${secret}` } }),
      members: present({
        client_name: row.DisplayName,
        redirect_uris: redirectUris,
        post_logout_redirect_uris: postLogoutRedirectUris,
        scope: scopes.join(' '),
        grant_types: grants,
        token_endpoint_auth_method: method,
        consent: row.ConsentType?.toLowerCase() === 'implicit' ? 'implicit' : 'explicit',
        require_pkce: isPublic || requirements.includes('ft:pkce'),
        require_pushed_authorization_requests: requirements.includes('ft:par') ? true : undefined,
        application_type: row.ApplicationType === 'native' ? 'native' : undefined,
        jwks: method === 'private_key_jwt' ? json(row.JsonWebKeySet) : undefined,
      }),
    },
  }
}

/** Undefined: no list. A missing value is an empty one. */
function textsIn(text: string | null | undefined): readonly string[] | undefined {
  if (text === null || text === undefined) return []
  const value = json(text)
  return isTexts(value) ? value : undefined
}

function json(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

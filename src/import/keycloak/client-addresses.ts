/** Where clients of Keycloak may send people: relative, with wildcards, or standing for others. */
import type { JsonObject } from '../../protocol/json-value.ts'
import type { Note } from '../source.ts'
import type { RealmFacts } from './facts.ts'
import { textsIn } from './realm-file.ts'

type Addresses = { readonly uris: readonly string[]; readonly notes: readonly Note[] }

/** Returns an address that may be relative to the root of the client. */
export function absolute(uri: string, rootUrl: unknown): string {
  const root = typeof rootUrl === 'string' && !rootUrl.startsWith('${') ? rootUrl.replace(/\/$/, '') : ''
  return uri.startsWith('/') ? `${root}${uri}` : uri
}

export function redirectUris(client: JsonObject, facts: RealmFacts): Addresses {
  const uris = textsIn(client.redirectUris).map((uri) => absolute(uri, client.rootUrl))
  return withoutWildcards('redirectUris', String(client.clientId), uris, facts)
}

/** A plus sign stands for the redirect addresses, a dash for none. Before version 19, they were the redirect addresses. */
export function logoutUris(
  client: JsonObject,
  text: unknown,
  redirects: readonly string[],
  facts: RealmFacts,
): Addresses {
  if (typeof text !== 'string' || text === '' || text === '-') return { uris: [], notes: [] }
  const all = text.split('##').filter((uri) => uri !== '' && uri !== '-')
  const member = 'attributes.post.logout.redirect.uris'
  const parts = all.map((uri) =>
    uri === '+'
      ? { uris: redirects, notes: [] }
      : withoutWildcards(member, String(client.clientId), [absolute(uri, client.rootUrl)], facts),
  )
  return { uris: [...new Set(parts.flatMap(({ uris }) => uris))], notes: parts.flatMap(({ notes }) => notes) }
}

/** An operator's file has the addresses that a wildcard stood for. */
function withoutWildcards(member: string, id: string, uris: readonly string[], facts: RealmFacts): Addresses {
  const wild = uris.filter((uri) => uri.includes('*'))
  if (wild.length === 0) return { uris, notes: [] }
  const exact = uris.filter((uri) => !uri.includes('*'))
  const listed = (facts.redirects.get(id) ?? []).filter((uri) => wild.some((pattern) => matches(uri, pattern)))
  if (listed.length > 0) {
    const reason = `${id}: ${wild.join(' and ')} became the addresses of --redirects that it stood for: ${listed.join(', ')}.`
    return { uris: [...new Set([...exact, ...listed])], notes: [{ member, severity: 'changed', reason }] }
  }
  if (facts.allowsWildcards) {
    const reason = `${id}: ${wild.join(' and ')} takes any path below it, as it did there. List the addresses.`
    return { uris, notes: [{ member, severity: 'risk', reason }] }
  }
  const reason =
    `${id}: ${wild.join(' and ')} has a wildcard. Give the addresses that it stands for with --redirects FILE, ` +
    'or take it with --allow-wildcards, if it ends a path.'
  return { uris: exact, notes: [{ member, severity: 'lost', reason }] }
}

/** Whether the pattern, which takes anything for a `*` at its end, took the address. */
function matches(uri: string, pattern: string): boolean {
  const [start = ''] = pattern.split('*')
  return uri.startsWith(start)
}

/** Whether addresses on this machine may have any port, as those without one may there, `localhost` too. One with a port is exact. */
export function takesAnyPort(uris: readonly string[]): boolean {
  const local = uris.filter((uri) => /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?=[:/?]|$)/.test(uri))
  return local.length > 0 && local.every((uri) => !/^http:\/\/[^/?]*:\d+(?=[/?]|$)/.test(uri))
}

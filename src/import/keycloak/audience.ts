/**
 * What tokens of one client of Keycloak are for, by its own audience mappers: a scope of its own here, which it has unasked, and whose
 * resources are in `aud`.
 */
import { isObject, type JsonObject } from '../../protocol/json-value.ts'
import type { SourceRecord } from '../source.ts'
import { isOwnClient, type RealmFacts } from './facts.ts'
import { listIn } from './realm-file.ts'

export const audienceType = 'oidc-audience-mapper'

/** Returns what the mapper puts into `aud`; undefined: it names nothing. */
export function audienceOf(config: JsonObject): string | undefined {
  const named = config['included.custom.audience'] || config['included.client.audience']
  return typeof named === 'string' ? named : undefined
}

/** Returns the name of the scope; undefined: its access tokens need none. */
export function audienceScopeOf(client: JsonObject): string | undefined {
  return audiencesOf(client).length === 0 ? undefined : `${client.clientId}-audience`
}

export function* audienceScopes({ realm }: RealmFacts): Generator<SourceRecord> {
  for (const client of listIn(realm.clients)) {
    const name = audienceScopeOf(client)
    if (name === undefined || isOwnClient(client) || client.enabled === false || client.bearerOnly === true) continue
    const about = { displayName: null, description: `What tokens of ${client.clientId} are for` }
    yield { line: 1, scope: { name, ...about, resources: audiencesOf(client), claims: [] } }
  }
}

function audiencesOf(client: JsonObject): string[] {
  const named = listIn(client.protocolMappers).flatMap(({ protocolMapper, config }) => {
    const isOne = protocolMapper === audienceType && isObject(config) && config['access.token.claim'] === 'true'
    return (isOne ? audienceOf(config) : undefined) ?? []
  })
  return [...new Set(named)]
}

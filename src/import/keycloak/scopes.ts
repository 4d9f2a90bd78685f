/** Client scopes of Keycloak: those of a company come, those of every realm are part of what Latchkey does. */
import { isObject, type JsonObject } from '../../protocol/json-value.ts'
import { type MemberTable, unkept } from '../members.ts'
import { findingsOf, type SourceRecord } from '../source.ts'
import { audienceScopeOf } from './audience.ts'
import { builtIn, builtInScope, shared } from './built-in-scopes.ts'
import { mapperRules } from './mappers.ts'
import { textsIn } from './realm-file.ts'

const scopeMembers: MemberTable = {
  nested: ['attributes'],
  members: {
    ...{ id: 'noted', name: 'used', description: 'used', protocol: 'used', protocolMappers: 'used' },
    'attributes.consent.screen.text': 'used',
    'attributes.display.on.consent.screen': {
      reason: 'A scope that is asked for is on the consent page.',
      silent: ['true'],
    },
    'attributes.include.in.token.scope': {
      reason: 'scope in tokens has every scope that was granted.',
      severity: 'changed',
      silent: ['true', 'false'],
    },
    'attributes.gui.order': 'noted',
    'attributes.dynamic.scope.regexp': { reason: 'Scopes with a parameter in their name are not served.' },
    'attributes.is.dynamic.scope': { reason: 'Scopes with a parameter in their name are not served.' },
  },
}

export function keycloakScope(line: number, scope: JsonObject): SourceRecord | undefined {
  const name = String(scope.name)
  if (scope.protocol !== undefined && scope.protocol !== 'openid-connect') {
    if (builtIn.includes(name)) return undefined
    return {
      line,
      fault: `The scope ${name} is of ${scope.protocol}.`,
      of: { kind: 'scope', source: name, member: 'protocol' },
    }
  }
  if (builtIn.includes(name)) return builtInScope(line, name, scope.protocolMappers)
  const { 'consent.screen.text': consentText } = isObject(scope.attributes) ? scope.attributes : {}
  const text = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : null)
  // A text such as ${profileScopeConsentText} names one of Keycloak's own.
  const displayName = typeof consentText === 'string' && !consentText.startsWith('${') ? text(consentText) : null
  const { rules: claims, resources, findings } = mapperRules('scope', name, scope.protocolMappers)
  const record = { name, displayName, description: text(scope.description), resources, claims }
  return { line, scope: record, findings: [...findingsOf('scope', name, unkept(scopeMembers, scope)), ...findings] }
}

/** Returns those of the scopes that a client may request here. */
export function requestable(list: unknown): string[] {
  return textsIn(list).filter((scope) => !builtIn.includes(scope) || shared.includes(scope))
}

/** Returns the scopes that a client may request, and those that it has unasked. */
export function permittedScopes(client: JsonObject): JsonObject {
  const audience = audienceScopeOf(client)
  const byDefault = [...requestable(client.defaultClientScopes), ...(audience === undefined ? [] : [audience])]
  const all = [...new Set([...byDefault, ...requestable(client.optionalClientScopes)])]
  return { scope: all.join(' '), default_scopes: byDefault }
}

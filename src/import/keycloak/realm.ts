/** What is to be said of a realm, its providers, roles, groups and organizations. */
import { isObject, type JsonObject } from '../../protocol/json-value.ts'
import type { ImportFinding } from '../../storage/port/imports.ts'
import { unkept } from '../members.ts'
import { findingsOf, isGiven, type Note } from '../source.ts'
import { listIn } from './realm-file.ts'
import { realmMembers } from './realm-members.ts'

export function realmFindings(realm: JsonObject): ImportFinding[] {
  const name = String(realm.realm)
  const notes: Note[] = [...unkept(realmMembers, realm)]
  const say = (member: string, severity: Note['severity'], reason: string) => notes.push({ member, severity, reason })
  if (realm.enabled === false)
    say('enabled', 'risk', 'The realm is switched off: nobody got in. Here everybody does who comes.')
  if (isGiven(realm.displayName)) {
    say('displayName', 'lost', `The pages do not have the name of the realm, ${realm.displayName}.`)
  }
  notes.push(...tokenNotes(realm))
  const policy = realm.passwordPolicy
  if (isGiven(policy)) say('passwordPolicy', 'changed', `Rules for passwords are Accounts:Password, there ${policy}.`)
  for (const { alias, name: label, enabled, defaultAction } of listIn(realm.requiredActions)) {
    if (enabled !== false && defaultAction === true) {
      say('requiredActions', 'changed', `${label ?? alias} was asked of everybody new.`)
    }
  }
  for (const flow of listIn(realm.authenticationFlows)) {
    if (flow.builtIn !== true)
      say('authenticationFlows', 'risk', `A flow of its own, ${flow.alias}, is not known here.`)
  }
  for (const kind of ['clientProfiles', 'clientPolicies'] as const) {
    const of = isObject(realm[kind]) ? realm[kind] : {}
    const all = [...listIn(of.profiles), ...listIn(of.policies)].map((one) => one.name)
    if (all.length > 0) say(kind, 'risk', `Rules that all applications had to keep do not come: ${all.join(', ')}.`)
  }
  notes.push(...componentNotes(realm.components))
  return findingsOf('realm', name, notes)
}

/** What tokens of all applications say otherwise, and how long they live. */
function tokenNotes(realm: JsonObject): Note[] {
  const notes: Note[] = []
  const changed = (member: string, reason: string) => notes.push({ member, severity: 'changed', reason })
  if (isObject(realm.defaultRole)) {
    const reason =
      `Roles that every realm has do not come (${realm.defaultRole.name}, offline_access, uma_authorization, those of account): ` +
      'realm_access and resource_access lack them, and aud lacks account. A token for which no scope names an API is for the issuer, too.'
    changed('defaultRole', reason)
  }
  const { ssoSessionIdleTimeout: idle, offlineSessionIdleTimeout: offline } = realm
  if (Number(offline) > 0 && Number(idle) > 0 && offline !== idle) {
    const reason =
      `Refresh tokens with offline_access live as long as those without, ${idle} seconds, and not ${offline}. Give applications ` +
      `whose people stay signed in the longer lifetime: latchkey client set ID refresh_token_lifetime=${offline}.`
    changed('offlineSessionIdleTimeout', reason)
  }
  if (listIn(realm.clients).length > 0) {
    const reason =
      'A scope that an application may not request is left out of its tokens; there the request failed (invalid_scope).'
    changed('clientScopes', reason)
    const about =
      'An application asks about its own tokens, and an API about those that are for it; there each confidential one could ask ' +
      'about all: latchkey client set ID resources+=NAME adds what an API is.'
    changed('clients', about)
  }
  return notes
}

/** Of the parts of a realm, those that let people in, or that a company made. */
function componentNotes(components: unknown): Note[] {
  const all = isObject(components) ? components : {}
  const named = (type: string) => listIn(all[type]).map((one) => String(one.name))
  const federation = named('org.keycloak.storage.UserStorageProvider')
  const profile = listIn(all['org.keycloak.userprofile.UserProfileProvider'])
  const known = /ClientRegistrationPolicy|KeyProvider|UserStorageProvider|UserProfileProvider|LDAPStorageMapper/
  const others = Object.keys(all).filter((type) => !known.test(type))
  return [
    ...(federation.length > 0
      ? [
          {
            member: 'components',
            severity: 'lost' as const,
            reason: `People of ${federation.join(', ')} are not in the export.`,
          },
        ]
      : []),
    ...(profile.some(({ config }) => isObject(config) && isGiven(config['kc.user.profile.config']))
      ? [
          {
            member: 'components',
            severity: 'changed' as const,
            reason: 'The user profile: declare its attributes with latchkey attribute add.',
          },
        ]
      : []),
    ...others.map((type) => ({
      member: 'components',
      severity: 'lost' as const,
      reason: `Parts of the kind ${type} are not known here.`,
    })),
  ]
}

/** Groups and organizations of the export, which people name by their path. */
export function organizationFindings(realm: JsonObject): ImportFinding[] {
  return listIn(realm.organizations).flatMap((one) => {
    const name = String(one.alias ?? one.name)
    const domains = listIn(one.domains).map((domain) => domain.name)
    const members = listIn(one.members).map((member) => String(member.username))
    const reason =
      `${name}: organizations are not served. ` +
      `Its domains: ${domains.join(', ') || 'none'}. Its members: ${members.join(', ') || 'none'}.`
    const command = { command: `latchkey group add /${/^[\w.-]+$/.test(name) ? name : 'NAME'}` }
    return [{ kind: 'organization' as const, source: name, member: '', severity: 'lost' as const, reason, ...command }]
  })
}

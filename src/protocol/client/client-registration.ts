/** Decides which clients can be registered, and which changes are allowed. */

import { addressFault, type Judged, judge, lineFault, type Problem, problem } from '../../problem.ts'
import { isRefusal } from '../../refusal.ts'
import { hasScopesAlone, type KnownRules, noRules, ruleProblems } from '../claims/known-rules.ts'
import { registeredMethod } from '../client-authentication/registration.ts'
import { isGrantType, needsRedirectUri, grantTypes as supported, usableGrantTypes } from '../grant/grant-types.ts'
import { builtInScopes, isScopeToken } from '../scope/scope.ts'
import { standardScopes } from '../scope/scope-registration.ts'
import { shellWord } from '../shell-word.ts'
import { withAllowedOrigins } from './allowed-origins.ts'
import type { Client } from './client.ts'
import { withGrantedAlgorithms } from './client-algorithms.ts'
import {
  applyChanges,
  bareRecord,
  type ChangeContext,
  type MemberChange,
  recordDefaults,
  scopesGiven,
} from './client-members.ts'
import { type ClientMetadata, defaultClientMetadata, keptMetadata } from './client-metadata.ts'
import { completeProfile, protectionProblems, withPublicSince } from './client-protection.ts'
import { type ReferenceFacts, referenceProblems } from './client-references.ts'
import { withOperatorValues } from './operator-values.ts'
import { addressProblems, withWildcards } from './registered-addresses.ts'
import { type SectorDocument, sectorProblems, withSector } from './sector.ts'

/** Maximum number of scopes per client. */
const scopesAtMost = 100
const nameLengthAtMost = 200

/** Maximum seconds that a replaced secret stays valid: 30 days. */
const overlapAtMost = 30 * 86_400

/** Facts that a registration is checked against. */
export type RegistrationContext = ChangeContext &
  ReferenceFacts & {
    /** The registered scopes among `scopesToLookUp`. */
    readonly registeredScopes: readonly string[]
    /** Rules of scopes and resources, and declared attributes. Absent: there are none. */
    readonly rules?: KnownRules
    /** `access_token_scope` of new clients. */
    readonly accessTokenScope: ClientMetadata['access_token_scope']
    /** An import of another system's registrations, which brings what nobody else can set. */
    readonly import?: { readonly wildcards: boolean }
    /** What `sector_identifier_uri` has, by the address; absent: nothing was fetched. */
    readonly sectors?: ReadonlyMap<string, SectorDocument>
    readonly nowMs: number
  }

/** Returns the scopes that the changes add and that must be registered. */
export function scopesToLookUp(changes: readonly MemberChange[]): string[] {
  return scopesGiven(changes).filter((scope) => !builtInScopes.includes(scope) && isScopeToken(scope))
}

/** Returns a new client: public, with mandatory PKCE and explicit consent unless the members say otherwise. */
export function registerClient(
  id: string,
  changes: readonly MemberChange[],
  context: RegistrationContext,
  nowMs: number,
): Judged<Client> {
  const blank: Client = {
    ...recordDefaults(id),
    id,
    authentication: { method: 'none' },
    metadata: { ...defaultClientMetadata, access_token_scope: context.accessTokenScope },
    createdAtMs: nowMs,
    version: 1,
  }
  const fault = clientIdFault(id, context.import !== undefined)
  if (fault === undefined) return judged(blank, changes, context, undefined)
  // No member may repeat the fault of the id: a client without a name is called by it.
  const rest = judged({ ...blank, id: 'client', name: 'client' }, changes, context, undefined)
  const others = isRefusal(rest) ? rest.problems : []
  return judge(blank, [problem('client_id', 'The client id', fault), ...others])
}

/** The characters of RFC 6749 Appendix A.1. Another system may have had a space inside, which nobody else chooses. */
function clientIdFault(id: string, isImport: boolean): string | undefined {
  const allowed = isImport ? /^[\x21-\x7e](?:[\x20-\x7e]{0,198}[\x21-\x7e])?$/ : /^[\x21-\x7e]{1,200}$/
  return allowed.test(id)
    ? addressFault(id)
    : 'must have 1 to 200 characters: letters, digits and signs of ASCII, no spaces'
}

/** Applies all changes or returns all problems. Existing values are not validated again. */
export function changeClient(
  client: Client,
  changes: readonly MemberChange[],
  context: RegistrationContext,
): Judged<Client> {
  return byOperator(client, judged(client, changes, context, client), changes)
}

/**
 * Returns the client with these members alone; the others get their defaults. Its secret stays, and what an operator
 * alone can set.
 */
export function replaceClient(
  client: Client,
  changes: readonly MemberChange[],
  context: RegistrationContext,
): Judged<Client> {
  return judged(bareClient(client, 'client', context), changes, context, client)
}

/** The same for an operator: only the secret stays, and how the client came to be registered. */
export function redefineClient(
  client: Client,
  changes: readonly MemberChange[],
  context: RegistrationContext,
): Judged<Client> {
  return byOperator(client, judged(bareClient(client, 'operator', context), changes, context, client), changes)
}

/** Notes what an operator's changes give to a client that registered itself. */
function byOperator(before: Client, after: Judged<Client>, changes: readonly MemberChange[]): Judged<Client> {
  if (isRefusal(after)) return after
  const granted = { ...after, metadata: withGrantedAlgorithms(before.metadata, after.metadata) }
  return withOperatorValues(granted, changes)
}

function bareClient(client: Client, by: 'client' | 'operator', { accessTokenScope }: RegistrationContext): Client {
  const kept = keptMetadata(client.metadata, by)
  const metadata = { ...defaultClientMetadata, access_token_scope: accessTokenScope, ...kept }
  return { ...bareRecord(client, by), metadata }
}

/** Returns the client with a new secret: its hash, or sealed where it signs. The previous one stays valid for `overlapSeconds`; an older one ends. */
export function rotateSecret(
  client: Client,
  secrets: { readonly hash: string; readonly sealed: string },
  overlapSeconds: number,
  nowMs: number,
): Judged<Client> {
  const problems: Problem[] = []
  const { id, authentication } = client
  const hasSecret = authentication.method === 'client_secret'
  if (!hasSecret) problems.push(problem('client_secret', `The client ${id}`, secretless(client)))
  if (!Number.isInteger(overlapSeconds) || overlapSeconds < 0 || overlapSeconds > overlapAtMost) {
    problems.push(problem('overlap_seconds', 'The overlap', `must be 0 to ${overlapAtMost} seconds (30 days)`))
  }
  const endsAtMs = nowMs + overlapSeconds * 1000
  const previousSecret = hasSecret && overlapSeconds > 0 ? { hash: authentication.secretHash, endsAtMs } : null
  const secretHash = registeredMethod(client) === 'client_secret_jwt' ? secrets.sealed : secrets.hash
  const rotated = { method: 'client_secret', secretHash, previousSecret } as const
  return judge({ ...client, authentication: rotated }, problems)
}

function secretless(client: Client): string {
  if (client.authentication.method === 'none') return 'is public and has no secret'
  return `authenticates with ${registeredMethod(client)} and has no secret`
}

/** `stored`: the client as it is, which a replacement empties beforehand; undefined: it is new. */
function judged(
  before: Client,
  changes: readonly MemberChange[],
  context: RegistrationContext,
  stored: Client | undefined,
): Judged<Client> {
  const { client: changed, problems } = applyChanges(before, changes, context)
  const completed = completeProfile(before, changed, new Set(changes.map(({ member }) => member)))
  const timed = withPublicSince(before, completed, context.nowMs)
  const after = withSector(withAllowedOrigins(withWildcards(timed, stored, context)))
  return judge(after, [
    ...problems,
    ...nameProblems(before, after),
    ...grantTypeProblems(after, before),
    ...addressProblems(after, stored, context),
    ...redirectProblems(after),
    ...sectorProblems(before, after, context.sectors),
    ...scopeProblems(after.scopes, [...before.scopes, ...builtInScopes, ...context.registeredScopes]),
    ...defaultScopeProblems(before, after),
    ...referenceProblems(stored ?? before, after, context),
    ...claimProblems(before, after, context.rules),
    ...protectionProblems(after, new Set(problems.map(({ member }) => member)), stored, context.import !== undefined),
  ])
}

function nameProblems(before: Client, { name }: Client): Problem[] {
  const fault = name === before.name ? undefined : lineFault(name, nameLengthAtMost)
  return fault === undefined ? [] : [problem('client_name', "The client's name", fault)]
}

function redirectProblems({ redirectUris, grantTypes }: Client): Problem[] {
  if (redirectUris.length > 0 || !needsRedirectUri(grantTypes)) return []
  return [
    problem('redirect_uris', 'A client', 'needs at least one redirect URI in redirect_uris: codes are sent there'),
  ]
}

function grantTypeProblems(client: Client, { grantTypes: before }: Client): Problem[] {
  const now: readonly string[] = client.grantTypes
  const known = supported.join(', ')
  if (now.length === 0) {
    return [problem('grant_types', 'grant_types', `must have at least one grant type of these: ${known}`)]
  }
  const unknown = now.find((type) => !isGrantType(type) && !(before as readonly string[]).includes(type))
  if (unknown !== undefined) {
    return [problem('grant_types', `The grant type ${unknown}`, `is not supported. These are: ${known}`)]
  }
  if (usableGrantTypes(client).length > 0) return []
  return [problem('grant_types', 'grant_types', 'with refresh_token alone needs the scope offline_access')]
}

/** Rules that were together before may stay so. */
function claimProblems(before: Client, after: Client, rules: KnownRules = noRules): Problem[] {
  const { claims } = after.metadata
  const isSame =
    claims === before.metadata.claims &&
    after.metadata.id_token_claims === before.metadata.id_token_claims &&
    after.metadata.claim_shape === before.metadata.claim_shape &&
    after.scopes.every((scope) => before.scopes.includes(scope))
  const isRefused = claims.length > 0 && claims !== before.metadata.claims && hasScopesAlone(after)
  const ofScopes = 'of a client that no operator registered are those of its scopes alone'
  if (isRefused) return [problem('claims', 'Claims', ofScopes)]
  return isSame ? [] : ruleProblems(claims, [after], rules)
}

function scopeProblems(now: readonly string[], known: readonly string[]): Problem[] {
  if (now.length > scopesAtMost) return [problem('scope', 'A client', `has at most ${scopesAtMost} scopes`)]
  const unknown = now.find((scope) => !known.includes(scope))
  if (unknown === undefined) return []
  const isStandard = standardScopes.some(({ name }) => name === unknown)
  const advice = `Register it first: latchkey scope add ${isStandard ? '--standard' : shellWord(unknown)}`
  return [problem('scope', `The scope ${unknown}`, `is not registered. ${advice}`)]
}

/**
 * Those that are added must be permitted, and those that were permitted stay so. One whose scope was deleted has no effect, and stops
 * no other change; nor does what an operator set stop what a client that registered itself may change.
 */
function defaultScopeProblems(before: Client, { scopes, metadata }: Client): Problem[] {
  const had = before.metadata.default_scopes
  const isNew = (scope: string): boolean => !had.includes(scope)
  const wasPermitted = (scope: string): boolean => !hasScopesAlone(before) && before.scopes.includes(scope)
  const beyond = metadata.default_scopes.find(
    (scope) => scope !== 'openid' && !scopes.includes(scope) && (isNew(scope) || wasPermitted(scope)),
  )
  if (beyond === undefined) return []
  return [problem('default_scopes', 'default_scopes', `holds ${beyond}, which scope does not permit the client`)]
}

/** Decides which clients may register themselves, and what they may change (RFC 7591, RFC 7592). */
import { type Judged, judge, type Problem, problem } from '../../problem.ts'
import { isRefusal } from '../../refusal.ts'
import { registeredMethod } from '../client-authentication/registration.ts'
import { isGrantType } from '../grant/grant-types.ts'
import { isTexts } from '../json-value.ts'
import { frontchannelProblem } from '../logout/frontchannel-logout.ts'
import { type Refusal, refuse } from '../refusals/index.ts'
import type { Client } from './client.ts'
import { signedResponseMembers } from './client-algorithms.ts'
import { defaultOf, isClientMember, type MemberChange, setterOf } from './client-members.ts'
import type { ClientAlgorithm, ClientMetadata } from './client-metadata.ts'
import { type RegistrationContext, registerClient, replaceClient } from './client-registration.ts'
import type { LifetimeLimits } from './member-table.ts'
import { hasTooManyLanguages, localizedAtMost } from './metadata-members.ts'
import { ceilingProblem, hasCeiling, type OperatorValues, underCeiling } from './operator-values.ts'
import type { RegistrationPermits } from './registration-record.ts'
import { sectorMoveProblems, withSector } from './sector.ts'

/** Client metadata as sent: a JSON object. */
export type MetadataDocument = Readonly<Record<string, unknown>>

/** No client may give itself longer lifetimes than those of the settings. */
export type DynamicPolicy = LifetimeLimits & {
  /** token: with an initial access token. open: without. document: by the document at its client id. */
  readonly mode: 'token' | 'open' | 'document'
  /** Scopes that anybody's client may request; also those of a registration that names none. */
  readonly scopes: readonly string[]
  /** What the service signs with for a client that no operator registered. */
  readonly signingAlgorithms: readonly ClientAlgorithm[]
  /** What the initial access token gives besides. */
  readonly permits?: RegistrationPermits | undefined
}

/** Who registers without an initial access token gets a client for people at a browser, and nothing else. */
const openGrantTypes: readonly string[] = ['authorization_code', 'refresh_token']
const openRedirectUrisAtMost = 20

/** What the holder of an initial access token may use without an operator's word: a person is asked each time. */
const personalGrantTypes: readonly string[] = [...openGrantTypes, 'urn:ietf:params:oauth:grant-type:device_code']

/** Where the document is silent, its registration has these. */
function completed(
  document: MetadataDocument,
  { mode, scopes }: DynamicPolicy,
  set_by_operator: OperatorValues,
): MetadataDocument {
  const defaults = {
    // RFC 7591 §2: client_secret_basic is the default.
    token_endpoint_auth_method: mode === 'token' ? 'client_secret_basic' : 'none',
    scope: scopes.join(' '),
  }
  // Others may be thousands, and an object of them is dear to make.
  const members = Object.keys(document).filter((member) => isClientMember(member) && document[member] !== null)
  const sent = members.map((member) => [member, document[member]] as const)
  return { ...defaults, ...set_by_operator, ...Object.fromEntries(sent) }
}

/** Returns the problem of a document that is refused before its members are read; undefined: none. */
export function documentProblem(document: MetadataDocument): Problem | undefined {
  if (!hasTooManyLanguages(Object.keys(document))) return undefined
  return problem('client_name', 'The document', `has more than ${localizedAtMost} members with a language`)
}

/**
 * Returns the changes that a document stands for. Members that do not exist or cannot be set are ignored (RFC 7591 §2);
 * RFC 7592 §2.2 has clients send some of them back. `before`: the client of an update. What an operator set stays where the
 * document is silent; a document at a client id, which nobody answers, is brought under it.
 */
export function changesOf(document: MetadataDocument, policy: DynamicPolicy, before?: Client): MemberChange[] {
  const values = before?.metadata.set_by_operator ?? {}
  return Object.entries(completed(document, policy, values))
    .filter(([member]) => isClientMember(member))
    .map(([member, sent]) => {
      const value = policy.mode === 'document' ? underCeiling(member, sent, values) : sent
      return { member, operation: 'set', value }
    })
}

/** Returns the client `id` of a registration request (RFC 7591 §3.1). */
export function registerDynamically(
  id: string,
  changes: readonly MemberChange[],
  policy: DynamicPolicy,
  context: RegistrationContext,
  nowMs: number,
): Judged<Client> {
  const client = registerClient(id, changes, context, nowMs)
  const { scopes = [], grantTypes = [] } = policy.permits ?? {}
  return within(client, changes, policy, { scopes, grantTypes, values: {}, logoutPage: null })
}

/**
 * Returns the client as its update request describes it (RFC 7592 §2.2): members that were left out get their defaults.
 * What an operator gave it besides stays: its scopes, grant types and page for sign-outs may be kept, and its consent type
 * cannot be changed. What an operator set is the most that it can have.
 */
export function updateDynamically(
  client: Client,
  changes: readonly MemberChange[],
  policy: DynamicPolicy,
  context: RegistrationContext,
): Judged<Client> {
  const { set_by_operator: values, frontchannel_logout_uri } = client.metadata
  const given = isTexts(values.scope) ? values.scope : []
  const replaced = replaceClient(client, changes, {
    ...context,
    registeredScopes: [...context.registeredScopes, ...given],
  })
  const updated = within(replaced, changes, policy, {
    scopes: [...client.scopes, ...given],
    grantTypes: [...client.grantTypes, ...(isTexts(values.grant_types) ? values.grant_types : [])],
    values,
    // A page elsewhere can only come from an operator.
    logoutPage: frontchannelProblem(client) === undefined ? null : frontchannel_logout_uri,
  })
  // Whoever takes another sector would learn what people are called there.
  return isRefusal(updated) ? updated : judge(updated, sectorMoveProblems(client, updated))
}

/** What a client may have besides what its kind of registration gives. */
type Given = RegistrationPermits & { readonly values: OperatorValues; readonly logoutPage: string | null }

function within(
  judged: Judged<Client>,
  changes: readonly MemberChange[],
  policy: DynamicPolicy,
  given: Given,
): Judged<Client> {
  const problems = changes.flatMap((change) =>
    hasCeiling(change.member, given.values)
      ? (ceilingProblem(change, given.values) ?? [])
      : memberProblems(change, policy),
  )
  if (!isRefusal(judged)) problems.push(...algorithmProblems(judged.metadata, policy))
  if (isRefusal(judged)) return judge(judged as never, [...problems, ...judged.problems])
  const client = withSector({ ...judged, metadata: { ...judged.metadata, registration: policy.mode } })
  const isKept = client.metadata.frontchannel_logout_uri === given.logoutPage
  const misplaced = isKept ? undefined : frontchannelProblem(client)
  if (misplaced !== undefined) problems.push(misplaced)
  return judge(client, [...problems, ...rightsProblems(client, policy, given), ...openProblems(client, policy, given)])
}

/** Members with which a client would give itself more than an operator would. A word that is the default changes nothing. */
function memberProblems({ member, value }: MemberChange, policy: DynamicPolicy): Problem[] {
  const refused = (fault: string) => [problem(member, member, fault)]
  const setBy = setterOf(member)
  if (setBy === undefined || setBy === 'client') return []
  if (setBy === 'operator') {
    const usual = defaultOf(member)
    if (typeof usual !== 'string') return refused('can be set by an operator alone')
    return value === usual ? [] : refused(`must be ${usual}: only an operator can change it`)
  }
  const most = policy[setBy.atMost]
  return Number(value) > most ? refused(`must be at most ${most} seconds`) : []
}

/** A registration makes no key of a new type, because some libraries refuse a key set with a type that they do not know. */
function algorithmProblems(metadata: ClientMetadata, { signingAlgorithms }: DynamicPolicy): Problem[] {
  const allowed = [...signingAlgorithms, ...metadata.granted_signing_algs]
  return signedResponseMembers
    .filter((member) => metadata[member] !== null && !allowed.includes(metadata[member]))
    .map((member) =>
      problem(member, member, `must be one of ${allowed.join(', ')}: a key of another type needs an operator`),
    )
}

/** Scopes and grant types that the client has neither by its kind of registration nor by an operator. */
function rightsProblems(client: Client, { mode, scopes }: DynamicPolicy, given: Given): Problem[] {
  const isByToken = mode === 'token'
  const problems: Problem[] = []
  const permitted = [...scopes, ...given.scopes, ...(isByToken ? ['offline_access'] : [])]
  const beyond = client.scopes.find((scope) => !permitted.includes(scope))
  if (beyond !== undefined) problems.push(problem('scope', 'scope', `must not contain ${JSON.stringify(beyond)}`))
  const usable = [...(isByToken ? personalGrantTypes : openGrantTypes), ...given.grantTypes]
  const other = client.grantTypes.find((type) => isGrantType(type) && !usable.includes(type))
  if (other !== undefined) problems.push(problem('grant_types', 'The grant type', `${other} needs an operator`))
  return problems
}

function openProblems(client: Client, { mode }: DynamicPolicy, { values }: Given): Problem[] {
  if (mode === 'token') return []
  const problems: Problem[] = []
  const method = registeredMethod(client)
  // Keys in a document need no secret. Other credentials would need an operator.
  const methods = mode === 'document' ? ['none', 'private_key_jwt'] : ['none']
  if (!methods.includes(method) && method !== values.token_endpoint_auth_method) {
    problems.push(problem('token_endpoint_auth_method', `The method ${method}`, `must be ${methods.join(' or ')}`))
  }
  if (client.redirectUris.length > openRedirectUrisAtMost) {
    problems.push(problem('redirect_uris', 'A client', `has at most ${openRedirectUrisAtMost} redirect URIs`))
  }
  return problems
}

/** RFC 7592 §2.2: an update names its client, and a secret in it is the current one. */
export function checkIdentification(
  document: MetadataDocument,
  { id, authentication }: Client,
  secretMatches: (secret: string, secretHash: string) => boolean,
): Refusal | undefined {
  if (document.client_id !== id)
    return refuseProblems([problem('client_id', 'client_id', 'must be that of the client')])
  const { client_secret: sent = null } = document
  const isCurrent =
    typeof sent === 'string' &&
    authentication.method === 'client_secret' &&
    secretMatches(sent, authentication.secretHash)
  if (sent === null || isCurrent) return undefined
  return refuseProblems([problem('client_secret', 'client_secret', 'must be the current one, or left out')])
}

/** Returns a refusal whose description names the members at fault, in the characters of RFC 6749 §5.2. */
export function refuseProblems(problems: readonly Problem[]): Refusal {
  const [first] = problems
  const isRedirect = first?.member === 'redirect_uris'
  const reason = isRedirect ? 'registration_redirect_uri_invalid' : 'registration_metadata_invalid'
  const text = rulesOf(problems)
  const refusal = refuse(reason, first?.member ?? '', { rule: text })
  const printable = text.replaceAll('"', "'").replace(/[^\x20-\x5b\x5d-\x7e]/g, '?')
  return { ...refusal, description: `${refusal.id}: ${printable.slice(0, 500)}` }
}

/** Returns the problems as one text. */
export function rulesOf(problems: readonly Problem[]): string {
  return problems.map(({ message }) => message).join(' ')
}

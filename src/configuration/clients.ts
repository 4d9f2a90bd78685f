/** A client as a file declares it. */
import { type Judged, judge, problem } from '../problem.ts'
import type { Client } from '../protocol/client/client.ts'
import { type MemberChange, readOnlyMembers } from '../protocol/client/client-members.ts'
import { type RegistrationContext, redefineClient, registerClient } from '../protocol/client/client-registration.ts'
import { clientRecord } from '../protocol/client/records.ts'
import { asRefusal, isRefusal } from '../refusal.ts'
import type { Declaration } from './declaration.ts'
import { changedReadOnly, isAsStored } from './declared-members.ts'

/** A secret that a file refers to. */
export type DeclaredSecret = {
  readonly hash: string
  /** Whether it is the stored one. */
  readonly isCurrent: boolean
}

const readOnly: readonly string[] = readOnlyMembers

/** Returns the members to register: all that the declaration has, but for those that follow from others. */
export function changesOf({ members }: Declaration): MemberChange[] {
  const declared = Object.entries(members).filter(([member]) => !readOnly.includes(member))
  // A file that does not say how a client authenticates declares a public one, whatever is stored.
  return Object.entries({ token_endpoint_auth_method: 'none', ...Object.fromEntries(declared) }).map(
    ([member, value]) => ({ member, operation: 'set', value }),
  )
}

/**
 * Returns the declared client; the stored one if they do not differ. Members that the file leaves out take their
 * defaults, but for the secret, which stays.
 */
export function declaredClient(
  before: Client | undefined,
  declaration: Declaration,
  context: RegistrationContext,
  secret: DeclaredSecret | undefined,
  nowMs: number,
): Judged<Client> {
  const { id, members, secrets } = declaration
  const shown = before && clientRecord(before, nowMs)
  const isSecretCurrent = secret === undefined || secret.isCurrent
  const fixed = changedReadOnly(members, shown, readOnly)
  if (before !== undefined && isSecretCurrent && isAsStored(members, shown, readOnly)) return judge(before, fixed)
  if (before?.metadata.registration === 'document') {
    fixed.push(problem('client_id', `The client ${id}`, 'is described by the document at its address, not by files'))
  }
  const changes = changesOf(declaration)
  const judged =
    before === undefined ? registerClient(id, changes, context, nowMs) : redefineClient(before, changes, context)
  if (isRefusal(judged)) return asRefusal({ problems: [...fixed, ...judged.problems] })
  if (judged.authentication.method !== 'client_secret') {
    if ('client_secret' in secrets) {
      fixed.push(problem('client_secret', 'client_secret', 'is not for a client that authenticates in another way'))
    }
    return judge(judged, fixed)
  }
  if (secret === undefined && before?.authentication.method !== 'client_secret') {
    const fault = 'needs a secret: client_secret, as a reference to the environment or a file'
    fixed.push(problem('client_secret', `The client ${id}`, fault))
  }
  if (isSecretCurrent) return judge(judged, fixed)
  const authentication = { method: 'client_secret', secretHash: secret.hash, previousSecret: null } as const
  return judge({ ...judged, authentication }, fixed)
}

/** A secret is as hard to guess as one that is generated: RFC 6749 §10.10 demands at least 128 bits. */
export function secretFault(secret: string): string | undefined {
  if (secret.length > 512) return 'must have at most 512 characters'
  // The characters of RFC 6749 Appendix A.2.
  if (!/^[\x20-\x7e]*$/.test(secret)) return 'must have characters of ASCII alone'
  return secret.length >= 32 && new Set(secret).size >= 10
    ? undefined
    : 'must have at least 32 characters of chance, such as those of: openssl rand -base64 32'
}

/** Resources that put claims of their own into access tokens for them. */
import { type Problem, problem } from '../../problem.ts'
import { adminAudience } from '../scope/admin-scopes.ts'
import { resourceFault } from '../scope/resource-name.ts'
import type { ClaimRule } from './claim-rules.ts'

/** A resource with rules. Scopes name resources as well, which need no record. */
export type Resource = {
  /** An absolute URI without a fragment (RFC 8707 §2), or a name. */
  readonly identifier: string
  readonly claims: readonly ClaimRule[]
  /** Incremented by every change. A change commits only on the version it was decided on. */
  readonly version: number
}

const identifierLengthAtMost = 500

/** Returns what is wrong with the identifier of a resource. */
export function identifierProblems(identifier: string): Problem[] {
  const fault = resourceFault(identifier, identifierLengthAtMost)
  return fault === undefined ? [] : [problem('identifier', `The resource ${JSON.stringify(identifier)}`, fault)]
}

/** Returns those of the resources that no access token is for, because no scope names them. */
export function unreachedAmong(
  identifiers: readonly string[],
  scopes: readonly { readonly resources: readonly string[] }[],
  issuer: string,
): readonly string[] {
  const reached = new Set([adminAudience(issuer), ...scopes.flatMap(({ resources }) => resources)])
  return identifiers.filter((identifier) => !reached.has(identifier))
}

/** As every interface shows it. */
export const resourceRecord = ({ identifier, claims }: Pick<Resource, 'identifier' | 'claims'>) => ({
  identifier,
  claims,
})

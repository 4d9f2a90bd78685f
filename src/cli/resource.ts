/** `latchkey resource …`: what resources put into access tokens for them. */
import type { Command } from 'commander'
import type { Problem } from '../problem.ts'
import type { ClaimRule } from '../protocol/claims/claim-rules.ts'
import { resourceRuleProblems } from '../protocol/claims/known-rules.ts'
import { identifierProblems, type Resource } from '../protocol/claims/resource-rules.ts'
import { isRefusal } from '../refusal.ts'
import { Refused } from '../server/refused.ts'
import { type RuleOwner, registerClaims } from './claim-rules.ts'
import { type CommandContext, withCommonOptions } from './context.ts'

export function register(parent: Command, context: CommandContext): void {
  const resource = withCommonOptions(parent.command('resource').description('resources that access tokens are for'))
  registerClaims(resource, context, resources)
}

const resources: RuleOwner = {
  noun: 'resource',
  argument: 'resource',
  byDefault: 'access_token',

  async read({ storage }, identifier) {
    return (await storage.resources.all()).known.get(identifier)?.claims ?? []
  },

  async change({ storage }, identifier, decide, events) {
    const faults = identifierProblems(identifier)
    if (faults.length > 0) throw Refused.because(faults)
    const [known, scopes] = await Promise.all([storage.catalogue.now(), storage.scopes.list()])
    const leading = scopes.filter((scope) => scope.resources.includes(identifier)).map(({ name }) => name)
    const clients = await storage.clients.permitted(leading)
    let problems: readonly Problem[] = []
    await storage.resources.change((stored) => {
      const before = stored.get(identifier)
      const claims = decide(before?.claims ?? [])
      if (isRefusal(claims)) {
        problems = claims.problems
        return {}
      }
      const after = { identifier, claims: claims as readonly ClaimRule[], version: 1 } satisfies Resource
      problems = resourceRuleProblems(after, clients, known)
      if (problems.length > 0) return {}
      return { changes: [{ identifier, after: after.claims.length === 0 ? undefined : after }] }
    }, events)
    if (problems.length > 0) throw Refused.because(problems)
  },
}

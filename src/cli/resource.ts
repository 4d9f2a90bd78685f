/** `latchkey resource …`: what resources put into access tokens for them. */
import type { Command } from 'commander'
import type { Rejection } from '../problem.ts'
import { identifierProblems, type Resource, unreachedAmong } from '../protocol/claims/resource-rules.ts'
import { resourceProblems } from '../protocol/claims/rule-changes.ts'
import { shellWord } from '../protocol/shell-word.ts'
import { isRefusal } from '../refusal.ts'
import { Refused } from '../server/refused.ts'
import { changeRules, type RuleOwner, registerClaims } from './claim-rules.ts'
import { type CommandContext, withCommonOptions } from './context.ts'

export function register(parent: Command, context: CommandContext): void {
  const resource = withCommonOptions(parent.command('resource').description('resources that access tokens are for'))
  registerClaims(resource, context, resources(context))
}

const resources = (context: CommandContext): RuleOwner => ({
  noun: 'resource',
  argument: 'resource',
  byDefault: 'access_token',

  async read({ storage }, identifier) {
    return (await storage.resources.all()).known.get(identifier)?.claims ?? []
  },

  async change(workspace, identifier, decide) {
    const { issuer } = workspace.settings.oauth
    const faults = identifierProblems(identifier)
    if (faults.length > 0) throw Refused.because(faults)
    let isUnreached = false
    await changeRules(workspace, 'resource', identifier, (stored) => {
      const before = stored.resources.get(identifier)
      const claims = decide(before?.claims ?? [])
      if (isRefusal<object | Rejection>(claims)) return { problems: claims.problems }
      const after = { identifier, claims, version: before?.version ?? 0 } satisfies Resource
      const problems = resourceProblems(after, stored)
      if (problems.length > 0) return { problems }
      const change = { before: before?.claims ?? [], after: claims }
      const next = claims.length === 0 ? undefined : after
      isUnreached = next !== undefined && unreachedAmong([identifier], stored.scopes, issuer).length > 0
      return claims === before?.claims ? change : { ...change, changes: [{ kind: 'resource', before, after: next }] }
    })
    if (isUnreached) context.stderr.write(`warning: ${unreached(identifier)} ${reaching(identifier)}\n`)
  },
})

const unreached = (identifier: string) =>
  `No scope names the resource ${identifier}, so no access token is for it, and its claims are in none.`
const reaching = (identifier: string) =>
  `Name it as a scope does, or let one lead to it: latchkey scope add NAME --resource ${shellWord(identifier)}`

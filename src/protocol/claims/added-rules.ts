/** Which rules a change adds to access tokens. */
import type { ClaimRule } from './claim-rules.ts'
import { inAccessTokens } from './known-rules.ts'
import type { LengthRecords } from './token-length.ts'

/** Returns the rules of access tokens that only the later records have, by what has them: `scope orders`. */
export function addedRules(before: LengthRecords, after: LengthRecords): ReadonlyMap<string, readonly ClaimRule[]> {
  const had = new Map(rulesByOwner(before))
  const added = rulesByOwner(after).map(([owner, rules]) => {
    const known = had.get(owner)
    const texts = known === rules ? undefined : new Set(known?.map((rule) => JSON.stringify(rule)))
    return [owner, texts === undefined ? [] : rules.filter((rule) => !texts.has(JSON.stringify(rule)))] as const
  })
  return new Map(
    added.filter(([, rules]) => rules.some((rule) => (rule.in ?? inAccessTokens).includes('access_token'))),
  )
}

const rulesByOwner = ({ scopes, resources, clients }: LengthRecords): (readonly [string, readonly ClaimRule[]])[] => [
  ...scopes.map(({ name, claims }) => [`scope ${name}`, claims] as const),
  ...Array.from(resources.values(), ({ identifier, claims }) => [`resource ${identifier}`, claims] as const),
  ...clients.map(({ id, metadata }) => [`client ${id}`, metadata.claims] as const),
]

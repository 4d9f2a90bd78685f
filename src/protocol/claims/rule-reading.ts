/** Reads the rules of one record from JSON. How they get on with those of others is judged in `known-rules.ts`. */
import { isRefusal } from '../../refusal.ts'
import { isObject } from '../json-value.ts'
import {
  type ClaimForm,
  type ClaimPlace,
  type ClaimRule,
  claimForms,
  claimPlaces,
  conflictsOf,
  registerRule,
  rulesAtMost,
} from './claim-rules.ts'
import { inBoth, isSame } from './known-rules.ts'

/** Reads the rules of a record, each by itself. `places`: where they are by default. */
export function readRules(
  given: unknown,
  places: readonly ClaimPlace[] = inBoth,
): { readonly value: readonly ClaimRule[] } | { readonly fault: string } {
  if (!Array.isArray(given) || !given.every(isObject))
    return { fault: 'must be a list of rules: [{"claim": …, "from": …}]' }
  if (given.length > rulesAtMost) return { fault: `must have at most ${rulesAtMost} rules` }
  const rules: ClaimRule[] = []
  for (const one of given) {
    const read = readRule(one)
    if ('fault' in read) return read
    rules.push(read.value)
  }
  const [conflict] = conflictsOf([{ owner: 'record', rules, default: places }])
  const sameTwice = rules.find((rule, at) => rules.findIndex((other) => isSame(rule, other)) < at)
  if (sameTwice !== undefined) return { fault: `has the rule for ${sameTwice.claim} twice` }
  return conflict === undefined ? { value: rules } : { fault: `has rules that conflict: ${withoutStop(conflict)}` }
}

const ruleMembers: readonly string[] = ['claim', 'from', 'in', 'as']

function readRule(
  given: Readonly<Record<string, unknown>>,
): { readonly value: ClaimRule } | { readonly fault: string } {
  const unknown = Object.keys(given).find((member) => !ruleMembers.includes(member))
  if (unknown !== undefined) return { fault: `has a rule with ${unknown}. A rule has ${ruleMembers.join(', ')}` }
  const { claim, from, as = 'auto', in: places = null } = given
  if (typeof claim !== 'string' || typeof from !== 'string') return { fault: 'has a rule without claim or from' }
  const isPlaces = places === null || (Array.isArray(places) && places.every((place) => claimPlaces.includes(place)))
  if (!isPlaces) return { fault: `has a rule whose in is no list of ${claimPlaces.join(', ')}` }
  if (!claimForms.includes(as as ClaimForm)) return { fault: `has a rule whose as is none of ${claimForms.join(', ')}` }
  const rule = { claim, from, in: places as readonly ClaimPlace[] | null, as: as as ClaimForm }
  // Whether an attribute is declared is a matter of the whole installation.
  const judged = registerRule(rule, anyAttribute)
  if (!isRefusal(judged)) return { value: judged }
  const reasons = judged.problems.map(({ message }) => message).join(' ')
  return { fault: `has the rule ${claim}, which is refused: ${withoutStop(reasons)}` }
}

/** A fault is the rest of a sentence. */
const withoutStop = (sentence: string): string => sentence.replace(/\.$/, '')

const anyAttribute: Pick<ReadonlySet<string>, 'has'> = { has: () => true }

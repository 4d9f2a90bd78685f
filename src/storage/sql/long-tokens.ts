/** Finds the access tokens that have no room for what rules put into them. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { addedRules } from '../../protocol/claims/added-rules.ts'
import {
  boundOf,
  type Issuing,
  isForRules,
  isOfAny,
  type LargestToken,
  type LengthRecords,
  type LongToken,
  largestToken,
  measured,
  type SizeFactors,
  type TokenBound,
  tokensFor,
  unlike,
} from '../../protocol/claims/token-length.ts'
import type { Client } from '../../protocol/client/client.ts'
import { pathOf } from '../../users/groups.ts'
import type { Engine } from '../engine.ts'
import type { Catalogue } from '../port/catalogue.ts'
import type { RecordChange } from '../port/configuration.ts'
import { sqlClients } from './clients.ts'
import { largestPeople, type PersonBound } from './largest-people.ts'
import { readResources } from './resources.ts'
import { readScopes } from './scopes.ts'

/** Kinds of tokens that are made for each person. */
const tokensAtMost = 100

type Found = { readonly token: LargestToken; readonly long: LongToken }

export function sqlLongTokens(engine: Engine, catalogue: { readonly now: () => Promise<Catalogue> }) {
  /** Calls `found` with each token of each of the largest people that is too long. */
  async function each(
    tokens: readonly LargestToken[],
    issuing: Issuing,
    found: (one: Found, measure: (other: LargestToken) => ReturnType<typeof measured>) => void,
  ): Promise<void> {
    const bounds = await eachInTurns(tokens, (token) => ({ token, bound: boundOf(token, issuing) }), tokensInOneTurn)
    const asked = bounds.toSorted((a, b) => a.bound.room - b.bound.room).slice(0, tokensAtMost)
    if (asked.length === 0) return
    const known = await catalogue.now()
    const { bound, above } = await personBound(
      asked.map((one) => one.bound),
      known,
    )
    for (const person of await largestPeople(engine, bound, above)) {
      await nextTurn()
      const subject = await known.describe(person)
      const measure = (token: LargestToken) => measured(token, subject, issuing)
      const measureOne = (token: LargestToken): void => {
        const size = measure(token)
        const long = { ...size, client: token.client.id, user: person.name }
        if (size.leftOut.length > 0) found({ token, long }, measure)
      }
      const theirs = asked.flatMap((one) => tokensFor(one.token, subject.roles))
      await eachInTurns(theirs, measureOne, tokensInOneTurn)
    }
  }

  return {
    /**
     * Returns the longest access token that would have no room for its rules because of rules that the changes add; undefined: there is
     * none. Looks at the largest people that there are, and leaves alone what is too long without rules of operators. `before`: at least the
     * clients that the changes are about.
     */
    async longerBy(
      before: LengthRecords,
      changes: readonly RecordChange[],
      issuing: Issuing,
    ): Promise<LongToken | undefined> {
      const after = changedBy(before, changes)
      const added = addedRules(before, after)
      if (added.size === 0) return undefined
      const tokens = after.clients
        .map((client) => largestToken(client, after, issuing.issuer))
        .filter((token) => token !== undefined && isOfAny(token, added)) as readonly LargestToken[]
      const was = new Map(before.clients.map((client) => [client.id, client]))
      let longest: LongToken | undefined
      await each(unlike(tokens), issuing, ({ token, long }, measure) => {
        if (long.characters <= (longest?.characters ?? 0) || !isForRules(long)) return
        const client = was.get(token.client.id)
        const earlier = client && largestToken(client, before, issuing.issuer)
        if (earlier === undefined || measure(earlier).characters < long.characters) longest = long
      })
      return longest
    },
    /** Returns tokens that are issued without some of their rules: of each set of rules one, that of the largest person. */
    async leaving(issuing: Issuing): Promise<readonly LongToken[]> {
      const byRules = new Map<string, LongToken>()
      await each(await ruledTokens(engine, issuing), issuing, ({ long }) => {
        const key = JSON.stringify(long.leftOut.map(({ rule, owner }) => [owner, rule.claim]))
        const known = byRules.get(key)
        if (known === undefined || known.characters < long.characters) byRules.set(key, long)
      })
      return [...byRules.values()]
    },
  }
}

/** Reads all clients: a shape makes a token long without any rule of operators. */
async function ruledTokens(engine: Engine, { issuer }: Issuing): Promise<readonly LargestToken[]> {
  const [scopes, resources] = await Promise.all([readScopes(engine), readResources(engine)])
  const tokensOf = (clients: readonly Client[]) =>
    clients.flatMap((client) => largestToken(client, { scopes, resources }, issuer) ?? [])
  let tokens: readonly LargestToken[] = []
  for (let after: string | undefined = ''; after !== undefined; ) {
    const clients: readonly Client[] = await sqlClients(engine).page(after)
    tokens = unlike([...tokens, ...tokensOf(clients)])
    after = clients.at(-1)?.id
    await nextTurn()
  }
  return tokens
}

function changedBy(before: LengthRecords, changes: readonly RecordChange[]): LengthRecords {
  const scopes = new Map(before.scopes.map((one) => [one.name, one]))
  const resources = new Map(before.resources)
  const clients = new Map(before.clients.map((one) => [one.id, one]))
  for (const change of changes) {
    if (change.kind === 'scope') put(scopes, (change.after ?? change.before)?.name, change.after)
    if (change.kind === 'resource') put(resources, (change.after ?? change.before)?.identifier, change.after)
    if (change.kind === 'client') put(clients, (change.after ?? change.before)?.id, change.after)
  }
  return { scopes: [...scopes.values()], resources, clients: [...clients.values()] }
}

function put<T>(records: Map<string, T>, key: string | undefined, record: T | undefined): void {
  if (key === undefined) return
  if (record === undefined) records.delete(key)
  else records.set(key, record)
}

/** Returns a bound of all tokens, and the bytes above which one is too long. Roles and groups are what the catalogue says of them. */
async function personBound(
  bounds: readonly TokenBound[],
  { groups, roles, rolesOf }: Catalogue,
): Promise<{ readonly bound: PersonBound; readonly above: number }> {
  const most = (name: keyof SizeFactors) => Math.max(...bounds.map((bound) => bound[name]))
  const everybodys = new Set(rolesOf({ roles: [] }))
  const bytesOf = (names: Iterable<string>) => [...names].reduce((sum, name) => sum + quotedBytes(name), 0)
  const others = (names: readonly string[]) => names.filter((name) => !everybodys.has(name))
  const ofRoles = await eachInTurns([...roles.keys()], (name) => others(rolesOf({ roles: [name] })))
  const ofGroups = await eachInTurns([...groups.keys()], (id) => others(rolesOf({ roles: [], groupIds: [id] })))
  const largest = (lists: readonly (readonly string[])[]) => lists.map(bytesOf).reduce((a, b) => Math.max(a, b), 0)
  const paths = Array.from(groups.values(), (group) => [pathOf(group, groups)])
  const inRoles = most('roles')
  const bound = {
    attributes: most('attributes'),
    attributesRead: [...new Set(bounds.flatMap(({ attributesRead }) => attributesRead))],
    claims: most('claims'),
    roles: inRoles,
    names: most('names'),
    each_group: most('groups') * largest(paths),
    given_by_role: inRoles * largest(ofRoles),
    given_by_group: inRoles * largest(ofGroups),
    given_at_most: inRoles * bytesOf(new Set([...ofRoles, ...ofGroups].flat())),
  }
  return { bound, above: Math.min(...bounds.map(({ room }) => room)) - inRoles * bytesOf(everybodys) }
}

/** Groups and roles that are looked at in one turn of the event loop. */
const namesInOneTurn = 100
/** Tokens that are made in one turn of the event loop. */
const tokensInOneTurn = 5

async function eachInTurns<One, T>(
  all: readonly One[],
  work: (one: One) => T,
  inOneTurn = namesInOneTurn,
): Promise<T[]> {
  const done: T[] = []
  for (const [at, one] of all.entries()) {
    if (at % inOneTurn === inOneTurn - 1) await nextTurn()
    done.push(work(one))
  }
  return done
}

const quotedBytes = (name: string): number => Buffer.byteLength(JSON.stringify(name)) + 1

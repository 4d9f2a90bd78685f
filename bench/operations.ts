/** What is measured, in the order of the report, and the least work that each operation cannot do without. */
import type { Limits } from './limits.ts'
import type { Work } from './records.ts'
import type { Algorithm } from './servers.ts'

export type Operation = {
  /** As `--only` names it. */
  readonly name: string
  readonly title: string
  readonly work: Work
  readonly algorithm: Algorithm
  /** Connections that sign in without pause beside the measured ones. */
  readonly signInsBeside: number
  /** The peer has nothing like it. */
  readonly withoutPeer?: true
  /** Measured only if it is named. */
  readonly onRequest?: true
  /** The least work: requests, signatures, password hashes and durable rows of one operation. */
  readonly needs: {
    readonly requests: number
    readonly signatures: number
    readonly hashes: number
    readonly rows: number
  }
}

const read = { requests: 1, signatures: 0, hashes: 0, rows: 0 }
const exchange = { requests: 1, signatures: 2, hashes: 0, rows: 1 }
const common = { algorithm: 'ES256', signInsBeside: 0 } as const
const admin = { ...common, withoutPeer: true, onRequest: true, needs: read } as const

export const operations: readonly Operation[] = [
  { ...common, name: 'token', title: 'code to tokens, ES256 + ES256', work: 'token', needs: exchange },
  {
    ...common,
    name: 'token-rs256',
    title: 'code to tokens, RS256 + RS256',
    work: 'token',
    algorithm: 'RS256',
    needs: exchange,
  },
  { ...common, name: 'refresh', title: 'refresh with rotation, ES256 + ES256', work: 'refresh', needs: exchange },
  {
    ...common,
    name: 'refresh-stored',
    title: 'refresh of chains from all over the table',
    work: 'refresh-stored',
    onRequest: true,
    needs: exchange,
  },
  {
    ...common,
    name: 'refresh-busy',
    title: 'refresh while 8 sign-ins run beside it',
    work: 'refresh',
    signInsBeside: 8,
    needs: exchange,
  },
  {
    ...common,
    name: 'client-credentials',
    title: 'an access token of a client for itself, ES256',
    work: 'client-credentials',
    needs: { requests: 1, signatures: 1, hashes: 0, rows: 1 },
  },
  {
    ...common,
    name: 'refresh-dpop',
    title: 'refresh with rotation and a DPoP proof, ES256',
    work: 'refresh-dpop',
    // The proof is one more row, and its signature costs about as much to verify as one to make.
    needs: { ...exchange, signatures: 3, rows: 2 },
  },
  { ...common, name: 'authorize', title: 'session and consent to code', work: 'authorize', needs: read },
  {
    ...common,
    name: 'par',
    title: 'pushed authorization request',
    work: 'par',
    needs: { requests: 1, signatures: 0, hashes: 0, rows: 1 },
  },
  { ...common, name: 'discovery', title: 'discovery document', work: 'discovery', needs: read },
  { ...common, name: 'jwks', title: 'key set', work: 'jwks', needs: read },
  { ...common, name: 'userinfo', title: 'claims about the user of an access token', work: 'userinfo', needs: read },
  {
    ...common,
    name: 'introspection',
    title: 'introspection of an access token',
    work: 'introspection',
    needs: read,
  },
  {
    ...common,
    name: 'signin',
    title: 'from no session over the password to a code',
    work: 'signin',
    needs: { requests: 3, signatures: 0, hashes: 1, rows: 1 },
  },
  {
    ...common,
    name: 'signin-passkey',
    title: 'from no session over a passkey to a code',
    work: 'signin-passkey',
    withoutPeer: true,
    // A signature costs about as much to verify as one to make. The used challenge is the second row.
    needs: { requests: 4, signatures: 1, hashes: 0, rows: 2 },
  },
  {
    ...common,
    name: 'signin-people',
    title: 'the password of one person after the other',
    work: 'person',
    withoutPeer: true,
    onRequest: true,
    needs: { requests: 2, signatures: 0, hashes: 1, rows: 1 },
  },
  { ...admin, name: 'admin-people', title: 'a search for people by name or address', work: 'admin-people' },
  { ...admin, name: 'admin-clients', title: 'ten applications', work: 'admin-clients' },
  { ...admin, name: 'admin-sessions', title: 'a page of sessions', work: 'admin-sessions' },
  { ...admin, name: 'admin-grants', title: 'a page of grants', work: 'admin-grants' },
  { ...admin, name: 'admin-audit', title: 'the newest page of the audit trail', work: 'admin-audit' },
  { ...admin, name: 'admin-stats', title: 'what happened in 30 days, and totals', work: 'admin-stats' },
  { ...admin, name: 'account-sessions', title: 'the sessions of a person', work: 'account-sessions' },
  { ...admin, name: 'account-applications', title: 'the applications of a person', work: 'account-applications' },
  { ...admin, name: 'account-activity', title: 'the activity of a person', work: 'account-activity' },
  // The last ones: from here on the person has a second factor.
  {
    ...common,
    name: 'signin-left',
    title: 'a sign-in that is left at the second factor',
    work: 'signin-left',
    withoutPeer: true,
    needs: { requests: 4, signatures: 0, hashes: 1, rows: 0 },
  },
  {
    ...common,
    name: 'signin-second-factor',
    title: 'from no session over the password and a passkey to a code',
    work: 'signin-second-factor',
    withoutPeer: true,
    needs: { requests: 7, signatures: 1, hashes: 1, rows: 2 },
  },
]

/** Processor time below which no implementation on this machine gets, microseconds. Null when the load does not tell. */
export function leastCpuUs(
  operation: Operation,
  connections: number,
  limits: Limits,
  requestUs: number,
): number | null {
  if (operation.signInsBeside > 0) return null
  const { requests, signatures, hashes, rows } = operation.needs
  const signature = operation.algorithm === 'ES256' ? limits.es256 : limits.rs256
  // Nobody can put more rows into one commit than there are requests under way.
  const row = limits.rows[connections >= 64 ? '64' : connections >= 16 ? '16' : '1']
  return requests * requestUs + signatures * signature.cpuUs + hashes * limits.argon2.cpuUs + rows * row.cpuUs
}

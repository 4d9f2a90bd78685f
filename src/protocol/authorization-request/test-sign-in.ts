/**
 * Test sign-ins: an authorization of an application that an administrator begins in the console, and whose answer comes to a
 * page of the console. The redirect address is registered nowhere. It counts for one pushed request, whose `state` the service
 * sealed, and the service redeems the code itself: nobody is given a token.
 */
import type { Proven } from '../../proof.ts'
import type { RequestingClient } from '../client/client.ts'
import type { AuthenticatedClient } from '../client-authentication/index.ts'
import type { Parameters } from '../parameters.ts'
import { type Refusal, refuse } from '../refusals/index.ts'
import { secondsSince } from '../refusals/refusal-detail.ts'

/** What `state` has of a test, sealed. */
export type TestSignIn = {
  readonly clientId: string
  /** Who began it, and has to be the person who signs in. */
  readonly userId: string
  /** The page of the console that takes the answer. */
  readonly redirectUri: string
  /** RFC 7636 §4.1. */
  readonly verifier: string
  /** In epoch milliseconds. */
  readonly expiresAtMs: number
}

/** A test that this administrator began, and may end now. */
export type OwnTest = Proven<TestSignIn, 'own'>

/** From its begin to the redemption of its code, sign-in and consent included. */
export const testSeconds = 600

/** The page of the console for an application. `console`: the address of its first page, with a slash at its end. */
export const testUri = (console: string, clientId: string): string =>
  `${console}applications/${encodeURIComponent(clientId)}/test`

/** Returns the address that a pushed request of a test may have beside those that are registered. `open`: opens a `state`. */
export function testUriOf(
  parameters: Parameters,
  clientId: string,
  open: (state: string) => TestSignIn | undefined,
): string | undefined {
  const parameter = (wanted: string) => parameters.find(([name]) => name === wanted)?.[1] ?? ''
  const uri = parameter('redirect_uri')
  if (!uri.endsWith('/test')) return undefined
  const test = open(parameter('state'))
  return test?.clientId === clientId && test.redirectUri === uri ? uri : undefined
}

/** `test`: undefined: the service did not seal it. `userId`: undefined: no person calls. */
export function judgeTest(
  test: TestSignIn | undefined,
  clientId: string,
  userId: string | undefined,
  nowMs: number,
): OwnTest | Refusal {
  const no = (rule: string) => refuse('test_sign_in_invalid', 'state', { client: clientId, rule })
  if (test === undefined) return no('the state is not of this service')
  if (test.clientId !== clientId) return no('it belongs to another application')
  if (test.userId !== userId) return no('another administrator began it')
  if (nowMs >= test.expiresAtMs) return no(`it expired ${secondsSince(test.expiresAtMs, nowMs)} seconds ago`)
  return test as OwnTest
}

/** Returns the refusal of a code of somebody else: an administrator is shown no claims that somebody else signed in for. */
export function checkTestPerson(test: OwnTest, signedInId: string | undefined): Refusal | undefined {
  if (signedInId === undefined || signedInId === test.userId) return undefined
  return refuse('test_sign_in_invalid', 'code', { client: test.clientId, rule: 'another person signed in' })
}

/** Takes the test in place of the credentials of its client. The tokens that follow leave the service without their signatures. */
export function testedClient<Known extends RequestingClient>(
  client: Known,
  test: Pick<OwnTest, 'clientId'>,
): AuthenticatedClient<Known> | Refusal {
  return client.id === test.clientId
    ? (client as AuthenticatedClient<Known>)
    : refuse('test_sign_in_invalid', '', { client: client.id, rule: 'it belongs to another application' })
}

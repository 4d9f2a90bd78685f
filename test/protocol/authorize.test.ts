import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type AuthorizationRequest,
  parseAuthorizationRequest,
} from '../../src/protocol/authorization-request/authorization-request.ts'
import {
  type AuthorizeStep,
  type ConsentAnswer,
  decideAuthorize,
} from '../../src/protocol/authorization-request/authorize.ts'
import { isRefusal } from '../../src/refusal.ts'
import { now, sampleClient, sampleUser } from './samples.ts'

type Facts = Parameters<typeof decideAuthorize>[2]

const consent = { id: 'a', userId: sampleUser().id, clientId: 'demo', scopes: ['openid'], createdAtMs: now }

function requestWith(change: Readonly<Record<string, string>>): AuthorizationRequest {
  const parameters = { client_id: 'demo', redirect_uri: 'http://localhost:5081/callback', response_type: 'code' }
  const parsed = parseAuthorizationRequest(Object.entries({ ...parameters, scope: 'openid', ...change }))
  assert.ok(!isRefusal(parsed))
  return parsed
}

function decide(
  change: Readonly<Record<string, string>>,
  facts: Partial<Facts> & { readonly signedInSecondsAgo?: number } = {},
  options: { readonly answer?: ConsentAnswer; readonly consent?: 'explicit' | 'implicit' } = {},
): AuthorizeStep {
  const { signedInSecondsAgo, ...rest } = facts
  const authentication =
    signedInSecondsAgo === undefined
      ? undefined
      : { userId: sampleUser().id, authenticatedAtMs: now - signedInSecondsAgo * 1000 }
  return decideAuthorize(
    requestWith(change),
    sampleClient({ consent: options.consent ?? 'explicit' }),
    { authentication, authorization: undefined, challengedAtMs: undefined, hint: undefined, ...rest },
    options.answer ?? 'none',
    now,
  )
}

const aSecondAgo = { userId: sampleUser().id, authenticatedAtMs: now - 1000 }

const refusedWith = (step: AuthorizeStep): string | undefined => (isRefusal(step) ? step.error : undefined)

const nextOf = (step: AuthorizeStep): string => (isRefusal(step) ? 'refused' : step.next)

describe('the next step of an authorization request (OpenID Connect Core §3.1.2)', () => {
  it('sends an anonymous visitor to the login page', () => {
    assert.deepEqual(decide({}), { next: 'login', challenge: false })
  })

  it('answers prompt=none with login_required when nobody is signed in (§3.1.2.6)', () => {
    assert.equal(refusedWith(decide({ prompt: 'none' })), 'login_required')
  })

  it('asks for consent when none is stored', () => {
    assert.deepEqual(decide({}, { signedInSecondsAgo: 1 }), { next: 'consent' })
  })

  it('answers prompt=none with consent_required when none is stored (§3.1.2.6)', () => {
    assert.equal(refusedWith(decide({ prompt: 'none' }, { signedInSecondsAgo: 1 })), 'consent_required')
  })

  it('issues a code silently on a stored consent, also with prompt=none', () => {
    const facts = { signedInSecondsAgo: 1, authorization: consent }
    assert.deepEqual(decide({}, facts), { next: 'code', store: false, authentication: aSecondAgo })
    assert.deepEqual(decide({ prompt: 'none' }, facts), { next: 'code', store: false, authentication: aSecondAgo })
  })

  it('asks again with prompt=consent although a consent is stored', () => {
    const facts = { signedInSecondsAgo: 1, authorization: consent }
    assert.deepEqual(decide({ prompt: 'consent' }, facts), { next: 'consent' })
  })

  it('never asks for an implicit client', () => {
    const step = decide({ prompt: 'consent' }, { signedInSecondsAgo: 1 }, { consent: 'implicit' })
    assert.deepEqual(step, { next: 'code', store: false, authentication: aSecondAgo })
  })

  it('stores the consent and issues a code when the person accepts', () => {
    assert.deepEqual(decide({}, { signedInSecondsAgo: 1 }, { answer: 'accept' }), {
      next: 'code',
      store: true,
      authentication: aSecondAgo,
    })
  })

  it('answers access_denied when the person denies', () => {
    assert.equal(refusedWith(decide({}, { signedInSecondsAgo: 1 }, { answer: 'deny' })), 'access_denied')
  })

  it('takes a no for an answer even when a fresh sign-in was asked for', () => {
    assert.equal(
      refusedWith(decide({ prompt: 'login' }, { signedInSecondsAgo: 1 }, { answer: 'deny' })),
      'access_denied',
    )
  })

  it('asks again when the consent form came without either button, stored consent or not [S4.1.13]', () => {
    const facts = { signedInSecondsAgo: 1, authorization: consent }
    assert.deepEqual(decide({}, facts, { answer: 'unanswered' }), { next: 'consent' })
  })

  it('sends an anonymous answer to the login page', () => {
    assert.equal(nextOf(decide({}, {}, { answer: 'accept' })), 'login')
  })
})

describe('prompt=login and max_age (OpenID Connect Core §3.1.2.1)', () => {
  const stored = { authorization: consent }

  it('challenges a signed-in visitor for prompt=login', () => {
    const challenged = { next: 'login', challenge: true, why: 'login' }
    assert.deepEqual(decide({ prompt: 'login' }, { ...stored, signedInSecondsAgo: 1 }), challenged)
  })

  it('lets a signed-in visitor choose for prompt=select_account, until chosen or signed in afterwards', () => {
    const prompt = 'select_account'
    assert.deepEqual(decide({ prompt }, { ...stored, signedInSecondsAgo: 1 }), { next: 'choose' })
    assert.equal(nextOf(decide({ prompt }, { ...stored, signedInSecondsAgo: 1, isChosen: true })), 'code')
    const challenged = { ...stored, challengedAtMs: now - 10_000 }
    assert.equal(nextOf(decide({ prompt }, { ...challenged, signedInSecondsAgo: 5 })), 'code')
    assert.equal(nextOf(decide({ prompt }, { ...challenged, signedInSecondsAgo: 11 })), 'choose')
    assert.equal(nextOf(decide({ prompt }, { signedInSecondsAgo: 1 }, { answer: 'accept' })), 'choose')
    const both = decide({ prompt: 'select_account login' }, { ...stored, signedInSecondsAgo: 1, isChosen: true })
    assert.equal(nextOf(both), 'login')
    assert.equal(nextOf(decide({ prompt }, {})), 'login')
  })

  it('is satisfied by a sign-in after the challenge, not by one before it', () => {
    const challenged = { ...stored, challengedAtMs: now - 10_000 }
    assert.equal(nextOf(decide({ prompt: 'login' }, { ...challenged, signedInSecondsAgo: 5 })), 'code')
    assert.equal(nextOf(decide({ prompt: 'login' }, { ...challenged, signedInSecondsAgo: 11 })), 'login')
    assert.equal(nextOf(decide({ prompt: 'login' }, { ...challenged, signedInSecondsAgo: 10 })), 'login')
  })

  it('holds the accept post to the same rule', () => {
    assert.equal(nextOf(decide({ prompt: 'login' }, { signedInSecondsAgo: 1 }, { answer: 'accept' })), 'login')
  })

  it('accepts a sign-in of exactly max_age and challenges an older one', () => {
    assert.equal(nextOf(decide({ max_age: '10' }, { ...stored, signedInSecondsAgo: 10 })), 'code')
    assert.equal(nextOf(decide({ max_age: '10' }, { ...stored, signedInSecondsAgo: 10.001 })), 'login')
  })

  it('treats max_age=0 like prompt=login', () => {
    assert.equal(nextOf(decide({ max_age: '0' }, { ...stored, signedInSecondsAgo: 0 })), 'login')
  })

  it('does not ask a slow reader of the consent page twice', () => {
    const facts = { signedInSecondsAgo: 30, challengedAtMs: now - 40_000 }
    assert.equal(nextOf(decide({ max_age: '1' }, facts, { answer: 'accept' })), 'code')
  })

  it('answers login_required for prompt=none with a max_age that is not met', () => {
    const step = decide({ prompt: 'none', max_age: '1' }, { ...stored, signedInSecondsAgo: 2 })
    assert.equal(refusedWith(step), 'login_required')
  })

  it('does not answer prompt=none for another subject than the hint names (§3.1.2.2)', () => {
    const hint = { subject: 'somebody else', audience: 'demo' }
    assert.equal(refusedWith(decide({ prompt: 'none' }, { ...stored, signedInSecondsAgo: 1, hint })), 'login_required')
  })

  it('asks for a sign-in as the person of the hint once, and never answers for another (§3.1.2.2)', () => {
    const hint = { subject: 'somebody else', audience: 'demo' }
    const facts = { ...stored, signedInSecondsAgo: 1, hint }
    assert.deepEqual(decide({}, facts), { next: 'login', challenge: true, why: 'another' })
    assert.deepEqual(decide({}, facts, { answer: 'accept' }), { next: 'login', challenge: true, why: 'another' })
    const after = { ...facts, challengedAtMs: now - 2000 }
    assert.equal(refusedWith(decide({}, after)), 'login_required')
    assert.equal(refusedWith(decide({}, after, { answer: 'accept' })), 'login_required')
    assert.equal(nextOf(decide({}, { ...facts, hint: { ...hint, subject: sampleUser().id } })), 'code')
  })
})

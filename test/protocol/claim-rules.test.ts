import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type ClaimRule,
  conflictsOf,
  pathOfClaim,
  protocolClaims,
  registerRule,
  sourceOf,
} from '../../src/protocol/claims/claim-rules.ts'
import { applyRules, type RuleFacts, type RuleTrace, rulesFor } from '../../src/protocol/claims/ruled-claims.ts'
import { isRefusal } from '../../src/refusal.ts'

const rule = (change: Partial<ClaimRule> = {}): ClaimRule => ({
  claim: 'department',
  from: 'attribute:department',
  in: null,
  as: 'auto',
  ...change,
})
const messages = (one: ClaimRule) => {
  const judged = registerRule(one, new Set(['department', 'teams']))
  return isRefusal(judged) ? judged.problems.map(({ message }) => message) : []
}

describe('the name of a claim in a rule', () => {
  for (const [claim, path] of [
    ['department', ['department']],
    ['realm_access.roles', ['realm_access', 'roles']],
    ['a\\.b.c', ['a.b', 'c']],
    ['https://acme.example/roles', ['https://acme.example/roles']],
    ['urn:acme:role', ['urn:acme:role']],
    ['__proto__.x', ['__proto__', 'x']],
  ] as const) {
    it(`${claim} is ${path.join(' in ')}`, () => assert.deepEqual(pathOfClaim(claim), path))
  }

  for (const claim of ['', '.', 'a..b', '.a', 'a.', 'a b', 'ä', 'a\\b', 'x'.repeat(201), 'https://', 'a\n']) {
    it(`is not ${JSON.stringify(claim.slice(0, 20))}`, () => assert.equal(pathOfClaim(claim), undefined))
  }

  it('is never one that the protocol sets, nor inside one', () => {
    const named =
      'iss sub aud exp nbf iat jti azp nonce auth_time acr amr at_hash c_hash sid scope client_id cnf act may_act'
    for (const claim of [...named.split(' '), ...protocolClaims]) {
      assert.deepEqual(messages(rule({ claim })), [`The claim ${claim} is set by the protocol.`])
      assert.deepEqual(messages(rule({ claim: `${claim}.x` })), [`The claim ${claim} is set by the protocol.`])
    }
    for (const claim of ['role', 'email', 'name', 'subject', 'https://acme.example/sub']) {
      assert.deepEqual(messages(rule({ claim })), [])
    }
  })
})

describe('where a rule takes its value from', () => {
  for (const from of [
    'attribute:department',
    'claim:email',
    'roles',
    'roles:shop',
    'groups',
    'groups:names',
    'username',
    'id',
    'created_at',
    'client_id',
    'constant:"eu"',
    'constant:{"a":[1,null]}',
  ]) {
    it(`can be ${from}`, () => assert.deepEqual(messages(rule({ from })), []))
  }

  for (const from of ['', 'attribute:', 'roles:', 'group', 'constant:', 'constant:eu', 'toString', 'constructor:x']) {
    it(`cannot be ${from || 'empty'}`, () => {
      assert.equal(sourceOf(from), undefined)
      assert.match(messages(rule({ from }))[0] ?? '', /^from is one of roles, groups, /)
    })
  }

  it('is an attribute that is declared, and a claim of a person', () => {
    assert.deepEqual(messages(rule({ from: 'attribute:salary' })), ['The attribute salary is not declared.'])
    assert.match(
      messages(rule({ from: 'claim:iss' }))[0] ?? '',
      /^The claim iss is none of a person\. There are: name, /,
    )
  })

  it('is a constant of a thousand characters at most', () => {
    assert.equal(messages(rule({ from: `constant:"${'x'.repeat(998)}"` })).length, 0)
    assert.equal(messages(rule({ from: `constant:"${'x'.repeat(999)}"` })).length, 1)
  })

  it('names one place at least, each once, and one of the forms', () => {
    assert.deepEqual(messages(rule({ in: [] })), [
      'in names at least one of id_token, access_token, userinfo, introspection.',
    ])
    const judged = registerRule(rule({ in: ['userinfo', 'id_token', 'userinfo'] }), new Set(['department']))
    assert.deepEqual(!isRefusal(judged) && judged.in, ['id_token', 'userinfo'])
    assert.equal(messages(rule({ as: 'array' as never })).length, 1)
  })
})

describe('two rules in one token', () => {
  const owned = (owner: string, ...rules: ClaimRule[]) => ({ owner, rules, default: ['userinfo'] as const })

  it('conflict where they set one claim and are not the same', () => {
    const other = rule({ from: 'claim:locale' })
    assert.deepEqual(conflictsOf([owned('scope a', rule()), owned('scope b', other)]), [
      'department of the scope a and department of the scope b would both be set in userinfo.',
    ])
    assert.equal(conflictsOf([owned('scope a', rule(), other)]).length, 1, 'of one owner as well')
    assert.deepEqual(conflictsOf([owned('scope a', rule()), owned('client c', rule())]), [])
    assert.equal(conflictsOf([owned('scope a', rule()), owned('client c', rule({ as: 'list' }))]).length, 1)
  })

  it('conflict where one claim is a value and an object', () => {
    const [inner, outer] = [rule({ claim: 'a.b.c' }), rule({ claim: 'a.b' })]
    assert.equal(conflictsOf([owned('scope a', inner), owned('scope b', outer)]).length, 1)
    assert.deepEqual(conflictsOf([owned('scope a', inner), owned('scope b', rule({ claim: 'a.x' }))]), [])
    assert.deepEqual(conflictsOf([owned('scope a', rule({ claim: 'a' })), owned('scope b', rule({ claim: 'ab' }))]), [])
  })

  it('do not meet in different places', () => {
    const elsewhere = rule({ from: 'claim:locale', in: ['access_token'] })
    assert.deepEqual(conflictsOf([owned('scope a', rule()), owned('scope b', elsewhere)]), [])
  })
})

describe('the claims that rules set', () => {
  const facts: RuleFacts = {
    id: 'id-1',
    username: 'alice',
    createdAtMs: Date.parse('2026-03-01T12:00:00Z'),
    clientId: 'shop',
    attributes: { department: 'sales', teams: ['a', 'b'], cost: 7, active: false, meta: '{"a":1}', none: [] },
    claims: () => ({ email: 'alice@example.com' }),
    roles: ['admin', 'shop:buyer', 'shop:seller'],
    groups: ['/staff/berlin', '/guests'],
  }
  const apply = (...rules: Partial<ClaimRule>[]) =>
    applyRules(
      {},
      rules.map((change) => ({ rule: rule({ claim: 'c', ...change }), owner: { scope: 's' }, places: ['userinfo'] })),
      facts,
    )

  for (const [from, as, value] of [
    ['attribute:department', 'auto', 'sales'],
    ['attribute:department', 'list', ['sales']],
    ['attribute:teams', 'auto', ['a', 'b']],
    ['attribute:teams', 'first', 'a'],
    ['attribute:teams', 'joined', 'a b'],
    ['attribute:teams', 'text', 'a'],
    ['attribute:cost', 'auto', 7],
    ['attribute:cost', 'text', '7'],
    ['attribute:active', 'auto', false],
    ['attribute:active', 'text', 'false'],
    ['attribute:meta', 'json', { a: 1 }],
    ['claim:email', 'auto', 'alice@example.com'],
    ['roles', 'auto', ['admin', 'shop:buyer', 'shop:seller']],
    ['roles:shop', 'auto', ['buyer', 'seller']],
    ['groups', 'auto', ['/staff/berlin', '/guests']],
    ['groups:names', 'joined', 'berlin guests'],
    ['username', 'auto', 'alice'],
    ['id', 'list', ['id-1']],
    ['created_at', 'auto', '2026-03-01T12:00:00.000Z'],
    ['client_id', 'auto', 'shop'],
    ['constant:{"region":"eu"}', 'auto', { region: 'eu' }],
  ] as const) {
    it(`have the ${as} of ${from}`, () => assert.deepEqual(apply({ from, as }), { c: value }))
  }

  for (const [from, as] of [
    ['attribute:unset', 'auto'],
    ['attribute:toString', 'auto'],
    ['attribute:none', 'auto'],
    ['attribute:none', 'list'],
    ['attribute:none', 'joined'],
    ['attribute:none', 'text'],
    ['attribute:department', 'json'],
    ['attribute:cost', 'json'],
    ['claim:phone_number', 'auto'],
    ['roles:other', 'auto'],
  ] as const) {
    it(`have no ${as} of ${from}, which is left out`, () => assert.deepEqual(apply({ from, as }), {}))
  }

  it('are objects where names have dots, together with others of the same object', () => {
    const made = apply(
      { claim: 'realm_access.roles', from: 'roles' },
      { claim: 'realm_access.name', from: 'username' },
      { claim: 'a\\.b', from: 'id' },
    )
    assert.deepEqual(made, {
      realm_access: { roles: ['admin', 'shop:buyer', 'shop:seller'], name: 'alice' },
      'a.b': 'id-1',
    })
  })

  it('are the same at every use of a rule: an object that a rule has is never added to', () => {
    const twice = [
      { claim: 'org', from: 'constant:{"a":1}' },
      { claim: 'org.b', from: 'username' },
    ]
    for (const _ of twice) assert.deepEqual(apply(...twice), { org: { b: 'alice' } })
    const owned = twice.map((change) => ({ rule: rule(change), owner: { scope: 's' }, places: ['userinfo' as const] }))
    for (const _ of twice) assert.deepEqual(applyRules({}, owned, facts), { org: { b: 'alice' } })
    assert.deepEqual(applyRules({}, owned.slice(0, 1), facts), { org: { a: 1 } })
  })

  it('are members like any other, whatever their names mean to a program', () => {
    const made = apply({ claim: '__proto__.polluted', from: 'id' }, { claim: 'constructor', from: 'username' })
    assert.equal(JSON.stringify(made), '{"__proto__":{"polluted":"id-1"},"constructor":"alice"}')
    assert.equal(({} as Record<string, unknown>).polluted, undefined)
  })

  it('take the place of a built-in claim of their name, and leave the others', () => {
    const owned = [
      { rule: rule({ claim: 'role', from: 'groups' }), owner: { client: 'shop' }, places: ['id_token'] as const },
    ]
    const made = applyRules({ sub: 'id-1', role: 'admin' }, owned, facts)
    assert.deepEqual(made, { sub: 'id-1', role: ['/staff/berlin', '/guests'] })
  })

  it('are those of the place: of the rule, or else of its owner', () => {
    const owned = [
      { rule: rule({ claim: 'a' }), owner: { scope: 's' }, places: ['userinfo', 'id_token'] as const },
      { rule: rule({ claim: 'b', in: ['access_token'] }), owner: { scope: 's' }, places: ['userinfo'] as const },
    ]
    const at = (place: 'id_token' | 'access_token' | 'introspection') =>
      rulesFor(place, owned).map((one) => one.rule.claim)
    assert.deepEqual([at('id_token'), at('access_token'), at('introspection')], [['a'], ['b'], []])
  })

  it('are traced: what set each, and why another was left out', () => {
    const traced: RuleTrace[] = []
    const owner = { scope: 's' }
    const changes = [
      { claim: 'a' },
      { claim: 'b', from: 'attribute:unset' },
      { claim: 'c', as: 'json' },
      { claim: 'd', from: 'attribute:none' },
    ] as const
    const owned = changes.map((change) => ({ rule: rule(change), owner, places: ['userinfo'] as const }))
    applyRules({}, owned, facts, (entry) => traced.push(entry))
    assert.deepEqual(traced, [
      { claim: 'a', from: 'attribute:department', owner },
      { claim: 'b', from: 'attribute:unset', owner, why: 'no value' },
      { claim: 'c', from: 'attribute:department', owner, why: 'no JSON' },
      { claim: 'd', from: 'attribute:none', owner, why: 'no value' },
    ])
  })
})

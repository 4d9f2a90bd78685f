/** Roles that belong to clients, and to whom they are told. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { clientPartOf, rolesToldTo } from '../../src/protocol/claims/client-roles.ts'

describe('a role of a client', () => {
  it('has the id of the client before its first colon', () => {
    assert.equal(clientPartOf('shop:admin'), 'shop')
    assert.equal(clientPartOf('shop:a:b'), 'shop')
    for (const plain of ['admin', ':admin', 'shop:', 'shop']) assert.equal(clientPartOf(plain), undefined, plain)
  })

  const roles = ['admin', 'lab:doctor', 'shop:admin', 'ward:nurse']
  const roleClients = new Map<string, readonly string[] | null>([
    ['shop', ['https://api.shop.example']],
    ['lab', []],
    ['ward', null],
  ])
  const subject = { roles, roleClients }

  it('is told to the client and for resources that the client names, and is a plain one where no client has the id', () => {
    assert.deepEqual(rolesToldTo(subject, 'shop', []), ['admin', 'shop:admin', 'ward:nurse'])
    assert.deepEqual(rolesToldTo(subject, 'lab', []), ['admin', 'lab:doctor', 'ward:nurse'])
    assert.deepEqual(rolesToldTo(subject, 'web', []), ['admin', 'ward:nurse'])
    assert.deepEqual(rolesToldTo(subject, 'web', ['https://api.shop.example']), ['admin', 'shop:admin', 'ward:nurse'])
    assert.deepEqual(rolesToldTo(subject, 'web', ['https://other.example']), ['admin', 'ward:nurse'])
  })

  it('costs nothing where no role has a colon', () => {
    const plain = { roles: ['admin'] }
    assert.equal(rolesToldTo(plain, 'web', []), plain.roles)
  })
})

/** Roles that belong to clients, and to whom they are told. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { clientPartOf, roleClientsFor, rolesToldTo } from '../../src/protocol/claims/client-roles.ts'

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
    assert.deepEqual(rolesToldTo(subject, named('shop'), null), ['admin', 'shop:admin', 'ward:nurse'])
    assert.deepEqual(rolesToldTo(subject, named('lab'), null), ['admin', 'lab:doctor', 'ward:nurse'])
    assert.deepEqual(rolesToldTo(subject, named('web'), null), ['admin', 'ward:nurse'])
    const ofApi = rolesToldTo(subject, named('web'), ['https://api.shop.example'])
    assert.deepEqual(ofApi, ['admin', 'shop:admin', 'ward:nurse'])
    assert.deepEqual(rolesToldTo(subject, named('web'), ['https://other.example']), ['admin', 'ward:nurse'])
  })

  it('is told in tokens of a client that names its own one in role_clients: in access tokens that are for it alone', () => {
    const web = named('web', 'lab')
    assert.deepEqual(rolesToldTo(subject, web, null), ['admin', 'lab:doctor', 'ward:nurse'])
    assert.deepEqual(rolesToldTo(subject, web, ['lab']), ['admin', 'lab:doctor', 'ward:nurse'])
    assert.deepEqual(rolesToldTo(subject, web, ['https://as.example/']), ['admin', 'ward:nurse'])
    assert.deepEqual(
      rolesToldTo(subject, named('web'), ['lab']),
      ['admin', 'ward:nurse'],
      'a resource of the same name',
    )
    assert.deepEqual(rolesToldTo(subject, named('web', '*'), null), roles)
  })

  it('makes role clients part of the audience: those that are there, of which somebody has a role, but not the client itself', () => {
    assert.deepEqual(roleClientsFor(subject, named('web', 'lab')), ['lab'])
    assert.deepEqual(roleClientsFor(subject, named('web', 'ward', 'other')), [])
    assert.deepEqual(roleClientsFor(subject, named('web', '*')), ['lab', 'shop'])
    assert.deepEqual(roleClientsFor(subject, named('lab', '*')), ['shop'])
    assert.deepEqual(roleClientsFor({ roles: ['lab:doctor'] }, named('web', '*')), [])
    assert.deepEqual(roleClientsFor(subject, named('web')), [])
  })

  it('costs nothing where no role has a colon', () => {
    const plain = { roles: ['admin'] }
    assert.equal(rolesToldTo(plain, named('web', '*'), null), plain.roles)
  })
})

function named(id: string, ...role_clients: string[]) {
  return { id, metadata: { role_clients } }
}

/** People of `latchkey import aspnet-identity`: names, addresses, own columns and claims (moving in, sections 3 and 4). */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { countsOf, find, placeWith, type Result, result } from './import-place.ts'
import { wholeFolder } from './whole-tables.ts'

type Found = Result & {
  readonly not_kept?: Readonly<Record<string, number>>
  readonly findings: readonly {
    readonly kind: string
    readonly source: string
    readonly member: string
    readonly severity: string
    readonly reason: string
  }[]
}

const said = ({ findings }: Found, member: string) => findings.filter((one) => one.member === member)

describe('a person of ASP.NET Core Identity (moving in, section 3)', () => {
  it('comes with an unusual name, with the look of another one, and without blanks at its ends', async (t) => {
    const users = [
      '1,🦊fox,fox@example.com',
      '2,paypal,p1@example.com',
      '3,pаypаl,p2@example.com',
      '4,trail ,t@example.com',
    ]
    const at = placeWith(t, wholeFolder('tables', { AspNetUsers: `Id,UserName,Email\n${users.join('\n')}\n` }))
    const dry = (await result(at, 'aspnet-identity tables --dry-run')) as Found
    const found = (await result(at, 'aspnet-identity tables')) as Found
    assert.deepEqual(dry, found)
    assert.deepEqual(countsOf(found), [4, 4, 0, 0, 0])
    assert.deepEqual(
      [(await find(at, '🦊fox')).id, (await find(at, 'paypal')).id, (await find(at, 'pаypаl')).id],
      ['1', '2', '3'],
    )
    assert.equal((await find(at, 'trail')).id, '4')
    assert.match(said(found, 'UserName')[0]?.reason ?? '', /"trail " has blanks at an end/)
  })

  it('comes without an address, with a malformed one, and with one that others have, and finds nobody by it', async (t) => {
    const users = [
      ...['1,judy,,0', '2,emil,not an address,1', '3,ivan,family@example.com,1', '4,ivana,Family@example.com,1'],
      ...['5,bob,bob@example.com,1', '6,bob@example.com,other@example.com,1'],
    ]
    const at = placeWith(
      t,
      wholeFolder('tables', { AspNetUsers: `Id,UserName,Email,EmailConfirmed\n${users.join('\n')}\n` }),
    )
    const found = (await result(at, 'aspnet-identity tables')) as Found
    assert.deepEqual(countsOf(found), [6, 6, 0, 0, 0])
    for (const name of ['judy', 'emil']) assert.equal((await find(at, name)).email, '')
    for (const name of ['ivan', 'ivana', 'bob']) {
      const { sharesEmail, emailConfirmed } = await find(at, name)
      assert.deepEqual([sharesEmail, emailConfirmed], [true, false], name)
    }
    assert.equal((await find(at, 'bob@example.com')).id, '6')
    const free = { name: 'new', email: 'family@example.com' }
    assert.deepEqual(await at.withStorage(({ users: stored }) => stored.conflicts(free)), [])
    assert.deepEqual(
      said(found, 'Email').map(({ source, severity }) => [source, severity]),
      [
        ['emil', 'lost'],
        ['bob', 'changed'],
      ],
    )
    assert.match(
      said(found, 'Email')[1]?.reason ?? '',
      /of bob \(bob@example\.com\) is the user name of bob@example\.com/,
    )
    assert.match(said(found, 'email')[0]?.reason ?? '', /ivana and ivan have the same e-mail address/)
  })

  it('counts own columns for those in whom they differ, and takes what --disabled-if and --claim say', async (t) => {
    const users = ['1,ann,a@example.com,t,Ann A.', '2,ben,b@example.com,t,', '3,cleo,c@example.com,f,']
    const tables = wholeFolder('tables', {
      AspNetUsers: `Id,UserName,Email,is_active,DisplayName\n${users.join('\n')}\n`,
    })
    const at = placeWith(t, tables)
    const counted = (await result(at, 'aspnet-identity tables --dry-run')) as Found
    assert.deepEqual(counted.not_kept, { DisplayName: 1, is_active: 1 })
    const found = (await result(
      at,
      'aspnet-identity tables --disabled-if IsActive=False --claim DisplayName=name',
    )) as Found
    assert.equal(found.not_kept, undefined)
    assert.deepEqual([(await find(at, 'ann')).disabled, (await find(at, 'cleo')).disabled], [false, true])
    assert.equal((await find(at, 'ann')).claims.name, 'Ann A.')
    await at.refuses('import aspnet-identity tables --disabled-if Gone=1', /AspNetUsers has no column Gone/)
    await at.refuses('import aspnet-identity tables --claim DisplayName=colour', /colour is no claim of people/)
    await at.misuses('import aspnet-identity tables --claim DisplayName', /takes a name, = and a value/)
  })

  it("brings standard claims, never those of the protocol or the person's own, and names claims of roles", async (t) => {
    const claims = [
      'given_name,Ann',
      'amr,mfa',
      'role,admin',
      'email,x@example.com',
      'locale,de',
      'locale,fr',
      'colour,red',
    ]
    const at = placeWith(
      t,
      wholeFolder('tables', {
        AspNetUsers: 'Id,UserName,Email\n1,ann,a@example.com\n',
        AspNetRoles: 'Id,Name\n7,sales\n8,empty\n',
        AspNetUserRoles: 'UserId,RoleId\n1,7\n',
        AspNetRoleClaims: 'RoleId,ClaimType,ClaimValue\n7,permission,orders:read\n7,permission,orders:write\n',
        AspNetUserClaims: `UserId,ClaimType,ClaimValue\n${claims.map((one) => `1,${one}`).join('\n')}\n`,
      }),
    )
    const found = (await result(at, 'aspnet-identity tables')) as Found
    const ann = await find(at, 'ann')
    const { updated_at: _, ...comes } = ann.claims
    assert.deepEqual([comes, ann.roles, ann.email], [{ given_name: 'Ann' }, ['sales'], 'a@example.com'])
    const lost = ['claim amr', 'claim colour', 'claim email', 'claim locale', 'claim role']
    assert.deepEqual(Object.keys(found.not_kept ?? {}).sort(), lost)
    const [permission] = said(found, 'AspNetRoleClaims.permission')
    assert.deepEqual([permission?.kind, permission?.source], ['role', 'sales'])
    assert.match(permission?.reason ?? '', /\(2 rows\).* an API that checks it refuses everybody/)
    assert.match(JSON.stringify(found.findings), /Nobody has the role empty/)
  })
})

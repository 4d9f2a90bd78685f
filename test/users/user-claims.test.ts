import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isRefusal } from '../../src/refusal.ts'
import { changeUser } from '../../src/users/changes.ts'
import { claimFault, type SettableClaim } from '../../src/users/user-claims.ts'
import { now, sampleUser } from '../protocol/samples.ts'

const faultOf = (claim: SettableClaim, value: unknown) => claimFault(claim, value)

describe('the claims of a user (OpenID Connect Core §5.1)', () => {
  it('are bounded: 200 characters, 2000 for addresses of pages, 1000 in a postal address', () => {
    const fits = (claim: SettableClaim, value: unknown, tooLong: unknown) => {
      assert.equal(faultOf(claim, value), undefined, claim)
      assert.match(faultOf(claim, tooLong) ?? '', /must have at most \d+ characters/, claim)
    }
    fits('nickname', 'n'.repeat(200), 'n'.repeat(201))
    const page = 'https://example.com/'
    fits('picture', page + 'p'.repeat(2000 - page.length), page + 'p'.repeat(2001 - page.length))
    fits('address', { region: 'r'.repeat(1000) }, { region: 'r'.repeat(1001) })
  })

  it('contain no line breaks and no marks that reorder text, except lines of an address', () => {
    assert.match(faultOf('name', 'Alice\nAdmin') ?? '', /control characters/)
    assert.match(faultOf('nickname', '\u202eecila') ?? '', /control characters/)
    assert.equal(faultOf('address', { formatted: 'Hauptstr. 1\r\nBerlin', street_address: 'a\nb' }), undefined)
    assert.match(faultOf('address', { locality: 'a\nb' }) ?? '', /control characters/)
  })

  it('have the time of their last change: of a claim, the user name or the address, and of nothing else', () => {
    const changed = (members: object, user = sampleUser({ claims: { nickname: 'a', updated_at: 1 } })) => {
      const judged = changeUser(user, members, now)
      assert.ok(!isRefusal(judged))
      return judged.claims.updated_at
    }
    for (const members of [{ nickname: 'b' }, { nickname: null }, { email: 'b@example.com' }, { username: 'bob' }]) {
      assert.equal(changed(members), now / 1000, JSON.stringify(members))
    }
    for (const members of [{}, { nickname: 'a' }, { gender: null }]) assert.equal(changed(members), 1)
  })
})

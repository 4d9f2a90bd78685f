import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Storage } from '../../src/storage/port/storage.ts'
import { newAttribute } from '../../src/users/attribute-record.ts'
import type { Givers } from '../../src/users/effective-roles.ts'
import { roleKey, valueKey, wordKey } from '../../src/users/search.ts'
import type { User } from '../../src/users/user.ts'
import { aConfirmation, aLogin, aPasskey, atOnce, aUser, createdAll, nextId, now, someFactors } from './records.ts'
import type { StorageFor } from './storage-for.ts'

/** The names of those who have a word that begins so. */
async function foundBy(userSearch: Storage['userSearch'], word: string): Promise<string[]> {
  const key = wordKey(word)
  return (await userSearch.page(key, { key, userId: '' })).found.map(({ user }) => user.name)
}
const called = (name: string, change: Partial<User> = {}) => aUser({ claims: { name }, roles: [], ...change })

export function userSearchContract(storageFor: StorageFor): void {
  describe('the index of full names and roles', () => {
    it('finds the beginning of every word, ascending byte by byte, and goes on after a row', async (t) => {
      const { users, userSearch } = await storageFor(t)
      const people = {
        a: called('Ada Lovelace'),
        b: called('Łukasz Ädams-O’Brien'),
        c: aUser({ claims: { given_name: 'Grace', family_name: 'LOVELL' }, roles: [] }),
        d: called('山田太郎'),
        e: called('100% under_score'),
      }
      for (const [name, user] of Object.entries(people)) await users.create({ ...user, name })
      for (const [word, names] of [
        ['lov', ['a', 'c']],
        ['lovelace', ['a']],
        ['ä', ['b']],
        ['brien', ['b']],
        ['ł', ['b']],
        ['grace', ['c']],
        ['山', ['d']],
        ['太郎', []],
        ['100', ['e']],
        ['%', []],
        ['_', []],
        ['ad', ['a']],
      ] as const) {
        assert.deepEqual(await foundBy(userSearch, word), names, word)
      }
      const { found: all } = await userSearch.page('w', { key: '', userId: '' })
      const [first] = all
      assert.ok(first)
      const { found: rest, next } = await userSearch.page('w', { key: first.key, userId: first.user.id })
      assert.deepEqual([rest.length, next], [11, undefined])
      assert.ok(rest.every(({ key }) => key >= first.key))
    })

    it('follows every change of a name or a role, in the same commit, and forgets who was deleted', async (t) => {
      const storage = await storageFor(t)
      const { users, userSearch, confirmations, configuration, groups, roles } = storage
      const created = called('Created Person', { roles: ['one'] })
      await users.create(created)
      await users.update(created.id, (user) => ({ ...user, claims: { name: 'Changed' } }))
      assert.deepEqual(
        [await foundBy(userSearch, 'created'), await foundBy(userSearch, 'changed')],
        [[], [created.name]],
      )
      await users.updateNames(created.id, (user) => ({ ...user, name: nextId(), claims: { given_name: 'Renamed' } }))
      assert.deepEqual(await foundBy(userSearch, 'changed'), [])
      assert.equal((await foundBy(userSearch, 'renamed')).length, 1)

      const external = called('External')
      await users.registerExternal(external, aLogin(external), null)
      const link = aConfirmation()
      await confirmations.put(link)
      const registered = called('Registered')
      await confirmations.register(link.id, registered)
      const imported = called('Imported')
      const progress = {
        ...{ id: nextId(), kind: 'users', recordsRead: 1, notKept: {}, startedAtMs: now },
        counts: { read: 1, created: 1, updated: 0, skipped: 0, failed: 0 },
      }
      const person = { user: imported, before: undefined, logins: [], isWeak: false }
      await storage.imports.store({ before: undefined, progress, people: [person], failures: [] })
      // Longer than a key of the index.
      const long = '\u{1f600}'.repeat(100)
      const applied = called('Applied', { roles: ['one', long] })
      await configuration.apply([{ kind: 'user', before: undefined, after: applied }], now)
      for (const user of [external, registered, imported, applied]) {
        assert.deepEqual(await foundBy(userSearch, user.claims.name?.toLowerCase() ?? ''), [user.name])
      }
      const again = { ...applied, claims: { name: 'Again' } }
      await configuration.apply([{ kind: 'user', before: applied, after: again }], now)
      assert.deepEqual([await foundBy(userSearch, 'applied'), (await foundBy(userSearch, 'again')).length], [[], 1])

      const held = async () => (await userSearch.heldRoles()).sort()
      const before = await held()
      await userSearch.beginFill(now)
      for (let fill = await userSearch.fill(); fill?.isDone === false; fill = await userSearch.fill())
        await userSearch.fillNext(fill)
      const givers = (name: string, by: Partial<Givers> = {}) => ({
        ...{ roles: new Set([name]), groups: new Set<string>(), isEverybodys: false },
        ...by,
      })
      const given = async (...by: Parameters<typeof givers>) =>
        (await userSearch.given(givers(...by)))?.map(({ id }) => id).sort()
      assert.deepEqual(await given('one'), [created.id, applied.id].sort())
      assert.deepEqual(await given(long), [applied.id])
      assert.deepEqual(await given(`${long}!`), [])
      assert.equal(await given('one', { isEverybodys: true }), undefined)
      const team = {
        id: 'team',
        name: 'team',
        parentId: null,
        description: null,
        roles: [],
        createdAtMs: 1,
        version: 1,
      }
      await groups.change(() => ({ changes: [{ id: 'team', after: team }] }))
      await groups.addMembers('team', [external.id, applied.id])
      const both = { roles: new Set(['other', long]), groups: new Set(['team', 'none']) }
      assert.deepEqual(await given('other', both), [external.id, applied.id].sort())
      const holders = async (role: string) => (await userSearch.holders(role, 10))?.map(({ id }) => id).sort()
      assert.deepEqual(await holders('one'), [created.id, applied.id].sort())
      assert.equal(await userSearch.holders('one', 1), undefined)
      assert.deepEqual([await held(), before], [['one', long].sort(), ['one', long].sort()])
      assert.deepEqual(
        (await roles.dependents('one')).users,
        [(await users.find(created.id))?.name, applied.name].sort(),
      )
      await users.update(created.id, (user) => ({ ...user, roles: [] }))
      assert.deepEqual(await holders('one'), [applied.id])
      await roles.deleteEverywhere('one', now)
      assert.deepEqual([await holders('one'), await userSearch.isHeld('one')], [[], false])
      assert.deepEqual(await held(), [long])
      const key = roleKey('one')
      assert.deepEqual(await userSearch.page(key, { key, userId: '' }), { found: [] })

      for (const { id } of [created, external, registered, imported]) await users.delete(id)
      assert.deepEqual(
        (await userSearch.page('w', { key: 'w', userId: '' })).found.map(({ user }) => user.id),
        [applied.id],
      )
    })

    it('has the words of values of attributes, which follow every change and leave with a deleted attribute', async (t) => {
      const { users, userSearch, attributes } = await storageFor(t)
      for (const name of ['department', 'office']) {
        await attributes.change(() => ({ changes: [{ name, after: newAttribute(name, now) }] }))
      }
      const by = async (word: string) => {
        const key = valueKey(word)
        return (await userSearch.page(key, { key, userId: '' })).found.map(({ user }) => user.name)
      }
      const one = called('One', { attributes: { department: 'Field Sales', office: 'Sales Tower' } })
      await users.create(one)
      assert.deepEqual(
        [await by('sal'), await by('fie'), await foundBy(userSearch, 'sal')],
        [[one.name], [one.name], []],
      )
      await users.update(one.id, (user) => ({ ...user, attributes: { ...user.attributes, department: 'Support' } }))
      assert.deepEqual([await by('field'), await by('support'), await by('sales')], [[], [one.name], [one.name]])
      await users.update(one.id, (user) => ({ ...user, attributes: { ...user.attributes, department: 'Sales' } }))
      await attributes.change(() => ({ changes: [{ name: 'office', after: undefined }] }))
      assert.deepEqual([await by('tower'), await by('sales')], [[], [one.name]])
      await attributes.change(() => ({ changes: [{ name: 'department', after: undefined }] }))
      assert.deepEqual([await by('sales'), await foundBy(userSearch, 'one')], [[], [one.name]])
      // As a search that was filled anew would have it.
      await userSearch.beginFill(now)
      for (let fill = await userSearch.fill(); fill?.isDone === false; fill = await userSearch.fill())
        await userSearch.fillNext(fill)
      assert.deepEqual([await by('sales'), await foundBy(userSearch, 'one')], [[], [one.name]])
    })

    it('has the words of the last of many changes at once, and no others', async (t) => {
      const { users, userSearch } = await storageFor(t)
      const user = called('Before')
      await users.create(user)
      const names = ['Alpha One', 'Beta Two', 'Gamma Three', 'Delta Four', 'Epsilon Five', 'Zeta Six']
      await userSearch.beginFill(now)
      const fill = await userSearch.fill()
      await atOnce(names.length + 1, async (at) => {
        const name = names[at]
        if (name !== undefined) await users.update(user.id, (one) => ({ ...one, claims: { name } }))
        else if (fill !== undefined) await userSearch.fillNext(fill)
      })
      const last = (await users.find(user.id))?.claims.name ?? ''
      const { found: rows } = await userSearch.page('w', { key: '', userId: '' })
      assert.deepEqual(rows.map(({ key }) => key).sort(), last.toLowerCase().split(' ').map(wordKey).sort())
    })

    it('says who has an authenticator app or a passkey', async (t) => {
      const { users, userSearch, passkeys } = await storageFor(t)
      const [app, passkey, none] = await createdAll(users, aUser(), aUser(), aUser())
      await users.recordSignIn({ user: app }, () => ({ outcome: 'factors', factors: someFactors(app) }))
      await passkeys.add(aPasskey(passkey), { id: 'once', expiresAtMs: now + 1000 })
      const found = await userSearch.withSecondFactor([app.id, passkey.id, none.id, 'nobody'])
      assert.deepEqual([...found].sort(), [app.id, passkey.id].sort())
      assert.deepEqual([...(await userSearch.withSecondFactor([none.id]))], [])
    })
  })
}

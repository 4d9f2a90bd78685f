import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Enrolled, type Offered, worthDoing } from '../../src/users/own-profile.ts'
import type { User } from '../../src/users/user.ts'
import { sampleUser } from '../protocol/samples.ts'

describe('what the account area advises', () => {
  const app = { hasTotp: true }
  const passkey = { hasPasskey: true }

  for (const [what, user, enrolled, offered, expected] of [
    ['nothing to the owner of app and passkey', {}, { ...app, ...passkey }, {}, []],
    ['a passkey or an app to one with a password alone', {}, {}, {}, ['add_passkey', 'set_up_totp']],
    ['only an app where passkeys are off', {}, {}, { passkeys: false }, ['set_up_totp']],
    ['no app to the owner of a passkey, which is two factors', {}, passkey, {}, []],
    ['no second app', {}, app, {}, ['add_passkey']],
    ['no app to one without a password', { passwordHash: null }, {}, {}, ['add_passkey']],
    ['to confirm an address', { emailConfirmed: false }, { ...app, ...passkey }, {}, ['confirm_email']],
    ['no confirmation where no mail is sent', { emailConfirmed: false }, { ...app, ...passkey }, { mail: false }, []],
    ['new codes at three', {}, { ...app, ...passkey, recoveryCodes: 3 }, {}, ['renew_recovery_codes']],
    ['no new codes at four', {}, { ...app, ...passkey, recoveryCodes: 4 }, {}, []],
    ['no codes without an app', {}, { ...passkey, recoveryCodes: 0 }, {}, []],
  ] as const satisfies readonly (readonly [
    string,
    Partial<User>,
    Partial<Enrolled>,
    Partial<Offered>,
    readonly string[],
  ])[]) {
    it(`is ${what}`, () => {
      const has = { hasPasskey: false, hasTotp: false, recoveryCodes: 10, ...enrolled }
      assert.deepEqual(worthDoing(sampleUser(user), has, { mail: true, passkeys: true, ...offered }), expected)
    })
  }
})

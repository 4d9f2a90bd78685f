import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { describe, it } from 'node:test'
import { readNewPassword } from '../../src/cli/password-input.ts'
import { verifyPassword } from '../../src/secrets/password.ts'
import type { User } from '../../src/users/user.ts'
import { aBrowser, aSession, now, someFactors } from '../storage/records.ts'
import { settingsFrom } from '../support/settings.ts'
import { placeAfter, type Workplace, workplace } from './run.ts'

const alice = 'user add alice --email alice@example.com --no-password'

function stored(place: Workplace, name = 'alice'): Promise<User> {
  return place.withStorage(async (storage) => {
    const user = await storage.users.findByName(name)
    assert.ok(user)
    return user
  })
}

describe('latchkey user add', () => {
  it('adds a user and prints the members of the contract [S2.5.1, C2.2, C2.6, C2.7, C2.10]', async (t) => {
    const place = workplace(t)
    const roles = '--role b --role a --role b --email-confirmed'
    const printed = await place.json(`user add Alice --email Alice@Example.com ${roles} --password-stdin`, {
      stdin: 'Passw0rd!\n',
    })
    const { id, ...others } = printed as { id: string }
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    assert.deepEqual(others, {
      username: 'Alice',
      email: 'Alice@Example.com',
      email_verified: true,
      roles: ['a', 'b'],
      ...{ required_actions: [], had_second_factor: false },
      locked_until: null,
      disabled: false,
      created_at: '2027-01-01T00:00:00.000Z',
    })
    const user = await stored(place)
    assert.equal(user.id, id)
    assert.equal(await verifyPassword(user.passwordHash, 'Passw0rd!'), true)
  })

  it('takes exactly one newline from the end of the password [C2.11]', async (t) => {
    const place = workplace(t)
    await place.json('user add alice --email a@b --password-stdin', { stdin: 'Passw0rd!\n\n' })
    assert.equal(await verifyPassword((await stored(place)).passwordHash, 'Passw0rd!\n'), true)
    await place.json('user set-password alice --password-stdin', { stdin: 'Passw0rd!\r\n' })
    assert.equal(await verifyPassword((await stored(place)).passwordHash, 'Passw0rd!'), true)
  })

  it('adds a user without a password [C2.10]', async (t) => {
    const place = workplace(t)
    assert.match((await place.run(alice)).stdout, /^Added alice \([0-9a-f-]{36}\)\.\n$/)
    assert.equal((await stored(place)).passwordHash, null)
  })

  it('says what to do when there is no terminal to ask for the password [C2.11]', async (t) => {
    await workplace(t).misuses(
      'user add alice --email a@b',
      /--password-stdin, or add the user without one with --no-password/,
    )
  })

  it('refuses a password that is too short, too long or not text [C3.22]', async (t) => {
    const place = workplace(t)
    const add = 'user add alice --email a@b --password-stdin'
    await place.refuses(add, /at least 8 characters .* this one has 7/, { stdin: 'Passw0r' })
    // Characters are counted, not the units they are stored in.
    await place.refuses(add, /this one has 4/, { stdin: '😀😀😀😀' })
    await place.refuses(add, /at least 12/, { stdin: 'Passw0rd!', env: { Accounts__Password__MinLength: '12' } })
    await place.refuses(add, /at most 1024 bytes/, { stdin: 'x'.repeat(1025) })
    await place.refuses(add, /not valid UTF-8/, { stdin: new Uint8Array(9).fill(0xff) })
    assert.deepEqual(await place.json('user list'), [])
  })

  it('takes any characters, and as many as 1024 bytes, and says what people would not be allowed', async (t) => {
    const place = workplace(t)
    const passwords = ['aaaaaaaa', '12345678', '        ', 'пароль ☂ 😀', 'x'.repeat(64), 'x'.repeat(1024)]
    for (const [index, password] of passwords.entries()) {
      await place.json(`user add u${index} --email u${index}@b --password-stdin`, { stdin: password })
      assert.equal(await verifyPassword((await stored(place, `u${index}`)).passwordHash, password), true, password)
    }
    const said = async (stdin: string) => (await place.run('user set-password u0 --password-stdin', { stdin })).stdout
    assert.equal(
      await said('Password123'),
      'u0 has a new password. Warning: The password is one of the most common passwords, which are guessed first.\n',
    )
    assert.match(await said('u0@b'.padEnd(8, 'u0@b')), /has a new password\.\n$/)
    assert.match(await said('latchkey!'), /Warning: The password is too much like/)
  })

  it('refuses a name or an e-mail address that is taken, whatever its case [S2.5.2]', async (t) => {
    const place = await placeAfter(t, alice)
    await place.refuses('user add ALICE --email b@example.com --no-password', /There is a user called ALICE already/)
    await place.refuses(
      'user add bob --email ALICE@example.com --no-password',
      /has the e-mail address ALICE@example\.com/,
    )
  })

  it('refuses a name that is somebody else’s e-mail address, and an address that is somebody else’s name', async (t) => {
    const place = await placeAfter(t, alice)
    const add = (name: string, email: string) => `user add ${name} --email ${email} --no-password`
    await place.run(add('carol@example.com', 'c@example.com'))
    await place.refuses(
      add('Alice@example.com', 'b@example.com'),
      /Alice@example\.com is another user's e-mail address, with which they sign in/,
    )
    await place.refuses(
      add('bob', 'CAROL@example.com'),
      /CAROL@example\.com is another user's name, with which they sign in/,
    )
  })

  it('refuses names, addresses and roles that cannot be used', async (t) => {
    const place = workplace(t)
    const add = (name: string, email: string, more = '') =>
      `user add '${name}' --email '${email}' --no-password ${more}`
    for (const name of ['', ' alice', 'ali\tce', 'ali\u202ece', 'x'.repeat(257)]) {
      await place.refuses(add(name, 'a@b'), /The user name must/)
    }
    for (const email of ['', 'a', 'a@', '@b', 'a@b@c', 'a b@c', `${'a'.repeat(253)}@b`]) {
      await place.refuses(add('alice', email), /The e-mail address must/)
    }
    await place.refuses(add('alice', 'a@b', "--role ''"), /A role must not be empty/)
  })

  it('is misused without an address, with an unknown option, or with two wishes about the password', async (t) => {
    const place = workplace(t)
    await place.misuses('user add alice', /required option '--email/)
    await place.misuses('user add alice --email a@b --admin', /unknown option '--admin'/)
    await place.misuses('user show -alice', /unknown option '-alice'\nPut -- before a name that begins with a hyphen/)
    await place.misuses('user show', /missing required argument 'name'/)
    await place.misuses(`${alice} --password-stdin`, /exclude each other/)
  })
})

describe('a password that is asked for on a terminal', () => {
  const settings = settingsFrom()

  /** Answers every prompt with the next of `answers`. */
  function ask(...answers: string[]) {
    const stdin = Object.assign(new PassThrough(), { isTTY: true })
    const [stdout, stderr] = [new PassThrough(), new PassThrough()]
    let shown = ''
    stderr.on('data', (chunk) => {
      shown += chunk
      if (String(chunk).endsWith(': ')) stdin.write(answers.shift() ?? '')
    })
    const context = { stdin, stdout, stderr, clock: Date.now, random: randomBytes }
    const owner = { name: 'alice', email: 'alice@example.com' }
    return { answer: readNewPassword(context, false, settings, owner, ''), shown: () => shown + (stdout.read() ?? '') }
  }

  it('is asked for twice and never shown [C2.11]', async () => {
    const { answer, shown } = ask('Passw0rdX\u007f!\r', 'Passw0rd!\r')
    assert.deepEqual(await answer, { password: 'Passw0rd!', warning: '' })
    assert.equal(shown(), 'Password: \nThe same again: \n')
  })

  it('is refused when the two differ, and can be cancelled', async () => {
    await assert.rejects(ask('Passw0rd!\r', 'Passw0rd?\r').answer, /The two passwords differ/)
    await assert.rejects(ask('Passw\u0003').answer, /Cancelled/)
    await assert.rejects(ask('\u0004').answer, /Cancelled/)
  })
})

describe('latchkey user list, show and delete', () => {
  it('say what to do when there is nobody [C2.7, C2.12]', async (t) => {
    const place = workplace(t)
    assert.match((await place.run('user list')).stdout, /There are no users yet\. Add one with: latchkey user add/)
    assert.deepEqual(await place.json('user list'), [])
    for (const command of ['show', 'delete', 'lock', 'unlock']) {
      await place.refuses(`user ${command} bob`, /There is no user called bob\. See: latchkey user list/)
    }
  })

  it('print aligned tables and records [C2.2, C2.12]', async (t) => {
    const place = await placeAfter(t, `${alice} --role admin`, 'user add bob --email b@example.com --no-password')
    assert.equal(
      (await place.run('user list')).stdout,
      [
        'NAME   E-MAIL             CONFIRMED  ROLES  STATE   CREATED',
        'alice  alice@example.com  no         admin  active  2027-01-01 00:00Z',
        'bob    b@example.com      no                active  2027-01-01 00:00Z',
        '',
      ].join('\n'),
    )
    assert.match((await place.run('user show ALICE')).stdout, /^name {7}alice\n.*\npassword {3}none\n/s)
  })

  it('delete a user for good [C2.12]', async (t) => {
    const place = await placeAfter(t, alice)
    const deleted = (await place.json('user delete alice --yes')) as { username: string; deleted: boolean }
    assert.deepEqual([deleted.username, deleted.deleted], ['alice', true])
    assert.deepEqual(await place.json('user list'), [])
  })
})

describe('latchkey user reset-second-factor', () => {
  it('removes the authenticator app, the recovery codes and the memory of browsers, and says whether there were any', async (t) => {
    const place = await placeAfter(t, alice)
    const user = await stored(place)
    const browser = aBrowser(user, { secondFactorUntilMs: now + 7 })
    await place.withStorage(({ users }) =>
      users.recordSignIn({ user }, () => ({ outcome: 'factors', factors: someFactors(user), browser })),
    )
    const printed = (await place.json('user reset-second-factor alice')) as { username: string; reset: boolean }
    assert.deepEqual([printed.username, printed.reset], ['alice', true])
    await place.withStorage(async ({ knownBrowsers, secondFactors }) => {
      const remembered = (await knownBrowsers.list(user.id)).map((one) => one.secondFactorUntilMs)
      assert.deepEqual(remembered, [null])
      const left = await secondFactors.find(user.id)
      assert.deepEqual([left?.totp, left?.pendingTotp, left?.recoveryHashes], [null, null, []])
    })
    await place.refuses('user reset-second-factor bob', /There is no user called bob\./)
  })
})

describe('latchkey user forget-browsers', () => {
  it('forgets all of them, and says how many there were', async (t) => {
    const place = await placeAfter(t, alice)
    const user = await stored(place)
    await place.withStorage(async ({ users }) => {
      for (const browser of [aBrowser(user), aBrowser(user)]) {
        await users.recordSignIn({ user }, () => ({ outcome: 'in', session: aSession(user), browser }))
      }
    })
    const printed = (await place.json('user forget-browsers alice')) as { username: string; forgotten: number }
    assert.deepEqual([printed.username, printed.forgotten], ['alice', 2])
    assert.match((await place.run('user forget-browsers ALICE')).stdout, /^Forgot 0 browsers of alice\.\n$/)
    await place.refuses('user forget-browsers bob', /There is no user called bob\./)
  })
})

describe('latchkey user lock and unlock', () => {
  it('closes a lockout after failed passwords, and an attack with it', async (t) => {
    const place = await placeAfter(t, alice)
    for (const [command, disabled] of [
      ['user lock alice', true],
      ['user unlock alice', false],
    ] as const) {
      await place.withStorage(async ({ users }) => {
        const { id } = await stored(place)
        await users.update(id, (user) => ({ ...user, lockoutBeganAtMs: 1, lockedUntilMs: Date.UTC(2028, 0) }))
      })
      await place.run(command)
      const user = await stored(place)
      assert.deepEqual([user.lockoutBeganAtMs, user.disabled], [null, disabled])
    }
  })

  it('locks without an end, and ends sessions and grants [C2.13]', async (t) => {
    const place = await placeAfter(t, alice)
    const locked = (await place.json('user lock alice')) as { locked_until: string; disabled: boolean }
    assert.deepEqual([locked.locked_until, locked.disabled], ['9999-12-31T23:59:59.999Z', true])
    const { sessionsEndedAtMs, grantsEndedAtMs } = await stored(place)
    assert.deepEqual([sessionsEndedAtMs, grantsEndedAtMs], [place.nowMs, place.nowMs])
    assert.match((await place.run('user list')).stdout, / locked {2}/)
  })

  it('locks until an instant, which must lie ahead [C2.13]', async (t) => {
    const place = await placeAfter(t, alice)
    const locked = (await place.json('user lock alice --until 2027-01-02T01:00:00+01:00')) as Record<string, unknown>
    assert.deepEqual([locked.locked_until, locked.disabled], ['2027-01-02T00:00:00.000Z', false])
    assert.equal((await stored(place)).grantsEndedAtMs, place.nowMs)
    await place.refuses('user lock alice --until 2026-12-31T00:00:00Z', /has passed already/)
    for (const time of ['tomorrow', '2027-02-30T00:00:00Z', '2027-01-02T00:00:00']) {
      await place.misuses(`user lock alice --until ${time}`, /Write it like/)
    }
    place.nowMs = Date.UTC(2027, 0, 2)
    const later = (await place.json('user show alice')) as Record<string, unknown>
    assert.equal(later.locked_until, null)
  })

  it('unlocks and forgets the failed attempts [C2.14]', async (t) => {
    const place = await placeAfter(t, alice)
    await place.withStorage(async (storage) => {
      const user = await storage.users.findByName('alice')
      await storage.users.update(user?.id ?? '', (found) => ({ ...found, failedAttempts: 3 }))
    })
    await place.run('user lock alice')
    const unlocked = (await place.json('user unlock alice')) as Record<string, unknown>
    assert.deepEqual([unlocked.locked_until, unlocked.disabled], [null, false])
    assert.equal((await stored(place)).failedAttempts, 0)
  })
})

describe('latchkey user set-password, add-role and remove-role', () => {
  it('sets a password and ends the sessions of the old one [C2.15]', async (t) => {
    const place = await placeAfter(t, alice)
    await place.json('user set-password alice --password-stdin', { stdin: 'N3w-passw0rd' })
    const user = await stored(place)
    assert.equal(await verifyPassword(user.passwordHash, 'N3w-passw0rd'), true)
    assert.deepEqual([user.sessionsEndedAtMs, user.grantsEndedAtMs], [place.nowMs, null])
  })

  it('says when the account is locked all the same', async (t) => {
    const place = await placeAfter(t, alice, 'user lock alice')
    const { stdout } = await place.run('user set-password alice --password-stdin', { stdin: 'N3w-passw0rd' })
    assert.match(stdout, /Still locked: latchkey user unlock alice/)
  })

  it('gives and takes roles, each once [S2.5.4, C2.16]', async (t) => {
    const place = await placeAfter(t, alice)
    const roles = async (line: string) => ((await place.json(line)) as { roles: string[] }).roles
    assert.deepEqual(await roles('user add-role alice staff'), ['staff'])
    assert.deepEqual(await roles('user add-role alice admin'), ['admin', 'staff'])
    assert.deepEqual(await roles('user add-role alice admin'), ['admin', 'staff'])
    assert.deepEqual(await roles('user remove-role alice staff'), ['admin'])
    assert.deepEqual(await roles('user remove-role alice staff'), ['admin'])
    await place.refuses("user add-role alice ' x'", /A role must not begin/)
  })

  it('takes the last administrator away with --force alone: by role, lock and deletion', async (t) => {
    const place = await placeAfter(t, alice, 'user add-role alice latchkey-admin')
    for (const line of ['user remove-role alice latchkey-admin', 'user lock alice', 'user delete alice --yes']) {
      await place.refuses(line, /last person with the role latchkey-admin.*--force/)
    }
    await place.run('user lock alice --force')
    await place.run('user unlock alice')
    await place.run('user remove-role alice latchkey-admin --force')
    await place.run('user delete alice --yes')
  })
})

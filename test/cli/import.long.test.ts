/** `latchkey import` (administration.md §4 and §7). */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import bcrypt from 'bcryptjs'
import { type AuditKind, eventBy } from '../../src/audit/entry.ts'
import { importId } from '../../src/import/files.ts'
import { judgePeople } from '../../src/import/people.ts'
import { runImport } from '../../src/import/run.ts'
import { readUsers } from '../../src/import/users-file.ts'
import { hashPassword, verifyPassword, wrapHash } from '../../src/secrets/password.ts'
import { aspNetV2 } from '../fixtures/foreign-hashes.ts'
import { valuesOf } from '../support/values.ts'
import { countsOf, find, lines, placeWith, type Result, result } from './import-place.ts'
import { workplace } from './run.ts'

const password = 'Passw0rd!'

describe('latchkey import users', () => {
  it('keeps ids, names, claims, roles, locks, passwords and second factors of JSON lines', async (t) => {
    const alice = {
      id: '7d1c7f0a-0b1c-4c9b-9f52-7f3b0a6c1e11',
      username: 'alice',
      email: 'alice@example.com',
      email_verified: true,
      roles: ['sales', 'admin'],
      created_at: '2020-05-06T07:08:09Z',
      name: 'Alice Liddell',
      locale: 'en-GB',
      password_hash: aspNetV2(password),
      totp_secret: 'gezd gnbv gy3t qojq gezd gnbv gy3t qojq',
      recovery_codes: ['2V7XK-9QWRT', '8HJKM-PQRTV'],
      external_logins: [{ provider: 'GitHub', subject: '42' }],
    }
    const bob = { username: 'bob', email: 'bob@example.com', locked_until: '2030-01-01T00:00:00Z' }
    const carol = {
      username: 'carol',
      email: 'carol@example.com',
      disabled: true,
      password_hash: bcrypt.hashSync('x', 4),
    }
    const at = placeWith(t, { 'people.jsonl': lines(alice, bob, carol) })
    assert.deepEqual(countsOf(await result(at, 'users people.jsonl')), [3, 3, 0, 0, 0])
    const stored = await find(at, 'alice')
    assert.equal(stored.id, alice.id)
    assert.deepEqual(stored.roles, ['admin', 'sales'])
    assert.equal(stored.emailConfirmed, true)
    assert.equal(stored.createdAtMs, Date.UTC(2020, 4, 6, 7, 8, 9))
    assert.deepEqual([stored.claims.name, stored.claims.locale], ['Alice Liddell', 'en-GB'])
    assert.equal(await verifyPassword(stored.passwordHash, password), true)
    await at.withStorage(async ({ secondFactors, externalLogins, weakPasswords, audit, imports }) => {
      const factors = await secondFactors.find(alice.id)
      assert.ok(factors?.totp)
      assert.equal(factors.recoveryHashes.length, 2)
      assert.deepEqual(valuesOf(await externalLogins.list(alice.id), 'subject'), ['42'])
      assert.equal(await weakPasswords.count(), 2)
      const [entry] = await audit.list({ kind: 'data_imported' }, undefined, 10)
      assert.partialDeepStrictEqual(entry?.details, { kind: 'users', read: 3, created: 3 })
      assert.equal(await imports.find(String(entry?.details.import)), undefined)
    })
    assert.deepEqual(
      [(await find(at, 'bob')).lockedUntilMs, (await find(at, 'bob')).disabled],
      [Date.UTC(2030, 0), false],
    )
    assert.equal((await find(at, 'carol')).disabled, true)
    await at.withStorage(({ userSearch }) => userSearch.beginFill(1))
    const { stdout } = await at.run('doctor')
    assert.match(stdout, /2 imported password hashes are weak and left to wrap/)
    assert.match(stdout, /People have password hashes of other kinds than ours: \S+ .*\(1\)/)
    assert.match(stdout, /0 people can be found by full name so far: a running service adds the others/)
  })

  it('reads CSV with a heading row, quotes, and lists with semicolons', async (t) => {
    const rows = [
      'username,email,email_verified,roles,name,address,external_logins',
      'dora,dora@example.com,true,admin;sales,"Dora ""D"" Doe, jr.","{""country"":""DE""}",GitHub:7',
      '"erin",erin@example.com,,,,,',
      '',
      'too,few',
    ]
    const at = placeWith(t, { 'people.csv': `\ufeff${rows.join('\r\n')}` })
    const found = await result(at, 'users people.csv')
    assert.deepEqual(countsOf(found), [3, 2, 0, 0, 1])
    assert.deepEqual(found.rows, [
      { line: 5, reason: 'people.csv: The row has another number of values than the heading.' },
    ])
    const dora = await find(at, 'dora')
    assert.deepEqual(dora.roles, ['admin', 'sales'])
    assert.equal(dora.claims.name, 'Dora "D" Doe, jr.')
    assert.deepEqual(dora.claims.address, { country: 'DE' })
  })

  it('leaves out rows that the rules refuse, with line and reason, and exits with 1', async (t) => {
    const person = (change: object, at: number) => ({ username: `p${at}`, email: `p${at}@example.com`, ...change })
    const faults: readonly (readonly [object, RegExp])[] = [
      [{ email: 'nowhere' }, /name@host/],
      [{ username: undefined }, /user name must not be empty/],
      [{ id: 'two words' }, /id must have 1 to 255 characters/],
      [{ password_hash: 'plain text' }, /no password hash that Latchkey knows/],
      [{ password: 'x' }, /password is not a member of a person/],
      [{ roles: 'admin' }, /list of texts/],
      [{ created_at: '2999-01-01T00:00:00Z' }, /in the future/],
      [{ locale: '!' }, /language tag/],
      [{ email_verified: 'yes' }, /true or false/],
      [{ totp_secret: '1' }, /Base32/],
      [{ recovery_codes: ['abcdefgh-23'] }, /need a totp_secret/],
      [
        { recovery_codes: ['123456'], totp_secret: 'JBSWY3DPEHPK3PXP' },
        /10 to 32 letters and digits, or of 16 to 32 digits/,
      ],
      [{ recovery_codes: ['abcdefgh'], totp_secret: 'JBSWY3DPEHPK3PXP' }, /10 to 32 letters/],
      [{ external_logins: [{ provider: 'GitHub' }] }, /provider and subject/],
    ]
    const records = faults.map(([change], at) => person(change, at))
    const text = `${lines(...records)}{not: JSON}\n${lines(person({}, 99))}`
    const at = placeWith(t, { 'people.jsonl': text })
    const { rows, ...counts } = await result(at, 'users people.jsonl')
    assert.deepEqual([counts.read, counts.created, counts.failed], [faults.length + 2, 1, faults.length + 1])
    for (const [index, [, pattern]] of faults.entries()) {
      assert.equal(rows[index]?.line, index + 1)
      assert.match(rows[index]?.reason ?? '', pattern)
    }
    assert.deepEqual(rows.at(-1), { line: faults.length + 1, reason: 'people.jsonl: The row is not JSON.' })
    await find(at, 'p99')
    const plain = await at.run('import users people.jsonl --on-conflict skip')
    assert.equal(plain.code, 1)
    assert.match(plain.stdout, /^line 1: p0: The e-mail address must look like name@host\.$/m)
    assert.match(plain.stdout, /16 read: 0 created, 0 updated, 1 skipped, 15 left out\./)
    assert.match(plain.stderr, /^error: 15 rows of 16 left out\.\n$/)
  })

  it('lets administrators come without that role, and says so by name, unless it is told to give it', async (t) => {
    const roles = ['latchkey-admin', 'sales']
    const file = { 'people.jsonl': lines({ username: "o'neil", email: 'o@example.com', roles }) }
    const at = placeWith(t, file)
    const dry = await result(at, 'users people.jsonl --dry-run')
    const found = await result(at, 'users people.jsonl')
    assert.deepEqual([found, countsOf(found)], [dry, [1, 1, 0, 0, 0]])
    const reason = "o'neil: The role latchkey-admin comes in with --allow-admin only."
    const command = "latchkey user add-role 'o'\\''neil' latchkey-admin"
    const finding = { kind: 'person', source: "o'neil", member: 'roles', severity: 'lost', reason, command }
    assert.deepEqual(found.findings, [finding])
    assert.deepEqual((await find(at, "o'neil")).roles, ['sales'])
    const other = placeWith(t, file)
    assert.deepEqual((await result(other, 'users people.jsonl --allow-admin')).findings, [])
    assert.deepEqual((await find(other, "o'neil")).roles, roles)
  })

  it('lets people come without a role that nobody can have here, and names them', async (t) => {
    const person = { username: 'ann', email: 'ann@example.com', roles: ['two\nlines', ' blank', 'sales'] }
    const at = placeWith(t, { 'people.jsonl': lines(person) })
    const { findings, created } = await result(at, 'users people.jsonl')
    assert.equal(created, 1)
    assert.deepEqual((await find(at, 'ann')).roles, ['sales'])
    assert.deepEqual(
      findings.map(({ source, member, severity, command }) => [source, member, severity, command]),
      Array(2).fill(['ann', 'roles', 'lost', undefined]),
    )
  })

  it('makes no keys in a dry run, and reports the same as the real one', async (t) => {
    const person = { username: 'ann', email: 'ann@example.com', totp_secret: 'JBSWY3DPEHPK3PXP' }
    const at = placeWith(t, { 'people.jsonl': lines(person, { username: 'x' }) })
    const before = await at.run('keys list --json')
    const dry = await result(at, 'users people.jsonl --dry-run')
    assert.deepEqual((await at.run('keys list --json')).stdout, before.stdout)
    assert.deepEqual(await result(at, 'users people.jsonl'), dry)
    assert.notEqual((await at.run('keys list --json')).stdout, before.stdout)
  })

  it('reports, skips or updates those who are there, inside one file as well', async (t) => {
    const anna = { id: 'a-1', username: 'anna', email: 'anna@example.com', roles: ['one'], nickname: 'An' }
    const at = placeWith(t, {
      'one.jsonl': lines(anna, { ...anna, id: 'a-2' }, { username: 'ben', email: 'ben@example.com' }),
      'two.jsonl': lines(
        { id: 'a-1', username: 'annabel', email: 'annabel@example.com', password_hash: aspNetV2('New pass 1') },
        { username: 'ben', email: 'ben@example.com', roles: ['two'] },
        { id: 'b-2', username: 'ben', email: 'ben@example.com' },
        { username: 'new', email: 'new@example.com' },
        { username: 'other', email: 'ben@example.com' },
      ),
    })
    assert.deepEqual(countsOf(await result(at, 'users one.jsonl --dry-run')), [3, 2, 0, 0, 1])
    assert.deepEqual(countsOf(await result(at, 'users one.jsonl --dry-run --on-conflict skip')), [3, 2, 0, 1, 0])
    assert.deepEqual(countsOf(await result(at, 'users one.jsonl --dry-run --on-conflict update')), [3, 2, 0, 0, 1])
    const first = await result(at, 'users one.jsonl')
    assert.deepEqual(countsOf(first), [3, 2, 0, 0, 1])
    assert.deepEqual(first.rows, [{ line: 2, reason: 'There is a user called anna already.' }])
    const again = await result(at, 'users one.jsonl')
    assert.deepEqual(countsOf(again), [3, 0, 0, 0, 3])
    assert.deepEqual(countsOf(await result(at, 'users one.jsonl --on-conflict skip')), [3, 0, 0, 3, 0])
    const dry = await result(at, 'users two.jsonl --on-conflict update --dry-run')
    assert.deepEqual(countsOf(dry), [5, 1, 2, 0, 2])
    assert.equal((await find(at, 'anna')).email, 'anna@example.com')
    const updated = await result(at, 'users two.jsonl --on-conflict update')
    assert.deepEqual(countsOf(updated), [5, 1, 2, 0, 2])
    assert.deepEqual(valuesOf(updated.rows, 'line'), [3, 5])
    const annabel = await find(at, 'annabel')
    assert.deepEqual([annabel.id, annabel.roles, annabel.claims.nickname], ['a-1', ['one'], 'An'])
    assert.equal(await verifyPassword(annabel.passwordHash, 'New pass 1'), true)
    assert.deepEqual((await find(at, 'ben')).roles, ['two'])
    await at.withStorage(async ({ audit }) => {
      const [entry] = await audit.list({ userId: 'a-1' }, undefined, 10)
      assert.partialDeepStrictEqual(entry, { kind: 'user_changed', details: { change: 'imported' } })
    })
  })

  it('gives nothing of a deleted person to whoever comes in with the same id', async (t) => {
    const anna = { id: 'a-1', username: 'anna', email: 'anna@example.com' }
    const at = placeWith(t, { 'a.jsonl': lines(anna, { username: 'ben', email: 'ben@example.com' }) })
    await result(at, 'users a.jsonl')
    const [given, made] = [await find(at, 'anna'), await find(at, 'ben')]
    assert.deepEqual([given.sessionsEndedAtMs, given.grantsEndedAtMs], [at.nowMs, at.nowMs])
    assert.deepEqual([made.sessionsEndedAtMs, made.grantsEndedAtMs], [null, null])
  })

  it('changes no administrator without --allow-admin', async (t) => {
    const root = { id: 'r-1', username: 'root', email: 'root@example.com', roles: ['latchkey-admin'] }
    const at = placeWith(t, {
      'one.jsonl': lines(root),
      'two.jsonl': lines({ ...root, roles: [], disabled: true, password_hash: aspNetV2('mine now') }),
      'three.jsonl': lines({ ...root, password_hash: aspNetV2('mine now') }),
    })
    await result(at, 'users one.jsonl --allow-admin')
    const refused = await result(at, 'users two.jsonl --on-conflict update')
    assert.deepEqual(valuesOf(refused.rows, 'reason'), [
      'root has the role latchkey-admin and is changed with --allow-admin only.',
    ])
    assert.deepEqual(
      [(await find(at, 'root')).roles, (await find(at, 'root')).passwordHash],
      [['latchkey-admin'], null],
    )
    assert.equal((await result(at, 'users two.jsonl --on-conflict update --allow-admin')).updated, 0)
    assert.equal((await result(at, 'users three.jsonl --on-conflict update --allow-admin')).updated, 1)
  })

  it('wraps weak hashes at once, or never', async (t) => {
    const person = (name: string) => ({
      username: name,
      email: `${name}@example.com`,
      password_hash: aspNetV2(password),
    })
    const at = placeWith(t, { 'a.jsonl': lines(person('a')), 'b.jsonl': lines(person('b')) })
    await result(at, 'users a.jsonl --wrap now')
    assert.match((await find(at, 'a')).passwordHash ?? '', /^wrapped:\$pbkdf2-sha1/)
    await result(at, 'users b.jsonl --wrap never')
    assert.match((await find(at, 'b')).passwordHash ?? '', /^\$pbkdf2-sha1/)
    assert.equal(await at.withStorage(({ weakPasswords }) => weakPasswords.count()), 0)
  })

  it('lets people come without a password whose hash is too dear to check, by its parameters and not by the clock', async (t) => {
    const text = (length: number) => 'A'.repeat(length)
    const bcryptOf = (cost: number) => `$2b$${cost}$${'C'.repeat(21)}.${'C'.repeat(31)}`
    const hashes: readonly (readonly [string, boolean])[] = [
      [bcryptOf(13), true],
      [bcryptOf(14), false],
      [`$pbkdf2-sha256$i=6000000$${text(22)}$${text(43)}`, true],
      [`$pbkdf2-sha256$i=7000000$${text(22)}$${text(43)}`, false],
      [`$pbkdf2-sha512$i=2000000$${text(22)}$${text(86)}`, true],
      [`$scrypt$ln=17,r=8,p=3$${text(22)}$${text(43)}`, true],
      [`$scrypt$ln=17,r=8,p=5$${text(22)}$${text(43)}`, false],
      [`$scrypt$ln=24,r=64,p=1$${text(22)}$${text(43)}`, false],
      [`$argon2id$v=19$m=262144,t=4,p=1$${text(22)}$${text(43)}`, true],
      [`$argon2id$v=19$m=262144,t=5,p=1$${text(22)}$${text(43)}`, false],
      [`$argon2id$v=19$m=4194304,t=1,p=1$${text(22)}$${text(43)}`, false],
    ]
    const people = hashes.map(([password_hash], at) => ({
      username: `u${at}`,
      email: `u${at}@x.example`,
      password_hash,
    }))
    const at = placeWith(t, { 'people.jsonl': lines(...people) })
    const dear = hashes.filter(([, comes]) => !comes).length
    for (const option of [' --dry-run', ' --wrap never']) {
      const found = (await result(at, `users people.jsonl${option}`)) as Result & { readonly not_kept: object }
      assert.deepEqual([found.created, found.failed], [hashes.length, 0])
      assert.deepEqual(found.not_kept, { 'password_hash (too dear to check)': dear })
    }
    for (const [index, [hash, comes]] of hashes.entries()) {
      assert.equal((await find(at, `u${index}`)).passwordHash !== null, comes, hash)
    }
    // Whoever has a password here keeps it.
    const own = { username: 'own', email: 'own@x.example' }
    writeFileSync(join(at.folder, 'own.jsonl'), lines({ ...own, password_hash: bcryptOf(10) }))
    await result(at, 'users own.jsonl --wrap never')
    writeFileSync(join(at.folder, 'again.jsonl'), lines({ ...own, password_hash: bcryptOf(20) }))
    assert.equal((await result(at, 'users again.jsonl --on-conflict update --wrap never')).updated, 1)
    assert.match((await find(at, 'own')).passwordHash ?? '', /^\$2b\$10/)
  })

  it('ends the sessions of people for whom it brings another password, and of nobody for whom it brings the same', async (t) => {
    const at = placeWith(t, {})
    const hashOf = (text: string) => bcrypt.hashSync(text, 4)
    const person = (username: string, password_hash: string) => ({
      username,
      email: `${username}@x.example`,
      password_hash,
    })
    const names = ['raw', 'wrapped', 'signed-in', 'own', 'argon']
    const argon = await hashPassword('first')
    const hashes = new Map(names.map((name) => [name, name === 'argon' ? argon : hashOf('first')]))
    const write = () =>
      writeFileSync(join(at.folder, 'p.jsonl'), lines(...names.map((name) => person(name, hashes.get(name) ?? ''))))
    const states = async () => {
      const people = await Promise.all(names.map((name) => find(at, name)))
      return people.map(({ name, passwordHash, sessionsEndedAtMs }) => ({ name, passwordHash, sessionsEndedAtMs }))
    }
    const change = async (name: string, passwordHash: string) => {
      const { id } = await find(at, name)
      await at.withStorage(({ users }) => users.update(id, (user) => ({ ...user, passwordHash })))
    }
    write()
    assert.equal((await result(at, 'users p.jsonl --wrap never')).created, 5)
    await change('wrapped', (await wrapHash(hashes.get('wrapped') ?? '')) ?? '')
    await change('signed-in', await hashPassword('first'))
    await change('own', await hashPassword('chosen here'))
    const before = await states()
    assert.match(before[1]?.passwordHash ?? '', /^wrapped:/)
    for (let again = 0; again < 2; again += 1) {
      assert.equal((await result(at, 'users p.jsonl --wrap never --on-conflict update --restart')).updated, 5)
      assert.deepEqual(await states(), before)
    }
    at.nowMs += 60_000
    for (const name of names) hashes.set(name, name === 'argon' ? await hashPassword('second') : hashOf('second'))
    write()
    await result(at, 'users p.jsonl --wrap never --on-conflict update')
    for (const { name, passwordHash, sessionsEndedAtMs } of await states()) {
      assert.deepEqual([passwordHash, sessionsEndedAtMs], [hashes.get(name), at.nowMs], name)
      assert.equal(await verifyPassword(passwordHash, 'second'), true, name)
    }
    // A system with one salt for each person.
    const salted = (text: string) => bcrypt.hashSync(text, (hashes.get('raw') ?? '').slice(0, 29))
    hashes.set('raw', salted('third'))
    at.nowMs += 60_000
    write()
    await result(at, 'users p.jsonl --wrap never --on-conflict update')
    const ended = (await states()).map(({ sessionsEndedAtMs }) => sessionsEndedAtMs === at.nowMs)
    assert.deepEqual(ended, [true, false, false, false, false])
    // Who had no password, or one of before imports were remembered.
    const other = { username: 'other', email: 'other@x.example' }
    writeFileSync(join(at.folder, 'other.jsonl'), lines(other))
    await result(at, 'users other.jsonl')
    writeFileSync(join(at.folder, 'other.jsonl'), lines({ ...other, password_hash: hashOf('first') }))
    await result(at, 'users other.jsonl --wrap never --on-conflict update')
    assert.equal((await find(at, 'other')).sessionsEndedAtMs, at.nowMs)
  })

  it('is misused with a kind that does not exist, also without a database', async (t) => {
    const at = workplace(t, { database: false })
    for (const kind of ['nonsense', 'constructor', '__proto__']) {
      await at.misuses(`import ${kind} people.jsonl`, new RegExp(`There is no kind ${kind}\\. Kinds: users, `))
    }
  })

  it('goes on where the import of the same files stopped, and begins anew with --restart', async (t) => {
    const people = Array.from({ length: 1200 }, (_, at) => ({ username: `u${at}`, email: `u${at}@example.com` }))
    const broken = people.map((one, at) => (at === 3 ? { ...one, email: 'nowhere' } : one))
    const at = placeWith(t, { 'people.jsonl': lines(...broken) })
    // Stops after the second batch, as a killed process does.
    const records = await readUsers([join(at.folder, 'people.jsonl')], {})
    await at.withStorage(async (storage) => {
      let batches = 0
      const imports = {
        ...storage.imports,
        store: (...batch: Parameters<typeof storage.imports.store>) => {
          batches += 1
          return batches > 2 ? Promise.reject(new Error('killed')) : storage.imports.store(...batch)
        },
      }
      const id = await importId('users', [join(at.folder, 'people.jsonl')])
      const nowMs = at.nowMs
      const rules = {
        nowMs,
        judgeHash: () => ({ fault: '' }),
        roleFault: () => undefined,
        attributes: { declared: new Map(), matches: () => true },
      }
      const keys = () => assert.fail()
      const run = {
        ...{ id, kind: 'users', records, isDryRun: false, nowMs, register: () => assert.fail(), progress() {} },
        storage: { imports },
        people: judgePeople({
          origin: 'users',
          storage,
          rules,
          onConflict: 'fail',
          isWrapped: true,
          keys,
          random: randomBytes,
        }),
        event: (kind: AuditKind) => eventBy('test', nowMs, kind, {}),
      }
      await assert.rejects(runImport({ ...run, file: 'source' }), /killed/)
      assert.equal((await storage.imports.find(id))?.recordsRead, 1000)
      assert.equal((await storage.users.list()).length, 999)
    })
    const resumed = await result(at, 'users people.jsonl')
    assert.deepEqual(countsOf(resumed), [1200, 1199, 0, 0, 1])
    assert.deepEqual(valuesOf(resumed.rows, 'line'), [4])
    assert.deepEqual(
      countsOf(await result(at, 'users people.jsonl --restart --on-conflict skip')),
      [1200, 0, 0, 1199, 1],
    )
  })

  it('takes nobody the administration of the service, also with --allow-admin', async (t) => {
    const at = placeWith(t, {
      'people.jsonl': lines({ username: 'root', email: 'root@example.com', roles: ['staff'] }),
    })
    await at.run('user add root --email root@example.com --no-password --role latchkey-admin')
    const found = await result(at, 'users people.jsonl --on-conflict update --allow-admin')
    assert.deepEqual(countsOf(found), [1, 0, 0, 0, 1])
    assert.match(found.rows[0]?.reason ?? '', /root would not administer this service any more/)
    assert.deepEqual((await find(at, 'root')).roles, ['latchkey-admin'])
  })

  it('refuses what is no source at all', async (t) => {
    const at = placeWith(t, { 'empty.jsonl': '', 'torn.json': '[{"username": "a"', 'none.db': 'no database' })
    await at.misuses('import people empty.jsonl', /no kind people/)
    await at.refuses('import users nowhere.jsonl', /no file or folder nowhere\.jsonl/)
    mkdirSync(join(at.folder, 'folder'))
    await at.refuses('import users folder', /cannot be read \(EISDIR\)/)
    writeFileSync(join(at.folder, 'endless.csv'), `username,email\n"${'a'.repeat(1_000_001)}`)
    await at.refuses('import users endless.csv', /Line 2 has a field without an end/)
    await at.refuses('import users torn.json', /ends in the middle/)
    await at.refuses('import aspnet-identity none.db', /cannot be read as an SQLite file|no table AspNetUsers/)
    await at.misuses('import users empty.jsonl --on-conflict ask', /on-conflict/)
    assert.deepEqual(countsOf(await result(at, 'users empty.jsonl')), [0, 0, 0, 0, 0])
  })
})

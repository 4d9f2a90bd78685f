/** Imports beside a process that holds the SQLite file of the database, or of the source (connections, section 7). */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { explained, isHeld, isPassing } from '../../src/cli/import-progress.ts'
import { HeldSource } from '../../src/import/source.ts'
import { StorageUnavailable } from '../../src/storage/port/unavailable.ts'
import { countsOf, lines, placeWith, type Result } from './import-place.ts'
import type { Workplace } from './run.ts'

const people = lines(
  ...['ann', 'ben', 'cid'].map((username) => ({ username, email: `${username}@acme.example`, email_verified: true })),
)

/** Holds a file until the first wait of a command. */
function held(at: Workplace, file: string, ...texts: readonly string[]): void {
  const db = new DatabaseSync(join(at.folder, file))
  for (const text of texts) db.exec(text)
  at.meanwhile = async () => {
    if (db.isOpen) db.close()
  }
}

async function imports(at: Workplace, line: string, warning: RegExp): Promise<void> {
  const { code, stdout, stderr } = await at.run(`import ${line} --json`)
  assert.equal(code, 0, stderr)
  assert.deepEqual(countsOf(JSON.parse(stdout) as Result), [3, 3, 0, 0, 0])
  assert.match(stderr, warning)
}

describe('an import beside a process that holds an SQLite file', () => {
  const warning = /^warning: The database \S+latchkey\.db is locked by another process.* Trying again in 1 s\.\n$/

  it('waits for a transaction that writes to the database', async (t) => {
    const at = placeWith(t, { 'people.jsonl': people })
    await at.run('user list')
    held(at, 'data/latchkey.db', 'begin immediate')
    await imports(at, 'users people.jsonl', warning)
  })

  it('waits for a database that nobody else can open', async (t) => {
    const at = placeWith(t, { 'people.jsonl': people })
    await at.run('user list')
    held(at, 'data/latchkey.db', 'pragma locking_mode = exclusive', 'begin immediate', 'commit')
    await imports(at, 'users people.jsonl', warning)
  })

  it('waits for a source that the former service writes to', async (t) => {
    const at = placeWith(t, { 'people.jsonl': people })
    const db = new DatabaseSync(join(at.folder, 'former.db'))
    const columns =
      'Id, UserName, NormalizedUserName, Email, EmailConfirmed, PasswordHash, PhoneNumber, PhoneNumberConfirmed, TwoFactorEnabled, LockoutEnd, LockoutEnabled, AccessFailedCount'
    db.exec(
      `create table AspNetUsers (${columns}); insert into AspNetUsers values ('1','ann','ANN','ann@acme.example',1,null,null,0,0,null,1,0), ('2','ben','BEN','ben@acme.example',1,null,null,0,0,null,1,0), ('3','cid','CID','cid@acme.example',1,null,null,0,0,null,1,0);
       create table AspNetRoles (Id, Name); create table AspNetUserRoles (UserId, RoleId);
       create table AspNetUserLogins (LoginProvider, ProviderKey, UserId);
       create table AspNetUserTokens (UserId, LoginProvider, Name, Value);
       create table AspNetUserClaims (UserId, ClaimType, ClaimValue); create table AspNetRoleClaims (RoleId, ClaimType, ClaimValue)`,
    )
    db.close()
    held(at, 'former.db', 'begin exclusive')
    await imports(
      at,
      'aspnet-identity former.db',
      /^warning: \S+former\.db is locked by another process.* Trying again in 1 s\.\n$/,
    )
  })

  it('says in its error the name of the file, what probably holds it, and that the command can be given again', () => {
    const locked = 'The database /srv/latchkey.db is locked by another process: end what holds it, then try again (x).'
    const error = new StorageUnavailable(locked, { isHeld: true })
    assert.deepEqual([isHeld(error), isPassing(error), error.isPassing], [true, true, false])
    assert.equal(
      (explained(error, false) as Error).message,
      `${locked} A backup, a program that shows the database, or another command is probably writing to it. What was stored before stays: give the same command again, and it goes on there.`,
    )
    assert.match((explained(error, true) as Error).message, /writing to it\. Give the same command again\.$/)
    const { name, message } = explained(new HeldSource('former.db'), false) as Error
    assert.equal(name, 'Refused')
    assert.match(message, /^former\.db is locked by another process, probably the former service.*again\.$/)
  })
})

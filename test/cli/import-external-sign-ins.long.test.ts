/** People who come over with an external sign-in enter the account that they had (moving in, specification 4.7). */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { Browser, locationOf } from '../support/browser.ts'
import { githubForFile } from '../support/fake-github.ts'
import { serviceFor } from '../support/lifetime.ts'
import type { TestService } from '../support/service.ts'
import { lines, placeWith, result } from './import-place.ts'
import type { Workplace } from './run.ts'

const fake = await githubForFile()

/** Settings of a provider that identifies people by an endpoint, spelled as given. */
const providerEnv = (name: string, displayName = name) =>
  Object.fromEntries(
    Object.entries({ ...fake.env, OAuth__External__GitHub__DisplayName: displayName }).map(([key, value]) => [
      key.replace('__GitHub__', `__${name}__`),
      value,
    ]),
  )
const providers = () => ({
  ...fake.env,
  ...providerEnv('google', 'Google'),
  ...providerEnv('MICROSOFT', 'Work or school account'),
  // What a person reads there is not the name that the provider is stored under.
  ...providerEnv('OpenIdConnect', 'Acme AD'),
})

/** [user name, provider, the person's key there]. */
type SignIn = readonly [string, string, string]

/** The tables as the libraries left them. */
function aspNetPlace(t: TestContext): { readonly at: Workplace; readonly signIns: readonly SignIn[] } {
  const at = placeWith(t, {})
  const db = new DatabaseSync(join(at.folder, 'source.db'))
  db.exec(readFileSync(new URL('../fixtures/aspnet-identity.sql', import.meta.url), 'utf8'))
  const rows = db
    .prepare('select UserName, LoginProvider, ProviderKey from AspNetUserLogins join AspNetUsers on Id = UserId')
    .all()
  db.close()
  const signIns = rows.map((row) => Object.values(row) as unknown as SignIn)
  assert.equal(signIns.length, 6)
  return { at, signIns }
}

async function serve(t: TestContext, at: Workplace): Promise<TestService> {
  const service = await serviceFor(t, {
    ...providers(),
    Database__Url: `sqlite:${join(at.folder, 'data/latchkey.db')}`,
  })
  return service
}

/** Signs in at the provider as the person with this key; returns who is signed in then, or where the browser was led. */
async function entered(service: TestService, provider: string, subject: string): Promise<string> {
  fake.user = { id: subject, login: 'somebody', name: null, email: null }
  const browser = new Browser(service)
  const started = await browser.submit('/Account/ExternalLogin?returnUrl=/after', { provider })
  assert.equal(started.status, 302, `${provider} is not configured`)
  const atProvider = await fetch(locationOf(started), { redirect: 'manual' })
  const called = await browser.fetch(locationOf(atProvider).href)
  const end = await browser.fetch(locationOf(called).href)
  const { user } = (await (await browser.get('/Account/Session')).json()) as { user: { name: string } | null }
  return user?.name ?? locationOf(end).pathname
}

async function enterAll(service: TestService, signIns: readonly SignIn[]): Promise<SignIn[]> {
  const all: SignIn[] = []
  for (const [, provider, subject] of signIns) all.push([await entered(service, provider, subject), provider, subject])
  return all
}

describe('people with external sign-ins who come over from ASP.NET Core Identity', () => {
  it('enter the accounts that they had, if the providers are configured after the import', async (t) => {
    const { at, signIns } = aspNetPlace(t)
    assert.equal((await result(at, 'aspnet-identity source.db')).created, 3)
    assert.deepEqual(await enterAll(await serve(t, at), signIns), signIns)
  })

  it('enter the accounts that they had, if the providers were configured before', async (t) => {
    const { at, signIns } = aspNetPlace(t)
    const { code, stderr } = await at.run('import aspnet-identity source.db --json', { env: providers() })
    assert.equal(code, 0, stderr)
    const service = await serve(t, at)
    assert.deepEqual(await enterAll(service, signIns), signIns)
    // Another key at the same provider is nobody's.
    assert.equal(await entered(service, 'Google', '117112345678901230000'), '/Account/ExternalLoginConfirm')
  })
})

describe('the name of a provider in a file to import', () => {
  it('is the same in every spelling: for one person, for two, and for somebody who signed in before', async (t) => {
    const at = placeWith(t, {
      'ann.jsonl': lines({
        ...{ username: 'ann', email: 'ann@example.com' },
        external_logins: ['GitHub', 'GITHUB', 'github'].map((provider) => ({ provider, subject: '7001' })),
      }),
      'ben.csv': 'username,email,external_logins\nben,ben@example.com,gitHub:7001\n',
      'again.jsonl': lines({
        ...{ username: 'ann', email: 'ann@example.com' },
        external_logins: [{ provider: 'GITHUB', subject: '7001' }],
      }),
    })
    assert.equal((await result(at, 'users ann.jsonl')).created, 1)
    for (const option of ['', ' --on-conflict update', ' --dry-run']) {
      const refused = await result(at, `users ben.csv${option}`)
      assert.deepEqual([refused.failed, refused.created], [1, 0])
      assert.match(refused.rows[0]?.reason ?? '', /7001 at github belongs to ann/)
    }
    assert.equal((await result(at, 'users again.jsonl --on-conflict update')).updated, 1)
    await at.withStorage(async ({ externalLogins, users }) => {
      const ann = await users.findByName('ann')
      const stored = await externalLogins.list(ann?.id ?? '')
      assert.deepEqual(
        stored.map(({ provider, subject }) => [provider, subject]),
        [['github', '7001']],
      )
    })
    assert.equal(await entered(await serve(t, at), 'GitHub', '7001'), 'ann')
  })
})

/** Applications of `latchkey import openiddict`, and what belongs to them (moving in, sections 5 and 6). */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { executeSqlite } from '../support/sqlite.ts'
import { aspNetData, skipped } from './aspnet-data.ts'
import { countsOf, placeWith, type Result, result } from './import-place.ts'
import type { Workplace } from './run.ts'
import { wholeFolder } from './whole-tables.ts'

type Found = Result & {
  readonly findings: readonly {
    readonly source: string
    readonly member: string
    readonly severity: string
    readonly reason: string
  }[]
}

const quoted = (value: unknown) => `"${JSON.stringify(value).replaceAll('"', '""')}"`
const codeFlow = ['ept:authorization', 'ept:token', 'gt:authorization_code', 'rst:code']
const secret = 'AQAAAAEAACcQAAAAEMKs4bYxvtynwHhN1SP5feD0SRr3q84iTTisYDd8SGKCdiI3Bu+Z+CXw5uHlQIALbA=='

/** Applications as rows of `ClientId,ClientType,ClientSecret,Permissions,RedirectUris` and others. */
function place(
  t: TestContext,
  rows: readonly string[],
  more = '',
  others: Readonly<Record<string, string>> = {},
): Workplace {
  const heading = `ClientId,ClientType,ClientSecret,Permissions,RedirectUris${more}`
  return placeWith(t, wholeFolder('tables', { OpenIddictApplications: `${heading}\n${rows.join('\n')}\n`, ...others }))
}

/** Adds the folder `people`, with ann. */
function withAnn({ folder }: Workplace): void {
  mkdirSync(join(folder, 'people'))
  const people = wholeFolder('people', { AspNetUsers: 'Id,UserName,Email\nu-1,ann,ann@example.com\n' })
  for (const [name, text] of Object.entries(people)) writeFileSync(join(folder, name), text)
}

const clientOf = (at: Workplace, id: string) => at.withStorage(({ clients }) => clients.find(id))
const of = (found: Found, source: string) => found.findings.filter((one) => one.source === source)

describe('an application of OpenIddict (moving in, section 5)', () => {
  it('names with its id what does not come of an application, and brings the rest', async (t) => {
    const permissions = [...codeFlow, 'gt:password', 'rst:code id_token', 'scp:ghost', 'aud:orders-api']
    const uris = ['https://app.example/cb', 'https://app.example/a b']
    const at = place(t, [
      `web,confidential,${secret},${quoted(permissions)},${quoted(uris)}`,
      `Acme Portal/2,confidential,${secret},${quoted(codeFlow)},${quoted(uris.slice(0, 1))}`,
      `bücher,confidential,${secret},${quoted(codeFlow)},${quoted(uris.slice(0, 1))}`,
      `half,confidential,${secret},${quoted(codeFlow.slice(0, 3))},${quoted(uris.slice(0, 1))}`,
      `api,confidential,${secret},${quoted(['ept:introspection'])},`,
    ])
    const dry = (await result(at, 'openiddict tables --dry-run')) as Found
    const found = (await result(at, 'openiddict tables')) as Found
    assert.deepEqual(dry, found)
    assert.deepEqual(countsOf(found), [5, 3, 0, 0, 2])
    const reasons = found.rows.map(({ reason }) => reason)
    assert.match(reasons[0] ?? '', /^bücher: The client id must have/)
    assert.match(reasons[1] ?? '', /application half comes with none of its grant types.*\(authorization_code\)/)
    assert.deepEqual(
      new Set(of(found, 'web').map(({ member }) => member)),
      new Set([
        'Permissions.gt:password',
        'Permissions.rst:code id_token',
        'Permissions.aud:orders-api',
        'Permissions',
        'RedirectUris',
      ]),
    )
    assert.equal(
      of(found, 'web').every(({ reason }) => reason.startsWith('web: ')),
      true,
    )
    const web = await clientOf(at, 'web')
    assert.deepEqual([web?.redirectUris, web?.scopes, web?.grantTypes], [uris.slice(0, 1), [], ['authorization_code']])
    assert.equal((await clientOf(at, 'Acme Portal/2'))?.name, 'Acme Portal/2')
    assert.deepEqual((await clientOf(at, 'api'))?.scopes, [])
    assert.match(of(found, 'api')[0]?.reason ?? '', /it introspects alone/)
    const { stdout } = await at.run('import openiddict tables --on-conflict skip')
    assert.match(stdout, /^OpenIddictApplications, row 4 \(bücher\): bücher: The client id/m)
  })

  it('comes with keys that have empty lists, with a certificate, and with names by language', async (t) => {
    if (skipped(t)) return
    const at = placeWith(t, {})
    const found = (await result(at, `openiddict ${aspNetData.path('aspnet-acme.sqlite')}`)) as Found
    const [signer, mtls, both] = [await clientOf(at, 'signer'), await clientOf(at, 'mtls'), await clientOf(at, 'both')]
    assert.equal(signer?.metadata.token_endpoint_auth_method, 'private_key_jwt')
    assert.deepEqual(Object.keys(signer?.metadata.jwks?.keys[0] ?? {}).sort(), [
      'alg',
      'crv',
      'kid',
      'kty',
      'use',
      'x',
      'y',
    ])
    assert.equal(mtls?.metadata.token_endpoint_auth_method, 'self_signed_tls_client_auth')
    assert.equal(both?.authentication.method, 'client_secret')
    assert.match(JSON.stringify(of(found, 'both')), /its keys do not come/)
    const localised = await clientOf(at, 'localised')
    assert.deepEqual(localised?.metadata.localized, { 'client_name#de-DE': 'Laden', 'client_name#fr-FR': 'Boutique' })
    assert.match(JSON.stringify(of(found, 'localised')), /properties of your own do not come/)
  })

  it('has the lifetimes of its time spans, and those without a place are named', async (t) => {
    const settings = {
      'tkn_lft:act': '00:05:00',
      'tkn_lft:idt': '00:02:00',
      'tkn_lft:reft': '10.08:00:00',
      'tkn_lft:auc': '00:00:30',
    }
    const long = { 'tkn_lft:act': '10.00:00:00', 'acme:colour': 'red' }
    const row = (id: string, value: object) =>
      `${id},confidential,${secret},${quoted([...codeFlow, 'gt:refresh_token'])},${quoted(['https://app.example/cb'])},${quoted(value)}`
    const at = place(t, [row('short', settings), row('long', long)], ',Settings')
    const found = (await result(at, 'openiddict tables')) as Found
    assert.deepEqual(countsOf(found), [2, 2, 0, 0, 0])
    const { metadata } = (await clientOf(at, 'short')) ?? assert.fail()
    assert.deepEqual(
      [metadata.access_token_lifetime, metadata.id_token_lifetime, metadata.refresh_token_lifetime],
      [300, 120, 10 * 86_400 + 8 * 3600],
    )
    assert.deepEqual(
      of(found, 'short').map(({ member }) => member),
      ['Settings.tkn_lft:auc'],
    )
    assert.deepEqual(
      of(found, 'long').map(({ member }) => member),
      ['Settings.acme:colour', 'Settings.tkn_lft:act'],
    )
  })
})

describe('what belongs to applications (moving in, section 6)', () => {
  const authorizations = 'Id,ApplicationId,Subject,Scopes,Status,Type\n'
  const consent = (id: string, application: string, status = 'valid', type = 'permanent') =>
    `${id},${application},u-1,${quoted(['openid', 'profile'])},${status},${type}\n`

  it('brings remembered consents, whichever import comes first', async (t) => {
    for (const order of [
      ['openiddict', 'aspnet-identity'],
      ['aspnet-identity', 'openiddict'],
    ]) {
      const row = (id: string) =>
        `${id},confidential,${secret},${quoted([...codeFlow, 'scp:profile'])},${quoted(['https://app.example/cb'])}`
      const at = place(
        t,
        [`${row('web')},a,explicit`, `${row('partner')},b,external`, `${row('bank')},c,systematic`],
        ',Id,ConsentType',
        {
          OpenIddictAuthorizations: `${authorizations}${consent('1', 'a')}${consent('2', 'b')}${consent('3', 'c')}${consent('4', 'a', 'revoked')}`,
        },
      )
      const folders: Readonly<Record<string, string>> = { openiddict: 'tables', 'aspnet-identity': 'people' }
      withAnn(at)
      for (const kind of order) assert.equal((await result(at, `${kind} ${folders[kind]}`)).failed, 0, kind)
      const stored = await at.withStorage(({ authorizations: all }) => all.list('u-1'))
      assert.deepEqual(
        stored.map(({ clientId, scopes, byOperator = false }) => [clientId, scopes, byOperator]).sort(),
        [
          ['partner', ['openid', 'profile'], true],
          ['web', ['openid', 'profile'], false],
        ],
        order.join(),
      )
    }
  })

  it('names consents of operators that ended there and hold here, with --sync and --compare, and none of people', async (t) => {
    const row = (id: string) =>
      `${id},confidential,${secret},${quoted([...codeFlow, 'scp:profile'])},${quoted(['https://app.example/cb'])}`
    const rows = [`${row('web')},a,explicit`, `${row('partner')},b,external`, `${row('club')},c,external`]
    const all = `${authorizations}${consent('1', 'a')}${consent('2', 'b')}${consent('3', 'c')}`
    const at = place(t, rows, ',Id,ConsentType', { OpenIddictAuthorizations: all })
    withAnn(at)
    await result(at, 'openiddict tables')
    await result(at, 'aspnet-identity people')
    assert.equal((await at.run('import openiddict tables --compare')).code, 0)
    const ended = `${authorizations}${consent('1', 'a', 'revoked')}${consent('2', 'b', 'revoked')}${consent('3', 'c')}`
    const tables = wholeFolder('tables', { OpenIddictAuthorizations: ended })
    writeFileSync(
      join(at.folder, 'tables/OpenIddictAuthorizations.csv'),
      tables['tables/OpenIddictAuthorizations.csv'] ?? '',
    )
    const compared = await at.run('import openiddict tables --compare --json')
    assert.equal(compared.code, 2)
    assert.deepEqual(JSON.parse(compared.stdout).differences, [
      { kind: 'client', source: 'partner', member: 'consents/ann', here: ['openid', 'profile'] },
    ])
    const found = (await result(at, 'openiddict tables --sync')) as Found
    assert.deepEqual(
      found.findings.filter(({ member }) => member.startsWith('consents/')),
      [
        {
          ...{ kind: 'client', source: 'partner', member: 'consents/ann', severity: 'changed' },
          reason:
            'ann may use partner here by the consent of an operator, and not there: if it ended there, revoke it here, too.',
          command: 'latchkey authorizations list --user ann',
        },
      ],
    )
  })

  it('gives nobody a consent back that ended here: --sync brings those that are new there, and those that wait', async (t) => {
    const row = (id: string) =>
      `${id},confidential,${secret},${quoted([...codeFlow, 'scp:profile'])},${quoted(['https://app.example/cb'])}`
    const rows = [`${row('web')},a,explicit`, `${row('partner')},b,external`, `${row('club')},c,external`]
    const write = (...all: readonly string[]) => {
      const tables = wholeFolder('tables', { OpenIddictAuthorizations: `${authorizations}${all.join('')}` })
      const name = 'tables/OpenIddictAuthorizations.csv'
      writeFileSync(join(at.folder, name), tables[name] ?? '')
    }
    const at = place(t, rows, ',Id,ConsentType')
    write(consent('1', 'a'), consent('2', 'b'))
    await result(at, 'openiddict tables')
    await result(at, 'openiddict tables --sync')
    // The person comes later.
    withAnn(at)
    await result(at, 'aspnet-identity people')
    const list = async () =>
      ((await at.json('authorizations list --user ann')) as readonly { id: string; client_id: string }[]).toSorted(
        (one, other) => one.client_id.localeCompare(other.client_id),
      )
    const clients = async () => (await list()).map(({ client_id }) => client_id)
    assert.deepEqual(await clients(), ['partner', 'web'])
    for (const one of await list()) await at.run(`authorizations revoke ${one.id}`)
    write(consent('1', 'a'), consent('2', 'b'), consent('3', 'c'))
    await result(at, 'openiddict tables --sync')
    assert.deepEqual(await clients(), ['club'])
    // Without it, what the source has comes.
    await result(at, 'openiddict tables --on-conflict skip')
    assert.deepEqual(await clients(), ['club', 'partner', 'web'])
  })

  it('takes those of an import of an earlier version for what they are here: --sync gives back none that was withdrawn', async (t) => {
    const row = (id: string) =>
      `${id},confidential,${secret},${quoted([...codeFlow, 'scp:profile'])},${quoted(['https://app.example/cb'])}`
    const rows = [`${row('web')},a,explicit`, `${row('partner')},b,external`, `${row('club')},c,external`]
    const all = `${authorizations}${consent('1', 'a')}${consent('2', 'b')}${consent('3', 'c')}`
    const at = place(t, rows, ',Id,ConsentType', { OpenIddictAuthorizations: all })
    withAnn(at)
    await result(at, 'aspnet-identity people')
    await result(at, 'openiddict tables')
    // As an earlier version left it.
    executeSqlite(join(at.folder, 'data', 'latchkey.db'), "delete from import_origins where kind = 'consent'")
    const list = async () =>
      ((await at.json('authorizations list --user ann')) as readonly { id: string; client_id: string }[]).toSorted(
        (one, other) => one.client_id.localeCompare(other.client_id),
      )
    for (const one of await list()) if (one.client_id !== 'club') await at.run(`authorizations revoke ${one.id}`)
    at.nowMs += 86_400_000
    const said = (found: Found) =>
      found.findings
        .filter(({ member }) => member.startsWith('consents'))
        .map(({ source, member, severity, reason }) => [source, member, severity, reason])
    const kept = (client: string, then: string) => [
      ...['ann', `consents/${client}`, 'changed'],
      `ann has a consent for ${client} there (openid profile) and not here, where it may have been withdrawn: it does not come, and ${then}. --on-conflict skip brings it.`,
    ]
    const expected = [
      kept('web', 'the application asks again'),
      kept('partner', 'whoever is to use it is let in by an operator again'),
      [
        ...['openiddict', 'consents', 'changed'],
        '1 consent is here as there, from an import of an earlier version: from now on, what ends here stays ended.',
      ],
    ]
    assert.deepEqual(said((await result(at, 'openiddict tables --sync --dry-run')) as Found), expected)
    assert.deepEqual(said((await result(at, 'openiddict tables --sync')) as Found), expected)
    assert.deepEqual(
      (await list()).map(({ client_id }) => client_id),
      ['club'],
    )
    // From now on it is as after an import of this version: it is said once, and what ends here stays ended.
    for (const one of await list()) await at.run(`authorizations revoke ${one.id}`)
    at.nowMs += 86_400_000
    assert.deepEqual(said((await result(at, 'openiddict tables --sync')) as Found), [])
    assert.deepEqual(await list(), [])
    await result(at, 'openiddict tables --on-conflict skip')
    assert.equal((await list()).length, 3)
  })

  it('brings those that are new there after an import of this version that had none', async (t) => {
    const row = `web,confidential,${secret},${quoted([...codeFlow, 'scp:profile'])},${quoted(['https://app.example/cb'])},a,explicit`
    const at = place(t, [row], ',Id,ConsentType', { OpenIddictAuthorizations: authorizations })
    withAnn(at)
    await result(at, 'aspnet-identity people')
    await result(at, 'openiddict tables')
    at.nowMs += 86_400_000
    const tables = wholeFolder('tables', { OpenIddictAuthorizations: `${authorizations}${consent('1', 'a')}` })
    const name = 'tables/OpenIddictAuthorizations.csv'
    writeFileSync(join(at.folder, name), tables[name] ?? '')
    await result(at, 'openiddict tables --sync')
    assert.equal(((await at.json('authorizations list --user ann')) as readonly unknown[]).length, 1)
  })

  it('says once that valid refresh tokens end', async (t) => {
    const at = place(t, [], '', {
      OpenIddictTokens: 'Type,Status\nrefresh_token,valid\nrefresh_token,valid\naccess_token,valid\n',
    })
    const { findings } = (await result(at, 'openiddict tables')) as Found
    const said = findings.filter(({ member }) => member === 'OpenIddictTokens')
    assert.equal(said.length, 1)
    assert.match(said[0]?.reason ?? '', /\(2\) end/)
  })
})

/**
 * A field of a person is declared once. It is added in a copy of the sources: the compiler names what else a human must say, and the
 * copy then stores, shows, takes and hands over the field everywhere, without another line of code.
 */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { wholeFolder } from '../cli/whole-tables.ts'
import { Browser } from '../support/browser.ts'
import { temporaryFolder } from '../support/lifetime.ts'
import { type ScratchCopy, scratchCopy } from '../support/scratch-copy.ts'
import { freePort } from '../support/service.ts'
import { startProcess } from '../support/service-process.ts'

const declaration = 'src/person-fields.ts'
const password = 'a long pass phrase for nobody'

/** The declaration alone: a text that people set themselves, with a box in the account area and in the console. */
function declare(copy: ScratchCopy): void {
  copy.edit(
    declaration,
    '  // Applications might take one person for another by it.\n',
    `  stage_name: {
    ...{ type: 'text', atMost: 40, scope: 'profile', console: 8 },
    ...{ ...persons, account: { part: 'more', place: 8, autocomplete: 'off' } },
  },
  // Applications might take one person for another by it.
`,
  )
}

/** What the compiler asks for. */
function complete(copy: ScratchCopy): void {
  const tables = 'src/import/person-tables.ts'
  const places = [
    ["      ['attributes.locale', 'locale', first],", "['attributes.stageName', 'stage_name', first]"],
    ["      ['UserName', nameOf],", "['StageName', 'stage_name']"],
    ["      ['nickname', 'nickname'],", "['user_metadata.stage', 'stage_name']"],
    ["      ['localId', 'id'],", "['stageName', 'stage_name']"],
  ] as const
  for (const [row, added] of places) copy.edit(tables, row, `${row}\n      ${added},`)
  // A text that is there in every language.
  const labels = 'account.profile.claims.stage_name console.people.members.stage_name'
  copy.edit(
    'messages/messages.pot',
    '#: account.profile.claims.nickname ',
    `#: ${labels} account.profile.claims.nickname `,
  )
  copy.compileMessages()
}

/** The folder of an installation that runs the copy. */
function place(t: TestContext, copy: ScratchCopy) {
  const folder = temporaryFolder(t)
  const run = (args: readonly string[], input = ''): string => {
    const { code, stdout, stderr } = copy.run('bin/latchkey', args, { folder, input })
    assert.equal(code, 0, `latchkey ${args.join(' ')}\n${stderr}${stdout}`)
    return stdout
  }
  return {
    folder,
    run,
    json: (...args: string[]) => JSON.parse(run([...args, '--json'])),
    write(name: string, content: string | object): void {
      mkdirSync(join(folder, name, '..'), { recursive: true })
      writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
    },
  }
}

/** Returns what an expression gives in the copy. */
function evaluated(copy: ScratchCopy, source: string): unknown {
  writeFileSync(join(copy.folder, 'evaluated.ts'), source)
  const { code, stdout, stderr } = copy.run('evaluated.ts')
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout)
}

describe('a field of a person', () => {
  it('is added in at most four files: the compiler names all but the first, and every interface has it', async (t) => {
    const copy = scratchCopy(t)

    // The declaration alone.
    declare(copy)
    const [missing, ...others] = copy.compile().errors
    assert.match(missing ?? '', /^src\/import\/person-tables\.ts\(.*'stage_name' is missing/)
    assert.deepEqual(others, [])
    const labels = copy.compile('pages').errors
    const files = new Set(labels.map((line) => line.slice(0, line.indexOf('('))))
    assert.deepEqual([...files].sort(), ['pages/account/claims.tsx', 'pages/console/person-profile.tsx'])
    for (const line of labels) assert.match(line, /stage_name/)

    // What it asks for.
    complete(copy)
    assert.deepEqual(copy.compile().errors, [])
    assert.deepEqual(copy.compile('pages').errors, [])
    // And `docs/claims.md`, which says the same to people (`claims-document.test.ts`).
    assert.ok(copy.edited.size + 1 <= 4, [...copy.edited].join(', '))

    // The documents, and the form of the console.
    const documents = evaluated(
      copy,
      `import { claims } from './pages/console/person-name.ts'
      import { adminReference } from './scripts/admin-reference.ts'
      import { configurationSchema } from './scripts/configuration-schema.ts'
      console.log(JSON.stringify({ claims, admin: adminReference(), files: JSON.parse(configurationSchema()) }))`,
    ) as { claims: string[]; admin: string; files: { properties: { users: { items: { properties: object } } } } }
    assert.equal(documents.claims.at(-1), 'stage_name')
    // The record, alone and in a list, a new one and a change.
    assert.equal(documents.admin.match(/^\| `stage_name` \| text/gm)?.length, 4)
    assert.ok('stage_name' in documents.files.properties.users.items.properties)

    // Commands, files and imports.
    const at = place(t, copy)
    at.run(['db', 'migrate'])
    at.run(
      ['user', 'add', 'alice', '--email=alice@example.com', '--email-confirmed', '--password-stdin'],
      `${password}\n`,
    )
    assert.equal(at.json('user', 'set', 'alice', 'stage_name=The Great').stage_name, 'The Great')
    assert.match(at.run(['user', 'show', 'alice']), /^stage_name +The Great$/m)
    assert.equal(at.json('user', 'export', 'alice').account.stage_name, 'The Great')
    assert.equal(at.json('user', 'set', 'alice', 'stage_name=').stage_name, undefined)
    const refused = copy.run('bin/latchkey', ['user', 'set', 'alice', `stage_name=${'x'.repeat(41)}`], at)
    assert.deepEqual([refused.code, refused.stderr], [1, 'error: stage_name must have at most 40 characters.\n'])

    at.write('people.yaml', 'users:\n  - username: dora\n    email: dora@example.com\n    stage_name: Dora D\n')
    at.run(['apply', 'people.yaml'])
    const exported = at.json('export', '--kind', 'users') as { users: { username: string; stage_name?: string }[] }
    assert.equal(exported.users.find(({ username }) => username === 'dora')?.stage_name, 'Dora D')

    const from = (system: string) => ({ username: system, email: `${system}@example.com` })
    const email = (system: string) => from(system).email
    at.write('people.csv', `username,email,stage_name\ncsv,${email('csv')},C. S. V.\n`)
    at.write('people.json', [{ ...from('json'), stage_name: 'J. Son' }])
    at.write('realm.json', { realm: 'shop', users: [{ ...from('keycloak'), attributes: { stageName: ['K. C.'] } }] })
    at.write('auth0.json', { user_id: 'auth0|1', email: email('auth0'), user_metadata: { stage: 'A. Nought' } })
    at.write('firebase.json', { users: [{ localId: 'f1', email: email('firebase'), stageName: 'F. Base' }] })
    const aspNet = wholeFolder('tables', {
      AspNetUsers: `Id,UserName,Email,StageName\na1,aspnet,${email('aspnet')},A. S. P.\n`,
    })
    for (const [name, text] of Object.entries(aspNet)) at.write(name, text)
    const imports = [
      ['users', 'people.csv', 'csv', 'C. S. V.'],
      ['users', 'people.json', 'json', 'J. Son'],
      ['keycloak', 'realm.json', 'keycloak', 'K. C.'],
      ['auth0', 'auth0.json', email('auth0'), 'A. Nought'],
      ['firebase', 'firebase.json', email('firebase'), 'F. Base'],
      ['aspnet-identity', 'tables', 'aspnet', 'A. S. P.'],
    ] as const
    for (const [kind, file, name, expected] of imports) {
      at.run(['import', kind, file])
      assert.equal(at.json('user', 'show', name).stage_name, expected, kind)
    }

    // The admin API, discovery, and the account area.
    const robot = at.json(
      ...['client', 'add', 'robot', '--grant', 'client_credentials', '--confidential', '--scope', 'admin:users'],
    )
    const port = await freePort()
    const service = await startProcess({
      ...{ port, folder: at.folder, program: copy.program },
      env: { Server__Host: 'localhost' },
    })
    t.after(() => service.stop())
    const issuer = `http://localhost:${port}/`
    const answer = async (path: string, init: RequestInit = {}) => {
      const response = await fetch(`${issuer}${path}`, init)
      return { status: response.status, body: JSON.parse(await response.text()) }
    }
    const credentials = Buffer.from(`robot:${robot.client_secret}`).toString('base64')
    const { body: token } = await answer('connect/token', {
      method: 'POST',
      headers: { authorization: `Basic ${credentials}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'admin:users' }),
    })
    const headers = {
      authorization: `Bearer ${token.access_token}`,
      'content-type': 'application/json',
      'if-match': '*',
    }
    const call = (method: string, path: string, body?: object) =>
      answer(`admin/api/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })

    const added = await call('POST', '/users', { ...from('erin'), stage_name: 'E. Rin' })
    assert.deepEqual([added.status, added.body.stage_name], [201, 'E. Rin'])
    const path = `/users/${added.body.id}`
    assert.equal((await call('PATCH', path, { stage_name: 'Erin' })).body.stage_name, 'Erin')
    assert.equal((await call('GET', path)).body.stage_name, 'Erin')
    assert.equal((await call('PATCH', path, { stage_name: null })).body.stage_name, undefined)
    for (const wrong of [7, 'x'.repeat(41), '']) {
      const { status, body } = await call('PATCH', path, { stage_name: wrong })
      assert.deepEqual([status, body.errors[0].path], [400, '/stage_name'])
    }
    const { components } = (await answer('admin/api/openapi.json')).body
    for (const name of ['User', 'NewUser', 'UserChanges'])
      assert.ok('stage_name' in components.schemas[name].properties, name)
    const { claims_supported: supported } = (await answer('.well-known/openid-configuration')).body
    assert.ok(supported.includes('stage_name'))

    const alice = new Browser({ issuer })
    await alice.signIn({ username: 'alice', password })
    assert.equal((await alice.self('PATCH', '', { stage_name: 'Alice A' })).body.stage_name, 'Alice A')
    assert.equal((await alice.self('GET', '/export')).body.account.stage_name, 'Alice A')
  })
})

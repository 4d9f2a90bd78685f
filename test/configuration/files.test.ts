import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readFiles, type SourceFile } from '../../src/configuration/files.ts'
import { toYaml } from '../../src/configuration/shown.ts'

const environment: Readonly<Record<string, string>> = { HOST: 'app.example', SECRET: 'a-secret' }
const lookup: SourceFile['lookup'] = {
  variable: (name) => environment[name],
  file: (path) => (path === 'secret.txt' ? 'from a file' : undefined),
  picture: () => undefined,
}
const read = (...texts: readonly string[]) =>
  readFiles(texts.map((text, at) => ({ name: `${at + 1}.yaml`, text, lookup })))
const messages = (...texts: readonly string[]) => read(...texts).problems.map(({ message }) => message)

describe('configuration files', () => {
  it('are YAML or JSON, with a list for each kind, and may be several', () => {
    const found = read('scopes:\n  - name: read\n', '{"$schema": "x", "clients": [{"client_id": "web"}], "users": []}')
    assert.deepEqual(found.problems, [])
    assert.deepEqual([...found.kinds], ['scopes', 'clients', 'users'])
    assert.deepEqual(
      found.records.map(({ kind, id, place }) => [kind, id, place.file, place.line, place.path]),
      [
        ['scopes', 'read', '1.yaml', 2, 'scopes/0'],
        ['clients', 'web', '2.yaml', 1, 'clients/0'],
      ],
    )
  })

  it('resolve references to the environment and to files, inside of texts and lists', () => {
    const found = read(`clients:
  - client_id: web
    client_name: The \${HOST}
    redirect_uris: ["https://\${HOST}/cb"]
    client_secret: \${file:secret.txt}
    policy_uri: https://a.example/$\${HOST}
`)
    assert.deepEqual(found.problems, [])
    const [client] = found.records
    assert.deepEqual(client?.members, {
      client_name: 'The app.example',
      redirect_uris: ['https://app.example/cb'],
      policy_uri: `https://a.example/\${HOST}`,
    })
    assert.deepEqual(client?.secrets, { client_secret: 'from a file' })
  })

  it('say where a reference leads nowhere, and never what a secret is', () => {
    const text = `clients:
  - client_id: web
    client_name: \${MISSING}
    policy_uri: \${no name}
    client_secret: \${file:missing.txt}
  - client_id: other
    client_secret: written-out-${'x'.repeat(40)}
  - client_id: third
    client_secret: before-\${SECRET}
`
    const found = messages(text)
    assert.equal(found.length, 5)
    assert.match(found[0] ?? '', /^1\.yaml, line 2, client web: The environment has no MISSING\.$/)
    assert.match(found[1] ?? '', /\$\{no name\} is no reference/)
    assert.match(found[2] ?? '', /The file missing\.txt cannot be read/)
    assert.match(found[3] ?? '', /line 6, client other: client_secret must come from the environment or a file/)
    assert.match(found[4] ?? '', /line 8, client third: client_secret must come from/)
    assert.ok(!found.join().includes('a-secret') && !found.join().includes('written-out'))
  })

  it('refuse what has no meaning, each with its place', () => {
    const cases: readonly (readonly [text: string, fault: RegExp])[] = [
      ['', /^1\.yaml: the file must be an object with attributes, scopes, /],
      ['- a', /must be an object with attributes, scopes, /],
      ['just a text', /must be an object with attributes, scopes, /],
      ['client: []', /line 1: client is not known\. A file has attributes, scopes, /],
      ['clients: {}', /line 1: clients must be a list\./],
      ['clients: [web]', /line 1: a client must be an object\./],
      ['clients:\n  - client_name: web', /line 2: a client needs client_id\./],
      ['clients:\n  - client_id: 7', /line 2: a client needs client_id\./],
      ['clients: []\nclients: []', /line 2: .*unique/i],
      ['clients: [', /line 1: /],
      ['scopes:\n  - name: !!binary aGk=', /line 2: /],
      ['a: &a [x]\nclients: *b', /alias.*b/i],
    ]
    for (const [text, fault] of cases) assert.match(messages(text)[0] ?? '', fault, text)
  })

  it('declare each record once, over all files', () => {
    const found = messages('scopes:\n  - name: read\n  - name: read', 'scopes:\n  - name: read')
    assert.deepEqual(found, [
      '1.yaml, line 3, scope read: It is declared already: 1.yaml, line 2.',
      '2.yaml, line 2, scope read: It is declared already: 1.yaml, line 2.',
    ])
  })

  it('bound what aliases can grow to', () => {
    const levels = Array.from({ length: 12 }, (_, at) => {
      const before = `*l${at - 1}`
      return at === 0 ? 'l0: &l0 [x, x, x, x, x, x, x, x, x]' : `l${at}: &l${at} [${Array(9).fill(before).join(', ')}]`
    })
    assert.match(messages(levels.join('\n'))[0] ?? '', /alias/i)
  })

  it('are written so that they read the same, texts that look like references included', () => {
    const scope = {
      name: 'read',
      display_name: `Costs \${5} or $\${6}`,
      description: null,
      resources: ['a: #b', ' c '],
    }
    const [found] = read(toYaml({ scopes: [scope] })).records
    const { name, ...members } = scope
    assert.deepEqual([found?.id, found?.members], [name, members])
  })
})

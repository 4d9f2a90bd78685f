/**
 * A client's member, an event of the audit trail, a setting, a mail and a refusal are declared in one place each. In a copy
 * of the sources one of each is added: first the declaration alone, of which the compiler says what is missing, then all.
 */
import assert from 'node:assert/strict'
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { freePort } from '../support/free-port.ts'
import { temporaryFolder } from '../support/lifetime.ts'
import { type ScratchCopy, scratchCopy } from '../support/scratch-copy.ts'
import { startProcess } from '../support/service-process.ts'

type Edit = { readonly path: string; readonly before: string; readonly after: string }

/**
 * `first`: what is added before the compiler says what is missing; `rest`: what it asks for, and what makes use of it.
 * `texts`: by their keys. The texts of all languages count as one file.
 */
type Noun = {
  readonly first: readonly Edit[]
  readonly rest: readonly Edit[]
  readonly texts?: Readonly<Record<string, string>>
}

const memberTable = 'src/protocol/client/member-table.ts'
const formTable = 'pages/console/application-members.ts'
const reference = 'src/audit/reference.ts'
const operatorMails = 'src/mail/operator-mails.ts'
const refusals = 'src/protocol/refusals/service.ts'
const settings = 'src/settings/table.ts'

const replacement = (path: string, before: string, after: string): Edit => ({ path, before, after })
const textBefore = (path: string, text: string, added: string) => replacement(path, text, added + text)
const textBehind = (path: string, text: string, added: string) => replacement(path, text, text + added)

const nouns = {
  member: {
    first: [
      textBefore(
        memberTable,
        '  backchannel_logout_uri: optional(',
        "  support_uri: optional(webUri, { about: 'where people get help' }),\n",
      ),
      textBefore(
        formTable,
        "  scope: { form: 'scopes'",
        `  support_uri: line({ tab: 'settings', label: () => words().applications.support }),\n`,
      ),
    ],
    rest: [
      replacement(
        memberTable,
        "{ about: 'where people get help' }",
        "{ setBy: 'operator', about: 'where people get help' }",
      ),
    ],
    texts: { 'console.applications.support': 'Where people get help' },
  },
  event: {
    first: [textBehind('src/audit/kinds.ts', "  client_added: 'acts',", "\n  client_welcomed: 'acts',")],
    rest: [
      textBefore(
        reference,
        '  client_added: [',
        "  client_welcomed: ['an operator registered it by command', '`actor`'],\n",
      ),
      replacement('src/cli/client-changes.ts', "event('client_added'", "event('client_welcomed'"),
    ],
    texts: { 'console.activity.kinds.client_welcomed': 'Application welcomed' },
  },
  setting: {
    first: [
      textBefore(
        settings,
        "  'Server:DrainDelay': ",
        "  'Server:WelcomeTimeout': needsRestart(setting(seconds(1, 60), '7', 'How long a welcome lasts.')),\n",
      ),
    ],
    rest: [],
  },
  mail: {
    first: [
      textBefore(
        operatorMails,
        '/** Returns a link with which the person sets',
        "export function welcome(to: string): Mail {\n  return { to, language: 'en', purpose: 'welcomed' }\n}\n\n",
      ),
    ],
    rest: [replacement(operatorMails, "purpose: 'welcomed' }", "purpose: 'welcomed', data: { topic: 'ships' } }")],
    texts: {
      'mail.mails.welcomed.subject': 'Welcome to {service}',
      'mail.mails.welcomed.paragraphs.0': 'You will hear of {topic}.',
    },
  },
  refusal: {
    first: [
      textBehind(
        refusals,
        'export const serviceRefusals = {',
        "\n  welcome_over: {\n    error: 'welcome_over',\n    id: 'ID9999',\n    description: 'The {name} is over.',\n    why: 'A welcome ends.',\n    fix: 'Come earlier.',\n  },",
      ),
    ],
    rest: [
      textBehind(refusals, "fix: 'Come earlier.',", "\n    source: 'a limit of this service',"),
      textBefore('src/protocol/refusals/entry.ts', '  access_denied: ', '  welcome_over: 409,\n'),
    ],
  },
} as const satisfies Readonly<Record<string, Noun>>

describe('one of each noun, added in a copy of the sources', () => {
  const ends: (() => void)[] = []
  let copy: ScratchCopy
  /** What the compiler says of the declarations alone, and of all. */
  let missing: readonly string[]
  let complete: readonly string[]

  before(() => {
    copy = scratchCopy({ after: (end) => ends.push(end as () => void) })
    const all: readonly Noun[] = Object.values(nouns)
    const apply = (edits: readonly Edit[]) => {
      for (const { path, before, after } of edits) copy.edit(path, before, after)
    }
    const compiled = () => [...copy.compile().errors, ...copy.compile('pages').errors]
    for (const { first } of all) apply(first)
    missing = compiled()
    for (const { rest, texts = {} } of all) {
      apply(rest)
      for (const [key, text] of Object.entries(texts)) say(key, text)
    }
    copy.compileMessages()
    complete = compiled()
  })
  after(() => {
    for (const end of ends) end()
  })

  /** Adds a text to each language. */
  function say(key: string, text: string): void {
    const folder = join(copy.folder, 'messages')
    for (const file of readdirSync(folder).filter((one) => /\.pot?$/.test(one))) {
      const item =
        file === 'messages.pot' ? `#: ${key}\nmsgid "${text}"\nmsgstr ""` : `msgid "${text}"\nmsgstr "${text}"`
      appendFileSync(join(folder, file), `\n${item}\n`)
    }
  }

  /** What the compiler says of a file while something is missing. */
  function said(path: string): string {
    return missing.filter((line) => line.replace(/^pages\//, '').startsWith(path.replace(/^pages\//, ''))).join('\n')
  }

  function place(t: TestContext) {
    const folder = temporaryFolder(t)
    const run = (...args: string[]): string => {
      const ran = copy.run('bin/latchkey', args, { folder })
      assert.equal(ran.code, 0, `${args.join(' ')}: ${ran.stderr}`)
      return ran.stdout
    }
    run('db', 'migrate')
    return { folder, run }
  }

  /** What a script of the copy prints. */
  function printed(script: string): string {
    writeFileSync(join(copy.folder, 'scripts/printing.ts'), script)
    const { code, stdout, stderr } = copy.run('scripts/printing.ts')
    assert.equal(code, 0, stderr)
    return stdout
  }

  const document = (path: string) =>
    printed(`import { generated } from './generate-docs.ts'\nconsole.log(await generated.get('${path}')())`)

  /** Starts the service of the copy, with a client that may change clients and see the settings. */
  async function serve(t: TestContext, { folder, run }: ReturnType<typeof place>, env: Record<string, string>) {
    const scopes = ['admin:clients', 'admin:read']
    const asked = scopes.flatMap((scope) => ['--scope', scope])
    const added = run('client', 'add', 'ops', '--confidential', '--grant', 'client_credentials', ...asked, '--json')
    const port = await freePort()
    const service = await startProcess({ port, folder, env, program: copy.program })
    t.after(() => service.kill())
    const at = (path: string) => `http://localhost:${port}${path}`
    const token = await fetch(at('/connect/token'), {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`ops:${JSON.parse(added).client_secret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope: scopes.join(' ') }),
    })
    const { access_token } = (await token.json()) as { access_token: string }
    const admin = (path: string, init: RequestInit = {}) =>
      fetch(at(`/admin/api/v1${path}`), {
        ...init,
        headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json', 'if-match': '*' },
      })
    return { at, admin }
  }

  it('compiles, with at most four files for each', () => {
    assert.deepEqual(complete, [])
    for (const [name, { first, rest, texts }] of Object.entries<Noun>(nouns)) {
      const files = new Set([...first, ...rest].map(({ path }) => path))
      if (texts !== undefined) files.add('messages/')
      assert.ok(files.size <= 4, `${name}: ${[...files].join(', ')}`)
    }
  })

  it('has the compiler say what is missing of a declaration alone, and nothing else', () => {
    // Who may set the member, and the label of its field.
    assert.match(said(memberTable), /setBy/)
    assert.match(said(formTable), /support/)
    // When the event is recorded, and its name in words.
    assert.match(said(reference), /client_welcomed/)
    assert.match(said('pages/console/activity-entry.ts'), /client_welcomed/)
    // The text of the mail.
    assert.match(said(operatorMails), /welcomed/)
    // The source of the rule, and the status of its error code.
    assert.match(said(refusals), /welcome_over/)
    // A setting is its row.
    assert.equal(said(settings), '')
  })

  it("knows a client's member on the command line, in files, in the admin API, in registration and in its document", async (t) => {
    const here = place(t)
    const { folder, run } = here
    const help = 'https://help.example/'
    const shown = () => JSON.parse(run('client', 'show', 'web', '--json')).support_uri
    run('client', 'add', 'web', '--redirect-uri', 'https://a.example/cb', `support_uri=${help}`)
    assert.equal(shown(), help)
    const refused = copy.run('bin/latchkey', ['client', 'set', 'web', 'support_uri=none'], { folder })
    assert.match(refused.stderr, /support_uri must be an absolute URI/)

    writeFileSync(join(folder, 'all.yaml'), run('export', '--kind', 'clients'))
    assert.match(readFileSync(join(folder, 'all.yaml'), 'utf8'), /support_uri: https:\/\/help\.example\//)
    run('client', 'set', 'web', 'support_uri=')
    run('apply', 'all.yaml')
    assert.equal(shown(), help)

    const { at, admin } = await serve(t, here, { OAuth__DynamicRegistration: 'open' })
    const changed = await admin('/clients/web', { method: 'PATCH', body: '{"support_uri":"https://new.example/"}' })
    assert.equal(((await changed.json()) as Record<string, unknown>).support_uri, 'https://new.example/')
    const number = await admin('/clients/web', { method: 'PATCH', body: '{"support_uri":1}' })
    assert.equal(number.status, 400)
    const openapi = (await (await fetch(at('/admin/api/openapi.json'))).json()) as {
      components: { schemas: Record<string, { properties: Record<string, unknown> }> }
    }
    for (const schema of ['Client', 'NewClient', 'ClientChanges']) {
      assert.ok(openapi.components.schemas[schema]?.properties.support_uri, schema)
    }

    const registered = await fetch(at('/connect/register'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: ['https://b.example/cb'], support_uri: help }),
    })
    assert.equal(registered.status, 400)
    assert.match(await registered.text(), /support_uri can be set by an operator alone/)
    assert.match(document('docs/client-members.md'), /\| `support_uri` \| where people get help \| none \|/)
  })

  it('records an event of the audit trail, and describes it', (t) => {
    const { run } = place(t)
    run('client', 'add', 'web', '--redirect-uri', 'https://a.example/cb')
    assert.match(run('audit', 'list', '--kind', 'client_welcomed'), /client_welcomed.*web/)
    assert.match(document('docs/audit-events.md'), /\| `client_welcomed` \| an operator registered it by command \|/)
  })

  it('reads a setting, shows where it comes from, and describes it', async (t) => {
    const { admin } = await serve(t, place(t), { Server__WelcomeTimeout: '9' })
    const { items } = (await (await admin('/settings')).json()) as { items: Record<string, unknown>[] }
    const shown = items.find(({ name }) => name === 'Server:WelcomeTimeout')
    assert.deepEqual([shown?.value, shown?.source], ['9', 'environment'])
    assert.match(
      document('docs/settings.md'),
      /\| `Server:WelcomeTimeout` \| `7` \| seconds \| How long a welcome lasts. ↻ \|/,
    )
    const value = "const read = readSettings({ env: { Server__WelcomeTimeout: '9' } })\n"
    const use = 'console.log(read.ok && read.settings.server.welcomeTimeoutSeconds)'
    assert.equal(printed(`import { readSettings } from '../src/settings/read.ts'\n${value}${use}`), '9\n')
  })

  it('writes a mail', () => {
    const imports = [
      "import { loadCatalogue } from '../src/mail/catalogues.ts'",
      "import { welcome } from '../src/mail/operator-mails.ts'",
      "import { writeMail } from '../src/mail/rendering.ts'",
      "import { noBrand } from '../src/protocol/branding/brand.ts'",
    ]
    const by = "{ brand: noBrand, issuer: 'https://id.example/' }"
    const write = `console.log(JSON.stringify(writeMail('a@b.example', welcome('a@b.example'), await loadCatalogue('de'), ${by})))`
    const { subject, text } = JSON.parse(printed([...imports, write].join('\n')))
    assert.equal(subject, 'Welcome to Latchkey')
    assert.match(text, /You will hear of ships\./)
  })

  it('explains a refusal, and answers with the status of its code', (t) => {
    assert.match(place(t).run('explain', 'ID9999'), /The \S.* is over\.[\s\S]*Come earlier\./)
    assert.match(document('docs/errors.md'), /## ID9999\n\n- \*\*`welcome_over`\*\*/)
    const ask =
      "import { refuse, statusOf } from '../src/protocol/refusals/index.ts'\nconsole.log(statusOf(refuse('welcome_over').error))"
    assert.equal(printed(ask), '409\n')
  })
})
